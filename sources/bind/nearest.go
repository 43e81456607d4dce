package bind

import "strings"

// Nearest returns the known name that is closest to name in spelling, empty where none is near. Case, '-' and '_' do
// not count.
func Nearest(name string, known []string) string {
	const longest = 64
	fold := func(s string) string {
		s = strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s))
		return s[:min(len(s), longest)]
	}
	name = fold(name)
	best, least := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := distance(name, fold(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two short texts, counted in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
