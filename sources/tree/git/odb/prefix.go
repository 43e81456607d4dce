package odb

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// MinPrefix is how many hex digits an abbreviated name has at least, as in git.
const MinPrefix = 4

// Prefix returns the objects whose names begin with some hex digits, in order. Beyond most of them it stops.
func (s *Store) Prefix(digits string, most int) []Hash {
	digits = strings.ToLower(digits)
	even, err := hex.DecodeString(digits[:len(digits)&^1])
	if len(digits) < MinPrefix || err != nil {
		return nil
	}
	s.rescan(s.packs.Load())
	seen := map[Hash]bool{}
	add := func(id Hash) bool {
		if strings.HasPrefix(id.String(), digits) {
			seen[id] = true
		}
		return len(seen) < most
	}
	for _, p := range *s.packs.Load() {
		names, err := p.bucket(even[0])
		if err != nil {
			continue
		}
		n := len(names) / len(Hash{})
		i := sort.Search(n, func(i int) bool { return bytes.Compare(nameAt(names, i)[:len(even)], even) >= 0 })
		for ; i < n && bytes.HasPrefix(nameAt(names, i), even); i++ {
			if !add(Hash(nameAt(names, i))) {
				break
			}
		}
	}
	for _, folder := range s.folders {
		entries, err := os.ReadDir(filepath.Join(folder, digits[:2]))
		if err != nil {
			continue
		}
		for _, e := range entries {
			raw, err := hex.DecodeString(digits[:2] + e.Name())
			if err == nil && len(raw) == len(Hash{}) && !add(Hash(raw)) {
				break
			}
		}
	}
	found := make([]Hash, 0, len(seen))
	for id := range seen {
		found = append(found, id)
	}
	sort.Slice(found, func(i, j int) bool { return bytes.Compare(found[i][:], found[j][:]) < 0 })
	return found
}
