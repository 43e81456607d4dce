package load

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

func TestConditional(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no template", "pool: [a, b]", ""},
		{"a value", "pool: [a, {{ x }}, b]", ""},
		{"a condition of Jinja", "pool: [a,\n{% if x %}\nb,\n{% endif %}\n]", "b"},
		{"its other branch", "pool: [\n{%- if x %}\na,\n{% else %}\nb,\n{%- endif %}\n]", "ab"},
		{"a condition of Helm", "pool: [a,\n{{- if .Values.x }}\nb,\n{{- end }}\n]", "b"},
		{"nested", "pool: [a,\n{{ range .y }}{{ with .z }}\nb,\n{{ end }}{{ end }}\n]", "b"},
		{"around the pool", "{{- if .Values.on }}\npool: [a, b]\n{{- end }}", ""},
		{"inside the pool, around the list", "pool:\n{{ if .on }}\n[a, b]\n{{ end }}", "ab"},
		{"a definition", "{{ define \"x\" }}\npool: [a, b]\n{{ end }}", ""},
		{"never closed", "pool: [a,\n{% if x %}\nb]", ""},
		{"closed too often", "pool: [a, {% endif %} b]", ""},
	} {
		span := func(s string) schema.Span {
			i := strings.Index(tt.text, s)
			return schema.At(i, i+len(s))
		}
		c := schema.Copy{PoolAt: span("pool"), Complete: true}
		c.ItemAt[schema.Members] = schema.Join(span("["), span("]"))
		for _, name := range []string{"a", "b"} {
			i := strings.IndexAny(tt.text, "[") + 1
			i += strings.IndexAny(tt.text[i:], name)
			for _, sep := range []string{name + ",", name + "]", " " + name + "]"} {
				if k := strings.Index(tt.text, sep); k >= 0 {
					i = k + strings.Index(sep, name)
					break
				}
			}
			c.Members = append(c.Members, schema.Member{Host: name, At: schema.At(i, i+1)})
		}
		r := sources.Result{Copies: []schema.Copy{c}}
		conditional(&r, []byte(tt.text))
		got := ""
		for _, m := range r.Copies[0].Members {
			if m.Origin == schema.FromTemplate {
				got += m.Host
			}
		}
		if got != tt.want || r.Copies[0].Complete != (tt.want == "") {
			t.Errorf("%s: %q may not be there, want %q (complete %v)", tt.name, got, tt.want, r.Copies[0].Complete)
		}
	}
}
