package live

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	adapter "github.com/poolproof/poolproof/sources/gateway/haproxy"
	gateway "github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/all"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

// process is a running HAProxy.
type process struct {
	*livetest.HAProxy
	t      *testing.T
	config string // what its file says, or is said to
	ports  []int
}

func start(t *testing.T, backends string) *process {
	t.Helper()
	p := livetest.StartHAProxy(t, backends)
	return &process{p, t, p.Config, p.Ports}
}

// groups are the pools of a HAProxy file.
func groups(t *testing.T, config string) []*reconcile.Group {
	t.Helper()
	result := adapter.Adapter().Read(sources.Input{Path: "haproxy.cfg", Data: []byte(config), Source: &schema.Source{Side: schema.Gateway, Format: "haproxy"}})
	var copies []*schema.Copy
	for i := range result.Copies {
		copies = append(copies, &result.Copies[i])
	}
	return reconcile.Pair(copies, &schema.Manifest{}, nil).Groups
}

// drift asks the process at an address and judges the answer.
func (p *process) drift(address string, g schema.LiveGateway) []string {
	p.t.Helper()
	g.Gateway, g.Address = "haproxy", address
	r, err := gateway.New(all.Kinds(), g, gateway.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	a := r.Ask(context.Background())
	if a.Unreachable != nil {
		p.t.Fatal(a.Unreachable)
	}
	return p.words(Judge(Input{Manifest: &schema.Manifest{}, Groups: groups(p.t, p.config), Answers: []gateway.Answer{a}}))
}

// words shortens findings, with ports by their number in the test.
func (p *process) words(found []schema.Finding) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, f := range found {
		if id := Identity(&f); seen[id] {
			p.t.Errorf("two findings are one drift: %q", id)
		} else {
			seen[id] = true
		}
		line := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s want=%s got=%s", f.Rule, f.Pool, f.Member, f.Field, f.Want, f.Got)), " ")
		for i, port := range p.ports {
			line = strings.ReplaceAll(line, fmt.Sprintf(":%d", port), fmt.Sprintf(":p%d", i))
		}
		out = append(out, line)
		if f.Message.En == "" || f.Message.Zh == "" || f.Hint.Zh == "" || f.At.Side != schema.Live || f.At.File == "" || f.Severity == schema.DefaultSeverity {
			p.t.Errorf("a finding that says too little: %+v", f)
		}
	}
	return out
}

const orders = `backend orders
    option httpchk GET /healthz
    default-server check inter 200ms fall 1 rise 2 slowstart 60s
    server a1 127.0.0.1:%[1]d weight 100
    server a2 127.0.0.1:%[2]d weight 50
    server a3 127.0.0.1:%[3]d disabled
    server b1 127.0.0.1:%[4]d backup
backend odd
    server a2 unix@/tmp/nobody.sock
    server a3 localhost:%[5]d
    server a4 127.0.0.1:+100
    server a5 127.0.0.1
    server a6 unknown.invalid:80 init-addr none
    server a7 127.0.0.1:%[6]d weight 0
    server a8 [::1]:%[7]d track watched/w1
backend watched
    server w1 127.0.0.1:%[1]d check inter 200ms
backend slots
    server-template s 1-3 127.0.0.9:80 disabled
`

// TestHAProxy plays what people do to a running HAProxy.
func TestHAProxy(t *testing.T) {
	for _, tt := range []struct {
		name, do, undo string
		want           []string
		page           []string // where the page shows less; nil: the same
	}{
		{name: "nothing", want: []string{}},
		{
			name: "disabled", do: "set server orders/a1 state maint", undo: "set server orders/a1 state ready",
			want: []string{"live/differs orders 127.0.0.1:p1 state want=active got=disabled"},
		},
		{
			name: "drained", do: "set server orders/a2 state drain", undo: "set server orders/a2 state ready",
			want: []string{"live/differs orders 127.0.0.1:p2 state want=active got=drain"},
			page: []string{}, // a server that is down by its checks shows as DOWN there, drained or not
		},
		{
			name: "enabled", do: "enable server orders/a3", undo: "disable server orders/a3",
			want: []string{"live/differs orders 127.0.0.1:p3 state want=disabled got=active"},
		},
		{
			name: "weight", do: "set server orders/a1 weight 30", undo: "set server orders/a1 weight 100",
			want: []string{"live/differs orders 127.0.0.1:p1 weight want=100 got=30"},
		},
		{
			name: "weight of the whole pool", do: "set server orders/a1 weight 50%; set server orders/a2 weight 50%; set server orders/a3 weight 1", undo: "set server orders/a1 weight 100; set server orders/a2 weight 50",
			want: []string{
				"live/differs orders 127.0.0.1:p1 weight want=100 got=50",
				"live/differs orders 127.0.0.1:p2 weight want=50 got=25",
			}, // a3 writes none, so the ratio is not kept
		},
		{
			name: "added", do: "add server orders/a9 127.0.0.8:80; enable server orders/a9", undo: "disable server orders/a9; del server orders/a9",
			want: []string{"live/only-running orders 127.0.0.8:80 want= got=127.0.0.8:80"},
			page: []string{"live/only-running orders a9 want= got=a9"},
		},
		{
			name: "address", do: "set server orders/a1 addr 127.0.0.7", undo: "set server orders/a1 addr 127.0.0.1",
			want: []string{"live/differs orders 127.0.0.1:p1 address want=127.0.0.1:p1 got=127.0.0.7:p1"},
			page: []string{},
		},
		{
			name: "health is none", do: "set server odd/a7 health down; set server watched/w1 state maint", undo: "set server watched/w1 state ready",
			want: []string{"live/differs watched 127.0.0.1:p1 state want=active got=disabled"}, // a8 tracks it and is not told
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, orders)
			if tt.do != "" {
				p.Do(tt.do)
			}
			time.Sleep(300 * time.Millisecond) // all checks have failed by now, which is no drift
			if diff := cmp.Diff(tt.want, p.drift("unix:"+p.Socket, schema.LiveGateway{})); diff != "" {
				t.Errorf("socket (-want +got):\n%s", diff)
			}
			if tt.page == nil {
				tt.page = tt.want
			}
			if diff := cmp.Diff(tt.page, p.drift(p.Page, schema.LiveGateway{})); diff != "" {
				t.Errorf("page (-want +got):\n%s", diff)
			}
			if tt.undo == "" {
				return
			}
			p.Do(tt.undo)
			if got := p.drift("unix:"+p.Socket, schema.LiveGateway{}); len(got) > 0 {
				t.Errorf("undone, and still told: %q", got)
			}
		})
	}
}

// TestHAProxyFile plays a file that was changed, and a process that was not reloaded.
func TestHAProxyFile(t *testing.T) {
	p := start(t, orders)
	for _, tt := range []struct {
		name, old, new string
		gateway        schema.LiveGateway
		want           []string
	}{
		{name: "a server", old: "    server b1 ", new: "    server a4 10.0.0.4:80\n    server b1 ", want: []string{"live/not-applied orders 10.0.0.4:80 want=10.0.0.4:80 got="}},
		{name: "no server", old: "    server w1", new: "    server w2 10.0.0.5:80\n    #", want: []string{
			"live/only-running watched 127.0.0.1:p1 want= got=127.0.0.1:p1", "live/not-applied watched 10.0.0.5:80 want=10.0.0.5:80 got="}},
		{name: "thresholds", old: "fall 1 rise 2", new: "fall 4 rise 2", want: []string{"live/differs orders fall want=4 got=1"}},
		{name: "a backup", old: " backup", new: "", want: []string{"live/differs orders 127.0.0.1:p4 backup want=no backup got=backup"}},
		{name: "a pool", old: "backend slots", new: "backend more\n    server a 10.0.0.6:80\nbackend slots", want: []string{"live/not-applied more want=more got="}},
		{name: "a pool less", old: "backend watched", new: "#", want: []string{
			"live/not-applied odd 127.0.0.1:p1 want=127.0.0.1:p1 got=", // its server now stands in the section above
			"live/only-running watched want= got=watched"}},
		{name: "a pool that is not asked for", old: "backend slots", new: "backend more\n    server a 10.0.0.6:80\nbackend slots",
			gateway: schema.LiveGateway{Pools: []string{"orders", "odd"}}, want: []string{}},
		{name: "a name that nobody has", gateway: schema.LiveGateway{Pools: []string{"ordres"}}, want: []string{"live/unknown ordres pools want= got=ordres"}},
		{name: "order and spelling", old: "    server a1 127.0.0.1:%[1]d weight 100\n", new: "", want: nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := *p
			q.t = t
			q.config = strings.Replace(p.config, tt.old, tt.new, 1)
			if tt.want == nil { // the first server moves to the end, written otherwise
				line := fmt.Sprintf("    server a1 127.0.0.1:%d weight 100\n", p.ports[1])
				q.config = strings.Replace(p.config, line, "", 1)
				q.config = strings.Replace(q.config, "backend odd", strings.Replace(line, "127.0.0.1", "ipv4@127.0.0.1", 1)+"backend odd", 1)
				tt.want = []string{}
			}
			if tt.name != "a name that nobody has" && q.config == p.config {
				t.Fatal("the file did not change")
			}
			if diff := cmp.Diff(tt.want, q.drift("unix:"+p.Socket, tt.gateway)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
