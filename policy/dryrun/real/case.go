//go:build linux

package real

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/engines"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/all"
)

// Case is a scenario folder, with all addresses moved to a place of its own.
type Case struct {
	Name     string
	Scenario *dryrun.Scenario
	Copy     *schema.Copy
	Config   string // the text of haproxy.cfg or nginx.conf
	HAProxy  bool

	place place
	path  string // of the program
}

// dialect is a program's file and the profile of the version that Debian 12 ships.
type dialect struct{ adapter, file, profile string }

var dialects = [...]dialect{{"haproxy", "haproxy.cfg", "haproxy-2.6"}, {"nginx", "nginx.conf", "nginx-1.22"}}

// Load reads a scenario folder and finds its program and a place to play.
func Load(dir string) (*Case, error) {
	p, err := findPlace()
	if err != nil {
		return nil, err
	}
	c := &Case{Name: filepath.Base(dir), place: p}
	files, _ := filepath.Glob(filepath.Join(dir, "scenario.*"))
	if len(files) != 1 {
		return nil, fmt.Errorf("%s holds %d scenarios", dir, len(files))
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, fmt.Errorf("reading the scenario: %w", err)
	}
	s, problems, ok := dryrun.Read(filepath.Base(files[0]), []byte(p.of(string(text))))
	if !ok {
		return nil, fmt.Errorf("%s: %v", files[0], problems)
	}
	c.Scenario = s
	for _, d := range dialects {
		config, err := os.ReadFile(filepath.Join(dir, d.file))
		if err != nil {
			continue
		}
		c.Config, c.HAProxy = p.of(string(config)), d.adapter == "haproxy"
		if c.path, err = Find(d.adapter); err != nil {
			return nil, err
		}
		if c.Copy = d.read(c.Config, s.Pool); c.Copy != nil {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s holds no configuration of pool %q", dir, s.Pool)
}

// read returns the copy of a pool in a configuration, nil if there is none.
func (d dialect) read(config, pool string) *schema.Copy {
	for _, a := range all.Adapters() {
		if a.Name != d.adapter {
			continue
		}
		r := a.Read(sources.Input{Path: d.file, Data: []byte(config), Source: &schema.Source{Side: schema.Gateway, Profile: d.profile}})
		for i := range r.Copies {
			if r.Copies[i].Pool == pool || pool == "" {
				return &r.Copies[i]
			}
		}
	}
	return nil
}

// seeds is how many dry-runs make a prediction: what differs between them is left to chance.
const seeds = 24

// predict plays the case in the dry-run, with other things to be measured instead of its expectations. NGINX's clock is
// where the wall clock stood in the play that was seen. HAProxy began its checks somewhere between its start and t = 0,
// so that the dry-runs begin them all over that time.
func (c *Case) predict(seen *Observed, expect []dryrun.Expect) ([]*dryrun.Result, error) {
	list := make([]*dryrun.Result, seeds)
	for i := range list {
		s := *c.Scenario
		s.Expect = expect
		if c.HAProxy {
			// Whole gaps, so that requests come when they came.
			gap := time.Duration(1e9 / s.Traffic.RPS)
			s.Warm = (seen.Startup * time.Duration(i) / seeds).Truncate(gap)
			s.Events = early(s.Events, s.Warm)
		}
		o := dryrun.Options{Copy: c.Copy, Seed: uint64(i + 1)}
		o.Build = func(c *schema.Copy, o failover.Options) (failover.Engine, error) {
			o.Phase = seen.Phase
			return engines.New(c, o)
		}
		r, err := dryrun.Run(&s, o)
		if err != nil {
			return nil, err
		}
		list[i] = r
	}
	return list, nil
}

// early puts faults that are there at the start into force before it, and lets reloads take as long as the start.
func early(events []dryrun.Event, by time.Duration) []dryrun.Event {
	events = slices.Clone(events)
	for i := range events {
		e := &events[i]
		if e.Reload {
			e.At += by
		}
		if e.At == 0 && e.Fault != nil {
			if e.At = -by; e.For > 0 {
				e.For += by
			}
		}
	}
	return events
}
