package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/schema"
)

// console writes the copies for people.
func (v *inspector) console(w io.Writer, copies []*schema.Copy, findings []schema.Finding, res *audit.Result, lang string) error {
	say := func(en, zh string) string { return schema.Text{En: en, Zh: zh}.In(lang) }
	pools := map[*schema.Copy]string{}
	if res != nil {
		for _, g := range res.Groups {
			for _, c := range g.Copies {
				pools[c] = g.Pool
			}
		}
	}
	var b strings.Builder
	for _, c := range copies {
		j := v.copy(c)
		fmt.Fprintf(&b, "%s %q", c.Side, c.Pool)
		if c.Env != "" {
			fmt.Fprintf(&b, " (%s)", c.Env)
		}
		fmt.Fprintf(&b, "  %s:%d  %s", c.File(), max(j.Line, 1), c.Format)
		if c.Profile != "" && c.Profile != c.Format {
			fmt.Fprintf(&b, " (%s)", c.Profile)
		}
		b.WriteByte('\n')
		switch pool, ok := pools[c]; {
		case !ok:
			fmt.Fprintf(&b, "  %s\n", say("belongs to no known pool: it is compared with nothing", "不属于任何已知的池：不参与比较"))
		case pool != c.Pool:
			fmt.Fprintf(&b, "  %s %s\n", say("pool", "池"), pool)
		}
		if !c.Effective.IsZero() {
			fmt.Fprintf(&b, "  %s %s\n", say("effective", "生效时刻"), c.Effective.Format(time.RFC3339))
		}
		if c.States(schema.Members) {
			whole := say("the whole list", "完整列表")
			if !c.Complete {
				whole = say("not the whole list", "不完整")
			}
			fmt.Fprintf(&b, "  members: %d, %s\n", len(c.Members), whole)
			for i := range c.Members {
				fmt.Fprintf(&b, "    %-28s %s\n", c.Members[i].ID(), memberLine(&c.Members[i], v.line(c, c.Members[i].At)))
			}
		}
		for i := range c.Batches {
			fmt.Fprintf(&b, "  batch %d: %s\n", i+1, batchLine(&c.Batches[i]))
		}
		for _, s := range j.Settings {
			line := ""
			if s.Line > 0 {
				line = fmt.Sprintf("  (line %d)", s.Line)
			}
			switch {
			case s.Written == "":
				fmt.Fprintf(&b, "  %s = %s  [%s]\n", s.Path, s.Effective, s.Why)
			case s.Why != "" && strings.Trim(s.Written, `"'`) == s.Effective:
				fmt.Fprintf(&b, "  %s = %s%s  [%s]\n", s.Path, s.Written, line, s.Why)
			case s.Why != "":
				fmt.Fprintf(&b, "  %s = %s, %s %s%s  [%s]\n", s.Path, s.Written, say("effective", "实际"), s.Effective, line, s.Why)
			case strings.Trim(s.Written, `"'`) != s.Effective:
				fmt.Fprintf(&b, "  %s = %s, %s %s%s\n", s.Path, s.Written, say("that is", "即"), s.Effective, line)
			default:
				fmt.Fprintf(&b, "  %s = %s%s\n", s.Path, s.Written, line)
			}
		}
		for _, u := range j.Unresolved {
			fmt.Fprintf(&b, "  %s %s: %s  (line %d)\n", say("unresolved", "未解析"), u.Path, u.Raw, u.Line)
		}
		for _, item := range schema.Reconciled() {
			if d := j.Digests[item.String()]; d != "" {
				fmt.Fprintf(&b, "  digest %s %s\n", item, d)
			}
		}
		b.WriteByte('\n')
	}
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(&b, "%s[%s] %s:%d: %s\n", f.Severity, f.Rule, f.At.File, f.At.Line, f.Message.In(lang))
	}
	fmt.Fprintf(&b, say("%d %s, %d %s\n", "%d %s，%d %s\n"), len(copies), say(plural(len(copies), "copy", "copies"), "份副本"),
		len(findings), say(plural(len(findings), "problem", "problems"), "个问题"))
	if _, err := io.WriteString(w, visible(b.String())); err != nil {
		return fmt.Errorf("writing the copies: %w", err)
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func memberLine(m *schema.Member, line int) string {
	var parts []string
	if m.HasWeight {
		parts = append(parts, fmt.Sprintf("weight %d", m.Weight))
	}
	if m.HasPriority {
		parts = append(parts, fmt.Sprintf("priority %d", m.Priority))
	}
	if m.Backup == schema.Yes {
		parts = append(parts, "backup")
	}
	if m.State != schema.StateUnsaid {
		parts = append(parts, m.State.String())
	}
	if m.Origin != schema.Static {
		parts = append(parts, "from "+m.Origin.String())
	}
	for _, f := range m.Extra {
		parts = append(parts, string(f.Path)+" "+f.Value.String())
	}
	return strings.Join(append(parts, fmt.Sprintf("(line %d)", line)), " ")
}

func batchLine(b *schema.Batch) string {
	var parts []string
	if b.HasShare {
		parts = append(parts, schema.NumberOf(b.Share).String()+"%")
	}
	if len(b.Regions) > 0 {
		parts = append(parts, "regions "+strings.Join(b.Regions, ", "))
	}
	if len(b.Priorities) > 0 {
		parts = append(parts, "priorities "+strings.Join(b.Priorities, ", "))
	}
	switch {
	case b.Manual:
		parts = append(parts, "until confirmed")
	case b.HasDwell:
		parts = append(parts, "for "+schema.FormatDuration(b.Dwell))
	}
	if b.MinSamples > 0 {
		parts = append(parts, fmt.Sprintf("at least %d samples", b.MinSamples))
	}
	if b.Implied {
		parts = append(parts, "(implied by the engine)")
	}
	return strings.Join(parts, " ")
}

// lineIndex finds lines by offset, keeping the index of the last file.
type lineIndex struct {
	file   string
	breaks []int
}

func (x *lineIndex) line(source report.Source, p schema.Place) int {
	if p.File != x.file || x.breaks == nil {
		text, ok := source(p)
		if !ok {
			return 0
		}
		x.file, x.breaks = p.File, []int{}
		for offset := 0; ; {
			i := bytes.IndexByte(text[offset:], '\n')
			if i < 0 {
				break
			}
			offset += i + 1
			x.breaks = append(x.breaks, offset)
		}
	}
	lo, hi := 0, len(x.breaks)
	for lo < hi {
		if mid := (lo + hi) / 2; x.breaks[mid] <= int(p.Span.Start) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo + 1
}
