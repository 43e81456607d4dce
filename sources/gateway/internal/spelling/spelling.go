// Package spelling finds the word that a misspelt one was meant to be, in vocabularies of short technical words.
package spelling

import "strings"

// Nearest returns the word that a misspelt one is most likely meant to be, or nothing: equal but for case, or up to two
// letters apart in words long enough for that.
func Nearest(got string, words []string) string {
	best, distance := "", 3
	for _, w := range words {
		if strings.EqualFold(got, w) {
			return w
		}
		limit := min(distance-1, len(w)/3)
		if d := edits(got, w, limit); d <= limit {
			best, distance = w, d
		}
	}
	return best
}

// edits counts the letters that must be inserted, removed, replaced or swapped with their neighbour; more than limit is
// limit + 1.
func edits(a, b string, limit int) int {
	if limit < 0 || len(a) > 40 || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
