package drill

import (
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// dayMetrics are the metrics that the table of bad days shows.
func dayMetrics() []string {
	return []string{"availability", "latency-p50", "latency-p99", "errors", "time-to-remove", "time-to-return", "all-out", "refused-after-well"}
}

// dayHead names them, shortly.
func (l language) dayHead(metric string) string {
	switch metric {
	case "availability":
		return l.say("available", "可用性")
	case "latency-p50":
		return "p50"
	case "latency-p99":
		return "p99"
	case "errors":
		return l.say("failed", "失败")
	case "time-to-remove":
		return l.say("removed", "摘除")
	case "time-to-return":
		return l.say("back", "回切")
	case "all-out":
		return l.say("all out", "全摘")
	case "refused-after-well":
		return l.say("wasted", "空耗")
	}
	return metric
}

// metricOf returns a metric of a run.
func metricOf(s *dryrun.Summary, name string) (dryrun.Spread, bool) {
	for _, m := range s.Metrics {
		if m.Name == name {
			return m.Spread, true
		}
	}
	return dryrun.Spread{}, false
}

// short writes the median of a metric in a cell, "-" where nothing of its kind came about.
func (l language) short(s *dryrun.Summary, metric string) string {
	v, ok := metricOf(s, metric)
	if !ok || idle(v) {
		return "-"
	}
	return l.number(metric, v.Median)
}

// days writes the bad days as a table: a row each, medians over all seeds. A narrow terminal gets fewer columns.
func (p *printer) days(runs []*Run) {
	metrics := dayMetrics()
	rows := p.dayRows(runs, metrics)
	for _, less := range []string{"refused-after-well", "latency-p50", "all-out"} {
		if p.whole || tableWidth("  ", rows) <= p.t.Width {
			break
		}
		metrics = slices.DeleteFunc(metrics, func(m string) bool { return m == less })
		rows = p.dayRows(runs, metrics)
	}
	p.table("  ", nil, rows, func(row, _ int, cell string) string {
		if row == 0 {
			return p.color(bold, cell)
		}
		return cell
	})
	if p.t.Verbose {
		for _, r := range runs {
			p.raw("  ", p.color(bold, report.ShownText(r.title(p.language)+" ("+p.side(r.Config)+")")))
			p.timeline(r.Summary.First)
			p.metrics(r)
		}
	}
}

func (p *printer) dayRows(runs []*Run, metrics []string) [][]string {
	head := []string{p.say("bad days", "故障日")}
	for _, m := range metrics {
		head = append(head, p.dayHead(m))
	}
	rows := [][]string{head}
	for _, r := range runs {
		if r.Summary == nil {
			continue
		}
		name := "  " + r.Scenario
		if p.r.Base != "" {
			name += " (" + p.side(r.Config) + ")"
		}
		row := []string{name}
		for _, m := range metrics {
			row = append(row, p.short(r.Summary, m))
		}
		rows = append(rows, row)
	}
	return rows
}

// metrics writes the metrics of a run that say something: medians, and ranges from the 5th to the 95th percentile.
func (p *printer) metrics(r *Run) {
	s := r.Summary
	title := p.say("metrics", "指标")
	rng := ""
	if s.Seeds > 1 {
		title, rng = fmt.Sprintf(p.say("median of %d seeds", "%d 个种子的中位数"), s.Seeds), p.say("5 % – 95 %", "5 % – 95 %")
	}
	rows := [][]string{{title, "", rng}}
	for _, m := range s.Metrics {
		if idle(m.Spread) && !p.t.Verbose {
			continue
		}
		median, rng := p.spread(m.Name, m.Spread)
		rows = append(rows, []string{p.metric(m.Name), median, rng})
	}
	p.table(bandsIndent, map[int]bool{2: true}, rows, func(row, _ int, cell string) string {
		if row == 0 {
			return p.color(dim, cell)
		}
		return cell
	})
}

// changes writes which settings of a pool are not those of the base.
func (p *printer) changes(r *Run) {
	if p.r.Base == "" {
		return
	}
	rows := [][]string{{p.say("changed settings", "变更的配置"), p.say("base", "变更前"), p.say("head", "变更后")}}
	for _, c := range p.r.Changes {
		if c.Pool == r.Pool && c.Env == r.Env {
			rows = append(rows, []string{"  " + report.Shown(c.Path), p.shownSide(c.in(p.language, c.Base)), p.shownSide(c.in(p.language, c.Head))})
		}
	}
	if len(rows) == 1 {
		p.raw("  ", p.say("base and head have the same settings", "变更前后的配置相同"))
		return
	}
	widths := columns(rows)
	if !p.whole {
		widths[1], widths[2] = min(widths[1], mostValue), min(widths[2], mostValue)
		widths[0] = min(widths[0], max(leastName, p.t.Width-widths[1]-widths[2]-6))
	}
	p.grid("  ", widths, map[int]bool{1: true, 2: true}, rows, func(row, _ int, cell string) string {
		if row == 0 {
			return p.color(bold, cell)
		}
		return cell
	})
}

// mostValue is how many cells of a line a value takes that changes.
const mostValue = 40

// shownSide writes a value of one side.
func (l language) shownSide(v string) string {
	if v == "" {
		return l.say("(none)", "（无）")
	}
	return report.Shown(v)
}

// compared writes what got better and worse in a pool.
func (p *printer) compared(r *Run) {
	if p.r.Base == "" {
		return
	}
	rows := [][]string{{p.say("base against head", "变更前后对比"), p.say("base", "变更前"), p.say("head", "变更后"), ""}}
	var kinds []dryrun.Better
	kinds = append(kinds, "")
	same, hidden := 0, 0
	for _, t := range p.turned {
		if t.Head.key() == r.key() {
			rows = append(rows, []string{"  " + report.Shown(t.Head.Scenario+" "+extra(t)), p.verdict(t.BasePass), p.verdict(t.HeadPass), p.better(turn(t))})
			kinds = append(kinds, turn(t))
		}
	}
	list := slices.Clone(p.r.Comparisons)
	slices.SortStableFunc(list, func(a, b Comparison) int { return ByEffect(&a.Comparison, &b.Comparison) })
	shown := map[dryrun.Better]int{}
	for _, c := range list {
		if c.Pool != r.Pool || c.Env != r.Env {
			continue
		}
		if c.Better == dryrun.Same && !p.t.Verbose {
			same++
			continue
		}
		if shown[c.Better]++; shown[c.Better] > mostTurned && !p.t.Verbose {
			hidden++
			continue
		}
		rows = append(rows, []string{"  " + report.Shown(c.Scenario) + "  " + p.metric(c.Metric), p.both(c.Metric, c.Base), p.both(c.Metric, c.Head), p.better(c.Better)})
		kinds = append(kinds, c.Better)
	}
	if len(rows) > 1 {
		p.table("  ", map[int]bool{1: true, 2: true, 3: true}, rows, func(row, column int, cell string) string {
			switch {
			case row == 0:
				return p.color(bold, cell)
			case column == 3:
				return p.color(map[dryrun.Better]string{dryrun.BetterHead: green, dryrun.BetterBase: red, dryrun.Same: dim}[kinds[row]], cell)
			}
			return cell
		})
	}
	if hidden > 0 {
		p.raw("  ", p.color(dim, fmt.Sprintf(p.say("%d further metrics got better or worse, by less or of less weight (-v lists them)", "另有 %d 项变好或变差的指标，幅度更小或更次要（-v 列出）"), hidden)))
	}
	if same > 0 {
		p.raw("  ", p.color(dim, fmt.Sprintf(p.say("%d further metrics differ by no more than chance or a trifle (-v lists them)", "另有 %d 项指标的差异不超过随机波动或微不足道（-v 列出）"), same)))
	}
}

// mostTurned is how many metrics that got worse are listed, and how many that got better.
const mostTurned = 15

// extra names the expectation of a scenario file, whose name the scenario does not say.
func extra(t Turned) string {
	if t.ID == t.Head.Scenario {
		return ""
	}
	return t.ID
}

// turn says whether an expectation turned for the better.
func turn(t Turned) dryrun.Better {
	switch {
	case t.HeadPass == dryrun.Failed:
		return dryrun.BetterBase
	case t.BasePass == dryrun.Failed && t.HeadPass == dryrun.Held:
		return dryrun.BetterHead
	}
	return dryrun.Same
}

// both writes a metric with its range in one cell.
func (l language) both(metric string, s dryrun.Spread) string {
	if idle(s) && s.High >= 0 {
		return "0"
	}
	median, rng := l.spread(metric, s)
	if rng != "" {
		median += " (" + rng + ")"
	}
	return median
}

// Named is a metric's name for people.
func Named(metric string) schema.Text {
	return schema.Text{En: language("en").metric(metric), Zh: language("zh").metric(metric)}
}

// Shown writes the median of a metric for people, with its unit.
func Shown(metric string, s dryrun.Spread) schema.Text {
	en, _ := language("en").spread(metric, s)
	zh, _ := language("zh").spread(metric, s)
	return schema.Text{En: en, Zh: zh}
}
