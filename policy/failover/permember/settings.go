package permember

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// maxWeight bounds weights, so that sums of them stay small.
const maxWeight = 1 << 20

// retry is what the copy says about further attempts.
type retry struct {
	attempts                int // after the first
	total                   time.Duration
	unsafe                  bool
	onFailure               bool // no list: what counts as a failure
	connect, timeout, reset bool
	statuses                setting.Statuses
}

// readMembers fills in the members and their tiers: by priority, backups after all of them.
func (e *Engine) readMembers(r *setting.Reader) {
	type rank struct {
		backup   bool
		priority int64
	}
	ranks := make([]rank, len(r.Copy.Members))
	var order []rank
	for i := range r.Copy.Members {
		m := &r.Copy.Members[i]
		ranks[i] = rank{backup: m.Backup == schema.Yes}
		if m.HasPriority && !ranks[i].backup {
			ranks[i].priority = m.Priority
		}
		if !slices.Contains(order, ranks[i]) {
			order = append(order, ranks[i])
		}
	}
	slices.SortFunc(order, func(a, b rank) int {
		switch {
		case a.backup != b.backup && a.backup, a.backup == b.backup && a.priority > b.priority:
			return 1
		case a == b:
			return 0
		}
		return -1
	})
	e.tiers = make([]tier, len(order))
	e.members = make([]member, len(r.Copy.Members))
	for i := range r.Copy.Members {
		from, m := &r.Copy.Members[i], &e.members[i]
		m.weight = 1
		if from.HasWeight {
			m.weight = max(0, min(setting.Clamp(from.Weight), maxWeight))
		}
		m.manual = from.State == schema.Disabled || from.State == schema.Drain
		m.tier = slices.Index(order, ranks[i])
		t := &e.tiers[m.tier]
		t.equal = len(t.members) == 0 || t.equal && m.weight == e.members[t.members[0]].weight
		t.members = append(t.members, int32(i))
		t.at = len(t.members) - 1
		e.info.Members = append(e.info.Members, from.ID())
	}
}

// readPool reads what concerns the pool as a whole.
func (e *Engine) readPool(r *setting.Reader, kind string) error {
	if counts, ok := r.List("decision.counts"); ok {
		if err := e.classifier.Counting(counts...); err != nil {
			return err
		}
	}
	e.alertAfter = r.Duration("onAllOut.alertAfter", 0)
	e.panicBelow = r.Number("onAllOut.panicBelow", 0)
	switch r.Text("onAllOut.then", "") {
	case "pass":
		e.pass = true
	case "reject":
	default:
		if e.pass = kind == Blacklist || e.panicBelow > 0; e.pass {
			break
		}
		r.Assume(schema.Textf("nothing is said about all members being out: requests are refused with 503", "未说明所有成员被摘除时的行为：以 503 拒绝请求"))
	}
	e.readRetry(r)
	return nil
}

func (e *Engine) readRetry(r *setting.Reader) {
	t := &e.retry
	t.attempts = max(0, min(r.Int("retry.attempts", 0), 1000))
	t.total = r.Duration("retry.total", 0)
	t.unsafe = r.Flag("retry.nonIdempotent")
	perTry := r.Duration("retry.perTry", 0)
	e.info.Limits.Response = perTry
	if t.total > 0 && (perTry == 0 || t.total < perTry) {
		e.info.Limits.Response = t.total
	}
	e.info.Limits.Connect = e.info.Limits.Response
	if e.info.Limits.Response == 0 {
		r.Assume(schema.Textf("neither retry.perTry nor retry.total is written: answers are waited for without end", "未写 retry.perTry 和 retry.total：无限期等待应答"))
	}
	if _, ok := r.Value("retry.budget"); ok {
		r.Assume(schema.Textf("retry.budget is not played", "未模拟 retry.budget"))
	}
	on, ok := r.List("retry.on")
	if t.onFailure = !ok; !ok {
		return
	}
	for _, cause := range on {
		switch cause {
		case "connect", "connect-failure", "conn-failure", "refused":
			t.connect = true
		case "timeout", "response-timeout":
			t.timeout = true
		case "reset", "empty-response":
			t.reset = true
		case "error":
			t.connect, t.reset = true, true
		case "gateway-error":
			t.statuses.Add(502, 504)
		case "retriable-4xx":
			t.statuses.Add(409, 409)
		}
	}
	listed := setting.ParseStatuses(on)
	for i := range listed {
		t.statuses[i] |= listed[i]
	}
}
