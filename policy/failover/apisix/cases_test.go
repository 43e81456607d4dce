package apisix

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/enginetest"
)

// checked are settings of active checks with both sides written.
func checked(more ...any) []any {
	return append([]any{"probe.path", "/up", "probe.interval", s, "probe.intervals.down", s}, more...)
}

// running returns an upstream of n nodes whose checker is made and has not probed yet.
func running(t *testing.T, n int, settings ...any) *play {
	p := start(t, enginetest.Pool(make([]string, n), settings...))
	p.ask(ok)
	for !p.checking {
		p.until(p.Next())
	}
	return p
}

// repeat returns an outcome so many times.
func repeat(o failover.Outcome, n int) []failover.Outcome {
	return slices.Repeat([]failover.Outcome{o}, n)
}

// TestSentences works each sentence about APISIX by hand.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		says string
		run  func(t *testing.T) string
		want string
	}{
		// counters
		{"4 HTTP failures do nothing, the 5th takes the node out", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			return p.results(1, repeat(enginetest.Status(500), 4)...).states() + ", " + p.results(1, enginetest.Status(500)).states()
		}, "in in, out in"},
		{"2 TCP failures take it out", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			return p.results(1, refused).states() + ", " + p.results(1, refused).states()
		}, "in in, out in"},
		{"3 time-outs take it out", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			return p.results(1, hung, hung).states() + ", " + p.results(1, failover.Outcome{Kind: failover.ConnectTimeout}).states()
		}, "in in, out in"},
		{"failure kinds accumulate separately: 4 HTTP, 1 TCP and 2 time-outs do not trip 5, 2 and 3", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			return p.results(1, repeat(enginetest.Status(500), 4)...).results(1, refused, hung, hung).states()
		}, "in in"},
		{"a counted success clears all three", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			p.results(1, repeat(enginetest.Status(500), 4)...).results(1, refused, hung, hung, ok)
			return fmt.Sprint(p.nodes[0].counters) + " " + p.results(1, repeat(enginetest.Status(500), 4)...).states()
		}, "[1 0 0 0] in in"},
		{"mostly healthy is usable, and a success below its limit does not make it healthy again", func(t *testing.T) string {
			p := running(t, 2, checked("probe.rise", 3)...)
			p.results(1, enginetest.Status(500))
			a := p.nodes[0].health
			p.results(1, ok, ok)
			b := p.nodes[0].health
			return fmt.Sprint(a, b, p.results(1, ok).nodes[0].health, p.told)
		}, "1 1 0 []"},
		{"a success of a healthy node is not counted", func(t *testing.T) string {
			return fmt.Sprint(running(t, 1, checked()...).results(1, ok, ok, ok).nodes[0].counters)
		}, "[0 0 0 0]"},
		{"a failure of an unhealthy node is not counted", func(t *testing.T) string {
			p := running(t, 1, checked()...).results(1, refused, refused)
			return fmt.Sprint(p.results(1, refused, refused, enginetest.Status(500)).nodes[0].counters)
		}, "[0 0 2 0]"},
		{"2 successes bring it back; mostly unhealthy in between is not usable", func(t *testing.T) string {
			p := running(t, 2, checked()...).results(1, refused, refused, ok)
			before := fmt.Sprint(p.nodes[0].health) + " " + p.states()
			return before + ", " + p.results(1, ok).states()
		}, "3 out in, in in"},
		{"a failure while mostly unhealthy clears the success", func(t *testing.T) string {
			p := running(t, 2, checked()...).results(1, refused, refused, ok, refused, ok)
			return p.states()
		}, "out in"},
		{"a failure clears the success counter, so successes of before do not count later", func(t *testing.T) string {
			p := running(t, 2, checked("probe.rise", 3)...).results(1, refused, refused, ok, ok, enginetest.Status(500), ok, ok)
			return p.states() + ", " + p.results(1, ok).states()
		}, "out in, in in"},
		{"a status in neither list changes nothing: 401, 403, 201, 204", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			for _, n := range []int{401, 403, 201, 204} {
				p.results(1, repeat(enginetest.Status(n), 50)...)
			}
			return fmt.Sprint(p.nodes[0].counters, p.states())
		}, "[0 0 0 0]in in"},
		{"200 and 302 are healthy; 404, 429 and 500 to 505 unhealthy by default", func(t *testing.T) string {
			p := running(t, 1, checked()...)
			var b []string
			for _, n := range []int{200, 302, 404, 429, 500, 505, 506, 301} {
				kind := "-"
				switch {
				case p.checks.good.Has(uint16(n)):
					kind = "+"
				case !p.checks.bad.Has(uint16(n)):
					kind = "0"
				}
				b = append(b, kind)
			}
			return strings.Join(b, "")
		}, "++----00"},
		{"a TCP check passes with the connection, and 2 TCP failures are its fall", func(t *testing.T) string {
			p := running(t, 1, checked("probe.protocol", "tcp", "probe.fall", 1)...)
			return p.results(1, failover.Outcome{Kind: failover.Answered}).states() + ", " + p.results(1, refused).states()
		}, "in, out"},

		// when checks run
		{"no traffic, no checks", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, checked()...)).until(1000 * s)
			return fmt.Sprint(len(p.probes), p.Next() == failover.Never)
		}, "0 true"},
		{"the checker is made by a timer of 1 s after the first request, the first probe comes an interval later", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, checked("probe.interval", 2*s)...)).until(2500 * ms)
			p.ask(ok)
			p.until(8 * s)
			return strings.Join(p.probes, " ")
		}, "1@5s 2@5s 1@7s 2@7s"},
		{"healthy and unhealthy nodes have timers of their own", func(t *testing.T) string {
			p := running(t, 2, checked("probe.interval", 2*s, "probe.intervals.down", 5*s)...) // made at 1 s
			p.results(1, refused, refused)
			p.probe = func(n int) failover.Outcome { return []failover.Outcome{refused, ok}[n-1] }
			p.until(11 * s)
			return strings.Join(p.probes, " ")
		}, "2@3s 2@5s 1@6s 2@7s 2@9s 2@11s 1@11s"},
		{"without a healthy object healthy nodes are not probed", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, "probe.intervals.down", s))
			p.ask(ok)
			return fmt.Sprint(len(p.until(100 * s).probes))
		}, "0"},
		{"without an unhealthy object nobody looks at a node that is out", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, "probe.interval", s))
			p.ask(ok)
			p.until(s).results(1, refused, refused).until(100 * s)
			return p.states()
		}, "out in"},
		{"5 failed probes at 1 s: out 6 s after the first request's tick", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, checked()...))
			p.ask(ok)
			p.probe = func(n int) failover.Outcome { return []failover.Outcome{enginetest.Status(500), ok}[n-1] }
			p.until(100 * s)
			return strings.Join(p.told, ", ")
		}, "1 out@6s"},
		{"while no checker exists, failures count for nothing and all nodes are used", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, checked()...))
			for range 10 {
				p.ask(refused, 1)
			}
			return p.states() + " " + fmt.Sprint(p.nodes[0].counters)
		}, "in in [0 0 0 0]"},

		// selection
		{"a single node is used whatever its health", func(t *testing.T) string {
			p := running(t, 1, checked()...).results(1, refused, refused)
			return p.states() + " " + p.ask(ok)
		}, "out 1 pass"},
		{"all unhealthy: all are used", func(t *testing.T) string {
			p := running(t, 2, checked()...).results(1, refused, refused)
			one := fmt.Sprint(p.shares(4)[1:])
			return one + " " + fmt.Sprint(p.results(2, refused, refused).shares(4)[1:])
		}, "[0 4] [2 2]"},
		{"round robin goes by weight", func(t *testing.T) string {
			return fmt.Sprint(start(t, enginetest.Pool([]string{"weight=3", "weight=1", "weight=0"})).shares(400)[1:])
		}, "[300 100 0]"},
		{"round robin by falling weights: 4, 2 and 2 give each round its turns", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"weight=4", "weight=2", "weight=2"}))
			var b strings.Builder
			for range 8 {
				b.WriteString(p.ask(ok)[:1])
			}
			return fmt.Sprint(strings.Contains(b.String()+b.String(), "1123"))
		}, "true"},
		{"a node that was tried is passed over, whatever its weight", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"weight=1000000", "weight=1"}))
			return p.ask(refused, 1)
		}, "1 2 pass"},
		{"the next group serves only when the one before has nothing left to try", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"priority=-1", "priority=0", "priority=-1"}))
			before := fmt.Sprint(p.shares(10)[1:])
			got := p.ask(refused, 1, 3)
			return before + " " + got[len(got)-6:]
		}, "[5 0 5] 2 pass"},
		{"an all-unhealthy top group disappears", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", "priority=1"}, checked()...))
			p.ask(ok)
			p.until(s).results(1, refused, refused)
			return fmt.Sprint(p.shares(5)[1:])
		}, "[0 5]"},
		{"chash keeps a key on its node, and skips it while it is unhealthy", func(t *testing.T) string {
			p := running(t, 3, checked("type", "chash")...)
			var r failover.Request
			r.Reset()
			r.Client = 7
			first := p.follow(&r, ok)
			for range 5 {
				r.Reset()
				r.Client = 7
				if p.follow(&r, ok) != first {
					return "moved"
				}
			}
			owner := int(first[0] - '0')
			p.results(owner, refused, refused)
			r.Reset()
			r.Client = 7
			return fmt.Sprint(p.follow(&r, ok) != first)
		}, "true"},
		{"chash spreads keys by weight", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"weight=3", "weight=1"}, "type", "chash"))
			got := 0
			for i := range 10000 {
				var r failover.Request
				r.Reset()
				r.Client = uint32(i * 256)
				if p.follow(&r, ok)[0] == '1' {
					got++
				}
			}
			return fmt.Sprint(got > 7300 && got < 7700)
		}, "true"},
		{"least_conn takes the fewest connections for the weight", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"weight=2", "weight=1"}, "type", "least_conn"))
			r := make([]failover.Request, 9)
			got := make([]int, 2)
			for i := range r {
				r[i].Reset()
				p.Pick(0, &r[i])
				got[r[i].Lease.Member]++
			}
			return fmt.Sprint(got)
		}, "[6 3]"},
		{"ewma avoids the slow one of two", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, "type", "ewma"))
			for i := range 20 {
				p.now += s
				var r failover.Request
				r.Reset()
				p.Pick(p.now, &r)
				took := 10 * ms
				if r.Lease.Member == 0 {
					took = 900 * ms
				}
				p.Report(p.now, &r, failover.Outcome{Status: 200, Took: took})
				_ = i
			}
			got := p.shares(10)
			return fmt.Sprint(got[1:])
		}, "[0 10]"},

		// retries
		{"retries default to nodes - 1: a request may walk the whole pool", func(t *testing.T) string {
			got := start(t, enginetest.Pool([]string{"", "", "", ""})).ask(refused, 1, 2, 3, 4)
			return fmt.Sprint(len(strings.Fields(got))-1) + " " + got[len(got)-3:]
		}, "4 502"},
		{"each retry excludes the tried nodes", func(t *testing.T) string {
			f := strings.Fields(start(t, enginetest.Pool([]string{"", "", ""})).ask(refused, 1, 2, 3))[:3]
			slices.Sort(f)
			return strings.Join(f, " ")
		}, "1 2 3"},
		{"retries: 0 disables them", func(t *testing.T) string {
			return start(t, enginetest.Pool([]string{"", ""}, "retry.attempts", 0)).ask(refused, 1, 2)[2:]
		}, "502"},
		{"more retries than nodes: when all were tried, 502", func(t *testing.T) string {
			return fmt.Sprint(len(strings.Fields(start(t, enginetest.Pool([]string{"", ""}, "retry.attempts", 9)).ask(hung, 1, 2))))
		}, "3"},
		{"a single node is tried again, and that is not reported", func(t *testing.T) string {
			p := running(t, 1, checked("retry.attempts", 2)...)
			return p.ask(refused, 1) + " " + fmt.Sprint(p.nodes[0].counters)
		}, "1 1 1 502 [0 0 0 0]"},
		{"statuses are not retried", func(t *testing.T) string {
			return start(t, enginetest.Pool([]string{"", ""})).ask(enginetest.Status(503), 1, 2)[2:]
		}, "pass"},
		{"a POST that was sent is not retried, one that was not is", func(t *testing.T) string {
			c := enginetest.Pool([]string{"", ""})
			var r failover.Request
			r.Reset()
			r.Unsafe = true
			a := start(t, c).follow(&r, hung, 1, 2)
			r.Reset()
			r.Unsafe = true
			return a[2:] + " " + start(t, c).follow(&r, refused, 1, 2)[4:]
		}, "504 502"},
		{"retry_timeout ends the retries: 502", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}, "retry.total", 5*s))
			var r failover.Request
			r.Reset()
			p.Pick(0, &r)
			d := p.Report(6*s, &r, hung)
			return fmt.Sprint(d.Action == failover.Answer, d.Status)
		}, "true 502"},
		{"nobody has a weight: 502", func(t *testing.T) string {
			return start(t, enginetest.Pool([]string{"weight=0", "weight=0"})).ask(ok)
		}, "502"},
		{"time-outs are 60 s where none is written", func(t *testing.T) string {
			p := start(t, enginetest.Pool([]string{"", ""}))
			q := start(t, enginetest.Pool([]string{"", ""}, "timeout.connect", 2*s, "timeout.send", 3*s, "timeout.read", 4*s))
			return fmt.Sprint(p.Info().Limits, q.Info().Limits)
		}, "{1m0s 1m0s} {2s 4s}"},

		// passive reports
		{"a retry reports the attempt before, with active checks only too: 2 refused connections take a node out", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			for p.nodes[0].counters[tcpFailure] < 1 {
				p.ask(refused, 1)
			}
			before := p.states()
			for range 2 {
				p.ask(refused, 1)
			}
			return before + ", " + p.states()
		}, "in in, out in"},
		{"time-outs that are retried count up to 7", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			n := 0
			for p.State(0) == failover.In {
				if strings.HasPrefix(p.ask(hung, 1), "1") {
					n++
				}
			}
			return fmt.Sprint(n)
		}, "7"},
		{"with retries 0 refused connections never count: the client's 502 is not in the list", func(t *testing.T) string {
			p := running(t, 2, checked("retry.attempts", 0, "decision.consecutive", 1)...)
			for range 50 {
				p.ask(refused, 1)
			}
			return p.states() + " " + fmt.Sprint(p.nodes[0].counters)
		}, "in in [0 0 0 0]"},
		{"nor does a last 504; a 503 from the node does", func(t *testing.T) string {
			p := running(t, 2, checked("retry.attempts", 0, "decision.consecutive", 3)...)
			for range 20 {
				p.ask(hung, 1)
			}
			before := p.states()
			for range 6 {
				p.ask(enginetest.Status(503), 1)
			}
			return before + ", " + p.states()
		}, "in in, out in"},
		{"a 502 or 504 of the last attempt counts where it is listed", func(t *testing.T) string {
			p := running(t, 2, checked("retry.attempts", 0, "decision.consecutive", 2, "decision.counts", []string{"502", "504"})...)
			for p.nodes[0].counters[httpFailure] < 1 {
				p.ask(refused, 1)
			}
			before := p.states()
			p.ask(hung, 1)
			p.ask(hung, 1)
			return before + ", " + p.states()
		}, "in in, out in"},
		{"the last attempt is reported only with checks.passive", func(t *testing.T) string {
			p := running(t, 2, checked()...)
			for range 50 {
				p.ask(enginetest.Status(500), 1)
			}
			return p.states()
		}, "in in"},
		{"passive without healthy counts no passes: failures add up for ever", func(t *testing.T) string {
			p := running(t, 2, checked("decision.consecutive", 3)...)
			for range 3 {
				for range 20 {
					p.ask(ok)
				}
				p.ask(enginetest.Status(500), 1)
				p.ask(enginetest.Status(500), 1)
			}
			return p.states()
		}, "out in"},
		{"passive.healthy: an answered 200 clears the failures", func(t *testing.T) string {
			p := running(t, 2, checked("decision.consecutive", 3, "checks.passive.healthy.successes", 5)...)
			for range 10 {
				p.ask(enginetest.Status(500), 1)
				p.ask(enginetest.Status(500), 1)
				p.ask(ok)
				p.ask(ok)
			}
			return p.states()
		}, "in in"},
		{"a passive limit of 0 switches its kind off", func(t *testing.T) string {
			p := running(t, 2, checked("checks.passive.unhealthy.http_failures", 0, "decision.counts", []string{"500"}, "checks.passive.unhealthy.tcp_failures", 0)...)
			for range 50 {
				p.ask(enginetest.Status(500), 1)
				p.ask(refused, 1)
			}
			return p.states()
		}, "in in"},
		{"active and passive reports share the counters, with limits of their own", func(t *testing.T) string {
			p := running(t, 2, checked("decision.consecutive", 4)...).results(1, repeat(enginetest.Status(500), 3)...)
			for p.nodes[0].counters[httpFailure] < 4 {
				p.ask(enginetest.Status(500), 1)
			}
			return p.states()
		}, "out in"},
		{"an ejection by retries ends with 2 passed probes", func(t *testing.T) string {
			p := running(t, 2, checked()...) // made at 1 s
			for p.State(0) == failover.In {
				p.ask(refused, 1)
			}
			p.until(10 * s)
			return strings.Join(p.told, ", ")
		}, "1 out@1s, 1 in@3s"},
		{"a restart clears the shared memory: all healthy, and no checker", func(t *testing.T) string {
			c := enginetest.Pool([]string{"", ""}, checked()...)
			p := start(t, c)
			return p.states() + " " + fmt.Sprint(p.checking, p.Next() == failover.Never)
		}, "in in false true"},
	} {
		t.Run(c.says, func(t *testing.T) {
			if got := c.run(t); got != c.want {
				t.Errorf("%s\n\tgives %s\n\tnot   %s", c.says, got, c.want)
			}
		})
	}
}
