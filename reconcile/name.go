package reconcile

import (
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Key returns what is left of a pool's name when spelling is taken away: case, '-', '_', spaces, quotes, and the words
// "pool", "address pool" and 地址池. A name made of these words alone keeps them.
func Key(name string) string {
	name, _ = schema.Fold(name)
	name = strings.ToLower(name)
	words := strings.FieldsFunc(strings.ReplaceAll(name, "地址池", " "), func(r rune) bool {
		return r == '-' || r == '_' || r == ' ' || r == '\t' || r == '`' || r == '"' || r == '\u00a0'
	})
	var kept []string
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "address" && i+1 < len(words) && words[i+1] == "pool":
			i++
		case words[i] != "pool":
			kept = append(kept, words[i])
		}
	}
	if len(kept) == 0 {
		return strings.Join(strings.Fields(name), "")
	}
	return strings.Join(kept, "")
}

// Nearest returns up to three of the names that are closest in spelling to name, the closest first; names that share
// nothing with it are left out.
func Nearest(name string, among []string) []string {
	type scored struct {
		name string
		d    int
	}
	key := Key(name)
	var list []scored
	for _, n := range among {
		k := Key(n)
		d := distance(key, k)
		if d <= max(2, max(len(key), len(k))/3) || len(key) > 3 && len(k) > 3 && (strings.Contains(k, key) || strings.Contains(key, k)) {
			list = append(list, scored{n, d})
		}
	}
	sort.Slice(list, func(i, j int) bool {
		return list[i].d < list[j].d || list[i].d == list[j].d && list[i].name < list[j].name
	})
	var out []string
	for _, s := range list[:min(3, len(list))] {
		out = append(out, s.name)
	}
	return out
}

// distance is the Levenshtein distance of two short texts; long ones are cut, since only near names are of interest.
func distance(a, b string) int {
	const longest = 64
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
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
