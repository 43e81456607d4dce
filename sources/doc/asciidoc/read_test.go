package asciidoc

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// Each document must give the lines that start with the texts of has, and nothing that holds one of not.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		has, not  []string
	}{
		{"an implied header", "== a\n|===\n|Host |Port\n\n|h.example |80\n|===\n", []string{`copy doc pool="a"`, `member h.example:80 (5:1 "|h.example |80")`}, nil},
		{"a header by option", "== a\n[%header]\n|===\n|Host |Port\n|h.example |80\n|===\n", []string{"member h.example:80"}, nil},
		{"a header in quotes", "== a\n[cols=\"1,1\", options=\"header,footer\"]\n|===\n|Host |Port\n|h.example |80\n|===\n", []string{"member h.example:80"}, nil},
		{"no header", "== a\n|===\n|Host |Port\n|h.example |80\n|===\n", nil, []string{"member"}},
		{"no header by option", "== a\n[%noheader]\n|===\n|Host |Port\n\n|h.example |80\n|===\n", nil, []string{"member"}},
		{"names and values without header", "== a\n|===\n|Interval |2 s\n|===\n", []string{"probe.interval = 2s"}, nil},
		{"a cell a line", "== a\n[cols=\"2*\",options=header]\n|===\n|Host\n|Port\n\n|h.example\n|80\n|===\n", []string{"member h.example:80"}, nil},
		{"several rows a line", "== a\n[cols=2,options=header]\n|===\n|Host |Port |h.example |80 |i.example |81\n|===\n", []string{"member h.example:80", "member i.example:81"}, []string{"problem"}},
		{"a row on two lines", "== a\n|===\n|Host |Port |Weight |Zone\n\n|h.example |80\n|1 |z\n|===\n", []string{"member h.example:80 weight=1 zone=z"}, []string{"problem"}},
		{"styles", "== a\n|===\n|Host |Port\n\nm|h.example ^.>s|80\n|===\n", []string{"member h.example:80"}, nil},
		{"repeated cells", "== a\n|===\n|Host |Port |Weight\n\n|h.example 2*|80\n|===\n", []string{"member h.example:80 weight=80"}, nil},
		{"a cell over two rows", "== a\n|===\n|Region |Host |Port\n\n.2+|r |h.example |80\n|i.example |81\n|s |j.example |82\n|===\n", []string{"member h.example:80 region=r", "member i.example:81 region=r", "member j.example:82 region=s"}, []string{"problem"}},
		{"a label across the table", "== a\n|===\n|Host |Port\n\n2+|*Primary*\n|h.example |80\n|===\n", []string{"member h.example:80"}, []string{"problem", "primary"}},
		{"a short row", "== a\n|===\n|Host |Port |Weight\n\n|h.example |80\n|i.example |80 |1\n|===\n", []string{"problem source/table-shape", "member i.example:80 weight=1", "unresolved members[0] quiet=true"}, []string{"member h"}},
		{"a long row", "== a\n|===\n|Host |Port\n\n|h.example |80 |x\n|i.example |80\n|===\n", []string{"problem source/table-shape", "member i.example:80"}, []string{"member h"}},
		{"a missing cell a line", "== a\n[cols=3*,options=header]\n|===\n|Host\n|Port\n|Weight\n\n|h.example\n|80\n\n|i.example\n|80\n|1\n|===\n", []string{"problem source/table-shape", "member i.example:80 weight=1"}, []string{"member h"}},
		{"a table that does not end", "== a\n|===\n|Host |Port\n\n|h.example |80", []string{"member h.example:80"}, nil},
		{"comments in a table", "== a\n|===\n|Host |Port\n\n|h.example |80\n// |i.example |80\n|j.example |80\n|===\n", []string{"member h.example:80", "member j.example:80"}, []string{"member i", "problem"}},
		{"rows of another file", "== a\n|===\n|Host |Port\n\n|h.example |80\ninclude::hosts.adoc[tag=x]\n|j.example |80\n|===\n", []string{"member h.example:80", "member j.example:80", `copy doc pool="a" owned=false profile="" complete=false`, "unresolved members[2] quiet=false"}, []string{"problem"}},
		{"rows under a condition", "== a\n|===\n|Host |Port\n\n|h.example |80\nifdef::prod[]\n|j.example |80\nendif::[]\n|===\n", []string{"member h.example:80", "member j.example:80", `copy doc pool="a" owned=false profile="" complete=false`}, []string{"problem"}},
		{"a block macro is no directive", "== a\n|===\n|Host |Port\n\n|h.example |80\nimage::x.png[]\n|===\n", []string{"problem"}, nil},
		{"an escaped bar", "== a\n|===\n|Name |Value\n\n|Keepalive \\| idle |3\n|===\n", []string{"Keepalive | idle = 3"}, nil},
		{"markup", "== a\n|===\n|Host |Port |Region\n\n|https://h.example[the host] |*80* |_r_\n|`+i.example+` |`80` |**s**\n|<<x,j.example>> |+80+ |[[id]]t\n|===\n",
			[]string{"member i.example:80 region=s", "member j.example:80 region=t", `problem schema/invalid  field="address"`}, nil},
		{"attributes", "== a\n:port: 80\n|===\n|Host |Port\n\n|{host} |80\n|h.example |{port}\n|===\n", []string{"unresolved members[0]", "unresolved members[1]"}, []string{"problem", "member h"}},
		{"an effective list item", "== a\n* Effective:: 2026-01-02\n\n|===\n|Host |Port\n\n|h.example |80\n|===\n", []string{"effective 2026-01-02"}, nil},
		{"literal text", "== a\n Effective: 2026-01-02\n\n|===\n|Host |Port\n\n|h.example |80\n|===\n", nil, []string{"effective"}},
		{"two-line titles", "Orders\n======\n\nMembers\n-------\n|===\n|Host |Port\n\n|h.example |80\n|===\n", []string{`candidate "Members"`, `candidate "Orders"`}, nil},
		{"listings", "== a\n----\n|===\n|Host |Port\n\n|h.example |80\n|===\n----\n\n```\n|===\n|Host |Port\n\n|h.example |80\n|===\n```\n\n....\n== b\n....\n", nil, []string{"copy"}},
		{"tables in example blocks", "== a\n====\n|===\n|Host |Port\n\n|h.example |80\n|===\n====\n", []string{"member h.example:80"}, nil},
		{"a comment binds the table", "== a\n// poolproof: pool=x item=members\n|===\n|Host |Port\n\n|h.example |80\n|===\n", []string{`copy doc pool="x"`, "bound = true"}, nil},
		{"other comments", "== a\n// poolproof:ignore members/extra until=2026-12-31\n|===\n|Host |Port\n\n|h.example |80\n|===\n", []string{`copy doc pool="a"`}, []string{"problem"}},
		{"comma-separated", "== a\n,===\nHost,Port\nh.example,80\n,===\n", []string{"problem source/skipped"}, []string{"member"}},
		{"carriage returns", "== a\r\n|===\r\n|Host |Port\r\n\r\n|h.example |80\r\n|===\r\n", []string{`member h.example:80 (5:1 "|h.example |80")`}, nil},
		{"byte-order mark", "\uFEFF== a\n|===\n|Host |Port\n\n|h.example |80\n|===\n", []string{"member h.example:80", "problem source/scalar-hazard warning"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sourcetest.Dump(sourcetest.Check(t, Adapter(), "doc.adoc", []byte(c.doc)), []byte(c.doc))
			for _, want := range c.has {
				found := false
				for line := range strings.Lines(got) {
					found = found || strings.HasPrefix(strings.TrimSpace(line), want)
				}
				if !found {
					t.Errorf("no line starts with %q", want)
				}
			}
			for _, bad := range c.not {
				if strings.Contains(got, bad) {
					t.Errorf("%q should not be there", bad)
				}
			}
			if t.Failed() {
				t.Log("\n" + c.doc + "\n" + got)
			}
		})
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		path, data string
		want       sources.Confidence
	}{
		{"a.adoc", "= Title\n", sources.Likely}, {"A.ASCIIDOC", "|===\n", sources.Likely}, {"a.adoc", "text\n", sources.Possible},
		{"a.md", "= Title\n", sources.Unlikely}, {"a.adoc", "", sources.Possible},
	} {
		if got := Adapter().Detect(c.path, []byte(c.data)); got != c.want {
			t.Errorf("Detect(%s, %q) = %v, want %v", c.path, c.data, got, c.want)
		}
	}
}

func FuzzAsciiDoc(f *testing.F) {
	data, err := os.ReadFile("testdata/sample.adoc")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("== a\n[cols=\"2*,.^1a\"]\n|===\n2.3+|a 3*|b\n\n.2+^.>s|c\n|===\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sourcetest.Check(t, Adapter(), "fuzz.adoc", data)
	})
}

func TestDamagedSample(t *testing.T) {
	data, err := os.ReadFile("testdata/sample.adoc")
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.Corpus(t, Adapter(), "sample.adoc", data)
}

// Reading must stay linear in the length of the file, whatever stands in it.
func TestHostile(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, doc := range map[string]string{
		"bars":            "|===\n" + fill("|"),
		"bars by line":    "|===\n" + fill("|\n"),
		"repeated cells":  "|===\n|a |b\n" + fill("1000*|x\n"),
		"spans":           "|===\n|a |b\n" + fill(".1000+|x\n"),
		"wide":            "[cols=\"1000*\"]\n|===\n" + fill("|x"),
		"too wide":        "[cols=\"999999999*\"]\n|===\n" + fill("|x"),
		"marks":           "== " + fill("`*_"),
		"cells of marks":  "|===\n|a |b\n\n" + fill("|`a` *b* _c |+++d+++\n"),
		"attributes":      fill("[cols=1]\n"),
		"attribute lists": "[" + fill("cols=x,") + "]\n|===\n|a\n|===\n",
		"open listings":   fill("----\n----\n"),
		"delimiters":      fill("|===\n"),
		"braces":          "|===\n|Host |Port\n\n|" + fill("{a") + " |80\n|===\n",
		"titles":          fill("ab\n==\n"),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			sourcetest.Check(t, Adapter(), "hostile.adoc", []byte(doc))
			if took := time.Since(start); took > 20*time.Second { // a quadratic reader needs minutes
				t.Errorf("took %v", took)
			}
		})
	}
}
