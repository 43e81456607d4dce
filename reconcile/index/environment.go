package index

import (
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// wild are the manifest's names that hold the environment, "be_orders_{env}", by what stands before it.
type wild map[string][]wildName

type wildName struct{ after, pool string } // keys

func wildOf(m *schema.Manifest) wild {
	const mark = "{env}"
	var w wild
	for i := range m.Pools {
		e := &m.Pools[i]
		for _, names := range e.Names {
			for _, n := range names {
				if before, after, ok := strings.Cut(reconcile.Key(n), mark); ok {
					if w == nil {
						w = wild{}
					}
					w[before] = append(w[before], wildName{after, reconcile.Key(e.Name)})
				}
			}
		}
	}
	return w
}

// pools returns the keys of the pools that a key may stand for in some environment.
func (w wild) pools(key string) []string {
	if w == nil {
		return nil
	}
	var out []string
	for n := range len(key) {
		for _, x := range w[key[:n]] {
			if strings.HasSuffix(key[n:], x.after) {
				out = append(out, x.pool)
			}
		}
	}
	return out
}

// keys returns the keys under which an entry is found: its own, and those of the pools that they may stand for.
func (x *Index) keys(e *Entry) []string {
	if x.wild == nil {
		return e.Keys
	}
	keys := e.Keys[:len(e.Keys):len(e.Keys)]
	for _, k := range e.Keys {
		keys = append(keys, x.wild.pools(k)...)
	}
	return keys
}
