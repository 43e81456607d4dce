package reconcile

import (
	"cmp"
	"slices"
	"strings"
)

// Names is a set of pool names in which near ones are found without comparing with each of them. It is safe for
// concurrent use once it is made.
type Names struct {
	list []named
	// byPair lists the names that hold two characters in a row, by these.
	byPair map[string][]int32
}

type named struct{ name, key string }

// Limits that keep a search short in trees with very many names: of the names that share rare pairs of characters with
// the one that is looked for, the closest by that measure are compared in full.
const (
	maxPosting    = 128
	maxCompared   = 24
	alwaysCompare = 256
)

// NewNames makes the set.
func NewNames(names []string) *Names {
	n := &Names{byPair: map[string][]int32{}}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			continue // one pool of several environments
		}
		seen[name] = true
		key := Key(name)
		id := int32(len(n.list))
		n.list = append(n.list, named{name, key})
		for p := range pairs(key) {
			n.byPair[p] = append(n.byPair[p], id)
		}
	}
	return n
}

// pairs returns the different pairs of bytes of a key.
func pairs(key string) map[string]bool {
	out := map[string]bool{}
	for i := 0; i+2 <= min(len(key), longest); i++ {
		out[key[i:i+2]] = true
	}
	return out
}

// Nearest returns up to three of the names that are closest in spelling to name, the closest first; names that share
// nothing with it are left out.
func (n *Names) Nearest(name string) []string {
	key := Key(name)
	type scored struct {
		name string
		d    int
	}
	var list []scored
	for _, i := range n.candidates(key) {
		k := n.list[i].key
		d := distance(key, k)
		if d <= max(2, max(len(key), len(k))/3) && d < max(len(key), len(k)) || len(key) > 3 && len(k) > 3 && (strings.Contains(k, key) || strings.Contains(key, k)) ||
			wordIn(name, n.list[i].name) || wordIn(n.list[i].name, name) {
			list = append(list, scored{n.list[i].name, d})
		}
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.name, b.name)) })
	var out []string
	for _, s := range list[:min(3, len(list))] {
		out = append(out, s.name)
	}
	return out
}

// wordIn reports whether a short name is the first word of a longer one: pay and pay_backend.
func wordIn(short, long string) bool {
	if len(short) < 2 || len(long) <= len(short) || !strings.EqualFold(long[:len(short)], short) {
		return false
	}
	return strings.IndexByte("-_ ./:", long[len(short)]) >= 0
}

// candidates returns the names worth comparing with a key: all of a short list, else those that share most pairs.
func (n *Names) candidates(key string) []int32 {
	if len(n.list) <= alwaysCompare {
		all := make([]int32, len(n.list))
		for i := range all {
			all[i] = int32(i)
		}
		return all
	}
	shared := map[int32]int{}
	for p := range pairs(key) {
		if ids := n.byPair[p]; len(ids) <= maxPosting {
			for _, id := range ids {
				shared[id]++
			}
		}
	}
	ids := make([]int32, 0, len(shared))
	for id := range shared {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a, b)) })
	return ids[:min(len(ids), maxCompared)]
}

// Nearest returns up to three of the names that are closest in spelling to name, the closest first; names that share
// nothing with it are left out. For many searches in one list, make Names.
func Nearest(name string, among []string) []string { return NewNames(among).Nearest(name) }

// longest is how many bytes of a name count for nearness; only near names are of interest.
const longest = 64

// distance is the Levenshtein distance of two short texts; long ones are cut.
func distance(a, b string) int {
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
