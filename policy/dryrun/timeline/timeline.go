// Package timeline plays one known day of three endpoints behind a common link, which shows what a filter of slow
// endpoints does to a pool that is well: one endpoint after the other goes out as the load moves to the rest, and nobody is
// left when the link is well again. It is played four times, with requests that are refused and requests that pass while
// all are out, each with blocks of 30 s and of 60 s; the difference is what refusing wastes.
package timeline

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/app/native"
)

// Name is the scenario's name.
const Name = "three-endpoints"

// Well is since when the link is well again.
const Well = 35 * time.Second

//go:embed pool.yaml
var pool string

//go:embed scenario.yaml
var scenario []byte

// Play is the day under one choice of settings.
type Play struct {
	// AllOut is what becomes of requests while all endpoints are out: "pass" or "reject".
	AllOut string
	// TTL is how long a block lasts.
	TTL time.Duration
	// Copy is the pool that was played.
	Copy    *schema.Copy
	Summary *dryrun.Summary
	// Gone is when each endpoint went out first, in order; Last is since when none was left, and Back when the first of
	// them was in again.
	Gone       []time.Duration
	Last, Back time.Duration
	// Refused is how many requests were refused, and Wasted how many seconds' worth of traffic after the link was well.
	Refused uint64
	Wasted  time.Duration
}

// Variants are the choices of settings in the order in which they are played.
func Variants() []Play {
	var list []Play
	for _, ttl := range []time.Duration{30 * time.Second, 60 * time.Second} {
		for _, allOut := range []string{"reject", "pass"} {
			list = append(list, Play{AllOut: allOut, TTL: ttl})
		}
	}
	return list
}

// Pool returns the text of the pool under a choice of settings: a native pool file.
func Pool(allOut string, ttl time.Duration) []byte {
	return []byte(strings.NewReplacer("TTL", schema.FormatDuration(ttl), "ALLOUT", allOut).Replace(pool))
}

// Scenario returns the text of the scenario: a file that can be kept and changed.
func Scenario() []byte { return scenario }

// Run plays the day under all choices. Nothing in it is left to chance, so one seed is enough.
func Run() ([]Play, error) {
	list := Variants()
	for i := range list {
		if err := list[i].run(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (p *Play) run() error {
	read := native.Adapter().Read(sources.Input{Path: "pool.yaml", Data: Pool(p.AllOut, p.TTL), Source: &schema.Source{Side: schema.Gateway}})
	if len(read.Copies) != 1 {
		return fmt.Errorf("reading the pool of %s: %d copies", Name, len(read.Copies))
	}
	p.Copy = &read.Copies[0]
	s, problems, ok := dryrun.Read(Name+".yaml", scenario)
	if !ok {
		return fmt.Errorf("reading the scenario of %s: %s", Name, problems[0].Text.En)
	}
	var err error
	if p.Summary, err = dryrun.RunSeeds(s, dryrun.Options{Copy: p.Copy, Seed: 1}, 1); err != nil {
		return fmt.Errorf("playing %s: %w", Name, err)
	}
	p.look(p.Summary.First)
	return nil
}

// look reads the figures off a run.
func (p *Play) look(r *dryrun.Result) {
	p.Refused, p.Wasted = r.Metrics.Refused, r.Metrics.RefusedAfterWell
	p.Back = r.Duration
	for i := range r.Members {
		for k, span := range r.Members[i].States {
			switch {
			case span.State.Gone() && len(p.Gone) == i:
				p.Gone = append(p.Gone, span.From)
				p.Last = max(p.Last, span.From)
			case !span.State.Gone() && k > 0:
				p.Back = min(p.Back, span.From)
			}
		}
	}
}

// Words says what the day showed under these settings.
func (p *Play) Words() schema.Text {
	var gone []string
	for _, at := range p.Gone {
		gone = append(gone, schema.FormatDuration(at.Round(100*time.Millisecond)))
	}
	shown := func(d time.Duration) string { return schema.FormatDuration(d.Round(100 * time.Millisecond)) }
	out := strings.Join(gone, ", ")
	if p.AllOut == "pass" {
		return schema.Textf("the endpoints go out at %s; from %s nobody is left, and requests pass all the same: 0s of the link's good time are refused",
			"各端点在 %s 被摘除；自 %s 起无人可用，但请求照常放行：链路恢复后被拒绝的时间为 0s", out, shown(p.Last))
	}
	return schema.Textf("the endpoints go out at %s; from %s to %s nobody is left and requests are refused, though the link has been well since %s: blocks of %s waste %s of good time",
		"各端点在 %s 被摘除；自 %s 至 %s 无人可用，请求被拒绝，而链路自 %s 起已恢复：%s 的屏蔽浪费了 %s 的正常时间",
		out, shown(p.Last), shown(p.Back), shown(Well), shown(p.TTL), shown(p.Wasted))
}
