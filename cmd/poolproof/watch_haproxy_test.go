package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/live/livetest"
)

// TestWatchHAProxy lets a watch look at a real HAProxy while people change what it runs: each drift is told within two
// polls, with what the file says and what is running, and so is its end. A HAProxy that is gone is unknown, and what was
// known of it is held.
func TestWatchHAProxy(t *testing.T) {
	t.Parallel()
	p := livetest.StartHAProxy(t, `backend orders
    default-server check inter 200ms fall 1 rise 2 slowstart 60s
    server a1 127.0.0.1:%[1]d weight 100
    server a2 127.0.0.1:%[2]d weight 50
    server b1 127.0.0.1:%[3]d backup
`)
	// The file in the tree says the same in another order, spelling and unit.
	config := strings.NewReplacer(
		fmt.Sprintf("    server a1 127.0.0.1:%d weight 100\n", p.Ports[1]), "",
		"    server b1", fmt.Sprintf("    server a1 ipv4@127.0.0.1:%d  weight 100 # the first one\n    server b1", p.Ports[1]),
		"inter 200ms", "inter 200", "slowstart 60s", "slowstart 1m").Replace(p.Config)
	mail := newInbox(t)
	root := t.TempDir()
	put(t, root, "haproxy.cfg", config, "poolproof.yaml", fmt.Sprintf(`
sources: [{side: gateway, format: haproxy, files: [haproxy.cfg]}]
live: [{gateway: haproxy, address: "unix:%s", every: 500ms}]
alerts: {stdout: {}, webhook: {url: "%s"}}
`, p.Socket, mail.URL))
	w := watch(t, root)
	g := &liveWatch{w, mail}

	g.polls(3)
	g.nothing("at the start")

	p.Do("set server orders/a1 state maint; set server orders/a2 weight 20; add server orders/a9 127.0.0.8:80; enable server orders/a9")
	want := []string{
		fmt.Sprintf("live/differs orders 127.0.0.1:%d state want=active got=disabled", p.Ports[1]),
		fmt.Sprintf("live/differs orders 127.0.0.1:%d weight want=50 got=20", p.Ports[2]),
		"live/only-running orders 127.0.0.8:80 want= got=127.0.0.8:80",
	}
	g.within(2, want)
	g.told("firing", want)

	p.Do("set server orders/a2 weight 30") // one drift that lasts, whatever its values
	want[1] = strings.Replace(want[1], "got=20", "got=30", 1)
	g.within(2, want)
	if began := w.status().Totals.Began; began != 3 {
		t.Errorf("%d drifts began, of 3", began)
	}

	p.Do("set server orders/a1 state ready; set server orders/a2 weight 50; disable server orders/a9; del server orders/a9")
	g.within(2, nil)
	g.told("resolved", want)

	// Gone, with a drift in place.
	p.Do("set server orders/a1 state drain")
	drained := []string{fmt.Sprintf("live/differs orders 127.0.0.1:%d state want=active got=drain", p.Ports[1])}
	g.within(2, drained)
	p.Stop()
	name := "haproxy unix:" + p.Socket
	g.until("unknown since", func() bool {
		s := w.status()
		return len(s.Gateways) == 1 && s.Gateways[0].Unknown != "" && len(w.findings("live/unknown")) == 1
	})
	put(t, root, "haproxy.cfg", strings.Replace(config, "weight 50", "weight 51", 1)) // nobody can say whether that is applied
	g.polls(3)
	if got := w.findings("live/"); len(got) != 1 || got[0].Rule != "live/unknown" || got[0].At.File != name {
		t.Errorf("while it is gone: %+v", got)
	}
	held := 0
	for _, d := range w.status().Drifts {
		if d.Held && d.short() == drained[0] {
			held++
		}
	}
	if held != 1 {
		t.Errorf("the drift of before is not held: %+v", w.status().Drifts)
	}
	for _, e := range mail.events() {
		if e.Status == "resolved" && e.short() == drained[0] {
			t.Error("a drift of which nobody knows was told to be gone")
		}
	}
	put(t, root, "haproxy.cfg", config)
	p.Start() // from its file: nobody is drained there
	g.within(3, nil)
	g.told("resolved", drained)
	g.until("the end of unknown told", func() bool {
		return slices.ContainsFunc(mail.events(), func(e told) bool { return e.Status == "resolved" && e.Rule == "live/unknown" })
	})
	if s := w.status(); len(s.Drifts) != 0 || s.Gateways[0].Unknown != "" || s.Totals.Panics != 0 {
		t.Errorf("at the end: %+v", s)
	}
	w.end()
}

// liveWatch is a watch with one gateway.
type liveWatch struct {
	*running
	mail *inbox
}

func (g *liveWatch) asks() uint64 {
	s := g.status()
	if len(s.Gateways) != 1 {
		return 0
	}
	return s.Gateways[0].Asks
}

// polls waits until the gateway was asked so often.
func (g *liveWatch) polls(n uint64) {
	g.t.Helper()
	from := g.asks()
	g.until("polls", func() bool { return g.asks() >= from+n })
}

func (g *liveWatch) lines() []string {
	var list []string
	for _, f := range g.findings("live/") {
		list = append(list, f.short())
	}
	slices.Sort(list)
	return list
}

// within waits until the server's findings about running gateways are these, and fails if that takes more polls. A poll
// that was under way counts for nothing, since it may have asked before.
func (g *liveWatch) within(polls uint64, want []string) {
	g.t.Helper()
	slices.Sort(want)
	for from := g.asks(); ; {
		asks := g.asks()
		got := g.lines()
		if slices.Equal(got, want) {
			return
		}
		if asks > from+polls {
			g.t.Fatalf("after %d polls:\n got %s\nwant %s", asks-from, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
		g.until("a poll", func() bool { return g.asks() > asks })
	}
}

// told waits until both sinks have been told so, with the last values, and of each drift once.
func (g *liveWatch) told(status string, want []string) {
	g.t.Helper()
	for name, events := range map[string]func() []told{"standard output": g.events, "webhook": g.mail.events} {
		for _, line := range want {
			identity, _, _ := strings.Cut(line, " want=")
			g.until(fmt.Sprintf("%s: %s %s", name, status, line), func() bool {
				return slices.ContainsFunc(events(), func(e told) bool { return e.Status == status && strings.HasPrefix(e.short(), identity) })
			})
		}
		keys := map[string]bool{}
		for _, e := range events() {
			if id := e.Status + " " + e.Key; keys[id] {
				g.t.Errorf("%s: told twice: %s %s", name, e.Status, e.short())
			} else {
				keys[id] = true
			}
		}
		if status == "firing" {
			for _, line := range want {
				if !slices.ContainsFunc(events(), func(e told) bool { return e.short() == line }) {
					g.t.Errorf("%s: the values are others than %s", name, line)
				}
			}
		}
	}
}

// nothing holds that there is no drift.
func (g *liveWatch) nothing(when string) {
	g.t.Helper()
	if got := g.lines(); len(got) > 0 {
		g.t.Errorf("%s: %q", when, got)
	}
	for _, e := range append(g.events(), g.mail.events()...) {
		if strings.HasPrefix(e.Rule, "live/") {
			g.t.Errorf("%s it was told: %+v", when, e)
		}
	}
}
