package align

import "slices"

// prove returns the changes that are proven. It first takes all at once, as long as reading again tells which one to blame;
// then it halves.
func (p *prover) prove(changes []*change) []*change {
	var open, later []*change
	for _, c := range changes {
		if c.live() {
			open = append(open, c)
		}
	}
	s := search{prover: p}
	const rounds = 12
	for range rounds {
		if len(open) == 0 || p.reads <= 0 {
			break
		}
		v := p.try(open)
		if v.ok {
			s.proven, open = open, nil
			break
		}
		if len(v.blame) > 0 {
			open = next(v.blame, open)
			continue
		}
		if len(v.apart) == 0 || len(v.apart) == len(open) {
			break
		}
		// What is wrong lies with these: the others go on without them.
		open, later = without(open, v.apart), append(later, v.apart...)
	}
	for _, c := range append(open, later...) {
		c.at = 0
	}
	s.accept(open)
	s.accept(later)
	s.alone(changes)
	return s.proven
}

// alone tries once more what was dropped beside others, each by itself. That nothing comes of most is known, so it is
// bounded more closely.
func (s *search) alone(changes []*change) {
	const most = 24
	s.reads = min(s.reads, most)
	for _, c := range changes {
		if c.live() || len(c.alts) == 0 || s.reads <= 0 {
			continue
		}
		c.at = 0
		for c.live() && s.reads > 0 {
			if s.try(append(s.proven[:len(s.proven):len(s.proven)], c)).ok {
				s.proven = append(s.proven, c)
				break
			}
			c.at++
		}
		if s.reads <= 0 && !slices.Contains(s.proven, c) {
			c.at = len(c.alts)
		}
	}
}

// without returns the changes that are not in the other list.
func without(list, other []*change) []*change {
	out := make(map[*change]bool, len(other))
	for _, c := range other {
		out[c] = true
	}
	var kept []*change
	for _, c := range list {
		if !out[c] {
			kept = append(kept, c)
		}
	}
	return kept
}

// next goes on to the next alternative of the changes that are to blame, and drops those that have none left.
func next(blame, open []*change) []*change {
	for _, c := range blame {
		c.at++
	}
	var out []*change
	for _, c := range open {
		if c.live() {
			out = append(out, c)
		}
	}
	return out
}

// search adds changes to those that are proven, as many at once as can be.
type search struct {
	*prover
	proven []*change
}

func (s *search) accept(list []*change) {
	for len(list) > 0 {
		if s.reads <= 0 {
			for _, c := range list {
				c.at, c.fault = len(c.alts), faultEffort()
			}
			return
		}
		v := s.try(append(s.proven[:len(s.proven):len(s.proven)], list...))
		if v.ok {
			s.proven = append(s.proven, list...)
			return
		}
		if len(list) == 1 {
			if list[0].fault.En == "" {
				list[0].fault = faultShape()
			}
			list = next(list, list)
			continue
		}
		if mine := within(v.blame, list); len(mine) > 0 && len(mine) < len(list) {
			list = next(mine, list)
			continue
		}
		half := len(list) / 2
		s.accept(list[:half:half])
		list = list[half:]
	}
}

// within returns those of the blamed changes that are in the list.
func within(blame, list []*change) []*change {
	in := map[*change]bool{}
	for _, c := range list {
		in[c] = true
	}
	var out []*change
	for _, c := range blame {
		if in[c] {
			out = append(out, c)
		}
	}
	return out
}
