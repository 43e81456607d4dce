package drill

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/plot"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
)

// figureView is the plots of one run, below each other on one time axis.
type figureView struct {
	Side    string
	Marks   template.HTML
	Signs   template.HTML
	Rows    []rowView
	Times   template.HTML
	Events  []entryView
	Legend  []stateView
	Numbers numbersView
	Note    string
}

// rowView is one plot with its name and legend.
type rowView struct {
	Class, Name, Sub string
	Keys             []keyView
	Plot             template.HTML
}

// keyView is one entry of the legend of a plot: an area, or a line.
type keyView struct {
	Class, Label, Name string
	Line               bool
}

type entryView struct{ At, Label, Class, Event, Member, Why string }

// numbersView is the table that says what the plots show.
type numbersView struct {
	Head []string
	Rows [][]string
}

// The bounds of a page. Plots are drawn for the runs that matter most first, until there is enough of them; every figure
// is bounded by how many slices and members it shows.
const (
	mostPlots    = 2 << 20 // bytes
	mostBare     = 1200    // runs without plots that have their metrics all the same
	mostSlices   = 120
	mostDrawn    = 16 // members with a band
	mostShares   = 7  // members with an area of their own
	mostEntries  = 150
	mostNumbers  = 12
	shownEntries = 12
)

func states() []failover.State {
	return []failover.State{failover.In, failover.Ramping, failover.Cooling, failover.Out, failover.Manual}
}

// draw draws the runs: what failed, then scenario files, then what got better or worse, then bad days, then the rest.
func (r *Report) draw(l language, p *pageView) {
	var list []*runView
	for _, pool := range p.Pools {
		list = append(list, pool.Runs...)
	}
	for _, v := range list {
		if v.urgent > 2 && slices.ContainsFunc(v.Metrics, func(m metricView) bool { return m.Class == "better" || m.Class == "worse" }) {
			v.urgent = 2
		}
	}
	slices.SortStableFunc(list, func(a, b *runView) int { return a.urgent - b.urgent })
	size, bare := 0, 0
	for _, v := range list {
		if v.head.Summary == nil {
			v.Gone = len(v.Cases) == 0
			continue
		}
		if size > mostPlots {
			v.Undrawn = true
			p.Undrawn++
			// A case that held says all there is to say in the list of cases.
			if bare++; bare > mostBare && v.urgent > 1 || v.urgent > 3 {
				v.Gone = true
			}
			continue
		}
		v.Figures = v.figures(l)
		for i := range v.Figures {
			size += v.Figures[i].size()
		}
	}
	for _, pool := range p.Pools {
		pool.forget()
	}
}

// size is about how many bytes a figure takes on the page.
func (f *figureView) size() int {
	n := len(f.Marks) + len(f.Signs) + len(f.Times) + 120*len(f.Legend)
	for _, r := range f.Rows {
		n += len(r.Plot) + 120 + 110*len(r.Keys)
	}
	for _, e := range f.Events {
		n += 120 + len(e.Why) + len(e.Member)
	}
	for _, row := range f.Numbers.Rows {
		n += 22 * len(row)
	}
	return n
}

// figures draws a run, and what it is compared with, on the same scales.
func (v *runView) figures(l language) []figureView {
	var list []figureView
	var sides []*Run
	var ranges bounds
	for _, side := range v.sides() {
		if side.Summary != nil {
			sides = append(sides, side)
			ranges.add(side.Summary.First)
		}
	}
	for i, side := range sides {
		f := figure(l, side.Summary.First, fmt.Sprintf("%sm%d", v.ID, i), &ranges)
		f.Side = v.sideName(l, side)
		if side.Summary.Seeds > 1 {
			f.Note = fmt.Sprintf(l.say("drawn is the run of seed %d", "图为种子 %d 的运行"), side.Summary.First.Seed)
		}
		list = append(list, f)
	}
	return list
}

// bounds are the extremes of the series that are drawn alike.
type bounds struct {
	errors    float64
	low, high float64 // latency, seconds
	span      time.Duration
}

func (b *bounds) add(r *dryrun.Result) {
	b.span = max(b.span, r.Duration)
	for i := range r.Series {
		p := &r.Series[i]
		if p.Sent > 0 {
			b.errors = max(b.errors, float64(p.Errors)/float64(p.Sent))
		}
		if p.P99 > 0 {
			b.high = max(b.high, p.P99.Seconds())
		}
		if p.P50 > 0 && (b.low == 0 || p.P50.Seconds() < b.low) {
			b.low = p.P50.Seconds()
		}
	}
}

// figure draws one run.
func figure(l language, r *dryrun.Result, id string, b *bounds) figureView {
	axis := plot.Axis{To: max(b.span, 1)}
	marks := marksOf(r)
	f := figureView{Events: entries(l, r, marks)}
	name(l, r, marks)
	chart := plot.Chart{Axis: axis}
	if len(marks) > 0 {
		f.Marks = template.HTML(plot.Marks(id, axis, marks))
		f.Signs = template.HTML(plot.Signs(l.say("events", "事件"), axis, marks))
		chart.Marks = id
	}
	f.bands(l, r, chart)
	series := thin(r.Series, r.Slice, mostSlices)
	f.shares(l, r, series, chart)
	f.errors(l, series, chart, b)
	f.latency(l, series, chart, b)
	f.Times = template.HTML(plot.Times(axis, moment))
	f.numbers(l, r)
	return f
}

// name words the marks.
func name(l language, r *dryrun.Result, marks []plot.Mark) {
	for i := range r.Timeline {
		e := &r.Timeline[i]
		if !marked(e.Event) {
			continue
		}
		if len(marks) == 0 {
			return
		}
		marks[0].Title = report.ShownText(moment(e.At) + " " + l.event(e.Event) + l.say(": ", "：") + strings.TrimSpace(e.Member+" "+l.in(e.Why)))
		marks = marks[1:]
	}
}

// bands draws the states of the members.
func (f *figureView) bands(l language, r *dryrun.Result, c plot.Chart) {
	members := chooseMembers(r, mostDrawn)
	used := map[failover.State]bool{}
	for _, m := range members {
		var spans []plot.Span
		var words []string
		for i, s := range m.States {
			end := r.Duration
			if i+1 < len(m.States) {
				end = m.States[i+1].From
			}
			used[s.State] = true
			name, from := l.state(s.State), max(s.From, 0)
			title := fmt.Sprintf(l.say("%s from %s to %s", "%s：%s 至 %s"), name, moment(from), moment(end))
			spans = append(spans, plot.Span{From: s.From, To: end, Class: s.State.String(), Label: name, Title: title})
			if len(words) < 20 {
				words = append(words, title)
			}
		}
		name := report.Shown(m.ID)
		c.Title, c.Desc, c.Height = name, strings.Join(words, "; "), 22
		f.Rows = append(f.Rows, rowView{Class: "band", Name: name, Plot: template.HTML(plot.Band(c, spans))})
	}
	if hidden := len(r.Members) - len(members); hidden > 0 {
		f.Rows = append(f.Rows, rowView{Class: "more", Name: fmt.Sprintf(l.say("%d more members, to which nothing else happened", "另有 %d 个成员未画出"), hidden)})
	}
	for _, s := range states() {
		if used[s] {
			f.Legend = append(f.Legend, stateView{s.String(), l.state(s)})
		}
	}
}

// thinned is a series with longer slices.
type thinned struct {
	slice  time.Duration
	points []dryrun.Point
}

// thin joins the slices of a series until there are few enough. Counts add up; of latencies the worst of each stands.
func thin(series []dryrun.Point, slice time.Duration, most int) thinned {
	k := max(1, (len(series)+most-1)/most)
	if k == 1 {
		return thinned{slice, series}
	}
	t := thinned{slice: slice * time.Duration(k)}
	for i := 0; i < len(series); i += k {
		p := series[i]
		p.Answers = slices.Clone(p.Answers)
		for _, q := range series[i+1 : min(i+k, len(series))] {
			p.Sent, p.Errors, p.Refused = p.Sent+q.Sent, p.Errors+q.Errors, p.Refused+q.Refused
			p.P50, p.P95, p.P99 = max(p.P50, q.P50), max(p.P95, q.P95), max(p.P99, q.P99)
			for m := range p.Answers {
				p.Answers[m] += q.Answers[m]
			}
		}
		t.points = append(t.points, p)
	}
	return t
}

// values draws one number out of every slice; NaN where no request was sent.
func (t *thinned) values(f func(*dryrun.Point) float64) []float64 {
	list := make([]float64, len(t.points))
	for i := range t.points {
		list[i] = math.NaN()
		if t.points[i].Sent > 0 {
			list[i] = f(&t.points[i])
		}
	}
	return list
}

// shares draws who answered the requests: the largest members by themselves, the others together.
func (f *figureView) shares(l language, r *dryrun.Result, t thinned, c plot.Chart) {
	order := make([]int, len(r.Members))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(min(1, r.Members[b].Answers)) - int(min(1, r.Members[a].Answers)) })
	if len(order) > mostShares {
		slices.SortStableFunc(order, func(a, b int) int {
			switch x, y := r.Members[a].Answers, r.Members[b].Answers; {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
	}
	own := slices.Clone(order[:min(mostShares, len(order))])
	slices.Sort(own)
	share := func(members []int) []float64 {
		return t.values(func(p *dryrun.Point) float64 {
			n := uint64(0)
			for _, m := range members {
				n += p.Answers[m]
			}
			return float64(n) / float64(p.Sent)
		})
	}
	var curves []plot.Curve
	row := rowView{Class: "shares", Name: l.say("Who answers", "流量份额"), Sub: l.say("part of the requests sent", "占发出请求的比例")}
	for i, m := range own {
		name := report.Shown(r.Members[m].ID)
		class, label := fmt.Sprintf("m%d", i), fmt.Sprint(i+1)
		curves = append(curves, plot.Curve{Class: class, Name: name, Label: label, Values: share([]int{m})})
		row.Keys = append(row.Keys, keyView{Class: class, Label: label, Name: name})
	}
	if rest := order[len(own):]; len(rest) > 0 {
		name := fmt.Sprintf(l.say("%d others", "其余 %d 个"), len(rest))
		curves = append(curves, plot.Curve{Class: "m7", Name: name, Label: "+", Values: share(rest)})
		row.Keys = append(row.Keys, keyView{Class: "m7", Label: "+", Name: name})
	}
	c.Title, c.Height = row.Name, 104
	c.Desc = l.say("what is blank was answered by no member", "空白处没有成员应答")
	row.Plot = template.HTML(plot.Stack(c, plot.Rates(1), t.slice, curves))
	f.Rows = append(f.Rows, row)
}

// errors draws the error rate: what failed, and within it what the engine refused.
func (f *figureView) errors(l language, t thinned, c plot.Chart, b *bounds) {
	refused := t.values(func(p *dryrun.Point) float64 { return float64(min(p.Refused, p.Errors)) / float64(p.Sent) })
	failed := t.values(func(p *dryrun.Point) float64 { return float64(p.Errors-min(p.Refused, p.Errors)) / float64(p.Sent) })
	row := rowView{Class: "errors", Name: l.say("Errors", "错误率"), Keys: []keyView{{Class: "err", Name: l.say("failed", "失败")}}}
	curves := []plot.Curve{{Class: "err", Name: l.say("failed", "失败"), Values: failed}}
	if slices.ContainsFunc(refused, func(f float64) bool { return f > 0 }) {
		curves = append(curves, plot.Curve{Class: "refused", Name: l.say("refused", "被拒绝"), Values: refused})
		row.Keys = append(row.Keys, keyView{Class: "refused", Name: l.say("refused", "被拒绝")})
	}
	c.Title, c.Height = row.Name, 76
	c.Desc = fmt.Sprintf(l.say("at most %s of the requests of a slice of %s", "每 %[2]s 的请求中最多 %[1]s"), percentText(b.errors), moment(t.slice))
	row.Plot = template.HTML(plot.Stack(c, plot.Rates(b.errors), t.slice, curves))
	f.Rows = append(f.Rows, row)
}

// latency draws the median and the tail of the answer times.
func (f *figureView) latency(l language, t thinned, c plot.Chart, b *bounds) {
	at := func(f func(*dryrun.Point) time.Duration) []float64 {
		return t.values(func(p *dryrun.Point) float64 {
			if d := f(p); d > 0 {
				return d.Seconds()
			}
			return math.NaN()
		})
	}
	curves := []plot.Curve{
		{Class: "p99", Name: "p99", Values: at(func(p *dryrun.Point) time.Duration { return p.P99 })},
		{Class: "p95", Name: "p95", Values: at(func(p *dryrun.Point) time.Duration { return p.P95 })},
		{Class: "p50", Name: "p50", Values: at(func(p *dryrun.Point) time.Duration { return p.P50 })},
	}
	row := rowView{Class: "latency", Name: l.say("Latency", "延迟"), Sub: l.say("powers of ten", "对数刻度"), Keys: []keyView{{"p99", "", "p99", true}, {"p95", "", "p95", true}, {"p50", "", "p50", true}}}
	c.Title, c.Height = row.Name, 104
	c.Desc = fmt.Sprintf(l.say("from %s to %s", "从 %s 到 %s"), span(time.Duration(b.low*1e9)), span(time.Duration(b.high*1e9)))
	row.Plot = template.HTML(plot.Lines(c, plot.Decades(b.low, b.high, span), t.slice, curves))
	f.Rows = append(f.Rows, row)
}

// entries lists what happened.
func entries(l language, r *dryrun.Result, marks []plot.Mark) []entryView {
	var list []entryView
	n := 0
	for i, e := range r.Timeline {
		if i == mostEntries {
			list = append(list, entryView{At: "…", Event: fmt.Sprintf(l.say("%d more", "另有 %d 条"), len(r.Timeline)-i+r.Cut)})
			return list
		}
		v := entryView{At: moment(e.At), Class: "event", Event: l.event(e.Event), Member: e.Member, Why: l.in(e.Why)}
		if s, ok := failover.ParseState(e.Event); ok {
			v.Class = s.String()
		}
		if marked(e.Event) && n < len(marks) {
			v.Label = marks[n].Label
			n++
		}
		list = append(list, v)
	}
	if r.Cut > 0 {
		list = append(list, entryView{At: "…", Event: fmt.Sprintf(l.say("%d more", "另有 %d 条"), r.Cut)})
	}
	return list
}

// numbers says in a table what the plots show.
func (f *figureView) numbers(l language, r *dryrun.Result) {
	t := thin(r.Series, r.Slice, mostNumbers)
	f.Numbers.Head = []string{l.say("from", "起"), l.say("sent", "发出"), l.say("failed", "失败"), l.say("refused", "被拒"), "p50", "p95", "p99"}
	members := chooseMembers(r, 4)
	for _, m := range members {
		f.Numbers.Head = append(f.Numbers.Head, report.Shown(m.ID))
	}
	for i := range t.points {
		p := &t.points[i]
		row := []string{moment(p.At), fmt.Sprint(p.Sent), fmt.Sprint(p.Errors), fmt.Sprint(p.Refused), span(p.P50), span(p.P95), span(p.P99)}
		for _, m := range members {
			for k := range r.Members {
				if &r.Members[k] == m {
					share := "-"
					if p.Sent > 0 {
						share = fmt.Sprintf("%.0f %%", 100*float64(p.Answers[k])/float64(p.Sent))
					}
					row = append(row, share)
				}
			}
		}
		f.Numbers.Rows = append(f.Numbers.Rows, row)
	}
}
