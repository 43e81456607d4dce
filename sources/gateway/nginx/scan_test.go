package nginx

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// show writes a tree on one line: name(args){ body }, with ? after what a template decides about.
func show(ds []directive) string {
	var b strings.Builder
	for i := range ds {
		d := &ds[i]
		if i > 0 {
			b.WriteByte(' ')
		}
		if d.loose {
			b.WriteString("<" + d.name.text + ">")
			continue
		}
		b.WriteString(d.name.text)
		if len(d.args) > 0 {
			parts := make([]string, len(d.args))
			for j, a := range d.args {
				parts[j] = a.text
			}
			b.WriteString("(" + strings.Join(parts, "|") + ")")
		}
		if d.maybe {
			b.WriteByte('?')
		}
		if d.block {
			b.WriteString("{" + show(d.body) + "}")
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, text, want string
		problems         int
	}{
		{"empty", "", "", 0},
		{"blanks and comments", " \r\n# x { } ;\n\t", "", 0},
		{"one line", "a b;c d{e;}f{}", "a(b) c(d){e} f{}", 0},
		{"comment glued to a brace", "a {#x }\nb;}", "a{b}", 0},
		{"hash inside a word", "a b#c;", "a(b#c)", 0},
		{"quotes", `"a" 'b c' "d\"e" 'f"g';`, `a(b c|d"e|f"g)`, 0},
		{"escapes", `a b\ c \{\;\} "x\ty\\z" \q;`, `a(b\ c|\{\;\}|` + "x\ty\\z" + `|\q)`, 0},
		{"newline in quotes", "a \"b\nc\";", "a(b\nc)", 0},
		{"variables", "a ${b} c${d}e $f;", "a(${b}|c${d}e|$f)", 0},
		{"brace inside a word", "a ^/x}y z;", "a(^/x}y|z)", 0},
		{"quote inside a word", `a b"c d;`, `a(b"c|d)`, 0},
		{"no final newline or semicolon", "a { b;} c d", "a{b} c(d)", 1},
		{"missing semicolon before a brace", "a { b c }\nd;", "a{b(c)} d", 1},
		{"missing semicolon, brace glued", "a { b c}\nd;", "a{b(c)} d", 1},
		{"stray brace", "a; } b;", "a b", 1},
		{"stray semicolon", "a {}; b;", "a{} b", 1},
		{"stray opening brace", "{ a; } b;", "{a} b", 1},
		{"unclosed block", "a { b { c;", "a{b{c}}", 1},
		{"unclosed upstream", "upstream a { server x;\nupstream b { server y; }", "upstream(a){server(x)} upstream(b){server(y)}", 1},
		{"unclosed upstream before a server", "upstream a { server x;\nserver { listen 80; }", "upstream(a){server(x)} server{listen(80)}", 1},
		{"unclosed quote", "a \"b;\nc;", "a(b) c", 1},
		{"text after a quote", `a "b"c;`, `a(b|c)`, 1},
		{"parenthesis after a quote", `if ($a = "b") { c; }`, `if(($a|=|b|)){c}`, 0},
		{"full-width semicolon", "a b；\nc d；", "a(b) c(d)", 2},
		{"full-width semicolon inside a word", "a b；c;", "a(b；c)", 0},
		{"map bodies are not kept", "map $a $b { default x; ~^u y; } c;", "map($a|$b){} c", 0},
		{"lua", `a_by_lua_block { x = "}" -- }` + "\n" + `y = [[ } ]] --[==[ } ]==] z = {} } b;`, "a_by_lua_block{} b", 0},
		{"lua with an argument", "set_by_lua_block $x { return {{1}} } b;", "set_by_lua_block($x){} b", 0},
		{"lua that never closes", "s {\n  x_by_lua_block {\n    { { { \n  }\n  b;\n}\nc;", "s{x_by_lua_block{} b} c", 1},
		{"a name that only looks like lua", "server_name x_by_lua_block;", "server_name(x_by_lua_block)", 0},
		{"jinja loop", "u { {% for h in hosts %}\nserver {{ h }}:80;\n{% endfor %}\nk 1; }", "u{server({{ h }}:80)? k(1)}", 0},
		{"jinja around a block", "{% if a %}\nu { s x; }\n{% endif %}", "u?{s(x)}", 0},
		{"jinja comment", "{# u { #}\nu { s {{ x }}; }", "u{s({{ x }})}", 0},
		{"jinja tag in a comment", "u {\n# {% if x %}\na;\n# {% endif %}\nb;\n}", "u{a? b}", 0},
		{"jinja set and include", "{% set x = 1 %}\nu { {% include 'x' %}\n a; }", "u{<{% include 'x' %}> a}", 0},
		{"go range", "u {\n{{- range .S }}\nserver {{ .H }}:{{ .P }};\n{{- end }}\nk 1;\n}", "u{server({{ .H }}:{{ .P }})? k(1)}", 0},
		{"go nested", "{{ if a }}{{ range b }}x;{{ end }}y;{{ end }}z;", "x? y? z", 0},
		{"go assignment", "{{ $x := 1 }}\na;", "a", 0},
		{"a variable called end_port", "a {{ end_port }};b;", "a({{ end_port }}) b", 0},
		{"handlebars", "{{#each s}}a {{this}};{{/each}}b;", "a({{this}})? b", 0},
		{"handlebars raw", "a {{{x}}};", "a({{{x}}})", 0},
		{"erb", "<% @s.each do |s| -%>\na <%= s %>;\n<% end -%>\nb;", "a(<%= s %>)? b", 0},
		{"epp", "<% $s.each |$h| { -%>\na <%= $h %>;\n<% } -%>\nb;", "a(<%= $h %>)? b", 0},
		{"template alone in a block", "u { {{ servers }} }", "u{<{{ servers }}>}", 0},
		{"templates alone on a line", "u {\n{{ a }}{{ b }}\ns x;\n}", "u{<{{ a }}{{ b }}> s(x)}", 0},
		{"template with spaces and quotes", `a "{{ x["k"] | default("v") }}" {{ y | f(';') }};`, `a({{ x["k"] | default("v") }}|{{ y | f(';') }})`, 0},
		{"template that ends two blocks", "{% if a %}s { x;{% else %}s { y;{% endif %} }", "s?{x s{y}}", 0},
		{"mark that never closes", "a {{ b; }", "a{{b}}", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root, s := parse(test.text)
			if diff := cmp.Diff(test.want, show(root)); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
			if len(s.problems) != test.problems {
				t.Errorf("%d problems, want %d: %v", len(s.problems), test.problems, s.problems)
			}
		})
	}
}

// TestWordPlaces checks that the bytes of a word are those of the file, quotes left out.
func TestWordPlaces(t *testing.T) {
	text := "\xef\xbb\xbfup 'in q' a\\;b {\r\n 服务 \"x\"; }"
	root, _ := parse(text)
	var got []string
	add := func(w word) { got = append(got, text[w.start:w.end]) }
	add(root[0].name)
	for _, a := range root[0].args {
		add(a)
	}
	in := root[0].body[0]
	add(in.name)
	add(in.args[0])
	got = append(got, text[in.first():in.end], text[root[0].first():root[0].end])
	want := []string{"up", "in q", `a\;b`, "服务", "x", `服务 "x";`, text[3:]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// hostile returns files that would cost a careless reader more than their length, by size.
func hostile(n int) map[string]string {
	return map[string]string{
		"open braces":          strings.Repeat("a{", n),
		"closing braces":       strings.Repeat("}", n),
		"marks that never end": strings.Repeat("{{", n),
		"statement marks":      strings.Repeat("{% if %}", n),
		"comment marks":        "{{" + strings.Repeat("{# ", n),
		"erb marks":            strings.Repeat("<% ", n),
		"quotes":               strings.Repeat("a \"\n", n) + "\"",
		"mixed quotes":         strings.Repeat("a '\nb \"\n", n) + "'",
		"backslashes":          strings.Repeat("\\", n),
		"long brackets":        "a_by_lua_block {" + strings.Repeat("[[", n),
		"levels of brackets":   strings.Repeat("a_by_lua_block { [=[ [==[ [===[ }\n", n/20),
		"unclosed lua":         strings.Repeat("a_by_lua_block {\n", n/10),
		"braces in words":      strings.Repeat("a}", n),
		"spaces":               "a}" + strings.Repeat(" ", n) + "x;",
		"one long line":        "upstream a { " + strings.Repeat("server 10.0.0.1:80 weight=1 ", n/10) + "; }",
		"many upstreams":       strings.Repeat("upstream a { server 10.0.0.1; }\n", n/20),
		"many servers":         "upstream a { " + strings.Repeat("server 10.0.0.1 max_fails=3;\n", n/20) + "}",
		"many locations":       "upstream a { server b; } server { " + strings.Repeat("location / { proxy_pass http://a; proxy_next_upstream error; health_check; }\n", n/40) + "}",
		"many pools":           "server { " + strings.Repeat("location / { proxy_pass http://10.0.0.1:1; proxy_next_upstream error; }\n", n/40) + "}",
		"missing semicolons":   "upstream a { server b\n" + strings.Repeat("server c\n", n/20) + "; }",
	}
}

// TestHostileInput: time stays in proportion to the file whatever stands in it. A file eight times as long may take
// forty times as long on a busy machine, and never the sixty-four times of a quadratic reader for whole seconds.
func TestHostileInput(t *testing.T) {
	const n = 20_000
	took := func(text string) time.Duration {
		start := time.Now()
		readText(t, text)
		return time.Since(start)
	}
	small, large := hostile(n), hostile(8*n)
	for name, text := range small {
		t.Run(name, func(t *testing.T) {
			if a, b := took(text), took(large[name]); b > 3*time.Second && b > 40*a {
				t.Errorf("%d bytes take %v, %d bytes take %v", len(text), a, len(large[name]), b)
			}
		})
	}
}
