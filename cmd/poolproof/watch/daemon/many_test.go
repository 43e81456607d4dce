package daemon

import (
	"bytes"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// TestTenThousandAtOnce: ten thousand drifts that begin together, and end together, are few messages: one for people,
// bounded ones for programs. Alertmanager is told of them again and again while they last. (What each kind of sink makes
// of so many is tested where they are.)
func TestTenThousandAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, `alerts:
  stdout: {}
  webhook: {url: "http://hook/"}
  alertmanager: {url: "http://am"}
  slack: {urlFile: "env:POOLPROOF_SLACK"}
`)
		var wrong atomic.Bool
		const pools, all = 20, 20 * each
		change := files.Change{Paths: map[string]bool{}}
		for i := range pools {
			name := fmt.Sprintf("gw/many%d.cfg", i)
			w.write(name, gateway(fmt.Sprintf("many%d", i), 80))
			change.Paths[name] = true
		}
		w.options.RuleNames = nil
		w.options.Rules = []rules.Rule{{ID: "test/many", Severity: schema.Error, Pool: func(p *rules.Pool, r *rules.Reporter) {
			for i := range each {
				if !wrong.Load() || !strings.HasPrefix(p.Group.Pool, "many") {
					return
				}
				r.Hit(rules.Hit{Copy: p.Copies[0].Copy, Item: schema.Members, Member: fmt.Sprintf("10.%d.%d.1:80", i/250, i%250), Text: schema.Textf("it drifts", "漂移")})
			}
		}}}
		w.begin()
		most := map[string]int{"hook": all / 500, "am": all / 1000, "slack": 1}
		for round, word := range []string{fmt.Sprint("drift: ", all), fmt.Sprint("resolved: ", all)} {
			wrong.Store(round == 0)
			w.change(change)
			w.pass(5 * time.Second)
			for host, limit := range most {
				requests := w.net.of(host)
				if len(requests) != limit*(round+1) {
					t.Errorf("%s: %d requests, want %d", host, len(requests), limit*(round+1))
					continue
				}
				if requests = requests[limit*round:]; limit == 1 && !bytes.Contains(requests[0].body, []byte(word)) {
					t.Errorf("%s does not say %q: %.200s", host, word, requests[0].body)
				}
			}
			if lines := bytes.Count(w.net.stdout.Bytes(), []byte("\n")); lines != all*(round+1) {
				t.Errorf("%d lines on standard output", lines)
			}
			if n := len(w.net.alerts("hook")); n != all*(round+1) {
				t.Errorf("the webhook was told %d", n)
			}
			if again := w.net.of("am"); round == 0 {
				w.pass(time.Minute)
				again = w.net.of("am")[len(again):]
				if len(again) != all/1000 || len(again[0].body) > 1<<20 {
					t.Errorf("told again in %d requests", len(again))
				}
				most["am"] += all / 2000 // which are two rounds then
			}
			if got, want := len(w.shot().Drifts), all*(1-round); got != want {
				t.Errorf("%d drifts shown, want %d", got, want)
			}
		}
		for _, s := range w.shot().Sinks {
			if s.Waiting != 0 || s.Err != nil || s.Dropped != 0 {
				t.Errorf("%+v", s)
			}
		}
	})
}
