package outline

import "testing"

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		path, text string
		json       bool
		value      string // of the key a
	}{
		{"x.json", `{"a": 1}`, true, "1"},
		{"x.yaml", "a: 2\n", false, "2"},
		{"-", `{"a": 3}`, true, "3"},
		{"x.json", "{\"a\": {{ .Port }}, \"b\": 1}\n", true, "{{ .Port }}"},
	} {
		f, json := Decode(c.path, []byte(c.text))
		if json != c.json || len(f.Documents) != 1 || f.Documents[0].Root.Get("a") == nil || f.Documents[0].Root.Get("a").Text != c.value {
			t.Errorf("Decode(%q, %q): json=%v %+v", c.path, c.text, json, f)
		}
		for _, p := range f.Problems {
			if p.Rule == "source/syntax" {
				t.Errorf("%q: %s", c.text, p.Text.En)
			}
		}
	}
}
