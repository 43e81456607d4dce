package audit_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/policy/internal/pagetest"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// elsewhere are the areas whose rules need more than one tree of files (a change, a running gateway, a drill); their own
// packages play them.
var elsewhere = map[string]bool{"evidence": true, "live": true, "dryrun": true}

// headings are the sections of a page, by language.
var headings = map[string][]string{
	"en": {"What it finds", "Why it matters", "Bad", "Good", "What to do", "How to except it"},
	"zh": {"查什么", "为什么重要", "错误示例", "正确示例", "怎么办", "如何豁免"},
}

var ruleID = regexp.MustCompile(`^[a-z]+/[a-z]+(-[a-z]+)*$`)

// TestRules checks that every rule is whole: its id, titles, pages and case.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.All() {
		t.Run(r.ID, func(t *testing.T) {
			if !ruleID.MatchString(r.ID) || seen[stem(r.ID)] {
				t.Errorf("%q is not well formed, or stands twice", r.ID)
			}
			seen[stem(r.ID)] = true
			if r.Title.En == "" || r.Title.Zh == "" || r.Title.En == r.Title.Zh {
				t.Error("a title in both languages is needed")
			}
			if r.Severity < schema.Info || r.Severity > schema.Error || r.Judgement && r.Severity != schema.Warning {
				t.Errorf("severity %v, judgement %v", r.Severity, r.Judgement)
			}
			area, _, _ := strings.Cut(r.ID, "/")
			if elsewhere[area] {
				return
			}
			c := readCase(t, filepath.Join("../../testdata/rules", stem(r.ID)+".txtar"))
			for _, tree := range []string{"bad", "good", "silent-1"} {
				if c.trees[tree] == nil {
					t.Errorf("the case has no tree %s", tree)
				}
			}
			for lang := range headings {
				t.Run(lang, func(t *testing.T) { checkPage(t, &r, lang, c) })
			}
		})
	}
	pages, err := filepath.Glob("../rules/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p), ".md"), ".zh"); !seen[name] {
			t.Errorf("page %s belongs to no rule", p)
		}
	}
}

// checkPage checks a page: its parts, that its examples stand in the trees that the case plays, and that every way to
// except the finding works as written.
func checkPage(t *testing.T, r *rules.Rule, lang string, c ruleCase) {
	text, err := os.ReadFile(filepath.Join("../rules", stem(r.ID)+map[string]string{"en": ".md", "zh": ".zh.md"}[lang]))
	if err != nil {
		t.Fatal(err)
	}
	if got := rules.Page(r.ID, lang); got != string(text) {
		t.Error("the page is not what explain shows")
	}
	if n := strings.Count(string(text), "\n"); n < 25 || n > 70 {
		t.Errorf("%d lines", n)
	}
	if !strings.HasPrefix(string(text), "# "+r.ID+"\n\n") {
		t.Error("the title is not the rule's id")
	}
	weight := map[string]map[schema.Severity]string{
		"en": {schema.Error: "**error**", schema.Warning: "**warning**", schema.Info: "**info**"},
		"zh": {schema.Error: "**错误**", schema.Warning: "**警告**", schema.Info: "**提示**"},
	}[lang][r.Severity]
	intro, _, _ := strings.Cut(string(text), "\n## ")
	if !strings.Contains(intro, weight) || r.Judgement != strings.Contains(intro, "`constraints: strict`") {
		t.Errorf("the introduction does not say %s, or whether it is a judgement", weight)
	}
	sections, order := pagetest.Sections(string(text))
	if strings.Join(order, "\n") != strings.Join(headings[lang], "\n") {
		t.Fatalf("headings %q", order)
	}
	for i, tree := range []string{2: "bad", 3: "good"} {
		if tree == "" {
			continue
		}
		blocks := pagetest.Fences(sections[headings[lang][i]])
		if len(blocks) == 0 {
			t.Errorf("no example under %s", headings[lang][i])
		}
		for _, b := range blocks {
			if !strings.Contains(c.trees[tree][b.File], b.Text) {
				t.Errorf("the example is not in %s/%s of the case:\n%s", tree, b.File, b.Text)
			}
		}
	}
	for _, b := range pagetest.Fences(sections[headings[lang][5]]) {
		excepts(t, r, c, b.Text)
	}
}

// excepts plays the bad tree with what the page says to write, and expects that the findings weigh less or are silenced.
func excepts(t *testing.T, r *rules.Rule, c ruleCase, block string) {
	files := map[string]string{}
	for name, text := range c.trees["bad"] {
		files[name] = text
	}
	count := func() (loud, quiet, weighed int) {
		for _, f := range play(t, files) {
			switch {
			case f.Rule != r.ID:
			case f.Status == schema.Suppressed:
				quiet++
			case f.Severity < r.Severity:
				weighed++
			default:
				loud++
			}
		}
		return loud, quiet, weighed
	}
	loud, _, _ := count()
	try := func(what, file, text string, want func(loud, quiet, weighed int) bool) {
		before := files[file]
		files[file] = strings.TrimSuffix(before, "\n") + "\n" + text + "\n"
		if l, q, w := count(); !want(l, q, w) {
			t.Errorf("%s does not work as written: %d loud, %d silenced, %d lighter findings\n%s", what, l, q, w, text)
		}
		files[file] = before
	}
	silenced := func(l, q, _ int) bool { return l == 0 && q == loud }
	if strings.Contains(block, "poolproof:ignore") {
		w := parseWants(t, c.wants["bad"])
		try("the marker", w[0].file, block, silenced)
		return
	}
	severity, exceptions, ok := strings.Cut(block, "exceptions:\n")
	try("the severity", "poolproof.yaml", severity, func(l, q, w int) bool { return l == 0 && q == 0 && (w == loud || strings.Contains(severity, ": off")) })
	if ok {
		try("the exception", "poolproof.yaml", "exceptions:\n"+exceptions, silenced)
	}
}
