package change

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/order/changeorder"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func sum(c string) string { return "sha256:" + strings.Repeat(c, 64) }

// rampOf reads the ramp of an order, which is a copy like any other.
func rampOf(t *testing.T, text string) *schema.Copy {
	t.Helper()
	doc := "---\npoolproof: change-order/v1\nid: a\npools: [orders]\ninitiator: a\neffective: 2026-01-01T00:00:00Z\nitems: []\nramp:\n  orders: " + text + "\n---\n"
	r := readOrder(doc)
	if len(r.Copies) != 1 {
		t.Fatalf("%d copies, %v", len(r.Copies), r.Problems)
	}
	return &r.Copies[0]
}

func readOrder(text string) sources.Result {
	return changeorder.Adapter().Read(sources.Input{Path: "order.md", Data: []byte(text), Source: &schema.Source{Side: schema.Order}})
}

// sample is an order with everything in it; name stands wherever a file could have put it.
func sample(t *testing.T, lang, name string) *Order {
	return &Order{
		Lang: lang, ID: name, Pools: []string{name, "stock"},
		Items: []Item{
			{Pool: name, Env: name, Item: "members", Before: map[schema.Side]string{schema.Gateway: sum("1"), schema.App: "absent", schema.Doc: sum("2")}, After: sum("3"),
				Aligned: []schema.Side{schema.App}, Owed: map[schema.Side]string{schema.Doc: name}},
			{Pool: name, Item: "ramp", Before: map[schema.Side]string{schema.Gateway: "absent"}, After: sum("4")},
			{Pool: "stock", Item: "pool", After: "absent"},
		},
		Ramps: []Ramp{{Pool: name, Copy: rampOf(t, "{by: ratio, target: {members: [\"a: b\", 10.0.0.1:80]}, batches: [{share: 12.5, dwell: 90s, minSamples: 10}, {regions: [eu, us], dwell: manual}, {share: 100}], rollback: {to: zero, cooldown: 5m}, suspendAfter: 2}")}},
		Drill: &schema.Drill{Command: "poolproof dryrun --pool " + name, Tool: "poolproof 1", Seeds: 3, Config: sum("5"),
			Results: []schema.DrillResult{{ID: name + ": cooldown/forced", Pass: "true", Observed: name}, {ID: "b", Pass: "false", Observed: "x"}, {ID: "c", Pass: "not-applicable", Observed: "y"}}},
		Settings: []Setting{{Pool: name, Env: name, Side: "gateway", File: name, Name: "members " + name, After: name}, {Pool: "stock", Side: "app", File: "a.yaml", Name: "cooldown.duration", Before: "10s"}},
		Debts: []Debt{{Pool: name, Env: name, Item: "members", Side: "doc", File: name}, {Pool: "a", Item: "effective", Side: "doc", PaidBy: "tree", Ref: name},
			{Pool: "a", Item: "pool", Side: "app", PaidBy: "order", Ref: name}, {Pool: "a", Item: "probe", Side: "app", PaidBy: "exception", Ref: name}},
	}
}

func render(t *testing.T, o *Order, text []byte) []byte {
	t.Helper()
	out, err := o.Render(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		got := render(t, sample(t, lang, "orders"), nil)
		file := filepath.Join("testdata", "order."+lang+".golden")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: not the golden file:\n%s", lang, got)
		}
		if again := render(t, sample(t, lang, "orders"), got); !bytes.Equal(again, got) {
			t.Errorf("%s: rendered again it is another text", lang)
		}
	}
}

// TestOpen: the grammar refuses what is not filled in, each place is named, and filled in it is accepted.
func TestOpen(t *testing.T) {
	text := render(t, sample(t, "en", "orders"), nil)
	if r := readOrder(string(text)); len(r.Orders) != 1 || r.Orders[0].Valid {
		t.Fatal("an order with open places is accepted")
	}
	var open []string
	for _, x := range Todo(text) {
		open = append(open, x.What+" "+string(text[x.At.Start:x.At.End]))
	}
	want := []string{"initiator initiator", "effective TODO", "items[0].aligned.doc TODO", "ramp.orders.stop TODO", " TODO"}
	if !slices.Equal(open, want) {
		t.Errorf("open: %q, want %q", open, want)
	}
	filled := Fill(text, "2026-01-01T00:00:00Z")
	r := readOrder(string(filled))
	if len(r.Orders) != 1 || !r.Orders[0].Valid {
		t.Fatalf("refused: %v", r.Problems)
	}
	if got, want := RampDigests(filled)["orders"], schema.Digest(sample(t, "en", "orders").Ramps[0].Copy, schema.Ramp); got != want {
		t.Errorf("the ramp that is written has another digest: %s, not %s", got, want)
	}
}

// hostile are names that would break out of where they stand.
var hostile = []string{
	"a|b", "a`b", "```", "a\\|b", "--- ", "---\nid: x", "<!-- poolproof:end settings -->", "-->\n<script>alert(1)</script>", "\x1b[31mred", "a: b # c", "\"; drop", "'x'", "[[ .x ]]", "}}", "$X",
	"[x](javascript:alert(1))", "@all #1", "TODO", "TODO: x", "true", "010", "~", "\u202eabc", "\x00", "a\r\nb", "*b*_c_", "https://example.com", "::error::x", "& < >", " a ", "地址池", "\u2028", "!!binary x", "&a", "*a",
}

// TestHostile: names break out of nothing: the order is accepted and says the same names, tables keep their cells, and there
// is no HTML but the marks.
func TestHostile(t *testing.T) {
	shape := func(lang string, text []byte) string {
		var b bytes.Buffer
		_, body, ok := bytes.Cut(text[4:], []byte("\n---\n"))
		if !ok {
			t.Fatal("no end of the front matter")
		}
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(body, &b); err != nil {
			t.Fatal(err)
		}
		// The tags in their order, without code spans, which depend on what a name holds.
		var tags []string
		for _, part := range strings.Split(b.String(), "<")[1:] {
			tag, _, _ := strings.Cut(part, ">")
			if tag != "code" && tag != "/code" {
				tags = append(tags, tag)
			}
		}
		return strings.Join(tags, " ")
	}
	for _, lang := range []string{"en", "zh"} {
		plain := shape(lang, render(t, sample(t, lang, "orders"), nil))
		for _, name := range hostile {
			o := sample(t, lang, name)
			text := render(t, o, nil)
			if got := shape(lang, text); got != plain {
				t.Errorf("%s %q: the text has another shape:\n%s\nnot\n%s", lang, name, got, plain)
			}
			if bytes.ContainsAny(text, "\x1b\x00\u202e\u2028\r") {
				t.Errorf("%s %q: the text holds controls", lang, name)
			}
			r := readOrder(string(Fill(text, "2026-01-01T00:00:00Z")))
			if len(r.Orders) != 1 || !r.Orders[0].Valid || r.Orders[0].Pools[0] != name || r.Orders[0].Items[0].Pool != name || r.Orders[0].Drill.Results[1].ID != "b" {
				t.Errorf("%s %q: not read as written: %v", lang, name, r.Problems)
			}
			if again := render(t, o, text); !bytes.Equal(again, text) {
				t.Errorf("%s %q: rendered again it is another text", lang, name)
			}
			if len(o.Stale(text)) != 0 || len(sections(text, 0)) != 5 {
				t.Errorf("%s %q: the sections are not those that were written", lang, name)
			}
		}
	}
}

// TestExpressions: a name that a template may have made is none that an order can have: it is refused, and breaks nothing.
func TestExpressions(t *testing.T) {
	for _, name := range []string{"{{.ID}}", "{{", "{% if x %}", "${X:1}", "<%= x %>", "{{- range .x }}"} {
		text := render(t, sample(t, "en", name), nil)
		r := readOrder(string(Fill(text, "2026-01-01T00:00:00Z")))
		if len(r.Orders) != 1 || r.Orders[0].Valid || len(sections(text, 0)) != 5 {
			t.Errorf("%q: accepted, or not seen: %v", name, r.Orders)
		}
	}
}

const peoples = `---
# our own line
poolproof: change-order/v1
id: CHG-9   # the ticket
owner: nobody
pools: [old]
initiator: 'alice'
effective: 2026-05-01T02:00:00+08:00 # night

items:
  # why this one
  - pool: orders
    item: members
    before: {gateway: absent}
    after: absent
    aligned:
      app: this-change
      doc: {repo: ../docs, commit: abcdef0, file: a.md, digest: "` + "sha256:2222222222222222222222222222222222222222222222222222222222222222" + `"} # checked by me
  # about the probe
  - pool: orders
    item: probe
    aligned:
      app:
        repo: ../app
        commit: "1234567"
# before the approvals
approvals:
  - {by: bob, at: 2026-04-30T00:00:00Z, digest: "` + "sha256:1111111111111111111111111111111111111111111111111111111111111111" + `"}
exceptions: []
---
# Mine

Text.
<!-- poolproof:begin settings 0 -->
old
<!-- poolproof:end settings -->
More text. <!-- poolproof:begin settings 0 -->
`

// TestKeeps: what people wrote stays byte for byte, whatever ends their lines.
func TestKeeps(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		o := sample(t, "en", "orders")
		o.ID = "CHG-9"
		text := string(render(t, o, []byte(strings.ReplaceAll(peoples, "\n", end))))
		if end == "\r\n" && strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Error("the ends of lines are mixed")
		}
		text = strings.ReplaceAll(text, "\r\n", "\n")
		at := 0
		for _, part := range []string{
			"---\n# our own line\npoolproof: change-order/v1\nid: CHG-9   # the ticket\nowner: nobody\npools: [orders, stock]\ninitiator: 'alice'\neffective: 2026-05-01T02:00:00+08:00 # night\n\nitems:\n",
			"  # why this one\n  - pool: orders\n    item: members\n", "after: " + sum("3"),
			"      app: this-change\n      doc: {repo: ../docs, commit: abcdef0, file: a.md, digest: \"" + sum("2") + "\"} # checked by me\n",
			"  - pool: orders\n    item: ramp\n", "  # about the probe\n", "ramp:\n  orders:\n", "drill:\n",
			"# before the approvals\napprovals:\n  - {by: bob, at: 2026-04-30T00:00:00Z, digest: \"" + sum("1") + "\"}\nexceptions: []\n---\n# Mine\n\nText.\n<!-- poolproof:begin settings ",
			"| Pool | Copy |", "<!-- poolproof:end settings -->\nMore text. <!-- poolproof:begin settings 0 -->\n",
		} {
			i := strings.Index(text[at:], part)
			if i < 0 {
				t.Fatalf("%q is gone, or stands elsewhere:\n%s", part, text)
			}
			at += i + len(part)
		}
		if strings.Contains(text, "\nold\n") || at != len(text) {
			t.Errorf("more is left than there should be:\n%s", text)
		}
		if again := render(t, o, []byte(text)); string(again) != text {
			t.Error("rendered again it is another text")
		}
	}
}

// TestRefreeze: a ramp that is frozen stays, until it is to be frozen anew.
func TestRefreeze(t *testing.T) {
	text := string(render(t, sample(t, "en", "orders"), nil))
	text = strings.Replace(text, "share: 12.5", "share: 15", 1)
	o := sample(t, "en", "orders")
	if got := string(render(t, o, []byte(text))); !strings.Contains(got, "share: 15,") {
		t.Error("what was frozen is not there any more")
	}
	o.Ramps[0].Anew = true
	if got := string(render(t, o, []byte(text))); strings.Contains(got, "share: 15,") || !strings.Contains(got, "share: 12.5,") {
		t.Error("it is not frozen anew")
	}
	o.Ramps = append(o.Ramps, Ramp{Pool: "stock", Copy: o.Ramps[0].Copy})
	if got := RampDigests(Fill(render(t, o, []byte(text)), "2026-01-01T00:00:00Z")); len(got) != 2 || got["stock"] == "" || got["stock"] != got["orders"] {
		t.Errorf("the second ramp is not added: %v", got)
	}
}

func TestRefuses(t *testing.T) {
	o := sample(t, "en", "orders")
	for _, text := range []string{"text\n", "---\ntitle: x\n---\n", "---\npoolproof: change-order/v1\n", "---\npoolproof: [\n---\n", "---\n{poolproof: change-order/v1, id: orders}\n---\n", "---\npoolproof: change-order/v1\nid: other\n---\n"} {
		if _, err := o.Render([]byte(text), nil); err == nil {
			t.Errorf("%q is brought up to date", text)
		}
	}
}

func TestTemplates(t *testing.T) {
	o := sample(t, "en", "a|b")
	for text, want := range map[string]string{
		"{{.ID}} {{code .ID}} {{yaml .ID}}": "a&#124;b a&#124;b \"a|b\"",
		"{{open \"x\"}}\n{{close \"y\"}}\n": "closes the section y", "{{open \"x\"}}\n": "does not close", "{{open \"X\"}}\n": "small letters",
		"a {{open \"x\"}}\n{{close \"x\"}}": "alone on their lines", "{{.Nothing}}": "Nothing", "{{range $i := .Pools}}{{template \"t\" $}}{{end}}{{define \"t\"}}{{template \"t\" .}}{{end}}": "depth",
	} {
		tmpl, err := ParseTemplate("own", text)
		var got []byte
		if err == nil {
			got, err = o.Render(nil, tmpl)
		}
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.Contains(string(got), want) {
			t.Errorf("%q: %s, want %s", text, got[max(0, len(got)-200):], want)
		}
	}
}

// FuzzRender: whatever stands in a file, it is refused or brought up to date, and then stays as it is.
func FuzzRender(f *testing.F) {
	f.Add(peoples)
	f.Add("---\npoolproof: change-order/v1\nitems: &a []\nramp: *a\ndrill: |\n  x\n---\n")
	f.Add("---\npoolproof: change-order/v1\nramp: {orders: {}}\nitems: {}\npools:\n- a\n---\n<!-- poolproof:begin a -->\n")
	f.Fuzz(func(t *testing.T, text string) {
		o := sample(t, "en", "orders")
		o.ID = "CHG-9"
		Todo([]byte(text))
		Fill([]byte(text), "2026-01-01T00:00:00Z")
		o.Stale([]byte(text))
		out, err := o.Render([]byte(text), nil)
		if err != nil {
			return
		}
		again, err := o.Render(out, nil)
		if err != nil || !bytes.Equal(out, again) {
			t.Fatalf("%v\n%q\n%q", err, out, again)
		}
	})
}
