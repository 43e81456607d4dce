package dryrun

import (
	"fmt"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// defaultRPS is the load where nobody says one.
const defaultRPS = 100

// baseBudget is how many attempts, timers and events a run may have besides eight for each request.
const baseBudget = 20_000_000

// maxExactCells bounds the counters that the windows of expectations need.
const maxExactCells = 1 << 24

func prepare(s *Scenario, o *Options) (*sim, error) {
	traffic := s.Traffic
	r := &sim{scenario: s, options: o, rand: failover.NewRand(o.Seed), seed: o.Seed, number: map[string]int{}, outSince: unsaid, segment: -1}
	r.phase = time.Duration(r.rand.IntN(int(time.Second)))
	switch {
	case traffic != nil:
	case o.Traffic != nil:
		traffic = o.Traffic
	default:
		traffic = &Traffic{}
	}
	rps := traffic.RPS
	if rps == 0 {
		if o.Traffic != nil && o.Traffic.RPS > 0 {
			rps = o.Traffic.RPS
		} else {
			rps = defaultRPS
			r.assume(schema.Textf("nobody says how much traffic there is: %d requests a second", "未说明流量：按每秒 %d 个请求处理", defaultRPS))
		}
	}
	end := s.end()
	most := o.MaxRequests
	if most == 0 {
		most = DefaultMaxRequests
	}
	switch total := rps * (end + s.Warm).Seconds(); {
	case !(rps > 0) || total < 1e-6:
		return nil, ErrNoTraffic
	case total > float64(most):
		return nil, fmt.Errorf("%.0f requests a second for %s are %.0f, above the limit of %d: %w", rps, schema.FormatDuration(end+s.Warm), total, most, ErrTooLarge)
	case end+s.Warm > maxDuration:
		return nil, fmt.Errorf("it is longer than %s: %w", schema.FormatDuration(maxDuration), ErrTooLarge)
	}
	r.budget = baseBudget + 8*int64(rps*(end+s.Warm).Seconds())
	r.start, r.end = s.Warm, s.Warm+end
	r.traffic(traffic, rps)
	r.queue = newQueue(rps * 2)
	engine, err := r.build(o.Copy)
	if err != nil {
		return nil, err
	}
	r.populate(o.Copy, traffic)
	if o.Head != nil {
		r.populate(o.Head, traffic)
	}
	if cells := (2*len(s.Expect) + 1) * len(r.interfaces) * len(r.members); cells > maxExactCells {
		return nil, fmt.Errorf("%d expectations of %d interfaces and %d members: %w", len(s.Expect), len(r.interfaces), len(r.members), ErrTooLarge)
	}
	r.collector = newCollector(s, end, len(r.interfaces), len(r.members))
	r.boundary = r.start + r.starts[0]
	if f, ok := o.Copy.Get("probe.path"); ok {
		r.probePath = f.Value.Text()
	} else {
		r.probePath = "/"
	}
	r.plan()
	r.install(engine)
	r.timeline = r.timeline[:0]
	return r, nil
}

// traffic prepares the drawing of requests.
func (s *sim) traffic(t *Traffic, rps float64) {
	s.period = 1e9 / rps
	s.next = time.Duration(0.5 * s.period)
	if t.Poisson {
		s.gap = exponential(time.Duration(s.period))
		s.next = s.gap.draw(&s.rand)
	}
	if s.next >= s.end {
		s.next = never
	}
	s.interfaces, s.pickInterface = kinds(t.Interfaces, "/")
	s.regions, s.pickRegion = kinds(t.Regions, "")
	s.tenants, s.pickTenant = kinds(t.Tenants, "")
	methods, pick := kinds(t.Methods, "GET")
	s.pickMethod = pick
	for _, m := range methods {
		s.unsafe = append(s.unsafe, m == "POST" || m == "PATCH" || m == "LOCK")
	}
	const loopback = 127<<24 | 1
	for i := range max(1, len(s.tenants)) {
		s.clients = append(s.clients, loopback+uint32(i)<<8)
	}
	if len(s.tenants) < 2 && s.options.Clients > 1 {
		s.clients = s.clients[:0]
		for range min(s.options.Clients, 1<<20) {
			s.clients = append(s.clients, 10<<24|uint32(s.rand.Uint64()>>40))
		}
	}
	s.simple = len(s.interfaces) == 1 && len(s.regions) < 2 && len(s.tenants) < 2 && len(methods) < 2 && !s.unsafe[0] && len(s.clients) == 1 && s.interfaces[0] == "/"
}

// kinds returns the names of shares, at least the given one, and their choice.
func kinds(list []schema.Share, one string) ([]string, choice) {
	if len(list) == 0 {
		return []string{one}, choice{}
	}
	names, weights := make([]string, len(list)), make([]float64, len(list))
	for i, s := range list {
		names[i], weights[i] = s.Name, s.Share
	}
	return names, newChoice(weights)
}

// populate adds the members of a copy that are not there yet.
func (s *sim) populate(c *schema.Copy, t *Traffic) {
	for i := range c.Members {
		m := &c.Members[i]
		id := m.ID()
		if _, ok := s.number[id]; ok {
			continue
		}
		b, named := s.scenario.Members[id]
		if !named {
			b = s.scenario.Default
		}
		if !b.HasLatency {
			b.P50, b.P99 = t.P50, t.P99
		}
		if !b.HasErrors {
			b.Errors = t.ErrorRate
		}
		s.number[id] = len(s.members)
		x := member{id: id, latency: lognormal(b.P50, max(b.P99, b.P50)), errors: b.Errors, capacity: b.Capacity, onOverload: b.OnOverload,
			state: failover.Out, bad: unsaid, seen: unsaid, removed: unsaid, well: unsaid, detect: unsaid, remove: unsaid, back: unsaid}
		if f, ok := m.Get("region"); ok {
			x.region = f.Value.Text()
		}
		if f, ok := m.Get("shares"); ok {
			x.shares = f.Value.List()
		}
		s.members = append(s.members, x)
	}
}

// install puts an engine into use.
func (s *sim) install(engine failover.Engine) {
	info := engine.Info()
	e := &running{engine: engine, limits: info.Limits, to: make([]int32, len(info.Members)), from: make([]int32, len(s.members))}
	e.queuer, _ = engine.(failover.Queuer)
	for i := range e.from {
		e.from[i] = -1
	}
	for i, id := range info.Members {
		n := s.number[id]
		e.to[i], e.from[n] = int32(n), int32(i)
	}
	if s.current != nil {
		s.current.retired = true
	}
	s.engines, s.current = append(s.engines, e), e
	for _, t := range info.Assumed {
		s.assume(t)
	}
	for n := range s.members {
		if i := e.from[n]; i >= 0 {
			s.stand(n, engine.State(int(i)), schema.Textf("at start", "启动时"))
		} else {
			s.stand(n, failover.Out, schema.Textf("not in the settings", "不在配置中"))
		}
		if m := &s.members[n]; len(m.spans) == 0 {
			m.spans = append(m.spans, StateSpan{From: s.now - s.start, State: m.state})
		}
	}
}

func (s *sim) assume(t schema.Text) {
	if !slices.Contains(s.assumed, t) {
		s.assumed = append(s.assumed, t)
	}
}
