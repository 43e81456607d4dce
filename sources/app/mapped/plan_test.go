package mapped

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/data"
)

func TestValidate(t *testing.T) {
	at := schema.At(10, 20)
	entry := func(key, expr string) []schema.MapEntry { return []schema.MapEntry{{Key: key, Expr: expr, At: at}} }
	for _, c := range []struct {
		m                 schema.Map
		rule, field, want string
	}{
		{schema.Map{Probe: entry("intervall", "a")}, "schema/unknown-key", "map.probe.intervall", "interval"},
		{schema.Map{MembersEach: "a[*]", MembersMap: entry("adress", "a")}, "schema/unknown-key", "map.members.adress", "address"},
		{schema.Map{Ramp: entry("dwel", "a")}, "schema/unknown-key", "map.ramp.dwel", "dwell"},
		{schema.Map{Cooldown: entry("xyzzy", "a")}, "schema/unknown-key", "map.cooldown.xyzzy", ""},
		{schema.Map{Probe: entry("interval", "a[")}, "schema/invalid", "map.probe.interval", ""},
		{schema.Map{PoolEach: "a.*"}, "schema/invalid", "map.pool.name", ""},
		{schema.Map{Probe: entry("interval", "a | percent")}, "schema/unit", "map.probe.interval", ""},
		{schema.Map{Probe: entry("fall", "a | ms")}, "schema/unit", "map.probe.fall", ""},
		{schema.Map{Decision: entry("errorRatio", "a | s")}, "schema/unit", "map.decision.errorRatio", ""},
		{schema.Map{Cooldown: entry("growth.factor", "a | percent")}, "schema/unit", "map.cooldown.growth.factor", ""},
		{schema.Map{MembersEach: "a[*]", MembersMap: entry("weight", "a | ms")}, "schema/unit", "map.members.weight", ""},
	} {
		got := Validate(&c.m)
		if len(got) != 1 || got[0].Rule != c.rule || got[0].Field != c.field || got[0].Want != c.want {
			t.Errorf("%+v: %+v; want one %s of %s", c.m, got, c.rule, c.field)
		} else if c.m.PoolEach == "" && got[0].At != at {
			t.Errorf("%s stands at %v", c.field, got[0].At)
		}
	}
	for name, m := range samples {
		if got := Validate(m); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestNoMap(t *testing.T) {
	r := read(sources.Input{Path: "a.yaml", Source: &schema.Source{}})
	if len(r.Problems) != 1 || r.Problems[0].Rule != "source/skipped" || len(r.Copies) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, text, key, want string }{
		{"a.yml", "a: 1", "a", "1"},
		{"a.yaml.tmpl", "a: 1", "a", "1"},
		{"A.YAML", "a: 1", "a", "1"},
		{"a.jsonc", "{\"a\": 1, // x\n}", "a", "1"},
		{"a.toml", "a = 1", "a", "1"},
		{"a.properties.j2", "a=1\n", "a", "1"},
		{"conf", "a: b=1\n", "a", "b=1"},
		{"conf", "# x\n\n{\"a\": 1}", "a", "1"},
		{"conf", "\uFEFFa=1\n", "a", "1"},
		{"conf", "a=x:y\n", "a", "x:y"},
		{"conf", "a = \"x\"\n", "a", "x"},
		{"app.conf", "# x\n[s]\nb = 1\n", "", ""},
	} {
		f := decode(c.name, []byte(c.text))
		if len(f.Documents) != 1 {
			t.Errorf("%s %q: %d documents", c.name, c.text, len(f.Documents))
			continue
		}
		root := f.Documents[0].Root
		if c.key == "" { // TOML with a section
			if got := root.Path("s", "b"); got == nil || got.Text != "1" {
				t.Errorf("%s %q: no s.b", c.name, c.text)
			}
			continue
		}
		if got := root.Get(c.key); !got.Scalar() || got.Text != c.want || got.Kind == data.Null {
			t.Errorf("%s %q: %s is %+v, want %q", c.name, c.text, c.key, got, c.want)
		}
	}
}
