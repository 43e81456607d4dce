package web

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
)

// ordered keeps the lists of the newest snapshot in the order of the page, with the text that a search looks through, so
// that ten thousand pools are sorted once and not for every reader.
type ordered struct {
	mu   sync.Mutex
	of   *status.Snapshot
	view *view
}

// view is a snapshot in the order of the page.
type view struct {
	*status.Snapshot
	drifts []indexed[status.Drift]
	pools  []indexed[poolEntry]
	once   sync.Once
	sorted []schema.Finding
}

// indexed is an entry with the text that a search looks through, in lower case.
type indexed[T any] struct {
	entry *T
	text  string
}

func (o *ordered) get(s *status.Snapshot) *view {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of != s {
		o.of, o.view = s, arrange(s)
	}
	return o.view
}

// arrange puts pools that drift before others; drift comes in its order.
func arrange(s *status.Snapshot) *view {
	v := &view{Snapshot: s}
	for i := range s.Drifts {
		d := &s.Drifts[i]
		v.drifts = append(v.drifts, indexed[status.Drift]{d, lower(d.Pool, d.Env, d.Rule, d.Item, d.Field, d.Member,
			string(d.Side), d.Place, d.Got, d.Want)})
	}
	for _, p := range s.Pools {
		words := []string{p.Name, p.Env, p.Owner}
		for _, c := range p.Copies {
			words = append(words, string(c.Side), c.Format, c.File)
		}
		e := poolEntry{Pool: p}
		for i := range p.Findings {
			if f := &p.Findings[i]; f.Status != schema.Suppressed {
				e.counts[severityOf(f.Severity)]++
			}
		}
		v.pools = append(v.pools, indexed[poolEntry]{&e, lower(words...)})
	}
	slices.SortStableFunc(v.pools, func(x, y indexed[poolEntry]) int {
		a, b := x.entry, y.entry
		return cmp.Or(cmp.Compare(b.Errors(), a.Errors()), cmp.Compare(b.Warnings(), a.Warnings()),
			cmp.Compare(b.Infos(), a.Infos()), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Env, b.Env))
	})
	return v
}

// findings returns all findings in the order of reports.
func (v *view) findings() []schema.Finding {
	v.once.Do(func() {
		v.sorted = slices.Clone(v.Loose)
		for _, p := range v.Pools {
			v.sorted = append(v.sorted, p.Findings...)
		}
		report.Sort(v.sorted)
	})
	return v.sorted
}

// poolEntry is a pool with the numbers of its findings that are not suppressed.
type poolEntry struct {
	*status.Pool
	counts [schema.Error + 1]int
}

// Errors, Warnings and Infos count the findings.
func (p *poolEntry) Errors() int   { return p.counts[schema.Error] }
func (p *poolEntry) Warnings() int { return p.counts[schema.Warning] }
func (p *poolEntry) Infos() int    { return p.counts[schema.Info] }

func lower(words ...string) string { return strings.ToLower(strings.Join(words, "\n")) }

// search returns what holds every word of a query.
func search[T any](list []indexed[T], words []string) []indexed[T] {
	if len(words) == 0 {
		return list
	}
	var found []indexed[T]
	for _, e := range list {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(e.text, w) }) {
			found = append(found, e)
		}
	}
	return found
}
