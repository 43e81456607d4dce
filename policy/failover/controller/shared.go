package controller

import (
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// shared is something that several members have in common.
type shared struct {
	name    string
	members []int32
	told    []bool // by kind of requests: its fault has been told
}

// togetherAtLeast is how far apart the removals of one shared fault may lie where the window is short.
const togetherAtLeast = 20 * time.Second

// suspectShared tells of one fault of what members share, if all of them that are there have gone together: within two
// windows of each other.
func (e *Engine) suspectShared(now time.Duration, u *unit) {
	span := max(2*e.cfg.window, togetherAtLeast)
	e.membersOf(u, func(i int) {
		for _, s := range e.members[i].shares {
			e.suspect(now, &e.shares[s], int(u.kind), span)
		}
	})
}

func (e *Engine) suspect(now time.Duration, s *shared, kind int, span time.Duration) {
	if s.told == nil {
		s.told = make([]bool, len(e.kinds))
	}
	if s.told[kind] {
		return
	}
	var names []string
	for _, i := range s.members {
		m := &e.members[i]
		if !m.usable || m.out() {
			continue
		}
		u := e.unit(int(m.group), kind)
		if !u.gone() || now-u.removedAt > span {
			return
		}
		names = append(names, m.id)
	}
	if len(names) < 2 {
		return
	}
	s.told[kind] = true
	if e.notify == nil {
		return
	}
	e.notify(failover.Transition{At: now, Member: -1, Scope: e.kinds[kind], From: failover.Out, To: failover.Out, Why: schema.Textf(
		"one fault of %s, not %d: %s share it and have failed together", "是 %s 的一个故障，而非 %d 个：%s 共用它且同时失败", s.name, len(names), strings.Join(names, ", "))})
}

// forgiveShared notes that a health domain returns: the next time it is another fault.
func (e *Engine) forgiveShared(u *unit) {
	e.membersOf(u, func(i int) {
		for _, s := range e.members[i].shares {
			if told := e.shares[s].told; told != nil && slices.Contains(told, true) {
				told[u.kind] = false
			}
		}
	})
}
