package web

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
)

// Bounds of what one page shows.
const (
	driftsPerPage = 25
	poolsPerPage  = 50
	copiesShown   = 30
	findingsShown = 20
	listShown     = 200 // gateways, sinks
	notesShown    = 20
	maxQuery      = 200 // bytes
	maxWords      = 8
)

// pageView is what the template of the status page shows.
type pageView struct {
	Lang, Query     string
	Root, Version   string
	State           string // ok, bad, warn, blind
	Verdict, Detail string
	Title           string
	Snap            *status.Snapshot
	Drifts          []*status.Drift
	Pools           []pool
	Gateways        []status.Gateway
	Sinks           []alert.Status
	Unknown         int
	Notes           []note
	More            int // gateways that are not shown
	DriftPages      pager
	PoolPages       pager
	Languages       []link
	Every           time.Duration
	Main            bool // only the part that changes
}

// pool is a pool as the page shows it.
type pool struct {
	*poolEntry
	Key   string
	Sides []side
	Shown []status.Copy
	More  int
	// Wrong are its findings.
	Wrong     []schema.Finding
	MoreWrong int
}

type side struct {
	Side  schema.Side
	Count int
}

// note is something to know about the watch itself.
type note struct {
	Text  string
	Since time.Time
}

type link struct {
	Name, URL, Lang string
	Here            bool
}

// pager leads through a list.
type pager struct {
	Total, From, To int // From and To are the first and the last one shown, counted from 1
	Before, After   string
	Of              string // what is listed, for the template
}

// page answers with the status page, or with part=main with the part of it that changes.
func (s *site) page(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	p := s.pages[language(r)]
	v := s.view(p, r.URL.Path, query)
	var buf bytes.Buffer
	name := "page"
	if v.Main = query.Get("part") == "main"; v.Main {
		name = "main"
	}
	if err := p.template.ExecuteTemplate(&buf, name, v); err != nil {
		panic(fmt.Errorf("the status page: %w", err)) // which the guard tells
	}
	w.Header().Set("Vary", "Accept-Language")
	send(w, r, "text/html; charset=utf-8", buf.Bytes())
}

// send answers with a body, or says that the client has it.
func send(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	sum := fnv.New64a()
	sum.Write(body)
	tag := `"` + strconv.FormatUint(sum.Sum64(), 36) + `"`
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("ETag", tag)
	h.Set("Cache-Control", "no-cache")
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // an error is the client's, who went away
}

// view gathers what the page shows for a query.
func (s *site) view(p *pages, path string, query url.Values) *pageView {
	now := s.now()
	v := &pageView{Lang: p.lang, Query: cut(query.Get("q"), maxQuery), Every: time.Minute}
	v.Languages = []link{{Name: "English", Lang: "en"}, {Name: "中文", Lang: "zh"}}
	for i := range v.Languages {
		l := &v.Languages[i]
		l.URL, l.Here = with(path, query, "lang", l.Lang), l.Lang == p.lang
	}
	snap := s.source()
	p.verdict(v, snap, now)
	if snap == nil {
		return v
	}
	v.Snap, v.Root, v.Version, v.Every = snap, snap.Root, snap.Version, every(snap)
	for _, e := range window(snap.Errors, 0, notesShown) {
		if e.Name != "scan" { // which the verdict says
			v.Notes = append(v.Notes, note{e.Text.In(p.lang), e.Since})
		}
	}
	if snap.Watcher.Polling {
		v.Notes = append(v.Notes, note{Text: p.say("degraded") + " " + snap.Watcher.Why})
	}
	if n := snap.Totals.StateFailures; n > 0 {
		v.Notes = append(v.Notes, note{Text: p.say("unsaved", n)})
	}
	if n := snap.Totals.Panics; n > 0 {
		v.Notes = append(v.Notes, note{Text: p.say("defects", n)})
	}
	sorted := s.order.get(snap)
	words := strings.Fields(strings.ToLower(v.Query))
	words = words[:min(len(words), maxWords)]
	drifts, pools := search(sorted.drifts, words), search(sorted.pools, words)
	var lasting []indexed[status.Drift]
	v.DriftPages, lasting = turn(drifts, path, query, "drifts", driftsPerPage)
	for _, one := range lasting {
		v.Drifts = append(v.Drifts, one.entry)
	}
	var shown []indexed[poolEntry]
	v.PoolPages, shown = turn(pools, path, query, "page", poolsPerPage)
	for _, one := range shown {
		v.Pools = append(v.Pools, poolView(one.entry))
	}
	v.gateways(snap)
	v.Sinks = window(snap.Sinks, 0, listShown)
	return v
}

// gateways shows those first of which nothing is known.
func (v *pageView) gateways(snap *status.Snapshot) {
	for _, unknown := range []bool{true, false} {
		for _, g := range snap.Gateways {
			if !g.UnknownSince.IsZero() == unknown {
				v.Gateways = append(v.Gateways, g)
			}
		}
		if unknown {
			v.Unknown = len(v.Gateways)
		}
	}
	if n := len(v.Gateways) - listShown; n > 0 {
		v.Gateways, v.More = v.Gateways[:listShown], n
	}
}

func poolView(p *poolEntry) pool {
	v := pool{poolEntry: p, Key: p.Name + "\n" + p.Env, Shown: window(p.Copies, 0, copiesShown)}
	v.More = len(p.Copies) - len(v.Shown)
	v.Wrong = window(p.Findings, 0, findingsShown)
	v.MoreWrong = len(p.Findings) - len(v.Wrong)
	for _, name := range []schema.Side{schema.App, schema.Gateway, schema.Doc, schema.Order, schema.Live} {
		n := 0
		for i := range p.Copies {
			if p.Copies[i].Side == name {
				n++
			}
		}
		if n > 0 {
			v.Sides = append(v.Sides, side{name, n})
		}
	}
	return v
}

// turn cuts a list to the page of it that the query names, the last one where there are fewer.
func turn[T any](list []T, path string, query url.Values, name string, size int) (pager, []T) {
	n, err := strconv.Atoi(query.Get(name))
	if err != nil || n < 1 {
		n = 1
	}
	n = max(1, min(n, (len(list)+size-1)/size))
	part := window(list, (n-1)*size, size)
	p := pager{Total: len(list), From: (n-1)*size + 1, To: (n-1)*size + len(part)}
	if n > 1 {
		p.Before = with(path, query, name, strconv.Itoa(n-1))
	}
	if n*size < len(list) {
		p.After = with(path, query, name, strconv.Itoa(n+1))
	}
	return p, part
}

// with returns the page's address with one word of the query changed.
func with(path string, query url.Values, name, value string) string {
	next := url.Values{}
	for _, kept := range []string{"lang", "q", "page", "drifts"} {
		if v := query.Get(kept); v != "" {
			next.Set(kept, cut(v, maxQuery))
		}
	}
	next.Set(name, value)
	return path + "?" + next.Encode()
}

func cut(s string, limit int) string { return strings.ToValidUTF8(s[:min(len(s), limit)], "") }
