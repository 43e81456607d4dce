package outline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Outline
	}{
		{"yaml map", "a: 1\nb:\n  c: 2\n'd': \"x\" # note\n", Outline{Kind: Map, Keys: []Key{{"a", "1"}, {"b", ""}, {"d", "x"}}}},
		{"documents", "---\nkind: A\n---\nkind: B\n", Outline{Kind: Map, Keys: []Key{{"kind", "A"}, {"kind", "B"}}}},
		{"yaml list", "- name: x\n  b: 1\n    deep: 1\n-\n  c: 1\n  - d: 1\n", Outline{Kind: List, Keys: []Key{{"name", "x"}, {"b", "1"}, {"c", "1"}}}},
		{"crlf and bom", "\xef\xbb\xbfa: 1\r\nb:\r\n", Outline{Kind: Map, Keys: []Key{{"a", "1"}, {"b", ""}}}},
		{"template lines", "{{- if .X }}\na: {{ .Y }}\n{% for %}\n", Outline{Kind: Map, Keys: []Key{{"a", "{{ .Y }}"}}}},
		{"prose is no key", "Some words here: value\nhttp://x\n", Outline{}},
		{"a fence means a document", "```yaml\na: 1\n```\n", Outline{}},
		{"json", `{"a": {"x": 1}, "b": "t", "c": [ {"y": "z"} ], "d": 3}`, Outline{Kind: Map, JSON: true, Keys: []Key{{Name: "a"}, {"b", "t"}, {Name: "c"}, {Name: "d"}}}},
		{"json list", `[{"a": 1}, {"b": "}"}]`, Outline{Kind: List, JSON: true, Keys: []Key{{Name: "a"}, {"b", "}"}}}},
		{"json with comments", "{// \"x\": 1\n\"a\": /* { */ 1}", Outline{Kind: Map, JSON: true, Keys: []Key{{Name: "a"}}}},
		{"json cut short", `{"a": "b`, Outline{Kind: Map, JSON: true, Keys: []Key{{"a", "b"}}}},
	} {
		if diff := cmp.Diff(c.want, Of([]byte(c.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestStructured(t *testing.T) {
	for path, want := range map[string]bool{
		"envoy.yaml": true, "a/b.yml.j2": true, "x.JSON": true, "-": true, "README.md": false, "haproxy.cfg.j2": false, "a.toml": false,
	} {
		if got := Structured(path); got != want {
			t.Errorf("Structured(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestIsJSON(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{"a.json", "", true}, {"a", " {\"x\": 1}", true}, {"a", "[1]", true}, {"a", "{{ x }}", false}, {"a", "{% if %}", false}, {"a", "x: 1", false}, {"a.yaml", "{x: 1}", false},
	} {
		if got := IsJSON(c.path, []byte(c.text)); got != c.want {
			t.Errorf("IsJSON(%q, %q) = %v, want %v", c.path, c.text, got, c.want)
		}
	}
}

// FuzzOf holds the scanner to its bounds: it ends, it does not panic, and it keeps to the limit.
func FuzzOf(f *testing.F) {
	f.Add("a: 1\n- b: 2\n")
	f.Add(`{"a": [1, {"b": "\""}], "c"`)
	f.Add("{/*")
	f.Add(strings.Repeat("a: 1\n", 10))
	f.Fuzz(func(t *testing.T, text string) {
		if o := Of([]byte(text)); len(o.Keys) > maxKeys {
			t.Fatalf("%d keys", len(o.Keys))
		}
	})
}
