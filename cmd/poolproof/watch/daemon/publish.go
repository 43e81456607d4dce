package daemon

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/scan"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
)

// stateFile is the file of the drift in a state folder.
func stateFile(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "drift.json")
}

// publish makes the state as it is now visible.
func (d *Daemon) publish() {
	m := d.subject.Manifest
	d.totals.Began, d.totals.Ended = d.ledger.Totals()
	s := &status.Snapshot{At: d.o.Now(), Version: d.o.Version, Lang: cmp.Or(m.Alerts.Lang, d.o.Lang, "en"), Root: d.subject.Root, Manifest: m.File, Discovered: m.Discovered,
		Started: d.started, Every: d.o.Every, Scan: d.scanned, Totals: d.totals, Sinks: d.sinks.runner.Statuses()}
	if d.scanner != nil {
		c := d.scanner.Counts()
		s.Counts = status.Counts{Files: c.Files, Pools: c.Pools, Copies: c.Copies, Sides: c.Sides, Skipped: len(c.Skipped)}
		s.Pools, s.Loose = d.withLive(d.scanner.Pools()), append(d.manifestFindings(), d.scanner.Loose()...)
		for i := range d.live {
			if d.live[i].Pool == "" {
				s.Loose = append(s.Loose, d.live[i])
			}
		}
	} else if old := d.shot.Load(); old != nil {
		s.Counts, s.Pools, s.Loose = old.Counts, old.Pools, old.Loose
		s.Counts.Errors, s.Counts.Warnings, s.Counts.Infos, s.Counts.Suppressed, s.Counts.Drifts, s.Counts.Told, s.Counts.Held = 0, 0, 0, 0, 0, 0, 0
	}
	count(&s.Counts, s.Loose)
	for _, p := range s.Pools {
		count(&s.Counts, p.Findings)
	}
	for _, r := range d.ledger.All() {
		s.Drifts = append(s.Drifts, status.Drift{Event: r.Event, Identity: r.Identity, Told: r.Known(), Held: r.Held})
		s.Counts.Drifts++
		if r.Known() {
			s.Counts.Told++
		}
		if r.Held {
			s.Counts.Held++
		}
	}
	for _, one := range d.gateways.list {
		s.Gateways = append(s.Gateways, one.seen)
	}
	if d.watcher != nil {
		w := d.watcher.State()
		s.Watcher = status.Watcher{Folders: w.Folders, Polling: w.Polling, Why: w.Why, Overflows: w.Overflows}
		text := schema.Text{}
		if w.Polling {
			text = schema.Textf("the folders cannot be watched and are looked at again and again instead: %s (raise fs.inotify.max_user_watches or max_user_instances)", "无法监视文件夹，改为轮询：%s（请调高 fs.inotify.max_user_watches 或 max_user_instances）", w.Why)
		}
		d.wrong("watch", text)
	}
	for _, e := range d.errors {
		s.Errors = append(s.Errors, e)
	}
	slices.SortFunc(s.Errors, func(a, b status.Error) int { return cmp.Compare(a.Name, b.Name) })
	d.shot.Store(s)
}

// withLive adds what is wrong with running gateways to the pools.
func (d *Daemon) withLive(pools []*status.Pool) []*status.Pool {
	if len(d.live) == 0 {
		return pools
	}
	type key struct{ name, env string }
	found := map[key][]schema.Finding{}
	for _, f := range d.live {
		if f.Pool == "" {
			continue
		}
		k := key{f.Pool, f.Env}
		found[k] = append(found[k], f)
	}
	out := slices.Clone(pools)
	for i, p := range out {
		k := key{p.Name, p.Env}
		if more := found[k]; len(more) > 0 {
			both := *p
			both.Findings = append(slices.Clone(p.Findings), more...)
			scan.SortFindings(both.Findings)
			out[i] = &both
			delete(found, k)
		}
	}
	for k, more := range found { // of no pool of the files
		out = append(out, &status.Pool{Name: k.name, Env: k.env, Findings: more})
	}
	slices.SortStableFunc(out, func(a, b *status.Pool) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Env, b.Env)) })
	return out
}

func count(c *status.Counts, findings []schema.Finding) {
	for i := range findings {
		switch f := &findings[i]; {
		case f.Status == schema.Suppressed:
			c.Suppressed++
		case f.Severity == schema.Error:
			c.Errors++
		case f.Severity == schema.Warning:
			c.Warnings++
		default:
			c.Infos++
		}
	}
}

// Sample is the event that tests the way to a sink.
func Sample(now time.Time) alert.Event {
	return alert.Event{Key: alert.Key("sample", now), Rule: "members/extra", Severity: schema.Warning, Pool: "sample", Item: schema.Members.String(), Place: "sample",
		Message: schema.Textf("this is a test: nothing drifted", "这是一条测试消息：没有发生漂移"), Hint: schema.Textf("nothing to do", "无需处理"), Since: now}
}
