package nginx

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// tally collects a setting that NGINX keeps for each server and the model for the pool.
type tally struct {
	path  schema.Path
	votes []vote
	open  []unread
}

type vote struct {
	value  schema.Value
	at     schema.Span
	member string
	// maybe: a template decides whether the server is there.
	maybe bool
}

type unread struct {
	v     bind.Scalar
	quiet bool
}

func (t *tally) add(v schema.Value, at schema.Span, member string, maybe bool) {
	t.votes = append(t.votes, vote{v, at, member, maybe})
}

// certain drops the votes of servers that may not be there, unless there are no others and they agree.
func (t *tally) certain() {
	sure := slices.DeleteFunc(slices.Clone(t.votes), func(v vote) bool { return v.maybe })
	if len(sure) > 0 {
		t.votes = sure
		return
	}
	for _, v := range t.votes {
		if v.value != t.votes[0].value {
			t.later(bind.Scalar{Text: t.votes[0].value.String(), At: t.votes[0].at}, false)
			t.votes = nil
			return
		}
	}
}

// later remembers a value that stays unknown; quiet where another finding speaks of it.
func (t *tally) later(v bind.Scalar, quiet bool) { t.open = append(t.open, unread{v, quiet}) }

// most returns the most frequent value and where it stands first; of equally frequent ones the first written.
func (t *tally) most() (value schema.Value, at schema.Span) {
	count := make(map[schema.Value]int, len(t.votes))
	for _, v := range t.votes {
		count[v.value]++
	}
	best := 0
	for _, v := range t.votes {
		if n := count[v.value]; n > best {
			best, value, at = n, v.value, v.at
		}
	}
	return value, at
}

// aggregate turns the tallies into the pool's values. Servers that write another value than the most frequent one are
// settings "server.ADDRESS.NAME".
func (p *pool) aggregate() {
	p.settle(&p.fails, "max_fails")
	p.settle(&p.timeouts, "fail_timeout")
	p.settle(&p.ramps, "slow_start")
}

func (p *pool) settle(t *tally, name schema.Path) {
	t.certain()
	if len(t.votes) == 0 {
		if len(t.open) > 0 {
			// The first stands for all: a template writes the same value on every line.
			u := t.open[0]
			p.c.Unresolved = append(p.c.Unresolved, schema.Unresolved{Path: t.path, Raw: u.v.Text, At: u.v.At, Quiet: u.quiet})
			p.c.Touch(t.path.Item(), u.v.At)
		}
		return
	}
	value, at := t.most()
	if name == "max_fails" && value.Int() == 0 {
		// 0 is no number of failures: NGINX does not count them at all.
		p.c.Set("max_fails", value, at)
	} else {
		p.c.Set(t.path, value, at)
	}
	told := map[string]bool{}
	for _, v := range t.votes {
		if v.value != value && !told[v.member] {
			told[v.member] = true
			p.c.Fields = append(p.c.Fields, schema.Field{Path: "server." + schema.Path(v.member) + "." + name, Value: v.value, At: v.at})
		}
	}
	for _, u := range t.open {
		if !u.quiet {
			p.c.Unresolve(name, u.v.Text, u.v.At)
		}
	}
}
