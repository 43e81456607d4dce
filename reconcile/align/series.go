package align

import (
	"slices"
	"strconv"
	"strings"
)

// series is a column or key that numbers the entries from first on. It is counted anew where entries come and go.
type series struct {
	at    []span // of the number of each entry
	first int
}

// counted stands for the digits of a new entry's number until its place is known.
const counted = "\uE000"

// countable reports whether a key of a tree only counts entries. Other numbers are names, which stay.
func countable(key string) bool {
	switch strings.ToLower(strings.Trim(key, "\"'")) {
	case "batch", "step", "no", "index", "seq", "order", "stage", "批次", "序号", "步骤":
		return true
	}
	return false
}

// number finds the series among what the entries write; where gives the place of what entry i writes under a key.
func (l *listing) number(keys []string, where func(i int, key string) (span, bool)) {
	if l.rows == nil || len(l.items) < 2 || strings.Contains(l.text, counted) {
		return
	}
	for _, key := range keys {
		h := l.habits[key]
		if !h.sequence(len(l.items)) || h.width > 0 {
			continue
		}
		s := series{first: h.min}
		for i := range l.items {
			at, ok := where(i, key)
			if !ok {
				break
			}
			text := l.text[at.start:at.end]
			m := lastDigits.FindStringSubmatchIndex(text)
			if m == nil || text[m[4]:m[5]] != strconv.Itoa(h.min+i) {
				break
			}
			s.at = append(s.at, span{at.start + m[4], at.start + m[5]})
		}
		if len(s.at) == len(l.items) {
			l.series = append(l.series, s)
			h.counted = true
		}
	}
	slices.SortFunc(l.series, func(a, b series) int { return a.at[0].start - b.at[0].start })
}

// recount gives entry i the number that belongs to its new position.
func (l *layout) recount(i, position int, by cause) []placed {
	var out []placed
	if by.none() || position == i {
		return nil
	}
	for _, s := range l.series {
		at, text := s.at[i], strconv.Itoa(s.first+position)
		if l.fill != nil {
			at, text = l.fill(at, text)
		}
		out = append(out, place(at.start, at.end, text, by))
	}
	return out
}

// count puts the number of a new entry into its text.
func (l *layout) count(text string, position int) string {
	if len(l.series) == 0 {
		return text
	}
	for _, s := range l.series {
		i := strings.Index(text, counted)
		if i < 0 {
			break
		}
		run := (len(text[i:]) - len(strings.TrimLeft(text[i:], counted))) / len(counted)
		number := strconv.Itoa(s.first + position)
		if rest := text[i+run*len(counted):]; strings.HasPrefix(rest, " ") && run > len(number) {
			number += strings.Repeat(" ", run-len(number))
		}
		text = text[:i] + number + text[i+run*len(counted):]
	}
	return text
}
