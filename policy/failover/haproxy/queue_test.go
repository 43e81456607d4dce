package haproxy

import (
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// limited returns a copy whose servers have the given extras.
func limited(c *schema.Copy, extra ...any) *schema.Copy {
	for i := range c.Members {
		for k := 0; k < len(extra); k += 2 {
			c.Members[i].Extra = append(c.Members[i].Extra, schema.Field{Path: schema.Path(extra[k].(string)), Value: schema.IntOf(int64(extra[k+1].(int)))})
		}
	}
	return c
}

// ask picks n requests, which stay under way, and returns what becomes of them: the server, 0 for the queue, -1 for an
// answer of HAProxy's own.
func (g *rig) ask(n int, r []failover.Request) []int {
	var out []int
	for i := range n {
		r[i].Reset()
		r[i].Tag, r[i].Path, r[i].Client = uint32(i), "/", 127<<24|1
		switch d := g.Pick(g.now, &r[i]); d.Action {
		case failover.Send:
			out = append(out, int(r[i].Lease.Member)+1)
		case failover.Queue:
			out = append(out, 0)
		default:
			out = append(out, -1)
		}
	}
	return out
}

// TestHashWaitsForItsServer: a request whose hash leads to a full server waits for that one, though another is idle, and
// maxqueue ends the waiting line.
func TestHashWaitsForItsServer(t *testing.T) {
	g := newRig(t, limited(backend(2, "balance", "uri"), "maxConnections", 1, "maxqueue", 2))
	r := make([]failover.Request, 4)
	got := g.ask(4, r)
	first := got[0]
	if !slices.Equal(got, []int{first, 0, 0, -1}) || first < 1 {
		t.Fatalf("four requests of one path: %v", got)
	}
	g.Report(time.Millisecond, &r[0], failover.Outcome{Status: 200})
	tag, ok := g.Wake()
	if !ok || tag != 1 {
		t.Fatalf("woken: %d, %v", tag, ok)
	}
	if d := g.Pick(time.Millisecond, &r[1]); d.Action != failover.Send || int(r[1].Lease.Member)+1 != first {
		t.Fatalf("woken: %+v on %d", d, r[1].Lease.Member+1)
	}
	if _, ok := g.Wake(); ok {
		t.Fatal("one place, and two woken")
	}
}

// TestMinconn: below fullconn a server takes only minconn; requests that wait count as the backend's.
func TestMinconn(t *testing.T) {
	g := newRig(t, limited(backend(1, "fullconn", 8), "maxConnections", 4, "minconn", 1))
	r := make([]failover.Request, 12)
	g.ask(12, r)
	s := &g.servers[0]
	if s.conns != 1 || g.conns != 12 {
		t.Fatalf("%d under way of %d", s.conns, g.conns)
	}
	if n := g.capacity(s); n != 4 {
		t.Errorf("beyond fullconn the server takes %d, not 4", n)
	}
	g.Report(0, &r[0], failover.Outcome{Status: 200})
	woken := 0
	for {
		tag, ok := g.Wake()
		if !ok {
			break
		}
		g.Pick(0, &r[tag])
		woken++
	}
	if woken != 4 {
		t.Errorf("%d woken, not 4", woken)
	}
}

// TestDeadServerKeepsPlaces: requests that wait to try the same server again hold their places there.
func TestDeadServerKeepsPlaces(t *testing.T) {
	g := newRig(t, limited(backend(1), "maxConnections", 1))
	r := make([]failover.Request, 2)
	if got := g.ask(2, r); !slices.Equal(got, []int{1, 0}) {
		t.Fatalf("%v", got)
	}
	if d := g.Report(0, &r[0], failover.Outcome{Kind: failover.Refused}); d.Action != failover.Wait {
		t.Fatalf("refused: %+v", d)
	}
	if _, ok := g.Wake(); ok {
		t.Fatal("the place of one that waits was given away")
	}
}

// TestStrays: with option redispatch those who wait for a server that goes down go to others.
func TestStrays(t *testing.T) {
	for _, c := range []struct {
		settings []any
		strays   int
	}{{[]any{"balance", "source", "option redispatch", true}, 2}, {[]any{"balance", "source"}, 0}} {
		g := newRig(t, limited(backend(2, c.settings...), "maxConnections", 1))
		r := make([]failover.Request, 3)
		at := g.ask(3, r)[0]
		g.until(500*time.Millisecond, except(at))
		n := 0
		for {
			tag, ok := g.Wake()
			if !ok {
				break
			}
			n++
			g.Pick(g.now, &r[tag])
		}
		if n != c.strays {
			t.Errorf("%v: %d go to others, not %d", c.settings, n, c.strays)
		}
	}
}

func TestTrack(t *testing.T) {
	c := backend(3, "server.s2.check", false)
	c.Members[1].Extra = append(c.Members[1].Extra, schema.Field{Path: "track", Value: schema.TextOf("be/s1")})
	g := newRig(t, c)
	g.until(500*time.Millisecond, except(1))
	g.expect("1 out@0s", "2 out@0s")
	g.until(2500*time.Millisecond, always(true))
	g.expect("1 in@2s", "2 in@2s")
	g.Force(g.now, failover.Order{Member: 0, Out: true, Initiator: "ops"})
	g.expect("1 manual@2.5s", "2 manual@2.5s")
}

// TestFirstPassesOverTheRefused: the server that has just refused is not asked again while another one has room.
func TestFirstPassesOverTheRefused(t *testing.T) {
	g := newRig(t, backend(3, "balance", "first", "option redispatch", true))
	var r failover.Request
	r.Reset()
	g.Pick(0, &r)
	if d := g.Report(0, &r, failover.Outcome{Kind: failover.Refused}); d.Action != failover.Send || r.Lease.Member != 1 {
		t.Errorf("after the first: %+v on %d", d, r.Lease.Member+1)
	}
}

// TestNothingToHash: without the header requests go round, by weight on a ring too.
func TestNothingToHash(t *testing.T) {
	g := newRig(t, backend(3, "balance", "hdr(X-User)"))
	if got := g.picks(6); got != "1 2 3 1 2 3" && got != "1 2 3 1 2 3 " {
		t.Errorf("a map: %s", got)
	}
	g = newRig(t, backend(3, "balance", "url_param user", "hash-type", "consistent"))
	count := map[int32]int{}
	for range 48 {
		var r failover.Request
		r.Reset()
		g.Pick(0, &r)
		count[r.Lease.Member]++
		g.Report(0, &r, failover.Outcome{Status: 200})
	}
	if count[0] != 16 || count[1] != 16 || count[2] != 16 {
		t.Errorf("a ring: %v", count)
	}
}

// TestHashes are values that HAProxy's own functions give.
func TestHashes(t *testing.T) {
	const text = "/orders/17"
	for name, c := range map[string]struct{ got, want uint32 }{
		"sdbm":  {sdbm("ab"), 97*65599 + 98},
		"djb2":  {djb2("ab"), (5381*33+97)*33 + 98},
		"depth": {(&hashing{function: sdbm, depth: 1}).pathHash(text), sdbm("/orders")},
		"len":   {(&hashing{function: sdbm, length: 3}).pathHash(text), sdbm("/or")},
		"query": {(&hashing{function: sdbm}).pathHash(text + "?a=b"), sdbm(text)},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, not %d", name, c.got, c.want)
		}
	}
}
