package apisix

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// Defaults of APISIX, NGINX and the health library.
const (
	defaultProxyTime = 60 * time.Second
	defaultTimeout   = time.Second
	maxWeight        = 1 << 20
)

func (e *Engine) read(r *setting.Reader) {
	e.readNodes(r)
	e.readBalance(r)
	e.retries = r.Int("retry.attempts", -1)
	if e.retries < 0 {
		e.retries = len(e.nodes) - 1
	}
	e.retries = min(e.retries, 1<<15)
	e.deadline = r.Duration("retry.total", 0)
	e.info.Limits.Connect = r.Duration("timeout.connect", defaultProxyTime)
	e.info.Limits.Response = r.Duration("timeout.read", r.Duration("retry.perTry", defaultProxyTime))
	e.readChecks(r)
}

// readNodes fills in the nodes and their groups. In copies the smaller priority is preferred, as with other engines;
// backups of other formats come after all.
func (e *Engine) readNodes(r *setting.Reader) {
	const afterAll = 1 << 40
	rank := func(m *schema.Member) int64 {
		switch {
		case m.Backup == schema.Yes:
			return afterAll
		case m.HasPriority:
			return m.Priority
		}
		return 0
	}
	var order []int64
	for i := range r.Copy.Members {
		if p := rank(&r.Copy.Members[i]); !slices.Contains(order, p) {
			order = append(order, p)
		}
	}
	slices.Sort(order)
	e.groups = make([]group, len(order))
	e.nodes = make([]node, len(r.Copy.Members))
	for i := range r.Copy.Members {
		m, n := &r.Copy.Members[i], &e.nodes[i]
		n.weight = 1
		if m.HasWeight {
			n.weight = max(0, min(setting.Clamp(m.Weight), maxWeight))
		}
		n.group = slices.Index(order, rank(m))
		n.off = m.State == schema.Drain || m.State == schema.Disabled
		g := &e.groups[n.group]
		g.all = append(g.all, int32(i))
		e.info.Members = append(e.info.Members, m.ID())
	}
}

func (e *Engine) readBalance(r *setting.Reader) {
	switch name := r.Text("type", r.Text("balance", "roundrobin")); name {
	case "roundrobin":
	case "chash":
		e.balance = consistent
		switch key := r.Text("key", "remote_addr"); key {
		case "uri", "request_uri", "$uri", "$request_uri":
			e.byPath = true
		case "remote_addr", "$remote_addr":
		default:
			r.Assume(schema.Textf("chash by %s goes by something that a scenario does not know; played as if it were the client's address", "chash 依据的 %s 在场景中未知；按客户端地址处理", key))
		}
	case "least_conn":
		e.balance = leastConn
	case "ewma":
		e.balance = ewma
	default:
		r.Assume(schema.Textf("type %s is not built; played as roundrobin", "type %s 未实现；按 roundrobin 处理", name))
	}
	e.direct = len(e.nodes) == 1 && e.balance != leastConn
}

func (e *Engine) readChecks(r *setting.Reader) {
	k := &e.checks
	k.final = r.Copy.States(schema.Decision)
	if k.on = r.Copy.States(schema.Probe) || k.final; !k.on {
		return
	}
	k.tcp = r.Text("probe.protocol", "http") == "tcp"
	k.path = r.Text("probe.path", "/")
	k.timeout = r.Duration("probe.timeout", defaultTimeout)
	if _, off := r.Value("probe.off"); !off && r.Copy.States(schema.Probe) {
		k.healthy = r.Duration("probe.interval", 0)
		k.unhealthy = r.Duration("probe.intervals.down", 0)
	}
	k.good.Add(200, 200)
	k.good.Add(302, 302)
	if list, ok := r.List("probe.expect.statuses"); ok {
		k.good = setting.ParseStatuses(list)
	}
	k.bad = setting.ParseStatuses([]string{"404", "429", "500-505"})
	if list, ok := r.List("probe.badStatuses"); ok {
		k.bad = setting.ParseStatuses(list)
	}
	http, tcp := schema.Path("probe.fall"), schema.Path("checks.active.unhealthy.tcp_failures")
	if k.tcp {
		http, tcp = "checks.active.unhealthy.http_failures", "probe.fall"
	}
	k.active = limits{r.Int("probe.rise", 2), r.Int(http, 5), r.Int(tcp, 2), r.Int("checks.active.unhealthy.timeouts", 3)}
	e.readPassive(r)
}

// readPassive: the library's own limits hold also where nothing passive is written, because retries report all the same.
func (e *Engine) readPassive(r *setting.Reader) {
	k := &e.checks
	const prefix = "checks.passive."
	failures := r.Int("decision.consecutive", 5)
	if v, ok := r.Value(prefix + "unhealthy.http_failures"); ok {
		failures = setting.Clamp(v.Int())
	}
	k.passive = limits{r.Int(prefix+"healthy.successes", 5), failures, r.Int(prefix+"unhealthy.tcp_failures", 2), r.Int(prefix+"unhealthy.timeouts", 7)}
	if _, written := r.Value(prefix + "healthy.successes"); written {
		k.finalGood = setting.ParseStatuses([]string{"200-208", "226", "300-308"})
		if list, ok := r.List(prefix + "healthy.http_statuses"); ok {
			k.finalGood = setting.ParseStatuses(list)
		}
	}
	if list, ok := r.List("decision.counts"); ok {
		k.finalBad = setting.ParseStatuses(list)
	}
	if _, ok := r.Value("decision.errorRatio"); ok {
		r.Assume(schema.Textf("APISIX has no decision.errorRatio: counted failures decide", "APISIX 没有 decision.errorRatio：按失败次数判定"))
	}
}
