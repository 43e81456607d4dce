package spring

import (
	"testing"

	"github.com/poolproof/poolproof/sources"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       sources.Confidence
	}{
		{"application.yml", "server.port: 80", sources.Likely},
		{"svc/application-prod.yaml", "", sources.Likely},
		{"bootstrap.properties", "", sources.Likely},
		{"orders.yml", "spring:\n  application: x", sources.Likely},
		{"orders.yml", "a: 1\nresilience4j:\n  x: 1", sources.Certain},
		{"orders.properties", "resilience4j.retry.x=1", sources.Certain},
		{"orders.yml", "\uFEFFspring.cloud.gateway.routes: []", sources.Certain},
		{"orders.yml", "a: 1\r\nresilience4j.retry: {}", sources.Certain},
		{"orders.yml", "data:\n  application.yml: |\n    resilience4j:\n      x: 1\n    spring:\n", sources.Unlikely},
		{"orders.yml", "springdoc: {a: 1}\nsprings: 1\n# spring: x", sources.Unlikely},
		{"orders.json", `{"spring": 1}`, sources.Unlikely},
		{"README.md", "resilience4j: x\nspring: y", sources.Unlikely},
		{"applications.yml", "a: 1", sources.Unlikely},
		{"orders.yml", "", sources.Unlikely},
		{"", "spring:", sources.Unlikely},
	} {
		if got := detect(c.name, []byte(c.text)); got != c.want {
			t.Errorf("%s %q: %d, want %d", c.name, c.text, got, c.want)
		}
	}
}

func TestAccepts(t *testing.T) {
	active := func(p string) bool { return p == "prod" || p == "us-east" }
	for text, want := range map[string]bool{
		"prod": true, "!prod": false, "test": false, "prod & us-east": true, "prod & eu": false, "eu | prod": true, "(prod & !eu) | test": true,
		"!(prod | test)": false, "prod&us-east&!x": true, "((prod))": true, "! prod": false,
	} {
		if got, ok := accepts(text, active); !ok || got != want {
			t.Errorf("%q: %v, ok=%v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " ", "prod &", "& prod", "a & b | c", "(prod", "prod)", "()", "a b", "!"} {
		if _, ok := accepts(text, active); ok {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestRelaxed(t *testing.T) {
	for _, group := range [][]string{
		{"wait-duration-in-open-state", "waitDurationInOpenState", "wait_duration_in_open_state", "WAIT_DURATION_IN_OPEN_STATE"},
		{"orders", "ORDERS", "or-ders"},
	} {
		for _, name := range group {
			if relaxed(name) != relaxed(group[0]) {
				t.Errorf("%s and %s differ", name, group[0])
			}
		}
	}
	for _, pair := range [][2]string{{"a.b", "ab"}, {"/svc", "svc"}, {"-", "_"}, {"a b", "ab"}} {
		if relaxed(pair[0]) == relaxed(pair[1]) {
			t.Errorf("%q and %q are one", pair[0], pair[1])
		}
	}
}

func TestElements(t *testing.T) {
	for text, want := range map[string][]element{
		"a.b":             {{name: "a"}, {name: "b"}},
		"a[0].b":          {{name: "a"}, {"0", true}, {name: "b"}},
		"a[/svc.A].b":     {{name: "a"}, {name: "/svc.A"}, {name: "b"}},
		"[x.y]":           {{name: "x.y"}},
		"a..b.":           {{name: "a"}, {name: "b"}},
		"a[0][1]":         {{name: "a"}, {"0", true}, {"1", true}},
		"a[b":             {{name: "a"}, {name: "[b"}},
		"":                nil,
		".":               nil,
		"配置.a":            {{name: "配置"}, {name: "a"}},
		"a.[stock.eu].c.": {{name: "a"}, {name: "stock.eu"}, {name: "c"}},
	} {
		got := elements(text)
		if len(got) != len(want) {
			t.Errorf("%q: %v, want %v", text, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	}
}
