package align

import "strings"

// lineEdits adds and removes whole lines.
func (l *layout) lineEdits(w work) []placed {
	var out []placed
	n := len(l.items)
	behind := make(map[int][]added, len(w.added))
	for _, a := range w.added {
		behind[a.after] = append(behind[a.after], a)
	}
	last, lastBy := l.lastEntry(w, behind)
	gap := l.usualGap()
	eol := lineBreak(l.text)
	tail := l.tail(w)
	bare := l.bareEnd(tail, behind)
	started := false // an entry stands before, in the new list
	position := 0
	var moved cause // what makes the entries from here on stand elsewhere
	for i := -1; i < n; i++ {
		if i >= 0 && w.removed[i].none() {
			started = true
			out = append(out, l.fixComma(i, last == i, lastBy)...)
			out = append(out, l.recount(i, position, moved)...)
			position++
		} else if i >= 0 {
			moved = w.removed[i]
		}
		at := l.rows[0].start
		if i >= 0 {
			at = l.rows[i].end
		}
		for j, a := range behind[i] {
			text := l.count(a.text.head, position)
			position, moved = position+1, a.by
			if l.commas && (l.trailing || last != n+a.seq) {
				text += ","
			}
			text += a.text.tail
			switch {
			case !strings.HasSuffix(l.text[:at], "\n") && at > 0 && i >= 0 && w.removed[i].none(): // the file ends without a line break
				text = eol + gap + bareLine(text)
			case started:
				text = gap + text
			case i < 0 && j == len(behind[i])-1:
				text += gap
			}
			if started = true; bare == a.seq {
				text = bareLine(text)
			}
			out = append(out, place(at, at, text, a.by))
		}
	}
	return append(out, l.lineRemovals(w, behind, tail, bare)...)
}

// lastEntry returns the entry that will be the last: an index of items, or len(items) and the index of what is added. by
// is a change that makes it so.
func (l *layout) lastEntry(w work, behind map[int][]added) (last int, by cause) {
	for i := len(l.items) - 1; i >= -1; i-- {
		if list := behind[i]; len(list) > 0 {
			a := list[len(list)-1]
			return len(l.items) + a.seq, a.by
		}
		if i >= 0 && w.removed[i].none() {
			return i, by
		}
		if i >= 0 {
			by = w.removed[i]
		}
	}
	return -1, by
}

// tail returns the first of the removed entries that end the file without a line break, nothing but blank lines between
// them; their number if none do.
func (l *layout) tail(w work) int {
	k := len(l.rows)
	if k == 0 || l.rows[k-1].end < len(l.text) || strings.HasSuffix(l.text, "\n") {
		return k
	}
	for k > 0 && !w.removed[k-1].none() && (k == len(l.rows) || l.adjoin(k-1)) {
		k--
	}
	return k
}

// adjoin reports whether nothing but blank lines stands between an entry and the next one.
func (l *layout) adjoin(i int) bool {
	return l.rows[i].end == l.rows[i+1].start || l.blank(i) != ""
}

// bareEnd returns which of the added entries takes the place of the file's last line, which has no line break: its index
// among all that are added, or -1. tail is where the removed entries start that end the file.
func (l *layout) bareEnd(tail int, behind map[int][]added) int {
	n := len(l.rows)
	if tail == n {
		return -1
	}
	for i := n - 1; i >= tail-1; i-- {
		if list := behind[i]; len(list) > 0 && (i >= tail || i < 0 || l.adjoin(i)) {
			return list[len(list)-1].seq
		}
	}
	return -1
}

// fixComma gives an entry that stays the comma that its new place asks for.
func (l *layout) fixComma(i int, last bool, by cause) []placed {
	if !l.commas {
		return nil
	}
	at, want := l.comma(i), l.trailing || !last
	switch {
	case want && at < 0:
		return []placed{place(l.items[i].end, l.items[i].end, ",", by)}
	case !want && at >= 0:
		return []placed{place(at, at+1, "", by)}
	}
	return nil
}

// blank returns what stands between the lines of an entry and those of the next if that is nothing but blank lines.
func (l *layout) blank(i int) string {
	if i < 0 || i+1 >= len(l.rows) {
		return ""
	}
	between := l.text[l.rows[i].end:l.rows[i+1].start]
	if strings.TrimSpace(between) != "" {
		return ""
	}
	return between
}

// usualGap returns the blank lines that stand between entries here.
func (l *layout) usualGap() string {
	for i := range l.rows {
		if gap := l.blank(i); gap != "" {
			return gap
		}
	}
	if len(l.rows) == 1 && strings.HasPrefix(l.text[l.items[0].start:], "[[") {
		return lineBreak(l.text) // arrays of tables stand apart
	}
	return ""
}

// lineRemovals takes out the lines of removed entries, with the blank lines before them. Those from tail on end the file without
// a line break, and bare is what takes their place.
func (l *layout) lineRemovals(w work, behind map[int][]added, tail, bare int) []placed {
	var out []placed
	n := len(l.rows)
	for i := 0; i < n; i++ {
		if w.removed[i].none() {
			continue
		}
		first := i
		for i+1 < n && !w.removed[i+1].none() {
			i++
		}
		fresh := false // something is put between them
		for j := first - 1; j <= i; j++ {
			fresh = fresh || len(behind[j]) > 0
		}
		for j := first; j <= i; j++ {
			start, end := l.rows[j].start, l.rows[j].end
			if j > 0 && l.blank(j-1) != "" {
				start = l.rows[j-1].end
			}
			if j == i && first == 0 && !fresh && l.blank(j) != "" {
				end = l.rows[j+1].start
			}
			if j == tail && bare < 0 {
				start = breakBefore(l.text, start) // so that the file still ends without a line break
			}
			out = append(out, place(start, end, "", w.removed[j]))
		}
	}
	return out
}
