package haproxy

import (
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// Defaults of HAProxy (defaults.h).
const (
	defaultInter   = 2 * time.Second
	defaultRise    = 2
	defaultFall    = 3
	defaultLimit   = 10
	defaultRetries = 3
)

// read fills in the settings of the backend and its servers.
func (e *Engine) read(r *setting.Reader) {
	e.tcp = r.Text("mode", "tcp") == "tcp" && saysMode(r)
	e.retries = max(0, r.Int("retry.attempts", defaultRetries))
	e.readRetryOn(r)
	e.readRedispatch(r)
	e.allBackups = r.Flag("option allbackups")
	e.info.Limits.Connect = ceilMillis(r.Duration("timeout connect", 0))
	e.info.Limits.Response = ceilMillis(r.Duration("timeout server", 0))
	if e.queueLimit = ceilMillis(r.Duration("timeout queue", 0)); e.queueLimit == 0 {
		e.queueLimit = e.info.Limits.Connect
	}
	if e.info.Limits.Connect == 0 {
		r.Assume(schema.Textf("no timeout connect is written: connections are waited for without end", "未写 timeout connect：无限期等待连接"))
	}
	if e.info.Limits.Response == 0 {
		r.Assume(schema.Textf("no timeout server is written: answers are waited for without end", "未写 timeout server：无限期等待应答"))
	}
	e.readBalance(r)
	e.readCheck(r)
	for i := range r.Copy.Members {
		e.readServer(r, &r.Copy.Members[i])
	}
	e.readFullconn(r)
}

// frontendConns is the limit of connections of the frontends where a section does not write its own.
const frontendConns = 4000

// readFullconn: the load at which servers get their full maxconn is by default a tenth of the limits of the frontends,
// which are not in the copy.
func (e *Engine) readFullconn(r *setting.Reader) {
	if e.fullconn = r.Int("fullconn", 0); e.fullconn > 0 {
		return
	}
	e.fullconn = max(1, r.Int("maxconn", frontendConns)/10)
	for i := range e.servers {
		if s := &e.servers[i]; s.minconn > 0 && s.minconn < s.maxconn {
			r.Assume(schema.Textf("no fullconn is written: taken to be %d, a tenth of the frontends' maxconn", "未写 fullconn：按前端 maxconn 的十分之一 %d 处理", e.fullconn))
			return
		}
	}
}

// saysMode reports whether a mode is written. HAProxy defaults to tcp; a section without a mode is taken for HTTP if it
// sends HTTP checks, because its mode most likely stands in a file that was not read.
func saysMode(r *setting.Reader) bool {
	if _, ok := r.Value("mode"); ok {
		return true
	}
	protocol := r.Text("probe.protocol", "")
	return protocol != "http" && protocol != "https"
}

func (e *Engine) readRetryOn(r *setting.Reader) {
	list, ok := r.List("retry.on")
	if !ok {
		list = []string{"conn-failure"}
	}
	for _, on := range list {
		switch on {
		case "conn-failure":
			e.retryConn = true
		case "empty-response":
			e.retryEmpty = true
		case "response-timeout":
			e.retryTimeout = true
		case "all-retryable-errors":
			e.retryConn, e.retryEmpty, e.retryTimeout = true, true, true
			e.retryStatus.Add(500, 500)
			e.retryStatus.Add(502, 504)
		default:
			if n, err := strconv.Atoi(on); err == nil {
				e.retryStatus.Add(n, n)
			}
		}
	}
}

// readRedispatch reads option redispatch [N]: -1, the default of N, is the last retry, 0 is off.
func (e *Engine) readRedispatch(r *setting.Reader) {
	v, ok := r.Value("option redispatch")
	if !ok {
		return
	}
	switch v.Kind() {
	case schema.Bool:
		if e.redispatch = v.Bool(); e.redispatch {
			e.redispatchAfter = -1
		}
	case schema.Int:
		e.redispatchAfter = setting.Clamp(v.Int())
		e.redispatch = e.redispatchAfter != 0
	}
}

func (e *Engine) readCheck(r *setting.Reader) {
	protocol := r.Text("probe.protocol", "tcp")
	e.checkTCP = protocol != "http" && protocol != "https"
	e.checkPath = r.Text("probe.path", "/")
	e.checkTimeout = ceilMillis(r.Duration("probe.timeout", 0))
	e.notFoundDrains = r.Flag("http-check disable-on-404")
	e.good.Add(200, 399)
	if list, ok := r.List("probe.expect.statuses"); ok {
		e.good = setting.ParseStatuses(list)
	} else if list, ok := r.List("probe.badStatuses"); ok {
		bad := setting.ParseStatuses(list)
		for s := uint16(100); s < 600; s++ {
			if !bad.Has(s) {
				e.good.Add(int(s), int(s))
			}
		}
		for i := range bad {
			e.good[i] &^= bad[i]
		}
	}
}

func (e *Engine) readServer(r *setting.Reader, m *schema.Member) {
	s := settings{id: m.ID(), weight: 1, backup: m.Backup == schema.Yes, disabled: m.State == schema.Disabled, drained: m.State == schema.Drain}
	if m.HasWeight {
		s.weight = setting.Clamp(m.Weight)
	}
	_, off := r.Value("probe.off")
	s.check = r.Copy.States(schema.Probe) && !off
	if v, ok := r.Member(m, "check", ""); ok && v.Kind() == schema.Bool {
		s.check = v.Bool()
	}
	s.inter = max(time.Millisecond, ceilMillis(r.MemberDuration(m, "inter", "probe.interval", defaultInter)))
	s.fast = ceilMillis(r.MemberDuration(m, "fastinter", "probe.intervals.fast", 0))
	s.down = ceilMillis(r.MemberDuration(m, "downinter", "probe.intervals.down", 0))
	if s.fastSet = s.fast > 0; !s.fastSet {
		s.fast = s.inter
	}
	if s.down <= 0 {
		s.down = s.inter
	}
	s.rise = max(1, r.MemberInt(m, "rise", "probe.rise", defaultRise))
	s.fall = max(1, r.MemberInt(m, "fall", "probe.fall", defaultFall))
	switch r.MemberText(m, "observe", "observe", "none") {
	case "layer4":
		s.observe = observeConnections
	case "layer7":
		s.observe = observeAnswers
	}
	if !s.check || e.tcp && s.observe == observeAnswers {
		s.observe = observeNone
	}
	s.limit = max(1, r.MemberInt(m, "error-limit", "decision.consecutive", r.Int("error-limit", defaultLimit)))
	switch r.MemberText(m, "on-error", "on-error", "fail-check") {
	case "fastinter":
		s.onError = fastInter
	case "sudden-death":
		s.onError = suddenDeath
	case "mark-down":
		s.onError = markDown
	}
	s.severs = r.MemberText(m, "on-marked-down", "on-marked-down", "") == "shutdown-sessions"
	s.clears = r.MemberText(m, "on-marked-up", "on-marked-up", "") == "shutdown-backup-sessions"
	s.slowstart = ceilTo(r.MemberDuration(m, "slowstart", "ramp.window", 0), time.Second)
	s.maxconn = max(0, r.MemberInt(m, "maxConnections", "default-server maxconn", 0))
	s.minconn = max(0, r.MemberInt(m, "minconn", "", 0))
	s.maxqueue = max(0, r.MemberInt(m, "maxqueue", "default-server maxqueue", 0))
	s.tracked = e.readTrack(r, m)
	if _, ok := m.Get("agent-check"); ok {
		r.Assume(schema.Textf("%s of %s is not played", "未模拟 %[2]s 的 %[1]s", "agent-check", s.id))
	}
	switch r.MemberText(m, "init-state", "", "none") {
	case "up":
		s.init = initUp
	case "fully-up":
		s.init = initFullyUp
	case "down":
		s.init = initDown
	case "fully-down":
		s.init = initFullyDown
	}
	e.servers = append(e.servers, server{settings: s})
	e.info.Members = append(e.info.Members, s.id)
}

// readTrack finds the server of this backend that a server tracks, -1 if there is none.
func (e *Engine) readTrack(r *setting.Reader, m *schema.Member) int {
	f, ok := m.Get("track")
	if !ok {
		return -1
	}
	backend, name, qualified := strings.Cut(f.Value.Text(), "/")
	if !qualified {
		backend, name = r.Copy.Pool, backend
	}
	if backend == r.Copy.Pool {
		for i := range r.Copy.Members {
			if n, ok := r.Copy.Members[i].Get("name"); ok && n.Value.Text() == name {
				return i
			}
		}
	}
	r.Assume(schema.Textf("%s tracks %s of another backend, which is taken to be up", "%s 跟踪另一 backend 的 %s，视为正常", m.ID(), f.Value.Text()))
	return -1
}

// ceilMillis rounds up to whole milliseconds, as HAProxy does with times.
func ceilMillis(d time.Duration) time.Duration { return ceilTo(d, time.Millisecond) }

func ceilTo(d, unit time.Duration) time.Duration {
	if rest := d % unit; rest > 0 {
		d += unit - rest
	}
	return d
}
