package data

import "github.com/poolproof/poolproof/schema"

// keySet finds keys written twice without a table for small mappings.
type keySet struct {
	index map[string]int
}

// smallMap is the number of keys up to which comparing each with each is cheaper than a table.
const smallMap = 16

// add appends a pair to a mapping. A key that is there already gives way to the new pair; first is where it stood.
func (s *keySet) add(n *Node, p Pair) (first schema.Span, again bool) {
	i := s.find(n, p.Key)
	if i >= 0 {
		first = n.Pairs[i].KeyAt
		// The place of the last one counts. Pairs are moved only for keys written twice, which are few, but a file of
		// nothing else must not cost its square: the old entry is overwritten and stays where it is.
		n.Pairs[i] = p
		return first, true
	}
	n.Pairs = append(n.Pairs, p)
	if s.index != nil {
		s.index[p.Key] = len(n.Pairs) - 1
	}
	return first, false
}

// find returns the index of a key, -1 if it is new.
func (s *keySet) find(n *Node, key string) int {
	if s.index == nil {
		if len(n.Pairs) <= smallMap {
			for i := range n.Pairs {
				if n.Pairs[i].Key == key {
					return i
				}
			}
			return -1
		}
		s.index = make(map[string]int, 2*len(n.Pairs))
		for i := range n.Pairs {
			s.index[n.Pairs[i].Key] = i
		}
	}
	if i, ok := s.index[key]; ok {
		return i
	}
	return -1
}
