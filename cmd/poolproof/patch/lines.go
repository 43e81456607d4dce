package patch

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// block is a run of lines that is replaced: those from lo up to hi by new.
type block struct {
	lo, hi int
	new    []string
}

// splitLines returns the lines of a text, each with its line feed; the last one may have none.
func splitLines(text []byte) []string {
	var out []string
	for line := range bytes.Lines(text) {
		out = append(out, string(line))
	}
	return out
}

// blocksOf turns changes into blocks of lines that have no line in common and do not touch.
func blocksOf(text []byte, lines []string, changes []Change) []block {
	starts := make([]int, len(lines)+1) // offsets; the last is the end of the text
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l)
	}
	var out []block
	for i := 0; i < len(changes); {
		lo, hi := reach(text, starts, changes[i])
		n := i + 1
		for ; n < len(changes); n++ {
			nextLo, nextHi := reach(text, starts, changes[n])
			if nextLo > hi {
				break
			}
			hi = max(hi, nextHi)
		}
		base := starts[lo]
		part := slices.Clone(changes[i:n])
		for j := range part {
			part[j].Start, part[j].End = part[j].Start-base, part[j].End-base
		}
		b := block{lo, hi, splitLines(Apply(text[base:starts[hi]], part))}
		if b.trim(lines); b.lo < b.hi || len(b.new) > 0 {
			out = append(out, b)
		}
		i = n
	}
	return out
}

// reach returns the lines that a change alters, so that what takes their place consists of whole lines too.
func reach(text []byte, starts []int, c Change) (lo, hi int) {
	last := len(starts) - 1 // as many as there are lines
	lo = sort.SearchInts(starts, c.Start+1) - 1
	hi = sort.SearchInts(starts, c.End+1) - 1
	if c.Start == len(text) && last > 0 && text[len(text)-1] != '\n' {
		lo = last - 1 // it goes on with the last line, which has no end
	}
	whole := strings.HasSuffix(c.New, "\n") || c.New == "" && c.Start == starts[lo]
	if hi < last && (c.End > starts[hi] || !whole) {
		hi++
	}
	return lo, max(lo, hi)
}

// trim leaves out lines at both ends that stay as they are.
func (b *block) trim(old []string) {
	for b.lo < b.hi && len(b.new) > 0 && old[b.lo] == b.new[0] {
		b.lo, b.new = b.lo+1, b.new[1:]
	}
	for b.lo < b.hi && len(b.new) > 0 && old[b.hi-1] == b.new[len(b.new)-1] {
		b.hi, b.new = b.hi-1, b.new[:len(b.new)-1]
	}
}
