package main

import "github.com/poolproof/poolproof/sources/tree/git"

// readEvent reads an event file within the bounds of every file.
func readEvent(name string) ([]byte, error) { return readNamed(name, true) }

// brings refuses a head that does not hold the last commit of the proposed branch: the base is checked out, or an older
// state of the branch, and comparing that would pass whatever the change holds. Where the history is too short to tell, a
// head that is not the base counts.
func (s *span) brings(name string, base, head git.Commit, tip string) error {
	if tip == "" || tip == head.String() {
		return nil
	}
	last, err := s.repo.Resolve(tip)
	if err != nil {
		if base == head {
			return notChecked("what is checked out is the base of the change and not the change: %w", err)
		}
		return nil
	}
	if holds, err := s.repo.Contains(name, last); err != nil || holds {
		return nil
	}
	return notChecked("what is checked out (%.12s) does not hold the change; check it out: git checkout %s", head, last)
}
