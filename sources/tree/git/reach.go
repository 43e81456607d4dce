package git

import "sync"

// Contains reports whether a commit is reachable from a revision. Where a shallow clone ends before that is certain, it is
// a Trouble. Repeated questions about one revision walk its history once.
func (r *Repo) Contains(ref string, c Commit) (bool, error) {
	tip, err := r.Resolve(ref)
	if err != nil {
		return false, err
	}
	inside, cut, err := r.reaches.from(r, tip.ID).contains(c.ID)
	if err == nil && !inside && cut {
		err = r.shallow("whether %s holds commit %.12s cannot be said", "无法确定 %s 是否包含提交 %.12s", quote(ref), c.String())
	}
	return inside, err
}

// reaches keeps the walks by where they began.
type reaches struct {
	mu    sync.Mutex
	walks map[Hash]*walk
}

func (s *reaches) from(r *Repo, tip Hash) *walk {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.walks == nil {
		s.walks = map[Hash]*walk{}
	}
	w := s.walks[tip]
	if w == nil {
		w = &walk{repo: r, seen: map[Hash]bool{tip: true}, next: []Hash{tip}}
		s.walks[tip] = w
	}
	return w
}

// walk is the part of a history that was looked at so far. It goes on only while what is looked for is not in it.
type walk struct {
	mu   sync.Mutex
	repo *Repo
	seen map[Hash]bool
	next []Hash
	cut  bool // a shallow clone's end was met
}

func (w *walk) contains(id Hash) (inside, cut bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.seen[id] && len(w.next) > 0 {
		c, err := w.repo.commit(w.next[0])
		if err != nil {
			return false, false, err
		}
		w.next = w.next[1:]
		w.cut = w.cut || c.cut
		for _, parent := range c.parents {
			if !w.seen[parent] {
				w.seen[parent] = true
				w.next = append(w.next, parent)
			}
		}
	}
	return w.seen[id], w.cut, nil
}
