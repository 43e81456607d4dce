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
			case !strings.HasSuffix(l.text[:at], "\n") && at > 0 && i >= 0: // the file ends without a line break
				text = eol + gap + strings.TrimSuffix(text, eol)
			case started:
				text = gap + text
			case i < 0 && j == len(behind[i])-1:
				text += gap
			}
			started = true
			out = append(out, place(at, at, text, a.by))
		}
	}
	return append(out, l.lineRemovals(w, behind)...)
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

// lineRemovals takes out the lines of removed entries, with the blank lines before them.
func (l *layout) lineRemovals(w work, behind map[int][]added) []placed {
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
			if j == first && l.rows[i].end == len(l.text) && !strings.HasSuffix(l.text, "\n") && start > 0 {
				start -= len(lineBreak(l.text)) // so that the file still ends without a line break
			}
			out = append(out, place(start, end, "", w.removed[j]))
		}
	}
	return out
}
