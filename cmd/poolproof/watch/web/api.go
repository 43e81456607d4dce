package web

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/policy/rules"
)

// Bounds of the lists in the status.
const (
	defaultLimit = 1000
	maxLimit     = 10000
)

// findings answers with the JSON report of a check, of the last completed look.
func (s *site) findings(w http.ResponseWriter, _ *http.Request) {
	snap := s.source()
	if snap == nil || snap.Scan.Completed.IsZero() {
		apiError(w, http.StatusServiceUnavailable, blind(snap, s.now()))
		return
	}
	counts := &snap.Counts
	run := report.Run{Tool: "poolproof", Version: snap.Version, Command: "watch", Now: snap.Scan.Completed,
		Findings: s.order.get(snap).findings(), Summary: report.Summary{Pools: counts.Pools, Copies: counts.Copies,
			Files: counts.Files, Rules: len(rules.All()), Sides: counts.Sides, Discovered: snap.Discovered}}
	for i := range snap.Errors {
		run.Summary.Notes = append(run.Summary.Notes, snap.Errors[i].Text)
	}
	run.Summary.Count(run.Findings)
	w.Header().Set("Content-Type", "application/json")
	// An error is the client's, who went away.
	_ = report.Render(w, "json", &run, report.Options{})
}

// status answers with what the watch knows, apart from the findings.
func (s *site) status(w http.ResponseWriter, r *http.Request) {
	snap := s.source()
	if snap == nil {
		apiError(w, http.StatusServiceUnavailable, blind(nil, s.now()))
		return
	}
	offset, ok := number(r, "offset", 0, 1<<30)
	limit, fine := number(r, "limit", defaultLimit, maxLimit)
	if !ok || !fine {
		apiError(w, http.StatusBadRequest, "offset and limit are whole numbers; limit is at most "+strconv.Itoa(maxLimit))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	buffered := bufio.NewWriter(w)
	if report.EncodeJSON(buffered, statusJSON(snap, s.now(), offset, limit)) == nil {
		_ = buffered.Flush()
	}
}

// number reads a whole number of the query, from 0 to a limit.
func number(r *http.Request, name string, otherwise, limit int) (int, bool) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= limit
}

func apiError(w http.ResponseWriter, code int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]string{"schema": report.SchemaVersion, "error": why})
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// window cuts a list to a part of it.
func window[T any](list []T, offset, limit int) []T {
	offset = min(offset, len(list))
	return list[offset:min(offset+limit, len(list))]
}

func statusJSON(s *status.Snapshot, now time.Time, offset, limit int) *jsonStatus {
	why := blind(s, now)
	c, t := &s.Counts, &s.Totals
	j := &jsonStatus{Schema: report.SchemaVersion, Version: s.Version, Now: stamp(now), Root: s.Root, Manifest: s.Manifest,
		Started: stamp(s.Started), IntervalSeconds: every(s).Seconds(), Ready: why == "", NotReady: why,
		Scan: jsonScan{stamp(s.Scan.Completed), stamp(s.Scan.Full), s.Scan.Took.Seconds(), s.Scan.FullTook.Seconds(),
			stamp(s.Scan.FailingSince)},
		Counts:  jsonCounts{c.Files, c.Pools, c.Copies, c.Errors, c.Warnings, c.Infos, c.Suppressed, c.Skipped, c.Drifts, c.Told, c.Held},
		Watcher: jsonWatcher{s.Watcher.Folders, s.Watcher.Polling, s.Watcher.Why, s.Watcher.Overflows},
		Totals: jsonTotals{t.Cycles, t.FullScans, t.FailedScans, t.Began, t.Ended, t.StateFailures, t.ManifestFailures,
			t.Panics},
		Offset: offset, Limit: limit, TotalPools: len(s.Pools), TotalDrifts: len(s.Drifts),
		Errors: []jsonFault{}, Pools: []jsonPool{}, Drifts: []jsonDrift{}, Gateways: []jsonGateway{}, Sinks: []jsonSink{}}
	for _, e := range s.Errors {
		j.Errors = append(j.Errors, jsonFault{e.Name, e.Text.En, stamp(e.Since)})
	}
	for _, p := range window(s.Pools, offset, limit) {
		pool := jsonPool{p.Name, p.Env, p.Owner, len(p.Findings), []jsonCopy{}}
		for _, c := range p.Copies {
			pool.Copies = append(pool.Copies, jsonCopy{string(c.Side), c.Format, c.File})
		}
		j.Pools = append(j.Pools, pool)
	}
	for _, d := range window(s.Drifts, offset, limit) {
		j.Drifts = append(j.Drifts, jsonDrift{d.Key, d.Rule, severityOf(d.Severity).String(), d.Pool, d.Env, d.Item, d.Field,
			d.Member, string(d.Side), d.Place, d.Got, d.Want, d.Message.En, d.Hint.En, stamp(d.Since), d.Told, d.Held})
	}
	for _, g := range window(s.Gateways, 0, maxLimit) {
		j.Gateways = append(j.Gateways, jsonGateway{g.Name, stamp(g.Asked), stamp(g.Answered), stamp(g.UnknownSince),
			g.Reason.En, g.Pools, g.Asks, g.Failed})
	}
	for _, k := range window(s.Sinks, 0, maxLimit) {
		one := jsonSink{k.Sink, k.Waiting, k.Dropped, k.Sent, "", ""}
		if k.Err != nil {
			one.Failing, one.Error = stamp(k.Since), k.Err.Error()
		}
		j.Sinks = append(j.Sinks, one)
	}
	return j
}
