package evidence_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/policy/internal/pagetest"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// A rule's case is one txtar file of testdata/rules/evidence. "base/" is where the change starts from, and every other
// tree is a head: "bad/", further firing ones "bad-2/", ..., the mended one "good/", and those that look alike but are
// fine, "silent-1/", .... Files below "all/" belong to every tree, "base-TREE/" is the base of one tree alone, "beside/NAME/"
// holds other repositories. "want", "want-2" and "want-TREE" say what the trees must yield; nothing else may be an error,
// and no tree but the bad ones may yield a finding of the rule.
type ruleCase struct {
	plays map[string]play
	wants map[string]string
}

func readCase(t *testing.T, id string) ruleCase {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("../../testdata/rules/evidence", stem(id)+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	c := ruleCase{plays: map[string]play{}, wants: map[string]string{}}
	every, beside := map[string]string{}, map[string]map[string]string{}
	trees := map[string]map[string]string{}
	put := func(m map[string]map[string]string, tree, name, text string) {
		if m[tree] == nil {
			m[tree] = map[string]string{}
		}
		m[tree][name] = text
	}
	for _, f := range a.Files {
		tree, name, inTree := strings.Cut(f.Name, "/")
		switch {
		case tree == "all":
			every[name] = string(f.Data)
		case tree == "beside":
			repo, file, _ := strings.Cut(name, "/")
			put(beside, repo, file, string(f.Data))
		case inTree:
			put(trees, tree, name, string(f.Data))
		default:
			which := strings.TrimPrefix(strings.TrimPrefix(f.Name, "want"), "-")
			if which == "" || strings.Trim(which, "0123456789") == "" {
				which = strings.TrimSuffix("bad-"+which, "-")
			}
			c.wants[which] = string(f.Data)
		}
	}
	for tree := range trees {
		if tree == "base" || strings.HasPrefix(tree, "base-") {
			continue
		}
		base := trees["base-"+tree]
		if base == nil {
			base = trees["base"]
		}
		p := play{base: maps.Clone(every), head: maps.Clone(every), beside: beside}
		maps.Copy(p.base, base)
		maps.Copy(p.head, trees[tree])
		c.plays[tree] = p
	}
	return c
}

func stem(id string) string { return strings.NewReplacer("/", "_", "-", "_").Replace(id) }

func evidenceRules() []rules.Rule {
	return slices.DeleteFunc(rules.All(), func(r rules.Rule) bool { return !strings.HasPrefix(r.ID, "evidence/") })
}

// TestRules checks that every rule fires where it should, is silent where it should, and has its pages.
func TestRules(t *testing.T) {
	list := evidenceRules()
	files, err := filepath.Glob("../../testdata/rules/evidence/*.txtar")
	if err != nil || len(files) != len(list) || len(list) != 13 {
		t.Errorf("%d rules, %d cases: %v", len(list), len(files), err)
	}
	for _, r := range list {
		t.Run(r.ID, func(t *testing.T) {
			c := readCase(t, r.ID)
			for _, tree := range []string{"bad", "good", "silent-1"} {
				if c.plays[tree].head == nil {
					t.Errorf("the case has no tree %s", tree)
				}
			}
			for _, tree := range slices.Sorted(maps.Keys(c.plays)) {
				t.Run(tree, func(t *testing.T) {
					p := c.plays[tree]
					got := p.run(t)
					fires := slices.ContainsFunc(got.findings, func(f schema.Finding) bool { return f.Rule == r.ID && f.Status != schema.Suppressed })
					if want := strings.HasPrefix(tree, "bad"); fires != want {
						t.Errorf("fires: %v", fires)
					}
					holds(t, p, got, c.wants[tree]+"\nnone error")
				})
			}
			for lang := range headings {
				t.Run(lang, func(t *testing.T) { checkPage(t, &r, lang, c) })
			}
		})
	}
}

// headings are the sections of a page, by language.
var headings = map[string][]string{
	"en": {"What it finds", "Why it matters", "Bad", "Good", "What to do", "How to except it"},
	"zh": {"查什么", "为什么重要", "错误示例", "正确示例", "怎么办", "如何豁免"},
}

// checkPage checks a page: its parts, that its examples stand in the trees that the case plays, and that the ways to except
// the finding work as written.
func checkPage(t *testing.T, r *rules.Rule, lang string, c ruleCase) {
	text, err := os.ReadFile(filepath.Join("../rules", stem(r.ID)+map[string]string{"en": ".md", "zh": ".zh.md"}[lang]))
	if err != nil {
		t.Fatal(err)
	}
	if rules.Page(r.ID, lang) != string(text) {
		t.Error("the page is not what explain shows")
	}
	if n := strings.Count(string(text), "\n"); n < 25 || n > 70 || !strings.HasPrefix(string(text), "# "+r.ID+"\n\n") {
		t.Errorf("%d lines, or another title", n)
	}
	weight := map[string]map[schema.Severity]string{
		"en": {schema.Error: "**error**", schema.Warning: "**warning**", schema.Info: "**info**"},
		"zh": {schema.Error: "**错误**", schema.Warning: "**警告**", schema.Info: "**提示**"},
	}[lang][r.Severity]
	if intro, _, _ := strings.Cut(string(text), "\n## "); !strings.Contains(intro, weight) {
		t.Errorf("the introduction does not say %s", weight)
	}
	sections, order := pagetest.Sections(string(text))
	if !slices.Equal(order, headings[lang]) {
		t.Fatalf("headings %q", order)
	}
	for i, tree := range map[int]string{2: "bad", 3: "good"} {
		blocks := pagetest.Fences(sections[headings[lang][i]])
		if len(blocks) == 0 {
			t.Errorf("no example under %s", headings[lang][i])
		}
		for _, b := range blocks {
			if !strings.Contains(c.plays[tree].head[b.File], b.Text) {
				t.Errorf("the example is not in %s/%s of the case:\n%s", tree, b.File, b.Text)
			}
		}
	}
	for _, b := range pagetest.Fences(sections[headings[lang][5]]) {
		excepts(t, r, c.plays["bad"], b.Text)
	}
}

// excepts plays the bad tree with what the page says to write, at both ends, and expects that the findings weigh less or are
// silenced.
func excepts(t *testing.T, r *rules.Rule, p play, block string) {
	count := func(more string) (loud, quiet, light int) {
		with := play{base: maps.Clone(p.base), head: maps.Clone(p.head), beside: p.beside}
		for _, files := range []map[string]string{with.base, with.head} {
			if files["poolproof.yaml"] != "" {
				files["poolproof.yaml"] += more
			}
		}
		for _, f := range with.run(t).findings {
			switch {
			case f.Rule != r.ID:
			case f.Status == schema.Suppressed:
				quiet++
			case f.Severity < r.Severity:
				light++
			default:
				loud++
			}
		}
		return loud, quiet, light
	}
	loud, _, _ := count("")
	severity, exceptions, ok := strings.Cut(block, "exceptions:\n")
	if l, q, w := count(severity); l > 0 || q > 0 || w != loud && !strings.Contains(severity, "off") {
		t.Errorf("the severity does not work as written: %d loud, %d silenced, %d lighter\n%s", l, q, w, severity)
	}
	if !ok {
		return
	}
	if l, q, w := count("exceptions:\n" + exceptions); l > 0 || w > 0 || q != loud {
		t.Errorf("the exception does not work as written: %d loud, %d silenced, %d lighter\n%s", l, q, w, exceptions)
	}
}
