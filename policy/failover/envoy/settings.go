package envoy

import (
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// Defaults of Envoy.
const (
	defaultConnect        = 5 * time.Second
	defaultRoute          = 15 * time.Second
	defaultIdle           = 60 * time.Second
	defaultOverprovision  = 140
	defaultPanic          = 50
	defaultMaxRetries     = 3
	defaultBackoff        = 25 * time.Millisecond
	defaultSweep          = 10 * time.Second
	defaultBase           = 30 * time.Second
	defaultLongest        = 300 * time.Second
	maxWeight             = 1 << 20
	assumedThreshold      = 2 // both are required in Envoy
	assumedProbeInterval  = 5 * time.Second
	assumedProbeTimeout   = time.Second
	never                 = -1
	maxBackoffGrowthSteps = 20
)

// checks are the settings of health_checks.
type checks struct {
	on                   bool
	tcp                  bool
	path                 string
	timeout              time.Duration
	interval             time.Duration // after a pass
	edge                 time.Duration // after a pass that is not enough
	unhealthy            time.Duration
	unhealthyEdge        time.Duration
	idle, idleHealthy    time.Duration
	jitter               time.Duration
	jitterPercent        float64
	fall, rise           int // never: the threshold is never met
	expected, retriables setting.Statuses
}

// outlier are the settings of outlier_detection.
type outlier struct {
	on                       bool
	split                    bool
	consecutive5xx           int
	consecutiveGateway       int
	consecutiveLocal         int
	enforce5xx               int
	enforceGateway           int
	enforceLocal             int
	interval                 time.Duration
	base, longest            time.Duration
	jitter                   time.Duration
	percent                  int
	alwaysOne                bool
	rateHosts, rateVolume    int
	rateFactor               float64
	enforceRate              int
	enforceRateLocal         int
	failureHosts             int
	failureVolume            int
	failureThreshold         float64
	enforceFailure           int
	enforceFailureLocal      int
	passingCheckUnejects     bool
	beforeCountingTheOneToGo bool // before 1.28
}

// retries are the settings of the retry policy.
type retries struct {
	max                        int
	on5xx, gateway             bool
	reset, connect, retriable4 bool
	statuses                   setting.Statuses
	total                      time.Duration // the route's timeout, 0: none
	base, longest              time.Duration // back-off
	concurrent                 int
	budget                     float64 // percent of the active requests; 0: concurrent counts
}

func (e *Engine) read(r *setting.Reader) {
	e.readBalance(r)
	e.readHosts(r)
	e.readRetry(r)
	e.readChecks(r)
	e.readOutlier(r)
	e.panicBelow = max(0, min(100, int(r.Number("onAllOut.panicBelow", defaultPanic))))
	if _, said := r.Value("onAllOut.panicBelow"); !said && r.Text("onAllOut.then", "") == "reject" {
		e.failOnPanic = true
	}
	if r.Flag("common_lb_config.zone_aware_lb_config.fail_traffic_on_panic") {
		e.failOnPanic = true
	}
	e.overprovision = max(1, r.Int("load_assignment.policy.overprovisioning_factor", defaultOverprovision))
	e.byWeight = r.Flag("load_assignment.policy.weighted_priority_health")
}

func (e *Engine) readBalance(r *setting.Reader) {
	name := r.Text("lb_policy", r.Text("balance", "ROUND_ROBIN"))
	if list, ok := r.List("load_balancing_policy"); ok && len(list) > 0 {
		name = list[0]
	}
	e.choices = max(2, min(r.Int("least_request_lb_config.choice_count", 2), 100))
	switch strings.ToUpper(name) {
	case "ROUND_ROBIN":
		e.balance = roundRobin
	case "LEAST_REQUEST":
		e.balance = leastRequest
	case "RANDOM":
		e.balance = random
	case "RING_HASH", "MAGLEV":
		e.balance = random
		r.Assume(schema.Textf("%s is played as if the routes had no hash policy: at random", "%s 按路由没有哈希策略处理：随机选择", name))
	default:
		r.Assume(schema.Textf("lb_policy %s is not built; played as ROUND_ROBIN", "lb_policy %s 未实现；按 ROUND_ROBIN 处理", name))
	}
	e.window = r.Duration("ramp.window", 0)
	if e.balance == random {
		e.window = 0 // slow start is for the two others
	}
	e.aggression = r.Number("slow_start_config.aggression", 1)
	if !(e.aggression > 0) {
		e.aggression = 1
	}
	e.least = r.Number("slow_start_config.min_weight_percent", 10) / 100
}

// readHosts fills in the hosts and their priorities; backups of other formats come after all of them.
func (e *Engine) readHosts(r *setting.Reader) {
	const afterAll = 1 << 40
	var order []int64
	rank := func(m *schema.Member) int64 {
		switch {
		case m.Backup == schema.Yes:
			return afterAll
		case m.HasPriority:
			return m.Priority
		}
		return 0
	}
	for i := range r.Copy.Members {
		if p := rank(&r.Copy.Members[i]); !slices.Contains(order, p) {
			order = append(order, p)
		}
	}
	slices.Sort(order)
	e.levels = make([]level, len(order))
	e.hosts = make([]host, len(r.Copy.Members))
	for i := range r.Copy.Members {
		m, h := &r.Copy.Members[i], &e.hosts[i]
		h.weight, h.level = 1, slices.Index(order, rank(m))
		if m.HasWeight {
			h.weight = max(1, min(setting.Clamp(m.Weight), maxWeight))
		}
		h.eds = m.State == schema.Drain || m.State == schema.Disabled
		f, ok := m.Get("check.disabled")
		h.unchecked = ok && f.Value.Bool()
		h.since = never
		l := &e.levels[h.level]
		l.all = append(l.all, int32(i))
		e.info.Members = append(e.info.Members, m.ID())
	}
}

func (e *Engine) readRetry(r *setting.Reader) {
	t := &e.retry
	on, ok := r.List("retry.on")
	attempts, perTry := schema.Path("retry.attempts"), schema.Path("retry.perTry")
	codes := schema.Path("retry_policy.retriable_status_codes")
	if _, several := r.Value("retry_policy[0].retry_on"); !ok && several {
		on, ok = r.List("retry_policy[0].retry_on")
		attempts, perTry, codes = "retry_policy[0].num_retries", "retry_policy[0].per_try_timeout", "retry_policy[0].retriable_status_codes"
		r.Assume(schema.Textf("retry policies differ by route; played with the first", "重试策略因路由而异；按第一个处理"))
	}
	if ok && len(on) > 0 {
		t.max = max(0, min(r.Int(attempts, 1), 1000))
	}
	for _, word := range on {
		switch word {
		case "5xx":
			t.on5xx = true
		case "gateway-error":
			t.gateway = true
		case "reset", "reset-before-request":
			t.reset = true
		case "connect-failure", "connect":
			t.connect = true
		case "retriable-4xx":
			t.retriable4 = true
		case "retriable-status-codes":
			list, _ := r.List(codes)
			t.statuses = setting.ParseStatuses(list)
		default:
			r.Assume(schema.Textf("retry_on %s is not played", "未模拟 retry_on %s", word))
		}
	}
	t.total = r.Duration("retry.total", defaultRoute)
	if v, ok := r.Value("route.timeout", "route[0].timeout"); ok {
		t.total = setting.AsDuration(v, defaultRoute)
	}
	t.base = max(1, r.Duration("retry_policy.retry_back_off.base_interval", defaultBackoff))
	t.longest = max(t.base, r.Duration("retry_policy.retry_back_off.max_interval", 10*t.base))
	t.concurrent = max(0, r.Int("circuit_breakers.max_retries", defaultMaxRetries))
	if v, ok := r.Value("circuit_breakers.retry_budget.budget_percent"); ok {
		t.budget = v.Number()
	} else if _, ok := r.Value("circuit_breakers.retry_budget.min_retry_concurrency"); ok {
		t.budget = 20
	}
	if t.budget > 0 {
		t.concurrent = max(0, r.Int("circuit_breakers.retry_budget.min_retry_concurrency", 3))
	}
	limits := &e.info.Limits
	limits.Response = r.Duration(perTry, 0)
	if limits.Response == 0 || t.total > 0 && t.total < limits.Response {
		limits.Response = t.total
	}
	limits.Connect = r.Duration("connect_timeout", defaultConnect)
	if limits.Response > 0 {
		limits.Connect = min(limits.Connect, limits.Response)
	}
}

func (e *Engine) readChecks(r *setting.Reader) {
	k := &e.checks
	_, off := r.Value("probe.off")
	if k.on = r.Copy.States(schema.Probe) && !off; !k.on {
		return
	}
	protocol := r.Text("probe.protocol", "")
	_, path := r.Value("probe.path")
	k.tcp = protocol == "tcp" || protocol == "" && !path
	k.path = r.Text("probe.path", "/")
	k.interval = max(time.Millisecond, r.Duration("probe.interval", assumedProbeInterval))
	k.timeout = max(time.Millisecond, r.Duration("probe.timeout", assumedProbeTimeout))
	k.edge = max(time.Millisecond, r.Duration("health_checks[0].healthy_edge_interval", k.interval))
	k.unhealthy = max(time.Millisecond, r.Duration("probe.intervals.down", k.interval))
	k.unhealthyEdge = max(time.Millisecond, r.Duration("health_checks[0].unhealthy_edge_interval", k.unhealthy))
	k.idle = max(time.Millisecond, r.Duration("probe.intervals.idle", defaultIdle))
	k.idleHealthy = max(time.Millisecond, r.Duration("health_checks[0].no_traffic_healthy_interval", k.idle))
	k.jitter = r.Duration("health_checks[0].interval_jitter", 0)
	k.jitterPercent = r.Number("health_checks[0].interval_jitter_percent", 0)
	if k.jitter == 0 && k.jitterPercent == 0 {
		k.jitterPercent = 100 * r.Number("probe.jitter", 0)
	}
	k.fall = threshold(r, "probe.fall", "health_checks[0].unhealthy_threshold")
	k.rise = threshold(r, "probe.rise", "health_checks[0].healthy_threshold")
	k.expected.Add(200, 200)
	if list, ok := r.List("probe.expect.statuses"); ok {
		k.expected = setting.ParseStatuses(list)
	}
	list, _ := r.List("health_checks[0].http_health_check.retriable_statuses")
	k.retriables = setting.ParseStatuses(list)
}

// threshold reads a number of checks in a row. Envoy counts first and compares for equality, so 0 is never met.
func threshold(r *setting.Reader, p, zero schema.Path) int {
	if n := r.Int(p, 0); n > 0 {
		return n
	}
	if _, ok := r.Value(zero); ok {
		return never
	}
	r.Assume(schema.Textf("%s is not written, and Envoy requires it: played with %d", "未写 %s，而 Envoy 要求必填：按 %d 处理", string(p), assumedThreshold))
	return assumedThreshold
}

func (e *Engine) readOutlier(r *setting.Reader) {
	const prefix = "outlier_detection."
	o := &e.outlier
	o.on = r.Copy.States(schema.Decision) || r.Copy.States(schema.Cooldown) || slices.ContainsFunc(r.Copy.Fields, func(f schema.Field) bool {
		return strings.HasPrefix(string(f.Path), "outlier_detection") && f.At.Known()
	})
	count := func(name schema.Path, def int) int { return max(0, r.Int(prefix+name, def)) }
	o.split = r.Flag(prefix + "split_external_local_origin_errors")
	o.consecutive5xx = max(0, r.Int("decision.consecutive", count("consecutive_5xx", 5)))
	if v, ok := r.Value(prefix + "consecutive_5xx"); ok && v.Int() == 0 {
		o.consecutive5xx = 0
	}
	o.consecutiveGateway = count("consecutive_gateway_failure", 5)
	o.consecutiveLocal = count("consecutive_local_origin_failure", 5)
	o.enforce5xx = count("enforcing_consecutive_5xx", 100)
	o.enforceGateway = count("enforcing_consecutive_gateway_failure", 0)
	o.enforceLocal = count("enforcing_consecutive_local_origin_failure", 100)
	o.interval = max(time.Millisecond, r.Duration(prefix+"interval", defaultSweep))
	o.base = max(time.Millisecond, r.Duration("cooldown.duration", r.Duration(prefix+"base_ejection_time", defaultBase)))
	o.longest = max(o.base, r.Duration("cooldown.max", max(defaultLongest, o.base)))
	o.jitter = r.Duration(prefix+"max_ejection_time_jitter", 0)
	o.percent = min(100, count("max_ejection_percent", 10))
	o.alwaysOne = r.Flag(prefix+"always_eject_one_host") && !e.before(1, 31)
	o.beforeCountingTheOneToGo = e.before(1, 28)
	o.rateHosts, o.rateVolume = count("success_rate_minimum_hosts", 5), count("success_rate_request_volume", 100)
	o.rateFactor = r.Number(prefix+"success_rate_stdev_factor", 1900) / 1000
	o.enforceRate = count("enforcing_success_rate", 100)
	o.enforceRateLocal = count("enforcing_local_origin_success_rate", 100)
	o.failureHosts, o.failureVolume = count("failure_percentage_minimum_hosts", 5), count("failure_percentage_request_volume", 50)
	o.failureThreshold = r.Number(prefix+"failure_percentage_threshold", 85)
	o.enforceFailure = count("enforcing_failure_percentage", 0)
	o.enforceFailureLocal = count("enforcing_failure_percentage_local_origin", 0)
	o.passingCheckUnejects = true
	if v, ok := r.Value(prefix + "successful_active_health_check_uneject_host"); ok {
		o.passingCheckUnejects = v.Bool()
	}
	if _, ok := r.Value("decision.errorRatio"); ok && o.on {
		r.Assume(schema.Textf("Envoy has no decision.errorRatio: failures in a row decide", "Envoy 没有 decision.errorRatio：按连续失败判定"))
	}
}
