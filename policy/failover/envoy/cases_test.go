package envoy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/enginetest"
)

// eject are the settings of an outlier detection that may eject all.
func eject(more ...any) []any {
	return append([]any{"outlier_detection.max_ejection_percent", 100}, more...)
}

// check are the settings of an HTTP check each second.
func check(more ...any) []any {
	return append([]any{"probe.protocol", "http", "probe.path", "/up", "probe.interval", 2 * s, "probe.timeout", s, "probe.fall", 3, "probe.rise", 2}, more...)
}

func hosts(n int) []string { return make([]string, n) }

// TestSentences works each sentence about Envoy by hand.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		says string
		run  func(t *testing.T) string
		want string
	}{
		// outlier detection: counters
		{"HTTP 500-599 adds to the 5xx counter; it ejects when it equals consecutive_5xx (5)", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject()...))
			p.hit(1, enginetest.Status(500), 4)
			before := p.states()
			return before + ", " + p.hit(1, enginetest.Status(599), 1).states()
		}, "in in, cooling in"},
		{"any other answer resets both counters: interleaved successes never eject", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject()...))
			for range 20 {
				p.hit(1, enginetest.Status(500), 4).hit(1, enginetest.Status(404), 1)
			}
			return p.states()
		}, "in in"},
		{"502, 503 and 504 add to the gateway counter; enforcing_consecutive_gateway_failure is 0 by default", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.consecutive_gateway_failure", 2)...))
			before := p.hit(1, enginetest.Status(503), 3).states()
			q := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.consecutive_gateway_failure", 2, "outlier_detection.enforcing_consecutive_gateway_failure", 100)...))
			return before + ", " + q.hit(1, enginetest.Status(503), 2).states()
		}, "in in, cooling in"},
		{"another 5xx resets the gateway counter", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.consecutive_gateway_failure", 2, "outlier_detection.enforcing_consecutive_gateway_failure", 100)...))
			return p.hit(1, enginetest.Status(503), 1).hit(1, enginetest.Status(500), 1).hit(1, enginetest.Status(503), 1).states()
		}, "in in"},
		{"not split: a time-out counts as 504, a failed connection and a reset as 503", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.consecutive_gateway_failure", 3, "outlier_detection.enforcing_consecutive_gateway_failure", 100)...))
			return p.hit(1, hung, 1).hit(1, refused, 1).hit(1, reset, 1).states()
		}, "cooling in"},
		{"split: local-origin events touch only the local-origin counter (5, enforced)", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.split_external_local_origin_errors", true, "decision.consecutive", 2)...))
			before := p.hit(1, refused, 4).states()
			return before + ", " + p.hit(1, refused, 1).states()
		}, "in in, cooling in"},
		{"split: an answer is a connection, which resets the local-origin counter", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.split_external_local_origin_errors", true)...))
			return p.hit(1, refused, 4).hit(1, ok, 1).hit(1, refused, 4).states()
		}, "in in"},
		{"an explicit 0 disables a detector", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.consecutive_5xx", 0)...))
			return p.hit(1, enginetest.Status(500), 100).states()
		}, "in in"},
		{"an enforcement of 0 only counts", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("outlier_detection.consecutive_5xx", 5, "outlier_detection.enforcing_consecutive_5xx", 0)...))
			return p.hit(1, enginetest.Status(500), 100).states()
		}, "in in"},
		{"the counter is set back whether the ejection happened or not: the next try takes as many again", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), "outlier_detection.max_ejection_percent", 50))
			p.hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5) // the second is refused by the cap
			p.hosts[0].ejected, p.ejected = false, 0
			before := p.hit(2, enginetest.Status(500), 4).states()
			return before + ", " + p.hit(2, enginetest.Status(500), 1).states()
		}, "cooling in, cooling cooling"},
		{"what a host that is out answers is ignored, and its counters start from nothing at its return", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject()...))
			p.hit(1, enginetest.Status(500), 5).hit(1, enginetest.Status(500), 4)
			p.until(30 * s)
			before := p.states()
			return before + ", " + p.hit(1, enginetest.Status(500), 4).states()
		}, "in in, in in"},
		{"without outlier_detection nothing is ejected", func(t *testing.T) string {
			return start(t, "1.33", enginetest.Pool(hosts(2))).hit(1, enginetest.Status(500), 100).states()
		}, "in in"},

		// outlier detection: the cap
		{"since 1.28 the host about to go counts: with 10 %, fewer than 10 hosts never eject", func(t *testing.T) string {
			p := start(t, "1.28", enginetest.Pool(hosts(9), "decision.consecutive", 5))
			nine := p.hit(1, enginetest.Status(500), 5).ejected
			q := start(t, "1.28", enginetest.Pool(hosts(10), "decision.consecutive", 5))
			return fmt.Sprint(nine, q.hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5).ejected)
		}, "0 1"},
		{"before 1.28 the first always went, and one more than the percentage", func(t *testing.T) string {
			p := start(t, "1.27", enginetest.Pool(hosts(3), "decision.consecutive", 5))
			three := p.hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5).ejected
			q := start(t, "1.27", enginetest.Pool(hosts(15), "decision.consecutive", 5))
			return fmt.Sprint(three, q.hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5).hit(3, enginetest.Status(500), 5).ejected)
		}, "1 2"},
		{"always_eject_one_host (1.31) lets the first go whatever the percentage", func(t *testing.T) string {
			c := enginetest.Pool(hosts(3), "outlier_detection.always_eject_one_host", true)
			p := start(t, "1.31", c)
			one := p.hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5).ejected
			return fmt.Sprint(one, start(t, "1.30", c).hit(1, enginetest.Status(500), 5).ejected)
		}, "1 0"},
		{"a version that nobody named is a new one", func(t *testing.T) string {
			return fmt.Sprint(start(t, "", enginetest.Pool(hosts(3), "decision.consecutive", 5)).hit(1, enginetest.Status(500), 5).ejected)
		}, "0"},
		{"the cap is cluster-wide: a whole priority can go", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"", "priority=1", "priority=1"}, "outlier_detection.max_ejection_percent", 34))
			return p.hit(1, enginetest.Status(500), 5).states()
		}, "cooling in in"},

		// outlier detection: time
		{"ejections are immediate, returns come at a tick: 30 s are over at the tick at 30 s, or up to one interval later", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject()...))
			p.hit(1, enginetest.Status(500), 5).until(5*s).hit(2, enginetest.Status(500), 5).until(60 * s)
			return strings.Join(p.told, ", ")
		}, "1 cooling@0s, 2 cooling@5s, 1 in@30s, 2 in@40s"},
		{"ejection n lasts base * n", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("cooldown.duration", 10*s)...))
			p.hit(1, enginetest.Status(500), 5).until(10*s).hit(1, enginetest.Status(500), 5).until(60 * s)
			return strings.Join(p.told, ", ")
		}, "1 cooling@0s, 1 in@10s, 1 cooling@10s, 1 in@30s"},
		{"the multiplier falls by one for each interval in service", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("cooldown.duration", 10*s)...))
			p.hit(1, enginetest.Status(500), 5).until(10*s).hit(1, enginetest.Status(500), 5).until(30 * s) // n is 2, back at 30 s
			a := p.hosts[0].backoff
			b := p.until(40 * s).hosts[0].backoff
			c := p.until(50 * s).hosts[0].backoff
			return fmt.Sprint(a, b, c, p.until(90 * s).hosts[0].backoff)
		}, "2 1 0 0"},
		{"max_ejection_time caps the time, and the multiplier stops growing", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("cooldown.duration", 10*s, "cooldown.max", 20*s)...))
			for range 5 { // each time at once after its return
				p.hit(1, enginetest.Status(500), 5)
				for p.State(0) == failover.Cooling {
					p.until(p.now + 10*s)
				}
			}
			return fmt.Sprint(p.hosts[0].backoff, p.now)
		}, "3 1m30s"},
		{"max_ejection_time is the greater of 300 s and the base", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("cooldown.duration", 400*s)...))
			return p.hit(1, enginetest.Status(500), 5).until(399*s).states() + ", " + p.until(400*s).states()
		}, "cooling in, in in"},
		{"a passing active check ends an ejection early", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), append(eject(), check()...)...))
			p.ask(ok)
			p.until(60*s).hit(1, enginetest.Status(500), 5)
			before := p.states()
			return before + ", " + p.until(62*s).states()
		}, "cooling in, in in"},
		{"not with successful_active_health_check_uneject_host false", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), append(eject("outlier_detection.successful_active_health_check_uneject_host", false), check()...)...))
			p.ask(ok)
			return p.until(60*s).hit(1, enginetest.Status(500), 5).until(89 * s).states()
		}, "cooling in"},

		// outlier detection: statistics
		{"a host below mean - 1.9 standard deviations goes at the end of the interval", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(6), eject("outlier_detection.consecutive_5xx", 0)...))
			for i := range 5 {
				p.hit(i+1, ok, 100)
			}
			for range 50 { // 50 %: mean 91.7, deviation 18.6, line 56.3
				p.hit(6, ok, 1).hit(6, enginetest.Status(500), 1)
			}
			before := p.states()
			return before[len(before)-2:] + " " + fmt.Sprint(p.until(10*s).State(5))
		}, "in cooling"},
		{"success rates need 5 hosts with 100 requests in one interval", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(6), eject("outlier_detection.consecutive_5xx", 0)...))
			for i := range 5 {
				p.hit(i+1, ok, 99)
			}
			p.hit(6, enginetest.Status(500), 100)
			return fmt.Sprint(p.until(10 * s).State(5))
		}, "in"},
		{"failure percentage: at 85 % failures of 50 requests, only if enforced", func(t *testing.T) string {
			run := func(enforcing, bad int) string {
				p := start(t, "1.33", enginetest.Pool(hosts(5), eject("outlier_detection.consecutive_5xx", 0, "outlier_detection.enforcing_success_rate", 0, "outlier_detection.enforcing_failure_percentage", enforcing)...))
				for i := range 4 {
					p.hit(i+1, ok, 100)
				}
				return fmt.Sprint(p.hit(5, enginetest.Status(500), bad).hit(5, ok, 100-bad).until(10 * s).State(4))
			}
			return run(0, 85) + " " + run(100, 84) + " " + run(100, 85)
		}, "in in cooling"},
		{"statistics are skipped with fewer hosts than both minimums", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(4), eject("outlier_detection.consecutive_5xx", 0, "outlier_detection.enforcing_failure_percentage", 100)...))
			for i := range 4 {
				p.hit(i+1, enginetest.Status(500), 200)
			}
			return p.until(10 * s).states()
		}, "in in in in"},

		// active checks
		{"the first check decides at once, whatever the thresholds", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), check()...))
			p.probe = func(m int) failover.Outcome {
				if m == 1 {
					return refused
				}
				return ok
			}
			return p.until(0).states()
		}, "out in"},
		{"time-outs and refused connections count up to unhealthy_threshold", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check()...)).until(0)
			p.ask(ok)
			p.probe = func(int) failover.Outcome { return refused }
			return p.until(63*s).states() + ", " + p.until(64*s).states()
		}, "in, out"},
		{"an unexpected status takes a host out after a single check", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check()...)).until(0)
			p.ask(ok)
			p.probe = func(int) failover.Outcome { return enginetest.Status(204) }
			return p.until(60 * s).states()
		}, "out"},
		{"a retriable status counts like a time-out", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check("health_checks[0].http_health_check.retriable_statuses", []string{"500-599"})...)).until(0)
			p.ask(ok)
			p.probe = func(int) failover.Outcome { return enginetest.Status(503) }
			return p.until(62*s).states() + ", " + p.until(64*s).states()
		}, "in, out"},
		{"a pass resets the failures", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check()...)).until(0)
			p.ask(ok)
			n := 0
			p.probe = func(int) failover.Outcome {
				if n++; n%3 == 0 {
					return ok
				}
				return refused
			}
			return p.until(200 * s).states()
		}, "in"},
		{"healthy_threshold passes in a row bring a host back", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check("probe.fall", 1)...)).until(0)
			p.ask(ok)
			p.probe = func(int) failover.Outcome { return refused }
			p.until(60 * s)
			p.probe = func(int) failover.Outcome { return ok }
			p.until(70 * s)
			return strings.Join(p.told, ", ")
		}, "1 out@1m0s, 1 in@1m4s"},
		{"a failure in between starts the passes anew", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check("probe.fall", 1)...)).until(0)
			p.ask(ok)
			n := 0
			p.probe = func(int) failover.Outcome { // out at 60 s; 62 passes, 64 fails, 66 and 68 pass
				if n++; n == 2 || n > 3 {
					return ok
				}
				return refused
			}
			p.until(70 * s)
			return strings.Join(p.told, ", ")
		}, "1 out@1m0s, 1 in@1m8s"},
		{"without any traffic checks come each no_traffic_interval (60 s)", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check()...)).until(130 * s)
			return strings.Join(p.probes, " ")
		}, "1@0s 1@1m0s 1@2m0s"},
		{"traffic is noticed when the next interval is armed, not before", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check()...)).until(s)
			p.ask(ok)
			p.until(64 * s)
			return strings.Join(p.probes, " ")
		}, "1@0s 1@1m0s 1@1m2s 1@1m4s"},
		{"no_traffic_healthy_interval is for hosts that are well", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), check("probe.intervals.idle", 10*s, "health_checks[0].no_traffic_healthy_interval", 25*s)...))
			p.probe = func(m int) failover.Outcome { return []failover.Outcome{ok, refused}[m-1] }
			p.until(26 * s)
			return strings.Join(p.probes, " ")
		}, "1@0s 2@0s 2@10s 2@20s 1@25s"},
		{"edge intervals hold while a change is pending, unhealthy_interval after failures", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check("health_checks[0].unhealthy_edge_interval", s, "probe.intervals.down", 7*s, "health_checks[0].healthy_edge_interval", 3*s)...)).until(0)
			p.ask(ok)
			p.probe = func(int) failover.Outcome { return refused }
			p.until(69 * s) // 60, 61, 62: out; 69
			p.probe = func(int) failover.Outcome { return ok }
			p.until(82 * s) // 76: pending; 79: in; 81
			return strings.Join(p.probes[1:], " ") + ", " + strings.Join(p.told, ", ")
		}, "1@1m0s 1@1m1s 1@1m2s 1@1m9s 1@1m16s 1@1m19s 1@1m21s, 1 out@1m2s, 1 in@1m19s"},
		{"a threshold of 0 is never met", func(t *testing.T) string {
			c := enginetest.Pool(hosts(1), "probe.protocol", "tcp", "probe.interval", 2*s, "probe.timeout", s, "probe.rise", 2, "health_checks[0].unhealthy_threshold", 0)
			p := start(t, "1.33", c).until(0)
			p.ask(ok)
			p.probe = func(int) failover.Outcome { return refused }
			return p.until(600 * s).states()
		}, "in"},
		{"disable_active_health_check: no checks, and healthy", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"unchecked", ""}, check()...)).until(s)
			return strings.Join(p.probes, " ") + ", " + p.states()
		}, "2@0s, in in"},
		{"jitter only adds", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), check("health_checks[0].interval_jitter", s, "health_checks[0].interval_jitter_percent", 50)...)).until(0)
			p.ask(ok)
			p.until(300 * s)
			low, high := 10*s, 0*s
			var times []string = p.probes[1:]
			for i := range len(times) - 1 {
				d := at(times[i+1]) - at(times[i])
				low, high = min(low, d), max(high, d)
			}
			return fmt.Sprint(low >= 2*s, high <= 4*s, high-low > s)
		}, "true true true"},

		// priorities and panic
		{"P0 gives up traffic once fewer than 71.43 % are healthy: 50 % keeps 70 %, P1 takes 30 %", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"", "", "priority=1"}, eject()...)).hit(1, enginetest.Status(500), 5)
			return fmt.Sprint(p.levels[0].load, p.levels[1].load)
		}, "70 30"},
		{"5 of 7 healthy (71.43 %) is full health", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"", "", "", "", "", "", "", "priority=1"}, eject()...)).hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5)
			before := fmt.Sprint(p.levels[0].load)
			p.hit(3, enginetest.Status(500), 5) // 4 of 7: 140*4/7 = 80
			return before + " " + fmt.Sprint(p.levels[0].load, p.levels[1].load)
		}, "100 80 20"},
		{"health below 100 altogether is scaled up; what rounding leaves goes to the first", func(t *testing.T) string {
			// P0 1 of 4: 35, P1 1 of 4: 35; total 70: 50 and 50
			p := start(t, "1.33", enginetest.Pool([]string{"", "drain", "drain", "drain", "priority=1", "priority=1 drain", "priority=1 drain", "priority=1 drain"}, "onAllOut.panicBelow", 0))
			// P0 1 of 3: 46, P1 1 of 4: 35; total 81: 56 and 43, and 1 over
			q := start(t, "1.33", enginetest.Pool([]string{"", "drain", "drain", "priority=1", "priority=1 drain", "priority=1 drain", "priority=1 drain"}, "onAllOut.panicBelow", 0))
			return fmt.Sprint(p.levels[0].load, p.levels[1].load, q.levels[0].load, q.levels[1].load)
		}, "50 50 57 43"},
		{"panic starts below 50 % healthy, raw: at 50 % there is none", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(4), eject()...)).hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5)
			two := fmt.Sprint(p.levels[0].panic, p.shares(8)[1:])
			return two + " " + fmt.Sprint(p.hit(3, enginetest.Status(500), 5).levels[0].panic, p.shares(8)[1:])
		}, "false [0 0 4 4] true [2 2 2 2]"},
		{"no panic while the priorities together are at 100 %, however few are healthy in one", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"", "", "", "", "", "priority=1"}, eject()...))
			for i := range 4 {
				p.hit(i+1, enginetest.Status(500), 5)
			}
			return fmt.Sprint(p.levels[0].panic, p.levels[0].load, p.levels[1].load)
		}, "false 28 72"},
		{"all priorities in panic: by their number of hosts, healthy or not", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"drain", "drain", "drain", "priority=1 drain"}))
			return fmt.Sprint(p.levels[0].load, p.levels[1].load, p.levels[0].panic, p.levels[1].panic)
		}, "75 25 true true"},
		{"fail_traffic_on_panic: 503 instead", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(4), eject("common_lb_config.zone_aware_lb_config.fail_traffic_on_panic", true)...))
			p.hit(1, enginetest.Status(500), 5).hit(2, enginetest.Status(500), 5).hit(3, enginetest.Status(500), 5)
			return fmt.Sprint(p.shares(4))
		}, "[4 0 0 0 0]"},
		{"threshold 0 disables panic: with nobody left, 503 no healthy upstream", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("onAllOut.panicBelow", 0)...))
			one := p.hit(1, enginetest.Status(500), 5).ask(ok)
			return one + ", " + p.hit(2, enginetest.Status(500), 5).ask(ok)
		}, "2 pass, 503"},
		{"weighted_priority_health counts weights instead of hosts", func(t *testing.T) string {
			c := enginetest.Pool([]string{"weight=3", "weight=1", "priority=1"}, eject("load_assignment.policy.weighted_priority_health", true)...)
			p := start(t, "1.33", c).hit(1, enginetest.Status(500), 5)
			return fmt.Sprint(p.levels[0].load, p.levels[1].load)
		}, "35 65"},
		{"overprovisioning_factor 100: one of two healthy keeps half", func(t *testing.T) string {
			c := enginetest.Pool([]string{"", "", "priority=1"}, eject("load_assignment.policy.overprovisioning_factor", 100)...)
			p := start(t, "1.33", c).hit(1, enginetest.Status(500), 5)
			return fmt.Sprint(p.levels[0].load, p.levels[1].load)
		}, "50 50"},

		// balancing
		{"equal weights: plain round robin", func(t *testing.T) string {
			return fmt.Sprint(start(t, "1.33", enginetest.Pool(hosts(3))).shares(9)[1:])
		}, "[3 3 3]"},
		{"unequal weights: earliest deadline first, in proportion", func(t *testing.T) string {
			return fmt.Sprint(start(t, "1.33", enginetest.Pool([]string{"weight=3", "weight=2", "weight=1"})).shares(600)[1:])
		}, "[300 200 100]"},
		{"the scheduler interleaves: 2 and 1 give 1, 1 or 2, ...", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"weight=2", "weight=1"}))
			var b strings.Builder
			for range 6 {
				b.WriteString(p.ask(ok)[:1])
			}
			return b.String()
		}, "121121"},
		{"random ignores weights", func(t *testing.T) string {
			got := start(t, "1.33", enginetest.Pool([]string{"weight=9", "weight=1"}, "lb_policy", "RANDOM")).shares(10000)
			return fmt.Sprint(got[1] > 4750 && got[1] < 5250)
		}, "true"},
		{"least request takes the less busy of two at random", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), "lb_policy", "LEAST_REQUEST"))
			p.hosts[0].active = 5
			got := p.shares(10000) // both draws hit the busy one in a quarter
			return fmt.Sprint(got[1] > 2250 && got[1] < 2750)
		}, "true"},
		{"least request with unequal weights: weight / (active + 1)", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool([]string{"weight=2", "weight=1"}, "lb_policy", "LEAST_REQUEST"))
			idle := fmt.Sprint(p.shares(300)[1:])
			p.hosts[0].active = 3 // 2/4 against 1
			p.refresh(0)
			return idle + " " + fmt.Sprint(p.shares(300)[1:])
		}, "[200 100] [100 200]"},

		// slow start
		{"after a return by checks the weight grows by time, from 10 %; the state says so until the window is over", func(t *testing.T) string {
			p := slow(t)
			at1 := p.until(75 * s).shares(1100) // 1 s of 60: 10 %
			a := p.State(0)
			at2 := p.until(104 * s).shares(1500) // 30 s of 60: 50 %
			p.until(134 * s)
			half := at2[1] >= 495 && at2[1] <= 505 // turns that were planned at 10 % come first
			return fmt.Sprint(at1[1:], a, half, p.State(0), p.shares(10)[1:])
		}, "[100 1000] ramping true in [5 5]"},
		{"a return from ejection does not start slowly", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(2), eject("ramp.window", 60*s)...)).hit(1, enginetest.Status(500), 5).until(30 * s)
			return p.states() + " " + fmt.Sprint(p.shares(10)[1:])
		}, "in in [5 5]"},

		// retries
		{"no retry without retry_on", func(t *testing.T) string {
			return start(t, "1.33", enginetest.Pool(hosts(2), "retry.attempts", 3)).ask(refused, 1, 2)[2:]
		}, "503"},
		{"num_retries is 1 by default", func(t *testing.T) string {
			return fmt.Sprint(len(strings.Fields(start(t, "1.33", enginetest.Pool(hosts(3), "retry.on", []string{"5xx"})).ask(enginetest.Status(500), 1, 2, 3))))
		}, "3"},
		{"5xx retries answers, resets, refused connections and per-try time-outs", func(t *testing.T) string {
			return tries(t, []string{"5xx"})
		}, "500:2 502:2 refused:2 reset:2 timeout:2 409:1"},
		{"gateway-error retries 502, 503 and 504 and resets, not 500", func(t *testing.T) string {
			return tries(t, []string{"gateway-error"})
		}, "500:1 502:2 refused:2 reset:2 timeout:2 409:1"},
		{"connect-failure retries connections only", func(t *testing.T) string {
			return tries(t, []string{"connect-failure"})
		}, "500:1 502:1 refused:2 reset:1 timeout:1 409:1"},
		{"retriable-4xx is 409, retriable-status-codes are listed", func(t *testing.T) string {
			return tries(t, []string{"retriable-4xx", "retriable-status-codes"}, "retry_policy.retriable_status_codes", []string{"500"})
		}, "500:2 502:1 refused:1 reset:1 timeout:1 409:2"},
		{"the method does not matter", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), "retry.on", []string{"5xx"}))
			var r failover.Request
			r.Reset()
			r.Unsafe = true
			return p.follow(&r, enginetest.Status(500), 1)
		}, "1 1 pass"},
		{"without a host predicate a retry may go to the same host", func(t *testing.T) string {
			return start(t, "1.33", enginetest.Pool(hosts(1), "retry.on", []string{"5xx"}, "retry.attempts", 2)).ask(refused, 1)
		}, "1 1 1 503"},
		{"back-off: at random below 25 ms, then below 50 ms, ... and never above 250 ms", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), "retry.on", []string{"5xx"}, "retry.attempts", 20))
			top := [...]int64{25, 50, 100, 200, 250, 250}
			var r failover.Request
			for range 500 {
				r.Reset()
				p.now = 0
				d := p.Pick(0, &r)
				for _, most := range top {
					if d = p.Report(0, &r, refused); d.Action != failover.Wait || d.At.Milliseconds() >= most {
						return fmt.Sprint("above ", most, ": ", d)
					}
					r.Own.At = 0
					d = p.Pick(d.At, &r)
				}
				p.Report(0, &r, ok)
			}
			return "held"
		}, "held"},
		{"at most 3 retries at once in a cluster by default", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), "retry.on", []string{"5xx"}))
			var b strings.Builder
			for range 5 {
				r := new(failover.Request)
				r.Reset()
				p.Pick(0, r)
				if p.Report(0, r, refused).Action == failover.Wait {
					b.WriteString("wait ")
				} else {
					b.WriteString("503 ")
				}
			}
			return strings.TrimSpace(b.String())
		}, "wait wait wait 503 503"},
		{"the route's timeout (15 s) is over all tries: 504", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1), "retry.on", []string{"5xx"}, "retry.perTry", 10*s, "retry.attempts", 5))
			var r failover.Request
			r.Reset()
			p.Pick(0, &r)
			first := p.Report(10*s, &r, hung)
			p.Pick(first.At, &r)
			second := p.Report(20*s, &r, hung)
			return fmt.Sprint(p.Info().Limits.Response, first.Action == failover.Wait, second.Action == failover.Answer, second.Status)
		}, "10s true true 504"},
		{"a time-out is 504, a failed connection or a reset 503", func(t *testing.T) string {
			p := start(t, "1.33", enginetest.Pool(hosts(1)))
			return p.ask(hung, 1) + ", " + p.ask(refused, 1) + ", " + p.ask(reset, 1)
		}, "1 504, 1 503, 1 503"},

		// restart
		{"a start forgets ejections; the first round of checks finds who is dead", func(t *testing.T) string {
			c := enginetest.Pool(hosts(2), append(eject(), check()...)...)
			p := start(t, "1.33", c).hit(2, enginetest.Status(500), 5)
			q := start(t, "1.33", c)
			q.probe = func(m int) failover.Outcome { return []failover.Outcome{refused, ok}[m-1] }
			return p.states() + ", " + q.until(0).states()
		}, "in cooling, out in"},
	} {
		t.Run(c.says, func(t *testing.T) {
			if got := c.run(t); got != c.want {
				t.Errorf("%s\n\tgives %s\n\tnot   %s", c.says, got, c.want)
			}
		})
	}
}

// slow returns two hosts with a slow start of 60 s, the first of which has come back at 1m14s.
func slow(t *testing.T) *play {
	p := start(t, "1.33", enginetest.Pool(hosts(2), check("ramp.window", 60*s, "probe.fall", 1, "probe.interval", 2*s)...)).until(0)
	p.ask(ok)
	p.probe = func(m int) failover.Outcome { return []failover.Outcome{refused, ok}[m-1] }
	p.until(70 * s)
	p.probe = func(int) failover.Outcome { return ok }
	p.until(74 * s)
	if got := strings.Join(p.told, ", "); got != "1 out@1m0s, 1 ramping@1m14s" {
		t.Fatal(got)
	}
	return p
}

// tries tells how many attempts each kind of failure leads to.
func tries(t *testing.T, on []string, more ...any) string {
	var b []string
	for _, c := range []struct {
		name string
		o    failover.Outcome
	}{{"500", enginetest.Status(500)}, {"502", enginetest.Status(502)}, {"refused", refused}, {"reset", reset}, {"timeout", hung}, {"409", enginetest.Status(409)}} {
		p := start(t, "1.33", enginetest.Pool(hosts(1), append([]any{"retry.on", on}, more...)...))
		b = append(b, fmt.Sprintf("%s:%d", c.name, len(strings.Fields(p.ask(c.o, 1)))-1))
	}
	return strings.Join(b, " ")
}

// TestNamesOfPolicies: the policy stands in lb_policy, or in load_balancing_policy, which wins.
func TestNamesOfPolicies(t *testing.T) {
	for _, c := range []struct {
		settings []any
		want     algorithm
		assumed  int
	}{
		{nil, roundRobin, 0},
		{[]any{"lb_policy", "LEAST_REQUEST"}, leastRequest, 0},
		{[]any{"lb_policy", "ROUND_ROBIN", "load_balancing_policy", []string{"least_request", "round_robin"}}, leastRequest, 0},
		{[]any{"balance", "random"}, random, 0},
		{[]any{"lb_policy", "RING_HASH"}, random, 1},
		{[]any{"lb_policy", "CLUSTER_PROVIDED"}, roundRobin, 1},
	} {
		p := start(t, "1.33", enginetest.Pool(hosts(2), c.settings...))
		if p.balance != c.want || len(p.Info().Assumed) != c.assumed {
			t.Errorf("%v: %v, %v", c.settings, p.balance, p.Info().Assumed)
		}
	}
	if !slices.Equal(start(t, "", enginetest.Pool(hosts(1))).Info().Members, []string{"10.0.0.1:80"}) {
		t.Error("the members have other names")
	}
}
