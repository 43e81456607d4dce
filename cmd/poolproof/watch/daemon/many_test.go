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

// TestTenThousandAtOnce: ten thousand drifts that begin together, and end together, are few messages for each kind of
// sink, and Alertmanager is told of them again in bounded requests.
func TestTenThousandAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, `alerts:
  stdout: {}
  webhook: {url: "http://hook/"}
  alertmanager: {url: "http://am"}
  slack: {urlFile: "env:POOLPROOF_SLACK"}
  feishu: {urlFile: "env:POOLPROOF_FEISHU"}
  dingtalk: {urlFile: "env:POOLPROOF_DINGTALK"}
  wecom: {urlFile: "env:POOLPROOF_WECOM"}
`)
		var wrong atomic.Bool
		const pools, each = 20, 500
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
		most := map[string]int{"hook": 20, "am": 10, "slack": 1, "feishu": 1, "dingtalk": 1, "wecom": 1}
		for round, word := range []string{"drift: 10000", "resolved: 10000"} {
			wrong.Store(round == 0)
			w.change(change)
			w.pass(5 * time.Second)
			for host, limit := range most {
				requests := w.net.of(host)
				if len(requests) != limit*(round+1) {
					t.Errorf("%s: %d requests, want %d", host, len(requests), limit*(round+1))
					continue
				}
				requests = requests[limit*round:]
				if limit == 1 && !bytes.Contains(requests[0].body, []byte(word)) {
					t.Errorf("%s does not say %q: %.200s", host, word, requests[0].body)
				}
			}
			if lines := bytes.Count(w.net.stdout.Bytes(), []byte("\n")); lines != 10_000*(round+1) {
				t.Errorf("%d lines on standard output", lines)
			}
			if n := len(w.net.alerts("hook")); n != 10_000*(round+1) {
				t.Errorf("the webhook was told %d", n)
			}
			if got, want := len(w.shot().Drifts), 10_000*(1-round); got != want {
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

// TestManyAreToldAgain: drift that lasts is told to Alertmanager again and again, a thousand a request.
func TestManyAreToldAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  alertmanager: {url: \"http://am\"}\n")
		w.options.RuleNames = nil
		w.options.Rules = []rules.Rule{{ID: "test/many", Severity: schema.Error, Pool: func(p *rules.Pool, r *rules.Reporter) {
			for i := range 834 { // in each of three pools
				r.Hit(rules.Hit{Copy: p.Copies[0].Copy, Item: schema.Members, Member: fmt.Sprintf("10.0.%d.%d:80", i/250, i%250), Text: schema.Textf("it drifts", "漂移")})
			}
		}}}
		w.begin()
		w.pass(4*time.Minute + 30*time.Second)
		if n := len(w.net.of("am")); n != 3*(1+4) {
			t.Errorf("%d requests", n)
		}
	})
}
