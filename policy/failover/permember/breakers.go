package permember

import (
	"cmp"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/adaptive"
	"github.com/poolproof/poolproof/policy/failover/breaker/blacklist"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// buckets is into how many parts a window of time is divided.
const buckets = 10

// readBreakers makes the breakers of that kind.
func (e *Engine) readBreakers(r *setting.Reader, kind string, random *failover.Rand) error {
	switch kind {
	case ThreeState:
		return e.readThreeState(r, random)
	case Adaptive:
		return e.readAdaptive(r, random)
	case Blacklist:
		return e.readBlacklist(r)
	case Resilience4j:
		return e.readResilience4j(r, random)
	}
	return fmt.Errorf("breaker %q: %w", kind, failover.ErrNotBuilt)
}

// told returns what a breaker tells of its changes to.
func (e *Engine) told(i int) func(breaker.Change) {
	m := &e.members[i]
	return func(c breaker.Change) { m.changed, m.until = true, c.Until }
}

func (e *Engine) readThreeState(r *setting.Reader, random *failover.Rand) error {
	cfg := threestate.Config{Cooldown: cooldownOf(r)}
	cfg.Trip, cfg.SlowAfter = ruleOf(r)
	if span := r.Duration("decision.window", 0); span > 0 {
		cfg.Window = window.Rolling(span, buckets)
	} else if _, ok := r.Value("decision.errorRatio"); ok {
		r.Assume(schema.Textf("no decision.window is written: the ratio is that of all results since the breaker last closed", "未写 decision.window：比率按熔断器上次闭合以来的所有结果计算"))
	}
	cfg.Trials.Lease = r.Duration("cooldown.probeLease", 0)
	for i := range e.members {
		source := random.Fork()
		cfg.Random, cfg.OnChange = &source, e.told(i)
		b, err := threestate.New(cfg)
		if err != nil {
			return fmt.Errorf("making the breakers: %w", err)
		}
		e.members[i].breaker = b
	}
	return nil
}

// ruleOf is the rule that trips a three-state breaker: any of those that are written.
func ruleOf(r *setting.Reader) (rule verdict.Rule, slow time.Duration) {
	var rules verdict.Any
	least := max(0, r.Int("decision.minSamples", 0))
	if n := r.Int("decision.consecutive", 0); n > 0 {
		rules = append(rules, verdict.Consecutive(n))
	}
	if v, ok := r.Value("decision.errorRatio"); ok {
		rules = append(rules, verdict.Ratio{AtLeast: v.Number(), MinVolume: least})
	}
	if slow = r.Duration("decision.slow.threshold", 0); slow > 0 {
		rules = append(rules, verdict.SlowCount(max(1, r.Int("decision.slow.confirmations", 1))))
		if r.Duration("decision.slow.dedupe", 0) > 0 {
			r.Assume(schema.Textf("a three-state breaker has no decision.slow.dedupe: every slow call counts", "three-state 没有 decision.slow.dedupe：每次慢调用都计数"))
		}
	}
	switch len(rules) {
	case 0:
		r.Assume(schema.Textf("no decision is written: %d failures in a row open a breaker", "未写 decision：连续 %d 次失败断开", threestate.DefaultConsecutive))
		return verdict.Consecutive(threestate.DefaultConsecutive), slow
	case 1:
		return rules[0], slow
	}
	return rules, slow
}

func cooldownOf(r *setting.Reader) cooldown.Config {
	c := cooldown.Config{Max: r.Duration("cooldown.max", 0), Factor: r.Number("cooldown.growth.factor", 0), Jitter: r.Number("cooldown.jitter", 0)}
	if v, ok := r.Value("cooldown.duration"); ok {
		c.Duration = cmp.Or(setting.AsDuration(v, 0), cooldown.None)
	} else {
		r.Assume(schema.Textf("no cooldown is written: %s", "未写冷却时间：%s", schema.FormatDuration(cooldown.Default)))
	}
	switch r.Text("cooldown.growth.kind", "") {
	case "linear":
		c.Growth = cooldown.Linear
	case "exponential":
		c.Growth = cooldown.Exponential
	case "":
		if c.Factor > 1 { // the short form: growth: 2
			c.Growth = cooldown.Exponential
		}
	}
	if c.Growth == cooldown.Constant {
		c.Factor = 0
	}
	if r.Flag("cooldown.growth.decays") {
		c.Decay = max(time.Second, c.Length(1))
		r.Assume(schema.Textf("growth decays by one step for each %s in service", "每在用 %s，增长回退一级", schema.FormatDuration(c.Decay)))
	}
	return c
}

func (e *Engine) readAdaptive(r *setting.Reader, random *failover.Rand) error {
	cfg := adaptive.Config{Span: r.Duration("decision.window", 0), MinVolume: max(0, r.Int("decision.minSamples", 0))}
	if v, ok := r.Value("decision.errorRatio"); ok {
		// The ratio of errors up to which nothing is dropped; at 1 nothing ever is.
		cfg.Success = max(1-v.Number(), 1e-9)
	}
	e.adaptive, e.always = true, true
	for i := range e.members {
		source := random.Fork()
		cfg.Random = &source
		b, err := adaptive.New(cfg)
		if err != nil {
			return fmt.Errorf("making the breakers: %w", err)
		}
		e.members[i].breaker = b
	}
	return nil
}

func (e *Engine) readBlacklist(r *setting.Reader) error {
	cfg := blacklist.Config{
		Slow: r.Duration("decision.slow.threshold", 0), Dedupe: r.Duration("decision.slow.dedupe", 0),
		Confirmations: r.Int("decision.slow.confirmations", 0), Within: r.Duration("decision.window", 0), TTL: r.Duration("cooldown.duration", 0),
	}
	if v, ok := r.Value("decision.slow.dedupe"); ok && setting.AsDuration(v, 0) == 0 {
		cfg.Dedupe = blacklist.NoDedupe
	}
	for _, p := range []schema.Path{"cooldown.growth.kind", "cooldown.growth.factor", "cooldown.jitter"} {
		if _, ok := r.Value(p); ok {
			r.Assume(schema.Textf("a blacklist has no %s: its blocks last as long as the first", "blacklist 没有 %s：每次屏蔽时长相同", string(p)))
		}
	}
	cfg.OnBlock = func(b blacklist.Block) {
		m := &e.members[b.Endpoint]
		m.changed, m.until = true, b.Until
		m.breaker.(*listed).generation = b.Generation
	}
	list, err := blacklist.New(cfg, len(e.members))
	if err != nil {
		return fmt.Errorf("making the blacklist: %w", err)
	}
	e.always = true
	for i := range e.members {
		e.members[i].breaker = &listed{list: list, endpoint: i}
	}
	return nil
}

// listed is one endpoint of a blacklist. Whether the list steps aside is the engine's affair.
type listed struct {
	list       *blacklist.List
	endpoint   int
	generation uint64
}

func (l *listed) Permit(now time.Duration) (breaker.Permit, error) {
	if l.list.Blocked(now, l.endpoint) {
		return breaker.Permit{}, breaker.ErrBlocked
	}
	return breaker.Permit{Generation: l.generation}, nil
}

func (l *listed) Report(now time.Duration, p breaker.Permit, r breaker.Result) {
	l.list.Report(now, l.endpoint, p, r)
}

func (l *listed) State(now time.Duration) breaker.State {
	if l.list.Blocked(now, l.endpoint) {
		return breaker.Open
	}
	return breaker.Closed
}

// Close ends the block.
func (l *listed) Close(time.Duration) {
	l.list.Clear(l.endpoint)
	l.generation++
}
