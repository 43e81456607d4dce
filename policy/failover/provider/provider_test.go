package provider_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/provider"
	"github.com/poolproof/poolproof/schema"
	"pgregory.net/rapid"
)

const s = time.Second

// fit is a deployment that suits every request of these tests.
func fit(name string, tier int64) provider.Deployment {
	return provider.Deployment{Provider: name, Model: "m", Tier: tier, ContextWindow: 128_000, Features: []string{"tools", "structured-output"}, Listed: true, Permission: true, Quota: true}
}

func start(t testing.TB, list []provider.Deployment, capabilities ...string) *provider.Router {
	t.Helper()
	r, err := provider.New(provider.Config{Deployments: list, Capabilities: capabilities, Breaker: func(provider.Domain) (breaker.Breaker, error) {
		return threestate.New(threestate.Config{Trip: verdict.Consecutive(2)})
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func need(t testing.TB, r *provider.Router, tokens int, capability string, features ...string) provider.Need {
	t.Helper()
	n, err := r.Need(tokens, capability, features...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// answer is what a deployment does with a request.
type answer struct {
	status int
	kind   breaker.Kind
}

var broken = answer{0, breaker.Connect}

// play sends one call; answers are by deployment. It returns who was asked, and the last step.
func play(r *provider.Router, now time.Duration, n provider.Need, answers ...answer) (asked []int, last provider.Step) {
	var c provider.Call
	last = r.Begin(now, &c, n)
	for last.Action == provider.Ask {
		asked = append(asked, last.Deployment)
		a := answers[last.Deployment]
		last = r.Result(now, &c, a.status, a.kind, time.Millisecond)
	}
	return asked, last
}

// TestEligibility: a fallback has to be known to suit, the first choice must only not be known not to.
func TestEligibility(t *testing.T) {
	but := func(change func(*provider.Deployment)) provider.Deployment {
		d := fit("b", 1)
		change(&d)
		return d
	}
	for name, c := range map[string]struct {
		deployment provider.Deployment
		tokens     int
		features   []string
		want       provider.Reason
	}{
		"it suits":                          {fit("b", 1), 100_000, []string{"tools"}, provider.Fits},
		"just as many tokens":               {fit("b", 1), 128_000, nil, provider.Fits},
		"one token too many":                {fit("b", 1), 128_001, nil, provider.WindowTooSmall},
		"window not said":                   {but(func(d *provider.Deployment) { d.ContextWindow = 0 }), 10, nil, provider.WindowUnknown},
		"window not said, tokens not known": {but(func(d *provider.Deployment) { d.ContextWindow = 0 }), 0, nil, provider.Fits},
		"no vision":                         {fit("b", 1), 10, []string{"vision"}, provider.FeatureMissing},
		"a feature that nobody has":         {fit("b", 1), 10, []string{"telepathy"}, provider.FeatureMissing},
		"features not listed":               {but(func(d *provider.Deployment) { d.Features, d.Listed = nil, false }), 10, []string{"tools"}, provider.FeatureMissing},
		"permission not verified":           {but(func(d *provider.Deployment) { d.Permission = false }), 10, nil, provider.PermissionUnverified},
		"quota not verified":                {but(func(d *provider.Deployment) { d.Quota = false }), 10, nil, provider.QuotaUnverified},
		"the first choice need not be verified": {but(func(d *provider.Deployment) {
			*d = provider.Deployment{Provider: "b", Model: "m"}
		}), 10, []string{"tools"}, provider.Fits},
		"the first choice that is known to be too small": {but(func(d *provider.Deployment) { d.Tier = 0 }), 200_000, nil, provider.WindowTooSmall},
		"the first choice that lists no vision":          {but(func(d *provider.Deployment) { d.Tier = 0 }), 10, []string{"vision"}, provider.FeatureMissing},
	} {
		t.Run(name, func(t *testing.T) {
			seen := fit("a", 0)
			seen.Features = append(seen.Features, "vision")
			r := start(t, []provider.Deployment{seen, c.deployment})
			n := need(t, r, c.tokens, "", c.features...)
			if got := r.Fits(1, n); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			asked, _ := play(r, 0, n, broken, broken)
			if slices.Contains(asked, 1) != (c.want == provider.Fits) {
				t.Errorf("asked %v, and it %s", asked, c.want)
			}
		})
	}
}

// Test503OnlyAfterAll: a deployment whose breaker is open is not one that was tried.
func Test503OnlyAfterAll(t *testing.T) {
	list := []provider.Deployment{fit("a", 0), fit("b", 1), fit("c", 2)}
	r := start(t, list)
	n := need(t, r, 10, "")
	for range 2 { // two failures each: all three are condemned
		if asked, last := play(r, 0, n, broken, broken, broken); !slices.Equal(asked, []int{0, 1, 2}) || last.Action != provider.Answer || last.Status != 503 {
			t.Fatalf("asked %v, %+v", asked, last)
		}
	}
	for i := range list {
		if r.Breaker(i, n).State(s) != breaker.Open {
			t.Fatalf("%d is not open", i)
		}
	}
	if asked, last := play(r, s, n, broken, broken, broken); !slices.Equal(asked, []int{0, 1, 2}) || last.Status != 503 {
		t.Errorf("all condemned: asked %v, %+v: want all of them asked before 503", asked, last)
	}
	asked, last := play(r, s, n, broken, broken, answer{200, breaker.Answered})
	if !slices.Equal(asked, []int{0, 1, 2}) || last.Action != provider.Pass || last.Deployment != 2 {
		t.Errorf("the last one is well: asked %v, %+v", asked, last)
	}
	if r.Breaker(2, n).State(s) != breaker.Open {
		t.Error("an answer that the breaker did not admit closed it")
	}
}

// TestPermittedFirst: what statistics condemned comes last, and fallbacks before it.
func TestPermittedFirst(t *testing.T) {
	r := start(t, []provider.Deployment{fit("a", 0), fit("b", 1)})
	n := need(t, r, 10, "")
	ok := answer{200, breaker.Answered}
	for range 2 {
		play(r, 0, n, broken, ok)
	}
	if asked, last := play(r, s, n, ok, ok); !slices.Equal(asked, []int{1}) || last.Action != provider.Pass {
		t.Errorf("asked %v, %+v, want the fallback alone", asked, last)
	}
	if asked, last := play(r, s, n, ok, broken); !slices.Equal(asked, []int{1, 0}) || last.Action != provider.Pass || last.Deployment != 0 {
		t.Errorf("asked %v, %+v, want the condemned one after the fallback", asked, last)
	}
}

// TestClasses: the caller's own mistakes, missing rights and spent quotas count towards no verdict.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		answer answer
		moves  bool
		counts bool
		status int // of the answer where both say the same; 0: it is passed on
	}{
		{answer{400, breaker.Answered}, false, false, 0},
		{answer{404, breaker.Answered}, false, false, 0},
		{answer{422, breaker.Answered}, false, false, 0},
		{answer{401, breaker.Answered}, true, false, 401},
		{answer{403, breaker.Answered}, true, false, 403},
		{answer{429, breaker.Answered}, true, false, 429},
		{answer{408, breaker.Answered}, true, false, 408},
		{answer{500, breaker.Answered}, true, true, 503},
		{answer{529, breaker.Answered}, true, true, 503},
		{answer{0, breaker.Timeout}, true, true, 503},
		{answer{0, breaker.Connect}, true, true, 503},
		{answer{0, breaker.Reset}, true, true, 503},
	} {
		t.Run(fmt.Sprintf("%d %s", c.answer.status, c.answer.kind), func(t *testing.T) {
			r := start(t, []provider.Deployment{fit("a", 0), fit("b", 1)})
			n := need(t, r, 10, "")
			asked, last := play(r, 0, n, c.answer, c.answer)
			if (len(asked) == 2) != c.moves {
				t.Errorf("asked %v", asked)
			}
			if c.status == 0 && last.Action != provider.Pass || c.status > 0 && (last.Action != provider.Answer || last.Status != c.status) {
				t.Errorf("%+v, want status %d", last, c.status)
			}
			for range 9 {
				play(r, 0, n, c.answer, c.answer)
			}
			if open := r.Breaker(0, n).State(0) == breaker.Open; open != c.counts {
				t.Errorf("after ten of them the breaker is open: %v", open)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	r := start(t, []provider.Deployment{fit("a", 0), fit("b", 1)})
	n := need(t, r, 10, "")
	for range 10 {
		if asked, last := play(r, 0, n, answer{0, breaker.Cancel}, broken); len(asked) != 1 || last.Action != provider.Break {
			t.Fatalf("asked %v, %+v: want nobody else asked", asked, last)
		}
	}
	if r.Breaker(0, n).State(0) != breaker.Closed {
		t.Error("cancellations opened the breaker")
	}
}

// TestStream: a stream moves before its headers and never after.
func TestStream(t *testing.T) {
	r := start(t, []provider.Deployment{fit("a", 0), fit("b", 1)})
	n := need(t, r, 10, "")
	var c provider.Call
	if step := r.Begin(0, &c, n); step.Action != provider.Ask || step.Deployment != 0 {
		t.Fatalf("%+v", step)
	}
	if step := r.Result(s, &c, 0, breaker.Reset, s); step.Action != provider.Ask || step.Deployment != 1 {
		t.Fatalf("it broke before its headers: %+v, want the other one asked", step)
	}
	c.Headers()
	if step := r.Result(2*s, &c, 0, breaker.Reset, s); step.Action != provider.Break {
		t.Errorf("it broke after its headers: %+v", step)
	}
	if c.Asked() != 2 {
		t.Errorf("%d asked", c.Asked())
	}
	r.Begin(3*s, &c, n)
	c.Headers()
	if step := r.Result(4*s, &c, 200, breaker.Answered, s); step.Action != provider.Pass {
		t.Errorf("it went well: %+v", step)
	}
	r.Begin(5*s, &c, n)
	c.Headers()
	if step := r.Result(6*s, &c, 500, breaker.Answered, s); step.Action != provider.Pass {
		t.Errorf("a failure whose headers were passed on stays: %+v", step)
	}
}

// TestDomains: one verdict covers provider, region, model and capability, and nothing else.
func TestDomains(t *testing.T) {
	list := []provider.Deployment{fit("a", 0), fit("a", 0), fit("a", 0), fit("a", 0), fit("b", 0)}
	list[1].Region, list[2].Model = "eu", "n"
	r := start(t, list, "chat", "tools")
	chat, tools := need(t, r, 10, ""), need(t, r, 10, "tools")
	if d := r.Domain(1, tools); d != (provider.Domain{Provider: "a", Region: "eu", Model: "m", Capability: "tools"}) {
		t.Errorf("%+v", d)
	}
	for range 2 {
		b := r.Breaker(0, tools)
		p, err := b.Permit(0)
		if err != nil {
			t.Fatal(err)
		}
		b.Report(0, p, breaker.Result{Class: breaker.Failure})
	}
	for i, want := range []breaker.State{breaker.Open, breaker.Closed, breaker.Closed, breaker.Open, breaker.Closed} {
		if got := r.Breaker(i, tools).State(0); got != want {
			t.Errorf("tools of %d: %v, want %v", i, got, want)
		}
		if r.Breaker(i, chat).State(0) != breaker.Closed {
			t.Errorf("chat of %d is ill by what tools did", i)
		}
	}
	if _, err := r.Need(1, "dance"); !errors.Is(err, provider.ErrUnknownCapability) {
		t.Error(err)
	}
}

func TestNothingFits(t *testing.T) {
	r := start(t, []provider.Deployment{fit("a", 0), fit("b", 1)})
	if asked, last := play(r, 0, need(t, r, 1_000_000, "")); len(asked) != 0 || last.Status != 422 {
		t.Errorf("asked %v, %+v", asked, last)
	}
	if _, err := provider.New(provider.Config{}); !errors.Is(err, provider.ErrNoDeployments) {
		t.Error(err)
	}
	many := fit("a", 0)
	for i := range 65 {
		many.Features = append(many.Features, fmt.Sprint(i))
	}
	if _, err := provider.New(provider.Config{Deployments: []provider.Deployment{many}}); !errors.Is(err, provider.ErrTooLarge) {
		t.Error(err)
	}
}

func TestOf(t *testing.T) {
	field := func(p schema.Path, v schema.Value) schema.Field { return schema.Field{Path: p, Value: v} }
	c := &schema.Copy{Members: []schema.Member{
		{Provider: "x", Model: "big", Extra: []schema.Field{field("region", schema.TextOf("eu")), field("contextWindow", schema.IntOf(9)), field("features", schema.ListOf("tools")),
			field("verified.permission", schema.BoolOf(true)), field("verified.quota", schema.BoolOf(true))}},
		{Provider: "y", Model: "small", Priority: 2, HasPriority: true},
		{Host: "10.0.0.1", Port: 80, Backup: schema.Yes},
		{Provider: "z", Model: "off", State: schema.Disabled},
		{Provider: "z", Model: "none", HasWeight: true},
	}}
	list, at := provider.Of(c)
	if !slices.Equal(at, []int{0, 1, 2}) {
		t.Fatalf("members %v", at)
	}
	want := provider.Deployment{Provider: "x", Region: "eu", Model: "big", ContextWindow: 9, Features: []string{"tools"}, Listed: true, Permission: true, Quota: true}
	if got := list[0]; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v", got)
	}
	if list[1].Tier != 2 || list[1].Listed || list[2].Provider != "10.0.0.1:80" || list[2].Tier <= list[1].Tier {
		t.Errorf("%+v", list[1:])
	}
}

// TestProperties: nobody is asked twice, nobody who does not fit is asked, 503 comes only after all that fit, and nobody
// is asked after the headers.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 80).Draw(t, "deployments")
		list := make([]provider.Deployment, k)
		for i := range list {
			list[i] = fit(fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "provider")), int64(rapid.IntRange(0, 3).Draw(t, "tier")))
			list[i].ContextWindow = rapid.SampledFrom([]int{0, 10, 100}).Draw(t, "window")
			list[i].Quota = rapid.Bool().Draw(t, "quota")
		}
		r, err := provider.New(provider.Config{Deployments: list, Breaker: func(provider.Domain) (breaker.Breaker, error) {
			return threestate.New(threestate.Config{Trip: verdict.Consecutive(1)})
		}})
		if err != nil {
			t.Fatal(err)
		}
		var c provider.Call
		for now := range rapid.IntRange(1, 20).Draw(t, "calls") {
			n, _ := r.Need(rapid.SampledFrom([]int{0, 5, 50}).Draw(t, "tokens"), "")
			asked := map[int]bool{}
			headers, own := false, true
			step := r.Begin(time.Duration(now)*s, &c, n)
			for step.Action == provider.Ask {
				i := step.Deployment
				if asked[i] || r.Fits(i, n) != provider.Fits || headers {
					t.Fatalf("%d is asked: twice %v, fits %v, headers %v", i, asked[i], r.Fits(i, n), headers)
				}
				asked[i] = true
				if headers = rapid.IntRange(0, 9).Draw(t, "headers") == 0; headers {
					c.Headers()
				}
				a := rapid.SampledFrom([]answer{broken, broken, {500, 0}, {429, 0}, {200, 0}, {0, breaker.Cancel}}).Draw(t, "answer")
				own = own && a.status == 429
				step = r.Result(time.Duration(now)*s, &c, a.status, a.kind, time.Millisecond)
			}
			if step.Action != provider.Answer {
				continue
			}
			for i := range list {
				if r.Fits(i, n) == provider.Fits && !asked[i] {
					t.Fatalf("answered with %d although %d fits and was not asked", step.Status, i)
				}
			}
			want := 503
			if len(asked) == 0 {
				want = 422
			} else if own {
				want = 429
			}
			if step.Status != want {
				t.Fatalf("answered with %d, want %d", step.Status, want)
			}
		}
	})
}

func TestConcurrent(t *testing.T) {
	r := start(t, []provider.Deployment{fit("a", 0), fit("b", 0), fit("c", 1)})
	n := need(t, r, 10, "")
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for i := range 200 {
				answers := []answer{broken, {200, breaker.Answered}, broken}
				if (g+i)%3 == 0 {
					answers[1] = broken
				}
				if asked, last := play(r, time.Duration(i)*s, n, answers...); last.Status == 503 && len(asked) != 3 {
					t.Errorf("503 after %v", asked)
				}
			}
		})
	}
	wg.Wait()
}

func TestNoAllocations(t *testing.T) {
	r := start(t, []provider.Deployment{fit("a", 0), fit("b", 1), fit("c", 2)})
	n := need(t, r, 10, "", "tools")
	var c provider.Call
	now := time.Duration(0)
	if k := testing.AllocsPerRun(1000, func() {
		now += time.Millisecond
		for step := r.Begin(now, &c, n.WithTokens(20)); step.Action == provider.Ask; {
			step = r.Result(now, &c, 503, breaker.Answered, time.Millisecond)
		}
	}); k != 0 {
		t.Errorf("%v allocations a call", k)
	}
}
