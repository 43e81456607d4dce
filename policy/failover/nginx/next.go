package nginx

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// next is what next_upstream and its companions say.
type next struct {
	onError   bool // error is listed
	onTimeout bool
	onStatus  setting.Statuses // http_NNN
	nonIdem   bool
	maxTries  int // next_upstream_tries, 0: no limit
	within    time.Duration
}

// location is a place in the file whose next differs from that of others.
type location struct {
	exact  bool
	prefix string
	next   next
}

// maxLocations is how many of them are told apart.
const maxLocations = 255

// list reads the conditions of next_upstream.
func (n *next) list(on []string) {
	n.onError, n.onTimeout, n.nonIdem, n.onStatus = false, false, false, setting.Statuses{}
	for _, cause := range on {
		switch cause {
		case "error":
			n.onError = true
		case "timeout":
			n.onTimeout = true
		case "non_idempotent":
			n.nonIdem = true
		default:
			if status, ok := strings.CutPrefix(cause, "http_"); ok {
				if s, err := strconv.Atoi(status); err == nil {
					n.onStatus.Add(s, s)
				}
			}
		}
	}
}

// readNext reads when a request goes to another server: everywhere alike, or by location.
func (e *Engine) readNext(r *setting.Reader, family string) {
	on, ok := r.List("retry.on")
	if !ok {
		on = []string{"error", "timeout"}
	}
	e.next.list(on)
	e.next.nonIdem = e.next.nonIdem || r.Flag("retry.nonIdempotent")
	if n := r.Int("retry.attempts", -1); n >= 0 {
		e.next.maxTries = n + 1
	}
	e.next.within = r.Duration("retry.total", 0)
	other := 0
	for i := range r.Copy.Fields {
		f := &r.Copy.Fields[i]
		name, owner, ok := strings.Cut(string(f.Path), "@")
		if name, isNext := strings.CutPrefix(name, family+"next_upstream"); ok && isNext {
			l := e.locationOf(owner)
			if l == nil {
				other++
				continue
			}
			l.next.set(name, &f.Value)
		}
	}
	if other > 0 {
		r.Assume(schema.Textf("%snext_upstream differs by place; played by the prefixes of locations alone", "%snext_upstream 因位置而异；仅按 location 前缀处理", family))
	}
	// The longest prefix that fits is the one that counts, and an exact one before it.
	slices.SortStableFunc(e.locations, func(a, b location) int {
		if a.exact != b.exact {
			if a.exact {
				return -1
			}
			return 1
		}
		return len(b.prefix) - len(a.prefix)
	})
}

// set takes over one of the directives as a place writes it.
func (n *next) set(name string, v *schema.Value) {
	switch name {
	case "":
		n.list(strings.Fields(v.Text()))
	case "_tries":
		n.maxTries = max(0, setting.Clamp(v.Int()))
		if v.Kind() == schema.TextKind {
			n.maxTries, _ = strconv.Atoi(v.Text())
		}
	case "_timeout":
		n.within = setting.AsDuration(*v, 0)
		if v.Kind() == schema.TextKind {
			n.within, _ = parseTime(v.Text())
		}
	}
}

// locationOf returns the location of an owner like "server:a:80/location:= /pay", which it makes where it is new; nil
// if that is no prefix.
func (e *Engine) locationOf(owner string) *location {
	_, pattern, ok := strings.Cut(owner, "/location:")
	if !ok {
		return nil
	}
	l := location{prefix: pattern, next: e.next}
	if modifier, rest, ok := strings.Cut(pattern, " "); ok {
		switch modifier {
		case "=":
			l.exact, l.prefix = true, rest
		case "^~":
			l.prefix = rest
		default:
			return nil
		}
	}
	for i := range e.locations {
		if x := &e.locations[i]; x.exact == l.exact && x.prefix == l.prefix {
			return x
		}
	}
	if !strings.HasPrefix(l.prefix, "/") || len(e.locations) >= maxLocations {
		return nil
	}
	e.locations = append(e.locations, l)
	return &e.locations[len(e.locations)-1]
}

// place returns the number of the location of a path, 0 where none differs from the rest.
func (e *Engine) place(path string) uint16 {
	if path == "" {
		path = "/"
	}
	for i := range e.locations {
		if l := &e.locations[i]; path == l.prefix || !l.exact && strings.HasPrefix(path, l.prefix) {
			return uint16(i + 1)
		}
	}
	return 0
}

// rule returns what counts for a request that has the given flags.
func (e *Engine) rule(flags uint16) *next {
	if n := flags >> placeShift; n > 0 {
		return &e.locations[n-1].next
	}
	return &e.next
}
