package section

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

// read reads one table of parameters under a heading and returns its copy.
func read(t *testing.T, rows ...string) schema.Copy {
	t.Helper()
	b := builder()
	b.Heading(0, 1, at(1, "orders"), nil)
	b.Table(0, table(100, rows...))
	r := b.Result()
	if len(r.Copies) != 1 {
		t.Fatalf("%d copies of %q", len(r.Copies), rows)
	}
	return r.Copies[0]
}

// TestUnreadRows: rows that are compared with nothing are said once for a table that is about a pool's parameters, and
// for no other.
func TestUnreadRows(t *testing.T) {
	for _, c := range []struct {
		name, want string
		rows       []string
	}{
		{"two rows", `"Seconds between pings", "Strikes"`, []string{"Parameter|Value", "Fall|3", "Seconds between pings|9s", "Strikes|77"}},
		{"before the known one", `"探测节奏"`, []string{"参数|取值", "探测节奏|9 秒", "失败阈值|3"}},
		{"a percentage", `"Strike rate"`, []string{"Parameter|Value", "Fall|3", "Strike rate|5%"}},
		{"very many", `"P1", "P2", "P3", "P4", "P5" and 1 more`, []string{"Parameter|Value", "Fall|3", "P1|1", "P2|2", "P3|3", "P4|4", "P5|5", "P6|6"}},
		// Ordinary tables, and rows of other kinds.
		{"texts", "", []string{"Parameter|Value", "Fall|3", "Owner|team-a", "Balance|roundrobin", "On call|+49 30 1234"}},
		{"settings of their own", "", []string{"Parameter|Value", "Fall|3", "Keepalive|32", "Connect timeout|2s", "最大连接数|1000"}},
		{"no parameter known", "", []string{"Parameter|Value", "Seconds between pings|9s", "Strikes|77"}},
		{"empty values", "", []string{"Parameter|Value", "Fall|3", "Strikes|-", "Pings|"}},
		{"all known", "", []string{"Parameter|Value", "Check interval|3s", "Failures before out|4", "Successes before in|2", "Timeout per check|1s"}},
	} {
		got := ""
		for _, p := range read(t, c.rows...).Problems {
			if p.Rule == "source/skipped" && strings.HasPrefix(p.Text.En, "rows of this table") {
				if got != "" {
					t.Errorf("%s: said twice", c.name)
				}
				_, got, _ = strings.Cut(p.Text.En, "not known: ")
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestCountsAlone: a name that means a count is one above a count, and a setting of its own above anything else.
func TestCountsAlone(t *testing.T) {
	for value, known := range map[string]bool{"4": true, "4 checks": true, "4 次": true, "30s": false, "soon": false} {
		c := read(t, "Parameter|Value", "Check interval|3s", "Unhealthy after|"+value)
		_, ok := c.Get("probe.fall")
		if ok != known {
			t.Errorf("%q: %v, %+v", value, ok, c.Problems)
		}
		for _, p := range c.Problems {
			if p.Rule != "source/skipped" {
				t.Errorf("%q: %s: %s", value, p.Rule, p.Text.En)
			}
		}
	}
}
