package envoy

import (
	"math"
	"strconv"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// checkFields are the fields of HealthCheck. Paths are those of the first check; a further one is told apart by its
// index and holds settings only.
var checkFields = []field{
	{"timeout", "timeout", positive, "probe.timeout"},
	{"interval", "interval", positive, "probe.interval"},
	{"unhealthy_threshold", "unhealthyThreshold", threshold, "probe.fall"},
	{"healthy_threshold", "healthyThreshold", threshold, "probe.rise"},
	{"unhealthy_interval", "unhealthyInterval", positive, "probe.intervals.down"},
	{"no_traffic_interval", "noTrafficInterval", positive, "probe.intervals.idle"},
	{"no_traffic_healthy_interval", "noTrafficHealthyInterval", positive, "health_checks[0].no_traffic_healthy_interval"},
	{"unhealthy_edge_interval", "unhealthyEdgeInterval", positive, "health_checks[0].unhealthy_edge_interval"},
	{"healthy_edge_interval", "healthyEdgeInterval", positive, "health_checks[0].healthy_edge_interval"},
	{"initial_jitter", "initialJitter", duration, "health_checks[0].initial_jitter"},
	{"interval_jitter", "intervalJitter", duration, "health_checks[0].interval_jitter"},
	{"interval_jitter_percent", "intervalJitterPercent", count, "health_checks[0].interval_jitter_percent"},
	{"reuse_connection", "reuseConnection", boolean, "health_checks[0].reuse_connection"},
	{"alt_port", "altPort", count, "health_checks[0].alt_port"},
	{"http_health_check", "httpHealthCheck", checker, "health_checks[0].http_health_check"},
	{"tcp_health_check", "tcpHealthCheck", checker, "health_checks[0].tcp_health_check"},
	{"grpc_health_check", "grpcHealthCheck", checker, "health_checks[0].grpc_health_check"},
	{"custom_health_check", "customHealthCheck", checker, "health_checks[0].custom_health_check"},
	{"redis_health_check", "redisHealthCheck", checker, "health_checks[0].redis_health_check"},
	{"event_log_path", "eventLogPath", ignored, ""},
	{"event_logger", "eventLogger", ignored, ""},
	{"event_service", "eventService", ignored, ""},
	{"always_log_health_check_failures", "alwaysLogHealthCheckFailures", ignored, ""},
	{"always_log_health_check_success", "alwaysLogHealthCheckSuccess", ignored, ""},
	{"tls_options", "tlsOptions", ignored, ""},
	{"transport_socket_match_criteria", "transportSocketMatchCriteria", ignored, ""},
}

// required are the fields without which Envoy refuses a check.
var required = [...]*field{&checkFields[0], &checkFields[1], &checkFields[2], &checkFields[3]}

// healthChecks reads the cluster's active checks. overTLS says that they run over the cluster's TLS.
func (r *reader) healthChecks(n *data.Node, overTLS bool) {
	checks := r.list("health_checks", n)
	for i, check := range checks[:min(len(checks), maxEntries)] {
		if i == 0 {
			r.copy.Touch(schema.Probe, check.Place())
		}
		if !r.object(checkPath(i, ""), check) {
			continue
		}
		if i == 1 {
			r.copy.Report(schema.Problem{Rule: "schema/invalid", At: check.Place(), Item: schema.Probe, Field: "health_checks[1]",
				Text: schema.Textf("a second health check; Envoy runs one a cluster and refuses more", "写了第二个健康检查；Envoy 每个集群只支持一个，会拒绝"),
				Hint: schema.Textf("keep the one that decides", "只保留用于判定的那一个")})
		}
		before := len(r.copy.Fields)
		r.healthCheck(check, i, overTLS)
		r.uncertain(before, check)
	}
}

// maxEntries bounds how many entries are read of lists of which Envoy takes few, so that no file costs more than its size.
const maxEntries = 16

func checkPath(i int, leaf string) schema.Path {
	return schema.Path("health_checks[" + strconv.Itoa(i) + "]" + leaf)
}

func (r *reader) healthCheck(n *data.Node, index int, overTLS bool) {
	seen := [len(required)]bool{}
	for i := range n.Pairs {
		p := &n.Pairs[i]
		f := fieldOf(checkFields, p.Key)
		if f == nil {
			r.unknownKey("health_checks", p, checkFields)
			continue
		}
		for j := range required {
			seen[j] = seen[j] || f == required[j] && !absent(p.Value)
		}
		path := f.path
		if index > 0 {
			path = checkPath(index, "."+f.snake)
		}
		switch f.kind {
		case threshold:
			r.threshold(f, path, index, p.Value)
		case checker:
			r.checker(f.snake, path, p.Value, index, overTLS)
		default:
			r.set(f, path, p.Value)
		}
	}
	for j, ok := range seen {
		if !ok && !n.Partial {
			r.copy.Report(schema.Problem{Rule: "schema/invalid", Severity: schema.Warning, At: n.Place(), Item: schema.Probe, Field: required[j].path.Leaf(),
				Text: schema.Textf("a health check without %s; Envoy requires it", "健康检查没有 %s；Envoy 要求必填", required[j].snake),
				Hint: schema.Textf("write %s", "请写明 %s", required[j].snake)})
		}
	}
	if index == 0 {
		r.jitter()
	}
}

// threshold reads how many checks in a row change a member's state. Envoy compares the count with the threshold for
// equality after adding one, so 0 is never met: legal, and surely not what was meant.
func (r *reader) threshold(f *field, p schema.Path, index int, n *data.Node) {
	v, ok := r.whole(p, n, 0, maxUint32)
	switch {
	case !ok:
	case v > 0:
		r.copy.Set(p, schema.IntOf(v), n.Place())
	default:
		what := schema.Textf("%s 0 is never met: timeouts and refused connections take no member out", "%s 为 0 永远达不到：超时和拒绝连接都不会摘除成员", f.snake)
		if f.snake == "healthy_threshold" {
			what = schema.Textf("%s 0 is never met: a member that failed never returns", "%s 为 0 永远达不到：失败过的成员不会恢复", f.snake)
		}
		r.copy.Report(schema.Problem{Rule: "schema/invalid", Severity: schema.Warning, At: n.Place(), Item: schema.Probe, Field: p.Leaf(), Got: "0", Text: what,
			Hint: schema.Textf("write 1 or more", "请写 1 或更大的数")})
		r.copy.Set(checkPath(index, "."+f.snake), schema.IntOf(0), n.Place())
	}
}

// jitter sets the model's jitter, a ratio of the interval: Envoy adds up to interval_jitter and up to
// interval_jitter_percent of the interval. More than the whole interval is beyond the model and stays a setting.
func (r *reader) jitter() {
	c := r.copy
	ratio, at := 0.0, schema.Span{}
	if f, ok := c.Get("health_checks[0].interval_jitter_percent"); ok {
		ratio, at = f.Value.Number()/100, f.At
	}
	if f, ok := c.Get("health_checks[0].interval_jitter"); ok {
		interval, known := c.Get("probe.interval")
		if !known || interval.Value.Duration() == 0 {
			return
		}
		ratio += float64(f.Value.Duration()) / float64(interval.Value.Duration())
		at = f.At
	}
	if at.Known() && ratio <= 1 {
		c.Set("probe.jitter", schema.NumberOf(math.Round(ratio*1e9)/1e9), at) // 0.1 and 0.2 are 0.3
	}
}
