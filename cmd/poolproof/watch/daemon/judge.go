package daemon

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/ledger"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/live"
	"github.com/poolproof/poolproof/schema"
)

// judge compares what is wrong now with what is remembered, and tells the difference.
func (d *Daemon) judge(now time.Time) {
	if d.scanner == nil {
		d.ledger.Hold()
		return
	}
	d.judgeLive(now)
	blind := !d.scanned.FailingSince.IsZero()
	lost := func(r *ledger.Drift) bool { return d.lost(r, blind) }
	if blind || d.scanner != d.followed {
		d.ledger.Update(now, d.drifts(d.findings(blind)), lost)
		d.scanner.Take()
		if d.followed = d.scanner; blind {
			d.followed = nil
		}
	} else {
		delta, found := d.scanner.Take()
		seen := d.drifts(append(append(found, d.live...), d.manifestFindings()...))
		d.ledger.Follow(now, seen, func(r *ledger.Drift) bool {
			return isLive(&r.Event) || delta.Covers(r.Event.Env, r.Event.Pool, r.At)
		}, lost)
	}
	d.tell(now)
}

// isLive reports whether an event is about a running gateway.
func isLive(e *alert.Event) bool { return e.Side == schema.Live || strings.HasPrefix(e.Rule, "live/") }

// findings are all that is wrong now; without those of files where nobody can look at them.
func (d *Daemon) findings(blind bool) []schema.Finding {
	var list []schema.Finding
	if !blind {
		list = d.scanner.Findings()
	}
	list = append(list, d.live...)
	return append(list, d.manifestFindings()...)
}

// manifestFindings say what is wrong with a manifest that is not in use because of it.
func (d *Daemon) manifestFindings() []schema.Finding {
	if d.bad == nil {
		return nil
	}
	problems := d.bad.Problems
	if len(problems) == 0 {
		problems = []schema.Problem{{Rule: "schema/invalid", Text: schema.Textf("the manifest cannot be used: %v", "清单无法使用：%v", d.bad.Err)}}
	}
	var list []schema.Finding
	for _, p := range problems {
		list = append(list, schema.Finding{Rule: p.Rule, Severity: schema.Error, Status: schema.New, Field: p.Field, Message: p.Text, Hint: p.Hint, Got: p.Got, Want: p.Want,
			At: schema.Place{File: d.bad.File, Span: p.At}})
	}
	report.Locate(list, func(schema.Place) ([]byte, bool) { return d.bad.Text, d.bad.Text != nil })
	return list
}

// judgeLive compares running gateways with files, unless both are as they were.
func (d *Daemon) judgeLive(now time.Time) {
	if !d.stale {
		return
	}
	d.stale, d.live = false, nil
	if len(d.gateways.list) == 0 {
		return
	}
	groups, whole := d.scanner.Groups()
	since := map[string]time.Time{}
	for _, r := range d.ledger.All() {
		if r.Event.Rule == "live/unknown" {
			since[r.Event.Place] = r.Event.Since
		}
	}
	found := live.Judge(live.Input{Manifest: d.subject.Manifest, Groups: groups, Whole: whole, Answers: d.gateways.last(now), Unread: d.scanner.AnyUnread(),
		Since: func(name string) (time.Time, bool) { t, ok := since[name]; return t, ok }})
	told := audit.Told{Manifest: d.subject.Manifest, Rules: d.o.Rules, Orders: d.scanner.Orders(), Now: now, RuleNames: d.o.RuleNames}
	stays := told.Scale()
	for i := range found {
		f := &found[i]
		if f.Rule == "live/unknown" && !d.gateways.asked(f.At.File) {
			continue // nobody asked it yet
		}
		if f.Status == "" {
			f.Status = schema.New
		}
		if stays(f) && d.asksFor(f) {
			d.live = append(d.live, *f)
		}
	}
}

// asksFor reports whether a finding lies within what is judged.
func (d *Daemon) asksFor(f *schema.Finding) bool {
	return (len(d.o.Pools) == 0 || f.Pool == "" || slices.Contains(d.o.Pools, f.Pool)) && (d.o.Environment == "" || f.Env == "" || f.Env == d.o.Environment)
}

// drifts makes drift of findings: those that count and that nobody accepted, each identity once.
func (d *Daemon) drifts(findings []schema.Finding) []ledger.Seen {
	var list []ledger.Seen
	for i := range findings {
		f := &findings[i]
		if f.Status != schema.New || f.Severity < d.o.AlertOn {
			continue
		}
		// Its key and times are the ledger's.
		list = append(list, ledger.Seen{Identity: identity(f), At: f.At.File, Files: filesOf(f), Doubtful: d.scanner.Doubtful(f), Event: alert.NewEvent(f, "", placeOf(f.At), time.Time{})})
	}
	// Of several with one identity, the graver and then the upper one speaks.
	slices.SortStableFunc(list, func(a, b ledger.Seen) int {
		return cmp.Or(cmp.Compare(a.Identity, b.Identity), cmp.Compare(b.Event.Severity, a.Event.Severity), cmp.Compare(len(a.Event.Place), len(b.Event.Place)), cmp.Compare(a.Event.Place, b.Event.Place))
	})
	return slices.CompactFunc(list, func(a, b ledger.Seen) bool { return a.Identity == b.Identity })
}

// identity is what stays the same while values and lines change.
func identity(f *schema.Finding) string { return live.Identity(f) + "\x1f" + string(f.At.Side) }

func placeOf(p schema.Place) string {
	if p.Line > 0 && p.Side != schema.Live {
		return p.File + ":" + strconv.Itoa(p.Line)
	}
	return p.File
}

// filesOf lists the files that a finding speaks of.
func filesOf(f *schema.Finding) []string {
	var list []string
	add := func(p schema.Place) {
		if p.File != "" {
			list = append(list, p.File)
		}
	}
	add(f.At)
	for i := range f.Related {
		add(f.Related[i].Place)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// lost reports whether nobody can look at the moment whether a drift lasts.
func (d *Daemon) lost(r *ledger.Drift, blind bool) bool {
	e := &r.Event
	switch {
	case e.Side == schema.Live:
		return d.gateways.dark(e.Place) || blind || d.unread(r.Files)
	case strings.HasPrefix(e.Rule, "live/") && d.gateways.dark(""):
		return true
	}
	return blind || d.unread(r.Files)
}

// unread reports whether one of the files, or a folder that holds it, cannot be read.
func (d *Daemon) unread(list []string) bool {
	if !d.scanner.AnyUnread() {
		return false
	}
	for _, f := range list {
		for at := f; at != "." && at != "/"; at = path.Dir(at) {
			if d.scanner.Unread(at) {
				return true
			}
		}
	}
	return false
}

// tell tells what is due: kept before, marked after. Before the first look, and after a defect, nobody knows what lasts:
// then only what was about to be told already is.
func (d *Daemon) tell(now time.Time) {
	due := d.ledger.Due(now, d.lasting())
	d.save()
	switch {
	case len(due) > 0:
		err := d.sinks.tell(due)
		d.wrong("alerts", textOf(err))
		d.ledger.Told(due, err == nil)
	case d.ledger.Unsafe() || d.errors["alerts"].Name != "": // there may be room on the disk by now
		err := d.sinks.runner.Save()
		d.wrong("alerts", textOf(err))
		d.ledger.Told(nil, err == nil)
	default:
		return
	}
	d.save()
}

// lasting is how long drift must last before it is told, and be gone before its end is.
func (d *Daemon) lasting() time.Duration {
	if d.scanner == nil {
		return math.MaxInt64
	}
	return d.subject.Manifest.Alerts.For
}

// save keeps the state on disk. Where that fails, the daemon works on from memory.
func (d *Daemon) save() {
	err := d.ledger.Save()
	if err != nil {
		d.totals.StateFailures++
		d.wrong("state", schema.Textf("%v; until it can be written, a restart tells drift again", "%v；在能够写入之前，重启会重复告警", err))
		return
	}
	if d.o.State != "" {
		d.wrong("state", schema.Text{})
	}
}
