package data
import ("testing";"time";"strings";"fmt")
func TestSlow(t *testing.T) {
	n := 1<<20
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	for name, src := range map[string]string{
		"flow": "a: [" + rep("a, ") + "]\n",
		"flowmap": "a: {" + rep("a: 1, ") + "}\n",
		"open flow": rep("["), "open flow2": rep("[a, "), "open map": rep("{a: "),
		"dashes": rep("- "), "dash lines": rep("- a\n"), "questions": rep("? "), "colons": rep(": "), "colons2": rep("a: "), "colon lines": rep("a: b\n"),
		"templates": rep("{{ "), "templates2": rep("{{ x }} "), "templates3": rep("a: {{ x }}\n"), "templates lines": rep("{{ x }}\n"), "tquote": "a: " + rep("\"{{\"a ") + "}}", "tcolon": "{{x }}\n" + rep("a: "), "t jinja": rep("{% if x %}a: b\n"),
		"quotes": rep("\"a\"b "), "quotes lines": rep("\"a\n"), "squotes": rep("'a "), 
		"comments": rep("# c\n") + "a: 1\n", "comments in": "a:\n" + rep("  # c\n") + "  b: 1\n", "comment trailing": rep("a # c\n"), "commented list": rep("- a # c\n# d\n"),
		"plain": rep("a b "), "plain lines": rep("a b\n"), "plain deep": "a:\n" + rep("  b\n"),
		"docs": rep("---\n"), "docs2": rep("---\na: 1\n"), "dots": rep("...\n"), "docs broken": rep("---\na: [\n"), "docs alias": rep("---\n*a\n"),
		"alias": "a: &a 1\nb: [" + rep("*a, ") + "]\n", "alias bad": "b: [" + rep("*a, ") + "]\n", "anchor": rep("&a "), "tags": rep("!a "), "tagl": rep("- !a\n"),
		"bomb": "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f]\n",
		"merges": "a: &a {x: 1}\n" + rep("- <<: *a\n"), "merge many": "a: &a {x: 1}\nb: {<<: [" + rep("*a, ") + "]}\n",
		"dup": rep("a: 1\n"), "keys": func() string { var b strings.Builder; for i := range n/12 { fmt.Fprintf(&b, "k%08d: 1\n", i) }; return b.String() }(),
		"block": "a: |\n" + rep("  x\n"), "blocks": rep("- |\n  x\n"), "blank": rep("\n"), "spaces": rep(" "), "tabs": rep("\t"), "cr": rep("\r"), "crlf": rep("a: b\r\n"), "nel": rep("a\u0085"), "nul": rep("\x00"), "bad": rep("\xff"), "wide": rep("a：b\n"), "wide2": rep("- a：b\n"), "bom": rep("\uFEFF"),
		"longline": "a: " + rep("x"), "long key": rep("x") + ": a", "cn": "a: " + rep("键"), "cn flow": "a: [" + rep("键, ") + "]",
		"indent": func() string { var b strings.Builder; for i := 0; b.Len() < n; i++ { b.WriteString(strings.Repeat(" ", i) + "a:\n") }; return b.String() }(),
		"json": "{" + rep("\"a\":[1,{\"b\":2}],") + "}", "pct": rep("%a\n"), "yamld": rep("%YAML 1.2\n"),
		"toml hdr": rep("[a]\n"), "toml hdr2": rep("[[a]]\n"), "toml kv": rep("a = 1\n"), "toml open": rep("a = [\n"), "toml q": rep("a = \"\"\"\n"), "toml dots": rep("a.") + "b = 1\n", "toml inl": rep("a={"), "toml err": rep("a = x\n"), "toml nested": rep("[[a.b]]\nc=1\n"),
		"prop": rep("a=b\n"), "prop idx": rep("a[1][1]"), "prop dots": rep("a.b."), "prop cont": rep("a\\\n"), "prop many": func() string { var b strings.Builder; for i := range n/20 { fmt.Fprintf(&b, "a[%d].b=1\n", n-i) }; return b.String() }(), "prop dup": rep("a=1\na.b=2\na[0]=3\n"),
		"jopen": rep("{\"a\":"), "jcomment": rep("/*"), "jc2": rep("//"), "jq": rep("\"\\"), "jtmpl": rep("{{ x }},"),
	} {
		for fn, f := range map[string]func([]byte) File{"yaml": YAML, "json": JSON, "toml": TOML, "prop": Properties} {
			done := make(chan bool)
			a := time.Now()
			go func() { check(t, f([]byte(src)), []byte(src), false); close(done) }()
			select {
			case <-done:
				if d := time.Since(a); d > 700*time.Millisecond { fmt.Println("SLOW", fn, name, len(src), d) }
			case <-time.After(4*time.Second):
				fmt.Println("HANG", fn, name)
			}
		}
	}
}
