package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	gateway "github.com/poolproof/poolproof/sources/live"
)

// TestSilent compares a HAProxy file with running servers, given as "name address state weight", and expects what is
// told. Most of it is nothing.
func TestSilent(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		running    string
		aliases    map[string][]string
		want       []string
	}{
		{name: "an agent owns state and weight", file: "server a 10.0.0.1:80 weight 10 agent-check agent-port 1\nserver b 10.0.0.2:80 weight 10",
			running: "a 10.0.0.1:80 drain 3\nb 10.0.0.2:80 active 10"},
		{name: "an agent that the gateway shows", file: "server a 10.0.0.1:80\nserver b 10.0.0.2:80", running: "a 10.0.0.1:80 disabled 3 agent\nb 10.0.0.2:80 active 1"},
		{name: "one factor", file: "server a 10.0.0.1:80 weight 10\nserver b 10.0.0.2:80 weight 20\nserver c 10.0.0.3:80 weight 0",
			running: "a 10.0.0.1:80 active 5\nb 10.0.0.2:80 active 10\nc 10.0.0.3:80 active 0"},
		{name: "a weight of a template", file: "server a 10.0.0.1:80 weight {{ w }}\nserver b 10.0.0.2:80 weight 20",
			running: "a 10.0.0.1:80 active 5\nb 10.0.0.2:80 active 20"},
		{name: "tiers compare apart", file: "server a 10.0.0.1:80 weight 10\nserver b 10.0.0.2:80 weight 20 backup",
			running: "a 10.0.0.1:80 active 1\nb 10.0.0.2:80 active 2"},
		{name: "an address for a name", file: "server a api.example.com:80\nserver b 10.0.0.2:80", running: "a 192.0.2.1:80 active 1\nb 10.0.0.2:80 active 1"},
		{name: "an address that the name does not stand for", file: "server a api.example.com:80\nserver b 10.0.0.2:80", running: "a 192.0.2.1:80 active 1\nb 10.0.0.2:80 active 1",
			aliases: map[string][]string{"api.example.com": {"192.0.2.7"}}, want: []string{"live/differs orders api.example.com:80 address want=api.example.com:80 got=192.0.2.1:80"}},
		{name: "a name under another name of its server", file: "server a api.example.com:80", running: "x 192.0.2.1:80 active 1"},
		{name: "a relative port", file: "server a 10.0.0.1:+100\nserver b 10.0.0.1:-3\nserver c 10.0.0.2", running: "a 10.0.0.1:100 active 1\nb 10.0.0.1:3 active 1\nc 10.0.0.2 active 1"},
		{name: "slots", file: "server-template s 1-3 10.0.0.9:80 disabled\nserver a 10.0.0.1:80", running: "s1 10.0.0.5:80 active 1\ns2 10.0.0.9:80 disabled 1\nextra 10.0.0.6:80 active 1\na 10.0.0.1:80 active 1"},
		{name: "servers of a template", file: "{% for s in servers %}\nserver {{ s.name }} {{ s.ip }}:80\n{% endfor %}\nserver a 10.0.0.1:80", running: "x 10.0.0.5:80 active 1\na 10.0.0.1:80 active 1"},
		{name: "order", file: "server a 10.0.0.1:80\nserver b 10.0.0.2:80", running: "b 10.0.0.2:80 active 1\na 10.0.0.1:80 active 1"},
		{name: "a server without an address", file: "server a 10.0.0.1:80\nserver b unix@/run/b", running: "a - active 1\nb - active 1"},
		{name: "a server without an address, renamed", file: "server a 10.0.0.1:80\nserver b 10.0.0.2:80", running: "a 10.0.0.1:80 active 1\nc - active 1",
			want: []string{"live/only-running orders c want= got=c", "live/not-applied orders 10.0.0.2:80 want=10.0.0.2:80 got="}},
		{name: "all gone", file: "server a 10.0.0.1:80\nserver b 10.0.0.2:80", running: "",
			want: []string{"live/not-applied orders 10.0.0.1:80 want=10.0.0.1:80 got=", "live/not-applied orders 10.0.0.2:80 want=10.0.0.2:80 got="}},
		{name: "weight 0", file: "server a 10.0.0.1:80\nserver b 10.0.0.2:80", running: "a 10.0.0.1:80 active 0\nb 10.0.0.2:80 active 1",
			want: []string{"live/differs orders 10.0.0.1:80 weight want=1 got=0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &schema.Manifest{Aliases: tt.aliases}
			c := schema.Copy{Side: schema.Live, Format: "haproxy", Profile: "haproxy-2.6", Files: []string{"lb"}, Pool: "orders", PoolAt: gateway.Somewhere(), Complete: true}
			c.Touch(schema.Members, gateway.Somewhere())
			for line := range strings.Lines(tt.running) {
				c.Members = append(c.Members, server(t, line))
			}
			a := gateway.Answer{Name: "lb", Kind: gateway.Kind{Name: "haproxy", Format: "haproxy", Shows: []schema.Item{schema.Members}}, Copies: []schema.Copy{c}}
			file := "backend orders\n    " + strings.ReplaceAll(tt.file, "\n", "\n    ") + "\n"
			p := &process{t: t}
			got := p.words(Judge(Input{Manifest: m, Groups: files(t, map[string]string{"haproxy haproxy.cfg": file}, m), Answers: []gateway.Answer{a}}))
			if tt.want == nil {
				tt.want = []string{}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// server reads "name address state weight [agent]".
func server(t *testing.T, line string) schema.Member {
	t.Helper()
	words := strings.Fields(line)
	state, ok := schema.ParseState(words[2])
	if !ok {
		t.Fatal(line)
	}
	m := schema.Member{At: gateway.Somewhere(), State: state, HasWeight: true, Extra: []schema.Field{{Path: "name", Value: schema.TextOf(words[0])}}}
	if _, err := fmt.Sscan(words[3], &m.Weight); err != nil {
		t.Fatal(err)
	}
	if words[1] != "-" {
		e, ok := schema.SplitEndpoint(words[1])
		if !ok {
			t.Fatal(line)
		}
		if m.Host, m.Port = e.Host, uint16(e.Port); e.Port == 0 {
			m.PortText = "client"
		}
	}
	if len(words) > 4 {
		m.Extra = append(m.Extra, schema.Field{Path: "agent-check", Value: schema.BoolOf(true)})
	}
	return m
}

// TestNothing holds that a value that is nothing may be left out by an answer, also where no default is known, and that
// any other may not.
func TestNothing(t *testing.T) {
	for value, want := range map[schema.Value]int{schema.DurationOf(0): 0, schema.BoolOf(false): 0, schema.NumberOf(0): 0, schema.TextOf(""): 0, schema.ListOf(): 0, schema.NumberOf(0.5): 1} {
		file := &schema.Copy{Side: schema.Gateway, Format: "haproxy", Files: []string{"f"}, Pool: "p"}
		file.Set("probe.jitter", value, schema.At(1, 2))
		p := &pair{judge: newJudge(&Input{Manifest: &schema.Manifest{}}), answer: &gateway.Answer{Name: "g"}, group: &reconcile.Group{Pool: "p"},
			file: reconcile.NewView(file), live: &schema.Copy{Side: schema.Live, Files: []string{"g"}, Pool: "p"}}
		if p.unapplied(schema.Probe); len(p.reporter.Findings()) != want {
			t.Errorf("%s: %+v", value, p.reporter.Findings())
		}
	}
}
