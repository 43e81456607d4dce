package align

import (
	"regexp"
	"strconv"
	"strings"
)

// habit is what the entries of a list write under one key or in one column.
type habit struct {
	count    int // entries that write it
	same     bool
	text     string // the first one's
	seen     map[string]bool
	numbered bool // the texts differ in one number alone
	prefix   string
	suffix   string
	max, min int
	width    int // of a number with leading zeros; 0 without
	counted  bool
}

var lastDigits = regexp.MustCompile(`^(.*?)([0-9]+)([^0-9]*)$`)

// see adds what one more entry writes.
func (h *habit) see(text string) {
	if h.count++; h.count == 1 {
		h.text, h.same, h.seen, h.numbered = text, true, map[string]bool{}, true
	}
	h.same = h.same && text == h.text
	m := lastDigits.FindStringSubmatch(text)
	if m == nil || len(m[2]) > 9 || h.seen[text] || strings.ContainsAny(text, "\n.") {
		h.numbered = false
	}
	h.seen[text] = true
	if !h.numbered {
		return
	}
	n, _ := strconv.Atoi(m[2])
	if h.count == 1 {
		h.prefix, h.suffix, h.max, h.min = m[1], m[3], n, n
	}
	h.numbered = m[1] == h.prefix && m[3] == h.suffix
	h.max, h.min = max(h.max, n), min(h.min, n)
	if m[2][0] == '0' && len(m[2]) > 1 {
		h.width = len(m[2])
	}
}

// next returns the text of the n-th new entry, counted from 1, where the texts are numbered.
func (h *habit) next(n int) (string, bool) {
	if !h.numbered {
		return "", false
	}
	number := strconv.Itoa(h.max + n)
	for len(number) < h.width {
		number = "0" + number
	}
	return h.prefix + number + h.suffix, true
}

// sequence reports whether the entries are numbered one by one, and by nothing but the number.
func (h *habit) sequence(entries int) bool {
	return h.numbered && h.count == entries && bareText(h.prefix+h.suffix) == "" && h.max-h.min == h.count-1
}

// namelike reports whether a key says what an entry is called.
func namelike(key string) bool {
	key = strings.ToLower(strings.Trim(key, "\"'` "))
	for _, end := range []string{"name", "id", "alias", "label", "名", "名称", "编号", "序号"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// notelike reports whether a key holds a remark for people.
func notelike(key string) bool {
	key = strings.ToLower(strings.Trim(key, "\"'` "))
	for _, part := range []string{"comment", "note", "descr", "remark", "备注", "说明"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

// newcomer is who a new entry is about, and what takes its place in the entry that it is made from.
type newcomer struct {
	oldHost, oldPort, host, port string
	oldName, name                string // what both are called in the truth; empty where the copy has names of its own
	ordinal                      int    // among all new entries of the list, from 1
	keepAll                      bool
	// pairs are written in addition to what the sibling writes: keys and values.
	pairs [][2]string
}

// renamed puts the new host, and its port behind it, where a text names the old one.
func (n newcomer) renamed(text string) (string, bool) {
	if len(n.oldHost) < 3 || n.host == "" {
		return "", false
	}
	var b strings.Builder
	pos, found := 0, false
	for at := 0; ; {
		i := strings.Index(text[at:], n.oldHost)
		if i < 0 {
			break
		}
		i += at
		at = i + len(n.oldHost)
		if i > 0 && wordByte(text[i-1]) || at < len(text) && wordByte(text[at]) {
			continue
		}
		b.WriteString(text[pos:i] + n.host)
		if pos = at; n.oldPort != "" && n.port != "" && portAt(text[at:], n.oldPort) {
			b.WriteString(":" + n.port)
			pos += 1 + len(n.oldPort)
			at = pos
		}
		found = true
	}
	if found {
		return b.String() + text[pos:], true
	}
	dash := strings.NewReplacer(".", "-", ":", "-")
	if old := dash.Replace(n.oldHost); old != n.oldHost && strings.Contains(text, old) {
		return strings.Replace(text, old, dash.Replace(n.host), 1), true
	}
	return "", false
}

// portAt reports whether a text opens with a colon and this port.
func portAt(text, port string) bool {
	rest, ok := strings.CutPrefix(text, ":"+port)
	return ok && (rest == "" || !wordByte(rest[0]))
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '_'
}

// role says what a value that is not compared is to its entry.
type role uint8

const (
	other  role = iota
	name        // what the entry is called
	called      // the same, where the reader knows it for the member's name
	fact        // region, zone, limits: true of that entry
	note        // a remark
	owner       // says which pool the entry belongs to
)

// dated matches a text that says when something was or will be.
var dated = regexp.MustCompile(`(^|[^0-9.])(19|20)[0-9]{2}([-/.][01]?[0-9][-/.][0-3]?[0-9]([^0-9.]|$)|年[01]?[0-9]月)`)

// carry decides what a new entry writes where the one that it is made from writes text: what all entries share is kept,
// names are made anew, and what belonged to the one entry is dropped.
func (h *habit) carry(text string, r role, entries int, who newcomer) (string, bool) {
	if r == called {
		if who.name != "" && who.oldName != "" && strings.Contains(text, who.oldName) {
			return strings.Replace(text, who.oldName, who.name, 1), true
		}
		r = name
	}
	if renamed, ok := who.renamed(text); ok {
		return renamed, true
	}
	switch {
	case h.counted && r != fact:
		return h.prefix + strings.Repeat(counted, len(strconv.Itoa(h.max+1))) + h.suffix, true
	case r == owner:
		return text, true
	case dated.MatchString(text) && !who.keepAll: // since when is for a person to write
		return "", false
	case r == name || r == other && h.sequence(entries) && entries > 1:
		return h.next(who.ordinal)
	case r == note:
		return "", false
	case who.keepAll:
		return text, true
	case entries > 1:
		return text, h.same && h.count == entries
	}
	return text, r == other
}
