package report

import (
	"io"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

const (
	sarifSchema   = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifRoot     = "ROOT" // the base that paths in results are relative to
	sarifKey      = "poolproof/v1"
	homePage      = "https://github.com/poolproof/poolproof"
	sarifUnsaid   = "no description"
	sarifRootText = "the folder that was checked"
)

// sarif writes SARIF 2.1.0, in English: the rules that have findings with their pages, and one result a finding.
// Columns count Unicode code points. Findings without a place have no location, and suppressed ones their suppression.
func sarif(w io.Writer, run *Run, opts Options) error {
	ids := ruleIDs(run.Findings)
	index := make(map[string]int, len(ids))
	rules := make([]sarifRule, len(ids))
	for i, id := range ids {
		index[id] = i
		rules[i] = sarifRuleOf(run.rule(id))
	}
	head := sarifRun{Tool: sarifTool{sarifDriver{Name: run.Tool, Version: run.Version, InformationURI: homePage, Rules: rules}},
		Invocations:      []sarifInvocation{{Successful: run.Summary.Failed == nil, Notifications: sarifNotifications(run)}},
		OriginalURIBases: map[string]sarifFolder{sarifRoot: sarifBase(run.Root, opts.Prefix)},
		ColumnKind:       "unicodeCodePoints",
		Properties: struct {
			Now     string      `json:"now,omitempty"`
			Summary jsonSummary `json:"summary"`
		}{stamp(run.Now), summaryJSON(&run.Summary)}}
	if run.Command != "" {
		head.Automation = &sarifAutomation{run.Tool + "/" + run.Command + "/"}
	}
	s := newStream(w)
	s.raw(`{"$schema":"` + sarifSchema + `","version":"2.1.0","runs":[`)
	s.open(head)
	s.raw(`,"results":`)
	s.array(len(run.Findings), func(i int) any {
		f := &run.Findings[i]
		return sarifResultOf(f, index[f.Rule], opts.Prefix)
	})
	s.raw("}]}\n")
	return s.err
}

// ruleIDs returns the rules that have findings, sorted.
func ruleIDs(findings []schema.Finding) []string {
	seen := map[string]bool{}
	for i := range findings {
		seen[findings[i].Rule] = true
	}
	ids := make([]string, 0, len(seen))
	for id := range seen {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func sarifRuleOf(info RuleInfo) sarifRule {
	area, _, _ := strings.Cut(info.ID, "/")
	r := sarifRule{ID: short(info.ID), Name: pascal(info.ID), Default: sarifDefault{sarifLevel(info.Severity)},
		Properties: sarifRuleExtras{Tags: []string{short(area)}, Judgement: info.Judgement}}
	if info.Title.En != "" {
		r.ShortDescription = &sarifMessage{Text: text(info.Title.En)}
		r.FullDescription = r.ShortDescription
	}
	if info.Page != "" {
		r.Help = &sarifMessage{Text: info.Page, Markdown: info.Page}
	}
	return r
}

// pascal turns members/no-active into MembersNoActive, as SARIF wants rule names.
func pascal(id string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(short(id), func(r rune) bool { return r == '/' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if b.Len() == 0 {
		return sarifUnsaid
	}
	return b.String()
}

func sarifLevel(s schema.Severity) string {
	switch s {
	case schema.Error:
		return "error"
	case schema.Info:
		return "note"
	case schema.Off:
		return "none"
	}
	return "warning"
}

func sarifNotifications(run *Run) []sarifNotification {
	var list []sarifNotification
	for _, skip := range run.Summary.Skipped {
		list = append(list, sarifNotification{"note", sarifText("skipped " + path(skip.What) + ": " + text(skip.Why.En))})
	}
	for _, note := range run.Summary.Notes {
		list = append(list, sarifNotification{"note", sarifText(text(note.En))})
	}
	if why := run.Summary.Failed; why != nil {
		list = append(list, sarifNotification{"error", sarifText(language("en").failure(why))})
	}
	return list
}

// sarifText is a plain text message. A bracket before a parenthesis would make it a link, so it is written escaped.
func sarifText(s string) sarifMessage { return sarifMessage{Text: strings.ReplaceAll(s, "](", `\](`)} }

func sarifResultOf(f *schema.Finding, rule int, prefix string) *sarifResult {
	message := language("en").sentence(f)
	if f.Hint.En != "" {
		message += "\n" + text(f.Hint.En)
	}
	status := f.Status
	if status == "" {
		status = schema.New
	}
	r := &sarifResult{RuleID: short(f.Rule), RuleIndex: rule, Level: sarifLevel(f.Severity), Message: sarifText(message),
		Properties: sarifResultExtras{Status: string(status), Pool: short(f.Pool), Env: short(f.Env), Side: short(string(f.At.Side)),
			Item: f.Item.String(), Field: short(f.Field), Member: short(f.Member), Got: short(f.Got), Want: short(f.Want),
			Truth: short(f.Truth)}}
	if f.Fingerprint != "" {
		r.Fingerprints = map[string]string{sarifKey: f.Fingerprint}
	}
	if f.Status == schema.Suppressed {
		kind := "external"
		if strings.HasPrefix(f.SuppressedBy, schema.MarkerBy) {
			kind = "inSource"
		}
		r.Suppressions = []sarifSuppression{{kind, short(f.SuppressedBy)}}
	}
	if f.At.File != "" {
		at := sarifLocation{Physical: sarifPlace(&f.At, prefix)}
		if f.Pool != "" {
			name := short(f.Pool)
			qualified := name
			if f.Item != schema.NoItem {
				qualified += "." + f.Item.String()
			}
			at.Logical = []sarifLogical{{name, qualified, "resource"}}
		}
		r.Locations = []sarifLocation{at}
	}
	for i := range f.Related {
		if rel := &f.Related[i]; rel.File != "" {
			label := sarifText(language("en").label(rel))
			r.Related = append(r.Related, sarifLocation{ID: i + 1, Physical: sarifPlace(&rel.Place, prefix), Message: &label})
		}
	}
	return r
}

func sarifPlace(p *schema.Place, prefix string) sarifPhysical {
	at := sarifPhysical{Artifact: sarifArtifact{URI: uriOf(repositoryPath(prefix, p.File)), Base: sarifRoot}}
	if strings.HasPrefix(p.File, "/") {
		at.Artifact = sarifArtifact{URI: "file://" + uriOf(p.File)}
	}
	if p.Line > 0 {
		at.Region = &sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn}
	}
	return at
}

// sarifBase is the folder that paths in results are relative to: the root, or the repository that it lies in.
func sarifBase(root, prefix string) sarifFolder {
	root = strings.TrimSuffix(strings.ReplaceAll(root, `\`, "/"), "/")
	if prefix != "" {
		root = strings.TrimSuffix(root, "/"+prefix)
	}
	if len(root) > 2 && root[1] == ':' {
		root = "/" + root
	}
	if !strings.HasPrefix(root, "/") {
		return sarifFolder{Description: &sarifMessage{Text: sarifRootText}}
	}
	return sarifFolder{URI: "file://" + uriOf(root) + "/", Description: &sarifMessage{Text: sarifRootText}}
}
