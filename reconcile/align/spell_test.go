package align

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

func TestSpellDuration(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		old       string
		was, want time.Duration
		people    bool
		first     string // the best way; empty: none
	}{
		{old: "5s", was: 5 * time.Second, want: 2 * time.Second, first: "2s"},
		{old: `"5s"`, was: 5 * time.Second, want: 500 * ms, first: `"500ms"`},
		{old: "5000", was: 5 * time.Second, want: 2 * time.Second, first: "2000"},
		{old: "5_000", was: 5 * time.Second, want: 2 * time.Second, first: "2000"},
		{old: "5", was: 5 * time.Second, want: 1500 * ms}, // a program that takes whole seconds
		{old: "5", was: 5 * time.Second, want: 1500 * ms, people: true, first: "1.5"},
		{old: "2.5", was: 2500 * ms, want: 1500 * ms, first: "1.5"},
		{old: "5000 ms", was: 5 * time.Second, want: 2 * time.Second, first: "2000 ms"},
		{old: "500ms", was: 500 * ms, want: 2 * time.Hour, first: "2h"},
		{old: "PT5S", was: 5 * time.Second, want: 90 * time.Second, first: "PT1M30S"},
		{old: "pt0.5s", was: 500 * ms, want: 250 * ms, first: "pt0.25s"},
		{old: "1m30s", was: 90 * time.Second, want: 2 * time.Minute, first: "2m"},
		{old: "1 min 30 s", was: 90 * time.Second, want: 150 * time.Second, first: "2 min 30 s"},
		{old: "1分30秒", was: 90 * time.Second, want: 2500 * ms, first: "2秒500毫秒"},
		{old: "５ 秒", was: 5 * time.Second, want: 2 * time.Second, first: "2 秒"},
		{old: "5 分钟", was: 5 * time.Minute, want: 90 * time.Second, first: "90 秒"},
		{old: "5 minutes", was: 5 * time.Minute, want: 90 * time.Second, first: "90 seconds"},
		{old: "5S", was: 5 * time.Second, want: 500 * ms, first: "500MS"},
		{old: "${WAIT:30s}", was: 30 * time.Second, want: time.Minute, first: "${WAIT:60s}"},
		{old: "${W2:30s}", was: 30 * time.Second, want: time.Minute, first: "${W2:60s}"},
		{old: "${WAIT}", was: 30 * time.Second, want: time.Minute},
		{old: "manual", want: time.Minute, first: "1m"},
		{old: "0s", want: time.Minute, first: "1m"},
	} {
		first := ""
		if ways := spellDuration(c.old, c.was, c.want, c.people); len(ways) > 0 {
			first = ways[0]
		}
		if first != c.first {
			t.Errorf("%q for %s: %q, want %q", c.old, c.want, first, c.first)
		}
	}
}

func TestSpellValues(t *testing.T) {
	for _, c := range []struct {
		what string
		got  []string
		want string
	}{
		{"count", spellInt("3 次", 5), "5 次"},
		{"grouped", spellInt("1,000", 5), "5"},
		{"quoted", spellInt(`"8080"`, 81), `"81"`},
		{"percent", spellNumber("10%", 10, 25), "25%"},
		{"ratio", spellNumber("0.10", 10, 25), "0.25"},
		{"fraction", spellNumber("0.1", 0.1, 0.3), "0.3"},
		{"text", spellText("/health", "/health", "/ping", true), "/ping"},
		{"unsafe", spellText("/health", "/health", "/a b: #c", true), `"/a b: #c"`},
		{"single", spellText("'/health'", "/health", "/ping", true), "'/ping'"},
		{"inside", spellText("GET /health", "/health", "/ping", false), "GET /ping"},
		{"case", spellText("HTTP", "http", "tcp", true), "TCP"},
		{"escaped", spellText(`"/health"`, "/health", `/a"b`, false), `"/a\"b"`},
		{"yes", spellFlag("no", true), "yes"},
		{"True", spellFlag("False", true), "True"},
		{"是", spellFlag("否", true), "是"},
		{"备", spellFlag("主", true), "备"},
		{"quoted flag", spellFlag(`"true"`, false), `"false"`},
		{"state", spellState("Online", schema.Disabled), "Offline"},
		{"状态", spellState("启用", schema.Drain), "排空"},
		{"answer", spellState("true", schema.Drain), ""},
	} {
		got := ""
		if len(c.got) > 0 {
			got = c.got[0]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestSteps(t *testing.T) {
	legs := func(shares ...float64) (out []schema.Batch) {
		for _, s := range shares {
			out = append(out, schema.Batch{HasShare: true, Share: s})
		}
		return out
	}
	for _, c := range []struct {
		old, new []schema.Batch
		want     []step
	}{
		{legs(5, 100), legs(5, 20, 50, 100), []step{{0, 0, 0}, {-1, 1, 0}, {-1, 2, 0}, {1, 3, 0}}},
		{legs(5, 30, 100), legs(5, 20, 50, 100), []step{{0, 0, 0}, {1, 1, 0}, {-1, 2, 1}, {2, 3, 0}}},
		{legs(5, 30, 100), legs(100), []step{{0, -1, 0}, {1, -1, 0}, {2, 0, 0}}},
		{legs(100), legs(1, 100), []step{{-1, 0, -1}, {0, 1, 0}}},
	} {
		got := steps(c.old, c.new)
		if len(got) != len(c.want) {
			t.Fatalf("%v, want %v", got, c.want)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v, want %v", got, c.want)
				break
			}
		}
	}
}
