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
	// Values come from files: a line end in one starts no line here.
	line := func(format string, args ...any) {
		b.WriteString(report.ShownText(fmt.Sprintf(format, args...)))
		b.WriteByte('\n')
	}
	at := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(say("  (line %d)", "  （第 %d 行）"), n)
	}
	for _, c := range copies {
		j := v.copy(c)
		head := fmt.Sprintf("%s %q", report.Side(c.Side, lang), c.Pool)
		if c.Env != "" {
			head += " (" + c.Env + ")"
		}
		head += fmt.Sprintf("  %s:%d  %s", c.File(), max(j.Line, 1), c.Format)
		if c.Profile != "" && c.Profile != c.Format {
			head += " (" + c.Profile + ")"
		}
		line("%s", head)
		switch pool, ok := pools[c]; {
		case !ok:
			line("  %s", say("belongs to no known pool: it is compared with nothing", "不属于任何已知的池：不参与比较"))
		case pool != c.Pool:
			line("  %s %s", say("pool", "池"), pool)
		}
		if !c.Effective.IsZero() {
			line("  %s %s", say("effective", "生效时刻"), c.Effective.Format(time.RFC3339))
		}
		if c.States(schema.Members) {
			whole := say("the whole list", "完整列表")
			if !c.Complete {
				whole = say("not the whole list", "不完整")
			}
			line(say("  members: %d, %s", "  成员：%d 个，%s"), len(c.Members), whole)
			for i := range c.Members {
				m := &c.Members[i]
				line("    %s", strings.TrimRight(fmt.Sprintf("%-28s %s", m.ID(), memberLine(m, lang)), " ")+at(v.line(c, m.At)))
			}
		}
		for i := range c.Batches {
			line(say("  batch %d: %s", "  第 %d 批：%s"), i+1, batchLine(&c.Batches[i], lang))
		}
		for i := range c.Stops {
			line("  %s %s", say("ramp stops at", "放量停止条件"), stopLine(&c.Stops[i], lang)+at(v.line(c, c.Stops[i].At)))
		}
		for _, s := range j.Settings {
			value, why := s.Written, ""
			if s.Why != "" {
				why = "  [" + s.text.In(lang) + "]"
			}
			if s.not.En != "" {
				why += "  [" + say("not compared: ", "不参与比较：") + s.not.In(lang) + "]"
			}
			switch {
			case s.Written == "":
				value = s.Effective
			case strings.Trim(s.Written, `"'`) == s.Effective:
			case s.Why != "":
				value += say(", effective ", "，实际 ") + s.Effective
			default:
				value += say(", that is ", "，即 ") + s.Effective
			}
			line("  %s = %s%s%s", s.Path, value, at(s.Line), why)
		}
		for _, u := range j.Unresolved {
			line("  %s %s: %s%s", say("unresolved", "未解析"), u.Path, u.Raw, at(u.Line))
		}
		for _, item := range schema.Reconciled() {
			if d := j.Digests[item.String()]; d != "" {
				line("  %s %s %s", say("digest", "摘要"), item, d)
			}
		}
		line("")
	}
	for i := range findings {
		f := &findings[i]
		line("%s[%s] %s:%d: %s", report.Severity(f.Severity, lang), f.Rule, f.At.File, f.At.Line, f.Message.In(lang))
	}
	line("%d %s%s%d %s%s", len(copies), say(plural(len(copies), "copy", "copies"), "份副本"), say(", ", "，"),
		len(findings), say(plural(len(findings), "problem", "problems")+" of reading", "个读取问题"),
		say("; poolproof check judges what was read", "；poolproof check 评判读到的内容"))
	if _, err := io.WriteString(w, b.String()); err != nil {
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

func memberLine(m *schema.Member, lang string) string {
	say := func(en, zh string) string { return schema.Text{En: en, Zh: zh}.In(lang) }
	var parts []string
	if m.HasWeight {
		parts = append(parts, fmt.Sprintf(say("weight %d", "权重 %d"), m.Weight))
	}
	if m.HasPriority {
		parts = append(parts, fmt.Sprintf(say("priority %d", "优先级 %d"), m.Priority))
	}
	if m.Backup == schema.Yes {
		parts = append(parts, say("backup", "备用"))
	}
	if m.State != schema.StateUnsaid {
		parts = append(parts, m.State.String())
	}
	if m.Origin != schema.Static {
		parts = append(parts, say("from ", "来自 ")+m.Origin.String())
	}
	for _, f := range m.Extra {
		parts = append(parts, string(f.Path)+" "+f.Value.String())
	}
	return strings.Join(parts, " ")
}

func batchLine(b *schema.Batch, lang string) string {
	say := func(en, zh string) string { return schema.Text{En: en, Zh: zh}.In(lang) }
	var parts []string
	if b.HasShare {
		parts = append(parts, schema.NumberOf(b.Share).String()+"%")
	}
	if len(b.Regions) > 0 {
		parts = append(parts, say("regions ", "地区 ")+strings.Join(b.Regions, ", "))
	}
	if len(b.Priorities) > 0 {
		parts = append(parts, say("priorities ", "优先级 ")+strings.Join(b.Priorities, ", "))
	}
	switch {
	case b.Manual:
		parts = append(parts, say("until confirmed", "待人工确认"))
	case b.HasDwell:
		parts = append(parts, say("for ", "停留 ")+schema.FormatDuration(b.Dwell))
	}
	if b.MinSamples > 0 {
		parts = append(parts, fmt.Sprintf(say("at least %d samples", "至少 %d 个样本"), b.MinSamples))
	}
	if b.Implied {
		parts = append(parts, say("(implied by the engine)", "（引擎隐含）"))
	}
	return strings.Join(parts, " ")
}

func stopLine(s *schema.Stop, lang string) string {
	parts := []string{s.Metric}
	if s.HasAbove {
		parts = append(parts, schema.Textf("above %v", "高于 %v", schema.NumberOf(s.Above)).In(lang))
	}
	if s.HasBelow {
		parts = append(parts, schema.Textf("below %v", "低于 %v", schema.NumberOf(s.Below)).In(lang))
	}
	if s.Against != "" {
		parts = append(parts, schema.Textf("against %s", "相对于 %s", s.Against).In(lang))
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
