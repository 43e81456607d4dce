package scan

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Delta says what was judged again since it was last taken: what it does not cover is as it was.
type Delta struct {
	// All: everything was.
	All   bool
	pools map[poolKey]bool
	files map[string]bool
}

// Covers reports whether what was known about a pool, or about files where pool is empty, may be so no more.
func (d *Delta) Covers(env, pool string, files []string) bool {
	if d.All {
		return true
	}
	if pool != "" {
		return d.pools[poolKey{env, reconcile.Key(pool)}]
	}
	return slices.ContainsFunc(files, func(f string) bool { return d.files[f] })
}

func (d *Delta) pool(k poolKey) {
	if d.All {
		return
	}
	if d.pools == nil {
		d.pools = map[poolKey]bool{}
	}
	d.pools[k] = true
}

func (d *Delta) file(p string) {
	if d.All {
		return
	}
	if d.files == nil {
		d.files = map[string]bool{}
	}
	d.files[p] = true
}

// Take returns what was judged again since the last Take, and what is wrong with that now, in no order.
func (s *Scanner) Take() (Delta, []schema.Finding) {
	d := s.delta
	s.delta = Delta{}
	if d.All {
		return d, s.Findings()
	}
	var list []schema.Finding
	for k := range d.pools {
		list = append(list, s.pools[k]...)
	}
	for p := range d.files {
		list = append(list, s.places[p]...)
	}
	return d, list
}

// note counts the files that findings say cannot be read, or not be read whole: what they say is not known.
func (s *Scanner) note(findings []schema.Finding, n int) {
	for i := range findings {
		f := &findings[i]
		if f.Rule != "source/unreadable" && f.Rule != "source/syntax" || f.At.File == "" || f.At.File == s.options.Manifest.File {
			continue
		}
		if s.unread[f.At.File] += n; s.unread[f.At.File] == 0 {
			delete(s.unread, f.At.File)
		}
	}
}

// Unread reports whether a file could not be read, or not be read whole.
func (s *Scanner) Unread(file string) bool { return s.unread[file] > 0 }

// AnyUnread reports whether there is such a file.
func (s *Scanner) AnyUnread() bool { return len(s.unread) > 0 }
