package data

import "testing"

// yamlSeeds are the samples of the other tests and what only yaml.v3 reads.
func yamlSeeds() []string {
	seeds := append(append([]string{}, fastYAML...), notFastYAML...)
	for _, c := range brokenYAML {
		if len(c.src) < 2000 {
			seeds = append(seeds, c.src)
		}
	}
	return append(seeds,
		"a: &x {t: 1s, u: [1, 2]}\nb:\n  <<: *x\n  t: 5s\nc: {<<: [*x, {u: 3}]}\n",
		"a: |+\n  x\n\n   y\n\nb: >2\n    z\nc: |\n---\n--- |\nx\n",
		"? a\n: b\n? [c, d]\n: e\n? f\n!!str g: &h !!int 5\n\"i\": *h\n",
		"{{- if .x }}\nmembers: {{ .m }}\n{{- else }}\n  - {{ a }}: \"{{ b | c \"d\" }}\"\n{{- end }}\n",
		"{% for h in hosts %}\n- {{ h }}:{{ p }}\n{% endfor %}\n",
		"a: b\n  c\n\n  d # e\nf: 'g\n  h'\ni: \"j\\\n  k\\u0041\"\n",
		"[a, {b: c, d}, [e: f], ? g, \"h\": i,]\n",
		"\uFEFFa: 1\r\n\tb: \xff\x00\n",
	)
}

func FuzzYAML(f *testing.F) {
	for _, s := range yamlSeeds() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		check(t, YAML(src), src, true)
	})
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		"{\"a\": 1, \"b\": [true, null, \"x\\u00e9\"], // c\n \"a\": 2,}", "[]", "{}", "", "// c\n", "[1 2]", "{\"a\": 01}", "\uFEFF{}", "{'a': 1}", "nul", "[[[[[]]]]]", "\"\\ud800\"", "/*", "{\"a\": {{ x }}}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		check(t, JSON(src), src, true)
	})
}

func FuzzTOML(f *testing.F) {
	for _, s := range []string{
		"a = 1\nb.c = \"x\"\n[t]\nd = [1, {e = 2}, # c\n]\n[[u.v]]\nw = '''\nx'''\n[[u.v]]\n[u.v.z]\n", "a = 1\na = 2\n[a]\n[a]\n", "a = [1,\nb = 2\n", "x = \"\"\"a\n", "[", "[[", "[a", "a", "a =", "a = 010\nb = 0x1F\nc = 1_0\nd = 1979-05-27T07:32:00Z\n", "\"a.b\" = {}\n'c' = { d.e = [[]], f = inf }\n", "a.b = 1\na = 2\n[a.b]\n[[a.b]]\n", "a = \"\\q\"\nb = 1\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		check(t, TOML(src), src, false)
	})
}

func FuzzProperties(f *testing.F) {
	for _, s := range []string{
		"a=1\nb : 2\nc 3\n# d\n! e\nf=\\\n  g\n", "a.b[0].c=1\na.b[2]=2\na.b=3\na.b.x=4\n", "a\\u0041\\=b=c\\td\n", "#---\na=1\n!---\nb\\u12=\n", "a[x.y]=1\na[0]=2\na.=3\n.=4\n[0]=5\n", "=\n", ":\n\\", "a=1\ra=2\r\n", "a[0][1]=x\na[0].b=y\na[0]=z\na=w\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		check(t, Properties(src), src, false)
	})
}
