package scan

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Delta says what was judged again since it was last taken: what it does not cover is as it was.
type Delta struct {
	// All: everything was.
	All      bool
	pools    map[poolKey]bool
	files    map[string]bool
	manifest string
	keys     map[string]string // of names of pools, shared
}

// Covers reports whether what was known about a pool, or where pool is empty, about a file, may be so no more. What
// stands in the manifest, or nowhere, is always told again.
func (d *Delta) Covers(env, pool, file string) bool {
	switch {
	case d.All:
		return true
	case pool != "":
		return len(d.pools) > 0 && d.pools[poolKey{env, d.key(pool)}]
	}
	return d.files[file] || file == "" || file == d.manifest
}

// key is the key of a pool's name, of which there are many and which are asked for after every change.
func (d *Delta) key(pool string) string {
	k, ok := d.keys[pool]
	if !ok {
		k = reconcile.Key(pool)
		d.keys[pool] = k
	}
	return k
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
	d.manifest, d.keys = s.options.Manifest.File, s.keys
	s.delta = Delta{}
	if d.All {
		return d, s.Findings()
	}
	list := slices.Clone(s.run)
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
