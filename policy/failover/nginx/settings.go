package nginx

import (
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// Defaults of NGINX.
const (
	defaultMaxFails    = 1
	defaultFailTimeout = 10 * time.Second
	defaultProxyTime   = 60 * time.Second
	maxWorkers         = 1024
)

func (e *Engine) read(r *setting.Reader) {
	e.stream = r.Text("context", "") == "stream"
	family := "proxy_"
	if pass, ok := r.Value("pass"); ok {
		first, _, _ := strings.Cut(pass.Text(), " ")
		family = strings.TrimSuffix(first, "pass")
	}
	e.info.Limits.Connect = e.limit(r, family+"connect_timeout")
	if !e.stream {
		e.info.Limits.Response = e.limit(r, family+"read_timeout")
	}
	e.readNext(r, family)
	e.readBalance(r)
	for i := range r.Copy.Members {
		e.readServer(r, &r.Copy.Members[i])
	}
	e.readWorkers(r)
	e.single = len(e.servers) == 1
	if e.method == hashKey && strings.HasSuffix(r.Text("balance", ""), " consistent") {
		hosts, ports := make([]string, len(e.servers)), make([]string, len(e.servers))
		for i := range r.Copy.Members {
			hosts[i], ports[i] = r.Copy.Members[i].Host, r.Copy.Members[i].PortString()
		}
		e.buildRing(hosts, ports)
	}
}

// limit reads a time limit. Where the places that use the pool differ, the first one's counts.
func (e *Engine) limit(r *setting.Reader, name string) time.Duration {
	if v, ok := r.Value(schema.Path(name)); ok {
		return setting.AsDuration(v, defaultProxyTime)
	}
	for i := range r.Copy.Fields {
		f := &r.Copy.Fields[i]
		base, owner, ok := strings.Cut(string(f.Path), "@")
		if !ok || base != name {
			continue
		}
		if d, ok := parseTime(f.Value.Text()); ok {
			r.Assume(schema.Textf("%s differs by location; played with the %s of %s", "%s 因 location 而异；按 %[3]s 的 %[2]s 处理", name, f.Value.Text(), owner))
			return d
		}
	}
	return defaultProxyTime
}

// parseTime reads a time of one unit, as locations write them; without a unit, seconds.
func parseTime(text string) (time.Duration, bool) {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	d, err := schema.ParseDuration(text)
	return d, err == nil
}

func (e *Engine) readBalance(r *setting.Reader) {
	text := r.Text("balance", "round_robin")
	name, rest, _ := strings.Cut(text, " ")
	switch name {
	case "round_robin":
	case "least_conn":
		e.method = leastConn
	case "ip_hash":
		e.method = ipHash
	case "hash":
		e.method = hashKey
		e.hashBy = parseKey(strings.TrimSpace(strings.TrimSuffix(rest, " consistent")), r.Copy.Pool)
	case "random":
		e.method = randomly
		e.two = strings.HasPrefix(rest, "two")
	default:
		r.Assume(schema.Textf("%s is not built; played as round robin", "%s 未实现；按轮询处理", name))
	}
}

func (e *Engine) readServer(r *setting.Reader, m *schema.Member) {
	s := server{id: m.ID(), weight: 1, backup: m.Backup == schema.Yes, down: m.State == schema.Disabled || m.State == schema.Drain}
	if m.HasWeight {
		s.weight = max(1, setting.Clamp(m.Weight))
	}
	s.written = s.down
	s.maxFails = max(0, r.MemberInt(m, "max_fails", "", defaultMaxFails))
	s.timeout = int64(r.MemberDuration(m, "fail_timeout", "", defaultFailTimeout) / time.Second)
	s.maxConns = max(0, r.MemberInt(m, "maxConnections", "", 0))
	tier := 0
	if s.backup {
		tier = 1
	}
	g := &e.groups[tier]
	g.servers = append(g.servers, int32(len(e.servers)))
	g.total += s.weight
	e.servers = append(e.servers, s)
	e.info.Members = append(e.info.Members, s.id)
	if !s.down {
		e.tries++
	}
	if m.Socket == "" && !schema.IsAddress(m.Host) {
		r.Assume(schema.Textf("%s is taken for one address", "%s 视为单个地址", m.Host))
	}
}

// readWorkers: with a zone all workers share one state; without it each has its own.
func (e *Engine) readWorkers(r *setting.Reader) {
	workers := 1
	if _, shared := r.Value("zone"); !shared {
		v, _ := r.Value("worker_processes")
		switch {
		case v.Kind() == schema.Int:
			workers = max(1, min(setting.Clamp(v.Int()), maxWorkers))
		case v.Said():
			r.Assume(schema.Textf("worker_processes %s: played with one worker; without a zone each of several counts failures for itself", "worker_processes %s：按一个工作进程处理；没有 zone 时各工作进程分别计数", v.String()))
		}
	}
	e.workers = make([]worker, workers)
}
