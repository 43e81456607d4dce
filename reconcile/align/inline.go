package align

import (
	"regexp"
	"strings"
)

// inlineEdits adds and removes entries that share lines, with the separators between them.
func (l *layout) inlineEdits(w work) []placed {
	var out []placed
	n := len(l.items)
	sep := l.separator()
	kept := -1
	var waiting []added // to be put before the first entry that stays
	behind := map[int][]added{}
	for _, a := range w.added {
		behind[a.after] = append(behind[a.after], a)
	}
	waiting = append(waiting, behind[-1]...)
	for i := range n {
		if w.removed[i].none() {
			for _, a := range waiting {
				out = append(out, place(l.items[i].start, l.items[i].start, a.text.head+sep, a.by))
			}
			waiting, kept = nil, i
		}
		if kept < 0 {
			waiting = append(waiting, behind[i]...)
			continue
		}
		for _, a := range behind[i] {
			out = append(out, place(l.items[kept].end, l.items[kept].end, sep+a.text.head, a.by))
		}
	}
	if kept < 0 && len(waiting) > 0 { // nothing stays: the new ones take the place of the old ones
		for j, a := range waiting {
			text := a.text.head
			if j > 0 {
				text = sep + text
			}
			out = append(out, place(l.items[0].start, l.items[0].start, text, a.by))
		}
	}
	return append(out, l.inlineRemovals(w)...)
}

// inlineRemovals takes out entries, each with one separator.
func (l *layout) inlineRemovals(w work) []placed {
	var out []placed
	n := len(l.items)
	for i := 0; i < n; i++ {
		if w.removed[i].none() {
			continue
		}
		first := i
		for i+1 < n && !w.removed[i+1].none() {
			i++
		}
		for j := first; j <= i; j++ {
			s := l.items[j]
			switch {
			case first > 0:
				s.start = l.items[j-1].end
			case j < n-1 && (j < i || i < n-1):
				s.end = l.items[j+1].start
			}
			out = append(out, place(s.start, s.end, "", w.removed[j]))
		}
	}
	return out
}

// separator returns what stands between two entries, best without a line break, and never with a comment.
func (l *layout) separator() string {
	best := ""
	const most = 64 // entries that are looked at
	for i := 0; i+1 < len(l.items) && i < most; i++ {
		sep := l.text[l.items[i].end:l.items[i+1].start]
		if l.commented(sep) {
			continue
		}
		if !strings.Contains(sep, "\n") {
			return sep
		}
		if best == "" {
			best = sep
		}
	}
	if best == "" && l.commas {
		if tight.MatchString(l.text[l.items[0].start:min(l.items[0].end, l.items[0].start+maxLine)]) {
			return ","
		}
		return ", "
	}
	return best
}

// tight matches entries that are written without spaces behind commas.
var tight = regexp.MustCompile(`,["{\[0-9A-Za-z]`)

// commented reports whether a text between entries holds a comment.
func (l *layout) commented(sep string) bool {
	return l.comment != "" && strings.Contains(sep, l.comment) || strings.Contains(sep, "/*")
}

// holdsComment reports whether taking an entry out would take a comment with it that is not the entry's.
func (l *layout) holdsComment(i int) bool {
	if l.rows != nil {
		return false
	}
	from, to := l.items[i].start, l.items[i].end
	if i > 0 {
		from = l.items[i-1].end
	}
	if i+1 < len(l.items) {
		to = l.items[i+1].start
	}
	return l.commented(l.text[from:l.items[i].start]) || l.commented(l.text[l.items[i].end:to])
}
