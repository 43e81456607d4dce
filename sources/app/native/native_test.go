package native

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestSamples(t *testing.T) {
	for _, name := range []string{"sample.yaml", "broken.yaml", "templates.yaml", "sample.json", "sample.cue"} {
		t.Run(name, func(t *testing.T) { sourcetest.Golden(t, Adapter(), name, schema.Source{}) })
	}
}

func read1(t *testing.T, name, text string) sources.Result {
	t.Helper()
	return sourcetest.Check(t, Adapter(), name, []byte(text))
}

// rules lists the rules of all problems of a result.
func rules(r sources.Result) []string {
	out := []string{}
	for _, p := range r.Problems {
		out = append(out, p.Rule)
	}
	for i := range r.Copies {
		for _, p := range r.Copies[i].Problems {
			out = append(out, p.Rule)
		}
	}
	return out
}

// The samples of the grammar are read as the grammar says: good ones without a problem, bad ones with.
func TestGrammar(t *testing.T) {
	files, err := filepath.Glob("../../../schema/testdata/NativeFile/*")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := rules(read1(t, filepath.Base(file), string(text)))
		if good := strings.HasPrefix(filepath.Base(file), "good-"); good != (len(got) == 0) {
			t.Errorf("%s: %v", file, got)
		}
	}
}

func TestFiles(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		copies     int
		rules      []string
	}{
		{"several documents", "pools: {a: {cooldown: {duration: 5s}}}\n---\npools: {b: {cooldown: {duration: 5s}}}\n---\n", 2, []string{}},
		{"no pools", "pools: {}\n", 0, []string{}},
		{"nothing", "# nothing\n", 0, []string{"schema/invalid"}},
		{"no root", "- a\n", 0, []string{"schema/invalid"}},
		{"another root", "upstreams: {}\n", 0, []string{"schema/unknown-key", "schema/invalid"}},
		{"syntax", "pools:\n  a:\n\tmembers: []\n", 0, []string{"source/syntax"}},
		{"only the broken document", "pools: {a: {cooldown: {duration: 5s}}}\n---\npools: [\n---\npools: {b: {cooldown: {duration: 5s}}}\n", 2, []string{"source/syntax"}},
		{"a name of 201 characters", "pools:\n  ? " + strings.Repeat("池", 201) + "\n  : {cooldown: {duration: 5s}}\n", 1, []string{"schema/invalid"}},
		{"off is a word of the grammar", "pools: {a: {decision: {roles: {probe: off}}}}\n", 1, []string{}},
		{"hazards", "pools: {a: {probe: {rise: 010, fall: 0x2, executor: no}}}\n", 1, []string{"source/scalar-hazard", "source/scalar-hazard", "source/scalar-hazard"}},
	} {
		r := read1(t, "a.yaml", tt.text)
		if diff := cmp.Diff(tt.rules, rules(r)); diff != "" || len(r.Copies) != tt.copies {
			t.Errorf("%s: %d copies, rules (-want +got):\n%s", tt.name, len(r.Copies), diff)
		}
	}
}

// What is refused is unresolved, quietly, and the rest of the pool counts.
func TestRestCounts(t *testing.T) {
	r := read1(t, "a.yaml", "pools:\n  a:\n    members:\n      - {address: h, port: 1, weight: -1}\n      - {address: h, port: 0}\n    probe: {interval: 5, fall: 3}\n")
	c := &r.Copies[0]
	if len(c.Members) != 1 || c.Members[0].HasWeight || !c.Complete || c.UnresolvedMembers() != 1 {
		t.Errorf("members %+v, complete %v, %d unresolved", c.Members, c.Complete, c.UnresolvedMembers())
	}
	if _, ok := c.Get("probe.interval"); ok {
		t.Error("a bare number is bound")
	}
	if f, ok := c.Get("probe.fall"); !ok || f.Value.Int() != 3 {
		t.Error("the value beside it is lost")
	}
	for _, u := range c.Unresolved {
		if !u.Quiet {
			t.Errorf("%s is reported twice", u.Path)
		}
	}
}

func TestVars(t *testing.T) {
	text := "pools:\n  a:\n    members: [{address: \"${HOST}\", port: \"${PORT}\", weight: 1}]\n    cooldown: {duration: \"${TIME}\", max: \"${NONE}\"}\n"
	in := sources.Input{Path: "a.yaml", Data: []byte(text), Source: &schema.Source{Side: schema.App}, Vars: map[string]string{"HOST": "10.0.0.1", "PORT": "8080", "TIME": "30"}}
	c := Adapter().Read(in).Copies[0]
	if len(c.Members) != 1 || c.Members[0].ID() != "10.0.0.1:8080" {
		t.Errorf("members %+v", c.Members)
	}
	if len(c.Problems) != 1 || c.Problems[0].Rule != "schema/unit" {
		t.Errorf("a filled-in value is not judged: %v", c.Problems)
	}
	if len(c.Unresolved) != 2 || c.Unresolved[1].Raw != "${NONE}" || c.Unresolved[1].Quiet {
		t.Errorf("unresolved %+v", c.Unresolved)
	}
}

func TestEnvironment(t *testing.T) {
	r := sourcetest.Read(Adapter(), "a.yaml", []byte("pools: {a: {env: prod, cooldown: {duration: 5s}}, b: {cooldown: {duration: 5s}}}"), schema.Source{Env: "test", Side: "doc"})
	if r.Copies[0].Env != "prod" || r.Copies[1].Env != "test" || r.Copies[0].Side != "doc" {
		t.Errorf("%+v", r.Copies)
	}
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		path, text string
		want       sources.Confidence
	}{
		{"a.yaml", "pools:\n  a:\n    members:\n      - address: h\n        port: 1\n", sources.Certain},
		{"a.yaml", "pools:\n  a:\n    members:\n    - address: h\n      port: 1\n    - {address: i, port: 1}\n", sources.Certain},
		{"a.yaml", "pools:\n  a:\n    members:\n    - {address: h, port: 1}\n", sources.Certain},
		{"a.yaml", "---\n# text\npools:\n  a:\n    cooldown: {duration: 5s}\n", sources.Certain},
		{"a.yaml", "pools:\n  a:\n    cooldwn: 5\n    cooldown:\n      duration: 5s\n", sources.Likely},
		{"a.json", `{"pools": {"a": {"members": [{"address": "h", "port": 1}]}}}`, sources.Certain},
		{"a.cue", "package a\n\npools: {\n\ta: {\n\t\tcooldown: {\n\t\t\tduration: \"5s\"\n\t\t}\n\t}\n}\n", sources.Certain},
		{"a.yaml", "pools:\n  a: {members: [{address: h, port: 1}]}\n", sources.Certain},
		{"a.yaml", "pools: {a: {cooldown: {duration: 5s}}}\n", sources.Certain},
		{"a.yaml", "pools:\n  a: {size: 5, remembers: 1}\n", sources.Unlikely},
		{"poolproof.yaml", "pools:\n  a:\n    members:\n      - address: h\n", sources.Unlikely},
		{"a.yaml", "sources: []\npools:\n  a:\n    cooldown: {duration: 5s}\n", sources.Unlikely},
		{"a.yaml", "pools:\n  a:\n    hosts: [x]\n", sources.Unlikely},
		{"a.yaml", "pools:\n  db:\n    members:\n      - ip: h\n", sources.Possible},
		{"a.yaml", "static_resources:\n  clusters: []\n", sources.Unlikely},
		{"a.md", "pools:\n  a:\n    cooldown: {duration: 5s}\n", sources.Unlikely},
		{"a.yaml", "", sources.Unlikely},
		{"a.json", `{"pools": []}`, sources.Unlikely},
	} {
		if got := Adapter().Detect(tt.path, []byte(tt.text)); got != tt.want {
			t.Errorf("%s %q: %v, want %v", tt.path, tt.text, got, tt.want)
		}
	}
}

func FuzzNative(f *testing.F) {
	a := Adapter()
	for _, name := range []string{"sample.yaml", "broken.yaml", "templates.yaml", "sample.json", "sample.cue"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"a.yaml", "a.json", "a.cue"} {
			sourcetest.Check(t, a, name, text)
			a.Detect(name, text)
		}
	})
}

func TestDamaged(t *testing.T) {
	for _, name := range []string{"sample.yaml", "templates.yaml", "sample.json"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		sourcetest.Corpus(t, Adapter(), name, text)
	}
}
