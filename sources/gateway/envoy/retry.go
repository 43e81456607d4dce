package envoy

import (
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// totalTimeout reads a route's time limit over all attempts; 0 switches it off and is no limit.
func (r *reader) totalTimeout(n *data.Node) {
	d, ok := r.durationValue("retry.total", n, zeroTaken)
	switch {
	case !ok:
	case d == 0:
		r.copy.Set("route.timeout", schema.DurationOf(time.Duration(0)), n.Place())
	default:
		r.copy.Set("retry.total", schema.DurationOf(d), n.Place())
	}
}

// retryPaths are where a retry policy's values go.
type retryPaths struct{ retries, on, perTry, prefix schema.Path }

var retryModel = retryPaths{"retry.attempts", "retry.on", "retry.perTry", "retry_policy."}

// retryPolicy reads one policy. retry.attempts is num_retries: tries beyond the first.
func (r *reader) retryPolicy(n *data.Node, to retryPaths) {
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "num_retries", "numRetries":
			r.count(to.retries, v, 0, maxUint32)
		case "retry_on", "retryOn":
			r.conditions(to.on, v)
		case "per_try_timeout", "perTryTimeout":
			r.duration(to.perTry, v, zeroTaken)
		case "per_try_idle_timeout", "perTryIdleTimeout":
			r.duration(to.prefix+"per_try_idle_timeout", v, zeroTaken)
		case "retriable_status_codes", "retriableStatusCodes":
			var codes []string
			for _, code := range items(v) {
				codes = append(codes, text(code))
			}
			if codes != nil {
				r.copy.Set(to.prefix+"retriable_status_codes", schema.ListOf(codes...), v.Place())
			}
		case "retry_back_off", "retryBackOff":
			r.duration(to.prefix+"retry_back_off.base_interval", get(v, "base_interval", "baseInterval"), zeroRefused)
			r.duration(to.prefix+"retry_back_off.max_interval", get(v, "max_interval", "maxInterval"), zeroRefused)
		case "host_selection_retry_max_attempts", "hostSelectionRetryMaxAttempts":
			r.count(to.prefix+"host_selection_retry_max_attempts", v, 0, 1<<53)
		}
	}
}

// conditions reads "5xx,reset,connect-failure" as a sorted list: the order means nothing.
func (r *reader) conditions(p schema.Path, n *data.Node) {
	s, ok := bind.Of(n)
	if !ok {
		return
	}
	line, ok := r.bind.Resolve(p, s)
	if !ok {
		return
	}
	var on []string
	for _, word := range strings.Split(line, ",") {
		if word = strings.TrimSpace(word); word != "" {
			on = append(on, word)
		}
	}
	slices.Sort(on)
	if on = slices.Compact(on); on != nil {
		r.copy.Set(p, schema.ListOf(on...), s.At)
	}
}

// alike reports whether two nodes say the same, whatever their place. It follows them no deeper than policies go.
func alike(a, b *data.Node) bool { return alikeTo(a, b, 8) }

func alikeTo(a, b *data.Node, depth int) bool {
	if a == nil || b == nil || depth == 0 {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Pairs) != len(b.Pairs) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Pairs {
		if !alikeTo(a.Pairs[i].Value, b.Get(a.Pairs[i].Key), depth-1) {
			return false
		}
	}
	for i := range a.Items {
		if !alikeTo(a.Items[i], b.Items[i], depth-1) {
			return false
		}
	}
	return true
}
