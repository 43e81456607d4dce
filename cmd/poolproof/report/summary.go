package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// verdict counts what was found: "3 errors, 1 warning in 2 of 14 pools, 1 suppressed". A run that could not judge says why
// in its place.
func (l language) verdict(run *Run) string {
	s := &run.Summary
	if s.Failed != nil && s.Errors+s.Warnings+s.Infos == 0 {
		return l.failure(s.Failed)
	}
	var parts []string
	add := func(n int, en, zh string) {
		if n > 0 {
			parts = append(parts, l.count(n, en, zh))
		}
	}
	add(s.Errors, "error", "个错误")
	add(s.Warnings, "warning", "个警告")
	if s.Infos > 0 {
		parts = append(parts, strconv.Itoa(s.Infos)+l.say(" info", " 个提示"))
	}
	var line string
	switch touched := poolsWithFindings(run.Findings); {
	case len(parts) == 0 && s.Pools == 0:
		line = l.say("no findings, and no pools: nothing was judged", "没有发现问题，也没有找到地址池：未作任何判断")
	case len(parts) == 0:
		line = fmt.Sprintf(l.say("no findings in %s", "%s中没有发现问题"), l.count(s.Pools, "pool", "个地址池"))
	case touched == 0:
		line = strings.Join(parts, l.say(", ", "，"))
	case touched <= s.Pools:
		line = fmt.Sprintf(l.say("%s in %d of %s", "%s，涉及 %d / %s"), strings.Join(parts, l.say(", ", "，")), touched,
			l.count(s.Pools, "pool", "个地址池"))
	default:
		line = fmt.Sprintf(l.say("%s in %s", "%s，涉及 %s"), strings.Join(parts, l.say(", ", "，")),
			l.count(touched, "pool", "个地址池"))
	}
	if s.Suppressed > 0 {
		line += fmt.Sprintf(l.say(", %d suppressed", "，另有 %d 个已豁免"), s.Suppressed)
	}
	if s.Failed != nil {
		line = l.failure(s.Failed) + l.say("; ", "；") + line
	}
	return line
}

// failure says why a run could not judge.
func (l language) failure(why *schema.Text) string {
	return l.say("could not check: ", "未能检查：") + text(l.in(*why))
}

// poolsWithFindings counts the pools that have a finding that counts.
func poolsWithFindings(findings []schema.Finding) int {
	pools := map[[2]string]bool{}
	for i := range findings {
		if f := &findings[i]; f.Pool != "" && f.At.Side != "" && !silenced(f) { // the manifest may name pools that are none
			pools[[2]string{f.Env, f.Pool}] = true
		}
	}
	return len(pools)
}

// lookedAt says what the run read: files by format, copies by side, rules, and the day it took for today.
func (l language) lookedAt(run *Run) string {
	s := &run.Summary
	line := l.say("looked at ", "检查了 ") + l.count(s.Files, "file", "个文件")
	formats := make([]string, 0, len(s.Formats))
	for _, f := range s.Formats {
		formats = append(formats, short(f.Name)+" "+strconv.Itoa(f.Files))
	}
	line += l.list(formats) + l.say(", ", "，") + l.count(s.Copies, "copy", "份副本") + l.list(l.sideCounts(s.Sides)) +
		l.say("; ", "；") + l.count(s.Rules, "rule", "条规则")
	if now := stamp(run.Now); now != "" {
		line += l.say("; as of ", "；以 ") + now + l.say("", " 为准")
	}
	if s.Discovered {
		line += l.say("; no manifest, so sources were detected", "；没有清单文件，来源为自动识别")
	}
	return line
}

// list puts details into brackets.
func (l language) list(details []string) string {
	if len(details) == 0 {
		return ""
	}
	return l.say(" (", "（") + strings.Join(details, l.say(", ", "，")) + l.say(")", "）")
}

// sideCounts lists the copies of each side, in the order of the sides.
func (l language) sideCounts(sides map[schema.Side]int) []string {
	names := make([]schema.Side, 0, len(sides))
	for s := range sides {
		names = append(names, s)
	}
	slices.SortFunc(names, func(a, b schema.Side) int {
		if c := sideRank(a) - sideRank(b); c != 0 {
			return c
		}
		return strings.Compare(string(a), string(b))
	})
	list := make([]string, len(names))
	for i, s := range names {
		list[i] = l.side(s) + " " + strconv.Itoa(sides[s])
	}
	return list
}

// maxSkipped is how many skipped things are listed unless all are asked for.
const maxSkipped = 5

// remarks are the further lines of a summary: what was skipped and why, and what the run has to say about itself.
func (l language) remarks(run *Run, all bool) []string {
	var lines []string
	for i, skip := range run.Summary.Skipped {
		if i == maxSkipped && !all {
			rest := len(run.Summary.Skipped) - i
			lines = append(lines, fmt.Sprintf(l.say("skipped %d more (-v lists them)", "另有 %d 项跳过（-v 列出全部）"), rest))
			break
		}
		lines = append(lines, l.say("skipped ", "跳过 ")+path(skip.What)+l.say(": ", "：")+text(l.in(skip.Why)))
	}
	for _, note := range run.Summary.Notes {
		lines = append(lines, l.say("note: ", "说明：")+text(l.in(note)))
	}
	return lines
}

// debt is one obligation as a line.
func (l language) debt(o *Obligation) string {
	line := fmt.Sprintf(l.say("%s %s: %s changed, %s owes: ", "%s %s：%s已变更，%s须同步："), short(o.Pool), l.owed(o.Item),
		l.side(o.Changed), l.side(o.Owes))
	if o.PaidBy == "" {
		return line + l.say("unpaid", "未兑现")
	}
	line += l.say("paid by ", "凭据：") + l.payment(o.PaidBy)
	if o.Ref != "" {
		line += " " + short(o.Ref)
	}
	return line
}
