package rules

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Hit is what a rule found at a place of a copy. Everything but Text may be empty.
type Hit struct {
	Copy *schema.Copy
	At   schema.Span
	// Path sets Item and Field where they are empty.
	Path     schema.Path
	Item     schema.Item
	Field    string
	Member   string
	Severity schema.Severity
	Text     schema.Text
	Hint     schema.Text
	Got      string
	Want     string
	Truth    string
	Related  []Relative
}

// Relative is a place of another copy that takes part.
type Relative struct {
	Copy  *schema.Copy
	At    schema.Span
	Value string
	Label schema.Text
	Truth bool
}

// maxHits is how many findings of one rule about one file of a pool are reported one by one. What has more is wrong as a
// whole, and a file of nothing else must not make a report of any size.
const maxHits = 1000

// Reporter collects findings. It is used by one goroutine.
type Reporter struct {
	rule     *Rule
	pool     *Pool
	findings []schema.Finding

	// The last findings in a row of one rule, pool and file, and where the one stands that speaks for those beyond maxHits.
	rowRule string
	rowPool *Pool
	rowFile string
	row     int
	rest    int
}

// full reports whether a finding is one too many in its row; it is then counted, as severe as it is, in the last one.
func (r *Reporter) full(f *schema.Finding) bool {
	if r.row == 0 || f.Rule != r.rowRule || r.pool != r.rowPool || f.At.File != r.rowFile {
		r.rowRule, r.rowPool, r.rowFile, r.row = f.Rule, r.pool, f.At.File, 0
	}
	if r.row++; r.row <= maxHits {
		return false
	}
	if r.row == maxHits+1 {
		r.rest = len(r.findings)
		r.findings = append(r.findings, schema.Finding{
			Rule: f.Rule, Severity: f.Severity, Judgement: f.Judgement, Item: f.Item, Pool: f.Pool, Env: f.Env, At: f.At, Status: f.Status,
		})
	}
	last := &r.findings[r.rest]
	last.Severity = graver(last.Severity, f.Severity)
	last.Message = schema.Textf("%d more findings of this rule in this file are left out, this one the first of them", "该文件中此规则另有 %d 个发现未列出，此处为其中第一个", r.row-maxHits)
	return true
}

func graver(a, b schema.Severity) schema.Severity {
	for _, s := range []schema.Severity{schema.Error, schema.Warning} {
		if a == s || b == s {
			return s
		}
	}
	return a
}

// For points the reporter at a rule and pool.
func (r *Reporter) For(rule *Rule, pool *Pool) { r.rule, r.pool = rule, pool }

// Findings returns what was reported.
func (r *Reporter) Findings() []schema.Finding { return r.findings }

// Hit reports a finding of the current rule.
func (r *Reporter) Hit(h Hit) {
	f := schema.Finding{
		Rule: r.rule.ID, Severity: h.Severity, Judgement: r.rule.Judgement, Item: h.Item, Field: h.Field, Member: h.Member,
		Message: h.Text, Hint: h.Hint, Got: h.Got, Want: h.Want, Truth: h.Truth, Status: schema.New,
	}
	if f.Severity == schema.DefaultSeverity {
		f.Severity = r.rule.Severity
		if r.rule.Judgement && r.pool != nil && r.pool.Strict {
			f.Severity = schema.Error
		}
	}
	if h.Path != "" {
		if f.Item == schema.NoItem {
			f.Item = h.Path.Item()
		}
		if f.Field == "" {
			f.Field = h.Path.Leaf()
		}
	}
	if r.pool != nil {
		f.Pool, f.Env = r.pool.Group.Pool, r.pool.Group.Env
	} else if h.Copy != nil {
		f.Pool, f.Env = h.Copy.Pool, h.Copy.Env
	}
	if h.Copy != nil {
		f.At = PlaceOf(h.Copy, h.At)
	}
	if r.full(&f) {
		return
	}
	for _, rel := range h.Related {
		f.Related = append(f.Related, schema.Related{Place: PlaceOf(rel.Copy, rel.At), Value: rel.Value, Label: rel.Label, Truth: rel.Truth})
	}
	r.findings = append(r.findings, f)
}

// Add reports a finding that is made elsewhere, for rules about the run as a whole.
func (r *Reporter) Add(f schema.Finding) {
	f.Rule, f.Judgement = r.rule.ID, r.rule.Judgement
	if f.Severity == schema.DefaultSeverity {
		f.Severity = r.rule.Severity
	}
	if f.Status == "" {
		f.Status = schema.New
	}
	if !r.full(&f) {
		r.findings = append(r.findings, f)
	}
}

// PlaceOf returns a span of a copy as a place. A span that is not known becomes the place of the pool.
func PlaceOf(c *schema.Copy, at schema.Span) schema.Place {
	if !at.Known() {
		at = c.PoolAt
	}
	file := c.File()
	if int(at.File) < len(c.Files) {
		file = c.Files[at.File]
	}
	return schema.Place{Side: c.Side, File: file, Revision: c.Revision, Span: at}
}

// truthRelative points at the truth's value of a divergence.
func truthRelative(d *reconcile.Divergence) []Relative {
	if d.Truth == nil {
		return nil
	}
	side := SideName(d.Truth.Side)
	label := schema.Textf("%s says %s", "%s写的是 %s", side, schema.Spoken(d.Item, d.Want))
	switch {
	case d.Implied != nil:
		label = schema.Textf("%s uses %s: %s", "%s实际使用 %s：%s", side, schema.Spoken(d.Item, d.Want), d.Implied.Why)
	case d.Kind == reconcile.Missing:
		label = schema.Textf("%s lists it", "%s列有该成员", side)
	case d.Want == "":
		label = schema.Textf("the list of the %s", "%s的列表", side)
	}
	return []Relative{{Copy: d.Truth, At: d.TruthAt, Value: d.Want, Label: label, Truth: true}}
}

// slip words the hint for a difference by a factor of units.
func slip(factor int) schema.Text {
	if factor == 0 {
		return schema.Text{}
	}
	return schema.Textf("; they differ by a factor of %d: unit slip?", "；两者相差 %d 倍：单位写错了？", factor)
}

func plus(a, b schema.Text) schema.Text {
	return schema.Text{En: a.En + b.En, Zh: a.In("zh") + b.In("zh")}
}
