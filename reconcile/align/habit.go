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
	ordinal                      int // among all new entries of the list, from 1
	keepAll                      bool
	// pairs are written in addition to what the sibling writes: keys and values.
	pairs [][2]string
}

// renamed puts the new host, and its port behind it, where a text names the old one.
func (n newcomer) renamed(text string) (string, bool) {
	if len(n.oldHost) < 3 || n.host == "" {
		return "", false
	}
	i := strings.Index(text, n.oldHost)
	if end := i + len(n.oldHost); i >= 0 && (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
		rest := text[end:]
		if after, ok := strings.CutPrefix(rest, ":"+n.oldPort); ok && n.oldPort != "" && n.port != "" {
			rest = ":" + n.port + after
		}
		return text[:i] + n.host + rest, true
	}
	dash := strings.NewReplacer(".", "-", ":", "-")
	if old := dash.Replace(n.oldHost); old != n.oldHost && strings.Contains(text, old) {
		return strings.Replace(text, old, dash.Replace(n.host), 1), true
	}
	return "", false
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '_'
}

// role says what a value that is not compared is to its entry.
type role uint8

const (
	other role = iota
	name       // what the entry is called
	fact       // region, zone, limits: true of that entry
	note       // a remark
	owner      // says which pool the entry belongs to
)

// carry decides what a new entry writes where the one that it is made from writes text: what all entries share is kept,
// names are made anew, and what belonged to the one entry is dropped.
func (h *habit) carry(text string, r role, entries int, who newcomer) (string, bool) {
	if renamed, ok := who.renamed(text); ok {
		return renamed, true
	}
	switch {
	case h.counted && r != fact:
		return h.prefix + strings.Repeat(counted, len(strconv.Itoa(h.max+1))) + h.suffix, true
	case r == owner:
		return text, true
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
