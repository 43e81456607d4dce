package haproxy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// expect reads http-check expect and tcp-check expect. What the model cannot say is kept as text.
func (k *copier) expect(d directive) {
	i := 2
	for i+1 < len(d.words) {
		switch d.words[i].text {
		case "min-recv", "comment", "ok-status", "error-status", "tout-status", "on-success", "on-error", "status-code":
			i += 2
			continue
		}
		break
	}
	negated := false
	if i < len(d.words) && d.words[i].text == "!" {
		negated = true
		i++
	}
	if i+1 >= len(d.words) {
		return
	}
	kind, pattern := d.words[i].text, d.words[i+1]
	path := schema.Path("probe.expect.statuses")
	if negated {
		path = "probe.badStatuses"
	}
	var statuses []string
	switch kind {
	case "status":
		text, ok := k.Resolve(path, pattern.scalar())
		if !ok {
			k.Copy.Touch(schema.Probe, pattern.at)
			return
		}
		statuses = statusList(text)
	case "rstatus":
		if !pattern.templated {
			statuses = statusClasses(pattern.text)
		}
	case "string":
		if !negated {
			k.text("probe.expect.body", pattern)
			return
		}
	}
	if _, twice := k.Copy.Get(path); statuses == nil || twice {
		k.Copy.Set(schema.Path(d.words[0].text+" expect"), schema.TextOf(joinWords(d.words[2:])), schema.Join(d.words[2].at, d.words[len(d.words)-1].at))
		return
	}
	k.Copy.Set(path, schema.ListOf(statuses...), pattern.at)
}

// statusList reads "200,301-303"; nil for anything else.
func statusList(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		low, high, ranged := strings.Cut(part, "-")
		a, err := strconv.Atoi(low)
		b := a
		if err == nil && ranged {
			b, err = strconv.Atoi(high)
		}
		if err != nil || a < 100 || b > 999 || b < a || len(list) > 100 {
			return nil
		}
		list = append(list, part)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// statusClasses reads the regular expressions that people write for status classes: ^2, ^[23], ^(2|3)[0-9][0-9]$, 2.., and
// lists of whole codes; nil for anything else.
func statusClasses(text string) []string {
	open := !strings.HasPrefix(text, "^")
	text = strings.TrimPrefix(text, "^")
	closed := strings.HasSuffix(text, "$")
	text = strings.TrimSuffix(text, "$")
	if s := strings.TrimSuffix(strings.TrimPrefix(text, "("), ")"); !strings.ContainsAny(s, "()") {
		if list := wholeCodes(s); list != nil {
			return list
		}
	}
	var digits []string
	rest := ""
	switch {
	case text == "":
		return nil
	case text[0] == '[' || text[0] == '(':
		end := strings.IndexAny(text, "])")
		if end < 0 {
			return nil
		}
		for _, c := range text[1:end] {
			switch {
			case c >= '1' && c <= '5':
				digits = append(digits, string(c))
			case c == '|' && text[0] == '(':
			case c == '-' && text[0] == '[' && end == 4:
				for d := text[1] + 1; d < text[3] && d <= '5'; d++ {
					digits = append(digits, string(rune(d)))
				}
			default:
				return nil
			}
		}
		rest = text[end+1:]
	case text[0] >= '1' && text[0] <= '5':
		digits, rest = []string{text[:1]}, text[1:]
	}
	switch rest {
	case "":
		if open || closed {
			return nil
		}
	case "..", "[0-9][0-9]", "[0-9]{2}", `\d\d`, `\d{2}`, "[0-9]+", ".*", ".+", `\d+`:
		if open && (rest == ".*" || rest == ".+" || rest == "[0-9]+" || rest == `\d+`) {
			return nil
		}
	default:
		return nil
	}
	var list []string
	for _, d := range digits {
		list = append(list, d+"00-"+d+"99")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// wholeCodes reads "200|204".
func wholeCodes(text string) []string {
	list := strings.Split(text, "|")
	for _, code := range list {
		if len(code) != 3 || code[0] < '1' || code[0] > '5' || strings.Trim(code, "0123456789") != "" {
			return nil
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
