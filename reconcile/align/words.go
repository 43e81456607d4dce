package align

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// placeholder reports whether a text holds a value that is filled in elsewhere: it is never replaced as a whole.
func placeholder(s string) bool {
	return strings.Contains(s, "${") || strings.Contains(s, "{{") || strings.Contains(s, "<%") || strings.Contains(s, "{%")
}

// bareText returns a scalar's text without its quotes.
func bareText(s string) string {
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

// safe matches texts that mean themselves in every notation, without quotes.
var safe = regexp.MustCompile(`^[A-Za-z0-9/_][A-Za-z0-9/_.+-]*(?::[0-9]+)?$`)

// requote writes a text where old stands, in the same quotes. quotable says that quotes can be added where the text needs
// them and old has none.
func requote(old, text string, quotable bool) string {
	switch {
	case len(old) > 1 && old[0] == '"' && old[len(old)-1] == '"':
		return jsonText(text)
	case len(old) > 1 && old[0] == '\'' && old[len(old)-1] == '\'':
		if strings.ContainsAny(text, "'\\\n") {
			return jsonText(text)
		}
		return "'" + text + "'"
	case quotable && !safe.MatchString(text):
		return jsonText(text)
	}
	return text
}

func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string never fails
	return strings.TrimSuffix(b.String(), "\n")
}

// spellText returns the ways to write a text where old stands, whose value is was.
func spellText(old, was, want string, quotable bool) []string {
	var out []string
	plain := !strings.ContainsAny(want, "\"'\\\n")
	switch i := strings.Index(strings.ToLower(old), strings.ToLower(was)); {
	case was == "" || i < 0 || len(strings.ToLower(old)) != len(old):
	case old == was && quotable:
		out = append(out, requote(old, want, true))
	case plain:
		out = append(out, old[:i]+sameCase(want, old[i:i+len(was)])+old[i+len(was):], old[:i]+want+old[i+len(was):])
	}
	if !placeholder(old) {
		out = append(out, requote(old, want, quotable))
	}
	return out
}

// lists of words that answer a question alike, by style: the style of the old word decides which new one is proposed.
func flagWords() [][2]string {
	return [][2]string{
		{"true", "false"}, {"yes", "no"}, {"on", "off"}, {"Y", "N"}, {"1", "0"}, {"是", "否"}, {"✓", "✗"}, {"✔", "✘"}, {"✅", "❌"}, {"√", "×"},
		{"backup", "primary"}, {"standby", "primary"}, {"secondary", "primary"}, {"standby", "active"}, {"backup", "main"}, {"备用", "主用"}, {"备用", "正式"}, {"备机", "主机"}, {"备节点", "主节点"}, {"备", "主"},
		{"允许", "不允许"},
	}
}

// spellFlag returns the ways to write yes or no where old stands.
func spellFlag(old string, want bool) []string {
	pick := 1
	if want {
		pick = 0
	}
	word := bareText(old)
	var like, other []string
	for _, pair := range flagWords() {
		text := swap(old, word, inCase(pair[pick], word))
		if strings.EqualFold(pair[0], word) || strings.EqualFold(pair[1], word) {
			like = append(like, text)
		} else if word == "" || isASCII(word) == isASCII(pair[pick]) {
			other = append(other, text)
		}
	}
	if placeholder(old) {
		return nil
	}
	return append(like, other...)
}

// swap puts a word in the place of another one, inside of whatever quotes it has.
func swap(old, word, new string) string {
	if word == "" {
		return requote(old, new, false)
	}
	return strings.Replace(old, word, new, 1)
}

// inCase writes a word in the case of another: TRUE, True, true.
func inCase(word, like string) string {
	switch {
	case like == "" || !isASCII(word) || !isASCII(like):
		return word
	case len(like) > 1 && like == strings.ToUpper(like):
		return strings.ToUpper(word)
	case like[0] >= 'A' && like[0] <= 'Z':
		return strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.ToLower(word)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// stateWords are words for a state, rows of words that go together.
func stateWords() [][3]string {
	return [][3]string{
		{"active", "drain", "disabled"}, {"active", "draining", "disabled"}, {"enabled", "drain", "disabled"}, {"enabled", "drained", "disabled"},
		{"up", "drain", "down"}, {"online", "draining", "offline"}, {"in service", "draining", "out of service"}, {"in rotation", "draining", "out of rotation"},
		{"true", "", "false"}, {"yes", "", "no"},
		{"启用", "排空", "停用"}, {"已启用", "已排空", "已停用"}, {"在线", "排空中", "离线"}, {"上线", "摘流", "下线"}, {"已上线", "已摘流", "已下线"},
		{"正常", "摘流中", "维护"}, {"启用", "摘流", "禁用"}, {"是", "", "否"}, {"✓", "", "✗"}, {"✔", "", "✘"}, {"✅", "", "❌"},
	}
}

// yesNo reports whether a state is written as the answer to a question ("enabled"), which knows no third.
func yesNo(word string) bool {
	for _, row := range stateWords() {
		if row[1] == "" && (strings.EqualFold(row[0], word) || strings.EqualFold(row[2], word)) {
			return true
		}
	}
	return false
}

// spellState returns the ways to write a state where old stands.
func spellState(old string, want schema.State) []string {
	word := bareText(old)
	if placeholder(old) || want == schema.StateUnsaid {
		return nil
	}
	var like, other []string
	for _, row := range stateWords() {
		new := row[want-schema.Active]
		if new == "" {
			continue
		}
		text := swap(old, word, inCase(new, word))
		if strings.EqualFold(row[0], word) || strings.EqualFold(row[1], word) || strings.EqualFold(row[2], word) {
			like = append(like, text)
		} else if !yesNo(word) && (word == "" || isASCII(word) == isASCII(new)) {
			other = append(other, text)
		}
	}
	return append(like, other...)
}
