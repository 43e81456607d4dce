package web

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// maxNames bounds a label whose values the manifest chooses.
const maxNames = 500

// metrics makes the endpoint for Prometheus, on a registry of its own.
func (s *site) metrics() (http.Handler, error) {
	registry := prometheus.NewRegistry()
	for _, c := range []prometheus.Collector{newGauges(s.source), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}), nil
}

// gauges turns the newest snapshot into metrics whenever it is asked, so that there is nothing to keep in step. Labels are
// bounded: rules and sides by the program, gateways and sinks by the manifest; pools are none.
type gauges struct {
	source func() *status.Snapshot
	rules  map[string]bool

	build, completed, interval, duration, cycles, failed, files, pools, copies, findings, drifts, held, up, answered, waiting,
	failing, failures, dropped, sent, degraded, faults, overflows, began, ended, writes, panics *prometheus.Desc
}

func newGauges(source func() *status.Snapshot) *gauges {
	d := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("poolproof_"+name, help, labels, nil)
	}
	g := &gauges{source: source, rules: map[string]bool{},
		build:     d("build_info", "The version of poolproof and of the Go that built it.", "version", "goversion"),
		completed: d("last_completed_scan_timestamp_seconds", "When the last completed look at the tree ended; 0 before the first one."),
		interval:  d("scan_interval_seconds", "How often everything is looked at."),
		duration:  d("scan_duration_seconds", "How long the looks at the tree took."),
		cycles:    d("scans_total", "Looks at the tree since the start."),
		failed:    d("scan_failures_total", "Looks at the tree after which nothing was known."),
		files:     d("files", "Files that were judged."),
		pools:     d("pools", "Pools that were judged."),
		copies:    d("copies", "Copies of pools that were judged.", "side"),
		findings:  d("findings", "What is wrong now, suppressed findings left out.", "rule", "severity"),
		drifts:    d("drifts", "Differences that last.", "severity"),
		held:      d("drifts_held", "Differences of which nobody can see at the moment whether they last."),
		up:        d("gateway_up", "Whether a running gateway gave a whole answer when it was last asked.", "gateway"),
		answered:  d("gateway_last_answer_timestamp_seconds", "When a running gateway last gave a whole answer; 0 for never.", "gateway"),
		waiting:   d("sink_queue_length", "Events that wait for a sink.", "sink"),
		failing:   d("sink_failing", "Whether the last delivery to a sink failed.", "sink"),
		failures:  d("sink_failures_total", "Attempts to deliver to a sink that failed.", "sink"),
		dropped:   d("sink_dropped_total", "Events that were given up because too many waited.", "sink"),
		sent:      d("sink_sent_total", "Events that were delivered, repetitions aside.", "sink"),
		degraded:  d("watcher_degraded", "Whether some folders cannot be watched, so that their changes are found late."),
		faults:    d("faults", "What is wrong with the watch itself, as the status page says it.", "kind"),
		overflows: d("watcher_overflows_total", "How often so much changed at once that single changes were lost and everything was looked at."),
		began:     d("drifts_began_total", "Differences that began."),
		ended:     d("drifts_ended_total", "Differences that ended."),
		writes:    d("state_write_failures_total", "How often the state could not be written."),
		panics:    d("panics_total", "Defects that were survived.")}
	for _, r := range rules.All() {
		g.rules[r.ID] = true
	}
	return g
}

// Describe names all metrics.
func (g *gauges) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{g.build, g.completed, g.interval, g.duration, g.cycles, g.failed, g.files, g.pools,
		g.copies, g.findings, g.drifts, g.held, g.up, g.answered, g.waiting, g.failing, g.failures, g.dropped, g.sent, g.degraded, g.faults,
		g.overflows, g.began, g.ended, g.writes, g.panics} {
		ch <- d
	}
}

// Collect gives the values of the newest snapshot.
func (g *gauges) Collect(ch chan<- prometheus.Metric) {
	s := g.source()
	if s == nil {
		s = &status.Snapshot{Version: "unknown"}
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	gauge(g.build, 1, report.Shown(s.Version), runtime.Version())
	gauge(g.completed, seconds(s.Scan.Completed))
	gauge(g.interval, every(s).Seconds())
	ch <- prometheus.MustNewConstHistogram(g.duration, s.Totals.Durations.Count, s.Totals.Durations.Sum, s.Totals.Durations.Buckets())
	counter(g.cycles, s.Totals.Cycles)
	counter(g.failed, s.Totals.FailedScans)
	gauge(g.files, float64(s.Counts.Files))
	gauge(g.pools, float64(s.Counts.Pools))
	for _, side := range []schema.Side{schema.App, schema.Gateway, schema.Doc, schema.Order, schema.Live} {
		gauge(g.copies, float64(s.Counts.Sides[side]), string(side))
	}
	g.wrong(s, gauge)
	names := map[string]bool{}
	for _, one := range s.Gateways {
		if name := report.Shown(one.Name); fresh(names, name) {
			gauge(g.up, flag(one.UnknownSince.IsZero() && !one.Answered.IsZero()), name)
			gauge(g.answered, seconds(one.Answered), name)
		}
	}
	clear(names)
	for _, one := range s.Sinks {
		if name := report.Shown(one.Sink); fresh(names, name) {
			gauge(g.waiting, float64(one.Waiting), name)
			gauge(g.failing, flag(one.Err != nil), name)
			counter(g.failures, one.Failures, name)
			counter(g.dropped, uint64(max(one.Dropped, 0)), name)
			counter(g.sent, one.Sent, name)
		}
	}
	gauge(g.degraded, flag(s.Watcher.Polling))
	faults := map[string]int{}
	for i := range s.Errors {
		faults[s.Errors[i].Name]++
	}
	for _, name := range faultNames() {
		gauge(g.faults, float64(faults[name]), name)
	}
	counter(g.overflows, uint64(max(s.Watcher.Overflows, 0)))
	counter(g.began, s.Totals.Began)
	counter(g.ended, s.Totals.Ended)
	counter(g.writes, s.Totals.StateFailures)
	counter(g.panics, s.Totals.Panics)
}

// wrong counts findings and drift.
func (g *gauges) wrong(s *status.Snapshot, gauge func(d *prometheus.Desc, v float64, labels ...string)) {
	type kind struct{ rule, severity string }
	findings := map[kind]int{}
	count := func(f *schema.Finding) {
		if f.Status == schema.Suppressed {
			return
		}
		rule := f.Rule
		if !g.rules[rule] {
			rule = "other"
		}
		findings[kind{rule, severityOf(f.Severity).String()}]++
	}
	for i := range s.Loose {
		count(&s.Loose[i])
	}
	for _, p := range s.Pools {
		for i := range p.Findings {
			count(&p.Findings[i])
		}
	}
	for k, n := range findings {
		gauge(g.findings, float64(n), k.rule, k.severity)
	}
	drifts, held := map[schema.Severity]int{}, 0
	for i := range s.Drifts {
		drifts[severityOf(s.Drifts[i].Severity)]++
		if s.Drifts[i].Held {
			held++
		}
	}
	for _, severity := range []schema.Severity{schema.Error, schema.Warning, schema.Info} {
		gauge(g.drifts, float64(drifts[severity]), severity.String())
	}
	gauge(g.held, float64(held))
}

// severityOf is what a severity counts as; one that nobody set is a warning.
func severityOf(s schema.Severity) schema.Severity {
	switch s {
	case schema.Error, schema.Info:
		return s
	}
	return schema.Warning
}

// fresh reports whether a name is new and there is room for it, and takes it.
func fresh(names map[string]bool, name string) bool {
	if names[name] || len(names) >= maxNames {
		return false
	}
	names[name] = true
	return true
}

func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// faultNames are the kinds of faults that a snapshot names.
func faultNames() []string {
	return []string{"manifest", "scan", "state", "watch", "gateway", "sinks", "alerts", "panic"}
}
