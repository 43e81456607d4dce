package audit

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// marker is an in-file comment that silences a judgement or document finding in its file, or of one pool in it.
type marker struct {
	file, rule, pool, by string
	until                time.Time
}

func (m *marker) covers(f *schema.Finding) bool {
	return f.At.File == m.file && f.Rule == m.rule && (m.pool == "" || m.pool == f.Pool || reconcile.Key(m.pool) == reconcile.Key(f.Pool)) &&
		silenceable(f)
}

// silenceable reports whether markers may touch a finding: judgements, and findings in documents, but never a
// difference from the truth and never evidence.
func silenceable(f *schema.Finding) bool {
	if strings.HasSuffix(f.Rule, "/differs") || strings.HasPrefix(f.Rule, "evidence/") || strings.HasPrefix(f.Rule, "exception/") {
		return false
	}
	return f.Judgement || f.At.Side == schema.Doc
}

// markers reads the files' markers. Those that are incomplete or expired silence nothing and are findings themselves.
func (w *weigher) markers(run *rules.Run, findings *[]schema.Finding) []marker {
	var out []marker
	var r rules.Reporter
	for _, f := range run.Loaded.Files {
		incomplete, expired := w.rules["exception/incomplete"], w.rules["exception/expired"]
		if w.options.Touched != nil && !w.options.Touched[f.Path] {
			incomplete, expired = nil, nil // what is wrong with the markers of a file concerns the file
		}
		side := run.Manifest.Sources[f.Source].Side
		for _, raw := range f.Markers {
			at := schema.Place{Side: side, File: f.Path, Span: raw.At}
			m, lacks := parseMarker(raw.Text)
			m.file = f.Path
			unknown := m.rule != "" && (!run.Known(m.rule) || strings.HasSuffix(m.rule, "*"))
			switch {
			case unknown && incomplete != nil:
				r.For(incomplete, nil)
				r.Add(schema.Finding{At: at, Got: strings.TrimSpace(raw.Text),
					Message: schema.Textf("the marker names the rule %q, which does not exist, and silences nothing", "标记所写的规则 %q 不存在，不起作用", m.rule),
					Hint:    rules.NearestRule(m.rule)})
			case unknown:
			case len(lacks) > 0 && incomplete != nil:
				r.For(incomplete, nil)
				r.Add(schema.Finding{At: at, Got: strings.TrimSpace(raw.Text),
					Message: schema.Textf("the marker lacks %s and silences nothing", "标记缺少 %s，不起作用", strings.Join(lacks, ", ")),
					Hint:    schema.Textf("write: poolproof:ignore RULE until=2026-12-31 by=NAME because=REASON", "写成：poolproof:ignore RULE until=2026-12-31 by=NAME because=REASON")})
			case len(lacks) > 0:
			case !w.markable(m.rule, side) && incomplete != nil:
				r.For(incomplete, nil)
				r.Add(schema.Finding{At: at, Got: strings.TrimSpace(raw.Text),
					Message: schema.Textf("a marker may not silence %s here", "标记无权在此静默 %s", m.rule),
					Hint:    schema.Textf("markers silence judgements, and findings in documents other than differences; write an exception in the manifest", "标记只能静默判断类规则，以及文档中除差异以外的发现；请在清单中写例外")})
			case !w.markable(m.rule, side):
			case !run.Now.Before(m.until) && expired != nil:
				r.For(expired, nil)
				r.Add(schema.Finding{At: at, Got: strings.TrimSpace(raw.Text),
					Message: schema.Textf("the marker for %s has expired and silences nothing", "对 %s 的标记已过期，不起作用", m.rule),
					Hint:    schema.Textf("settle what it excused and remove it", "消除所例外的问题并删除标记")})
			case w.options.Marked != nil && !w.options.Marked(f.Path, raw.Text): // it counts with the next change
			case !run.Now.Before(m.until):
			default:
				out = append(out, m)
			}
		}
	}
	*findings = append(*findings, unique(r.Findings())...) // a file may be read by several sources
	return out
}

// markable reports whether markers on a side may silence a rule at all.
func (w *weigher) markable(rule string, side schema.Side) bool {
	r := w.rules[rule]
	f := schema.Finding{Rule: rule, Judgement: r != nil && r.Judgement, At: schema.Place{Side: side}}
	return silenceable(&f)
}

// parseMarker reads "RULE until=DATE by=NAME because=REASON" with an optional pool=NAME; because takes the rest of the
// line. Comment ends of the file's format are cut off.
func parseMarker(text string) (m marker, lacks []string) {
	for _, end := range []string{"-->", "*/", "%}", "#}"} {
		text, _, _ = strings.Cut(text, end)
	}
	text, because, _ := strings.Cut(text, "because=")
	words := strings.Fields(text)
	if len(words) > 0 && !strings.Contains(words[0], "=") {
		m.rule, words = words[0], words[1:]
	}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "until":
			if day, err := time.Parse(time.DateOnly, value); err == nil {
				m.until = day.AddDate(0, 0, 1)
			} else if moment, err := time.Parse(time.RFC3339, value); err == nil {
				m.until = moment
			}
		case "by":
			m.by = value
		case "pool":
			m.pool = value
		}
	}
	if m.rule == "" {
		lacks = append(lacks, "RULE")
	}
	if m.until.IsZero() {
		lacks = append(lacks, "until=")
	}
	if m.by == "" {
		lacks = append(lacks, "by=")
	}
	if strings.TrimSpace(because) == "" {
		lacks = append(lacks, "because=")
	}
	return m, lacks
}
