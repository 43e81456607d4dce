package spring

import (
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// filter is a filter or predicate of a route: "Name=a,b" or {name, args}.
type filter struct {
	name string
	args []string // of the short form
	long *prop    // of the long form
	at   schema.Span
}

func parseFilter(p *prop) filter {
	if s, ok := p.scalar(); ok {
		name, args, has := strings.Cut(s.Text, "=")
		f := filter{name: strings.TrimSpace(name), at: s.At}
		if has {
			for _, a := range strings.Split(args, ",") {
				f.args = append(f.args, strings.TrimSpace(a))
			}
		}
		return f
	}
	f := filter{long: p.child("args"), at: p.valueAt}
	if s, ok := p.child("name").scalar(); ok {
		f.name = strings.TrimSpace(s.Text)
	}
	return f
}

// value returns an argument: the i-th of the short form, or the first of the names that the long form has. A list gives
// its first entry.
func (f filter) value(i int, names ...string) string {
	if f.long == nil {
		if i >= 0 && i < len(f.args) {
			return f.args[i]
		}
		return ""
	}
	for _, n := range names {
		if all := texts(f.long.get(strings.Split(n, ".")...)); len(all) > 0 {
			return all[0]
		}
	}
	return ""
}

// prop returns an argument as a value with a place: its own in the long form, that of the filter in the short one.
func (f filter) prop(i int, name, text string) *prop {
	if v := f.long.get(strings.Split(name, ".")...); v != nil {
		return v
	}
	if text == "" {
		return nil
	}
	return &prop{name: name, at: f.at, valueAt: f.at, node: &data.Node{Kind: data.String, Style: data.Quoted, Text: text, At: f.at}}
}

const springGateway = "Spring Cloud Gateway"

// filters reads what filters say about retries and breakers. Those of the route come after those of all routes.
func (r *reader) filters(b *binder, list *prop) {
	for _, p := range list.entries() {
		switch f := parseFilter(p); relaxed(f.name) {
		case "retry":
			r.retryFilter(b, f)
		case "circuitbreaker":
			r.breakerFilter(b, f)
		}
	}
}

// retryFilter reads the Retry filter; its retries come after the first try.
func (r *reader) retryFilter(b *binder, f filter) {
	c := b.Copy
	if n, ok := b.integer("retry.attempts", f.prop(0, "retries", f.value(0)), springGateway, "retries", 0, 1<<31-1); ok {
		c.Set("retry.attempts", schema.IntOf(n), f.place("retries"))
	} else {
		c.Touch(schema.Retry, f.at)
	}
	var on []string
	for _, name := range []string{"statuses", "series"} {
		on = append(on, texts(f.long.child(name))...)
	}
	if f.long == nil && len(f.args) > 1 && f.args[1] != "" {
		on = append(on, f.args[1])
	}
	if len(on) > 0 {
		c.Set("retry.on", schema.ListOf(on...), f.place("statuses", "series"))
	}
	methods := texts(f.long.child("methods"))
	if f.long == nil && len(f.args) > 2 && f.args[2] != "" {
		methods = f.args[2:3]
	}
	if len(methods) > 0 {
		replays := slices.ContainsFunc(methods, func(m string) bool { return strings.EqualFold(m, "POST") || strings.EqualFold(m, "PATCH") })
		c.Set("retry.nonIdempotent", schema.BoolOf(replays), f.place("methods"))
		c.Set("retry.methods", schema.ListOf(methods...), f.place("methods"))
	}
	for i, name := range []string{"firstBackoff", "maxBackoff"} {
		key := "backoff." + name
		if d, ok := b.duration(schema.Path("retry."+key), f.prop(-1, key, f.value(3+i)), springGateway, key, 0); ok {
			c.Set(schema.Path("retry."+key), schema.DurationOf(d), f.place(key))
		}
	}
	if n, ok := b.number("retry.backoff.factor", f.prop(-1, "backoff.factor", f.value(5)), springGateway, "backoff.factor", 1, unbounded); ok {
		c.Set("retry.backoff.factor", schema.NumberOf(n), f.place("backoff.factor"))
	}
}

// place is where the first of the named arguments stands, else the filter.
func (f filter) place(names ...string) schema.Span {
	for _, n := range names {
		if v := f.long.get(strings.Split(n, ".")...); v != nil && v.valueAt.Known() {
			return v.valueAt
		}
	}
	return f.at
}

// breakerFilter notes which breaker guards the route, and which answers count as its failures.
func (r *reader) breakerFilter(b *binder, f filter) {
	if name := f.value(0, "name", "id"); name != "" {
		b.Copy.Set("circuitBreaker", schema.TextOf(name), f.place("name", "id"))
	}
	if codes := texts(f.long.child("statusCodes")); len(codes) > 0 {
		b.Copy.Set("circuitBreaker.statusCodes", schema.ListOf(codes...), f.place("statusCodes"))
	}
}

// routeTimeouts reads the time limits of a route, which are whole milliseconds, and those of all routes, of which the
// response limit is a duration.
func (r *reader) routeTimeouts(b *binder, all, route *prop) {
	metadata := route.child("metadata")
	for _, name := range []string{"connect-timeout", "response-timeout"} {
		b.milliseconds(schema.Path(name), metadata.child(name), "metadata."+name)
	}
	client := all.child("httpclient")
	b.milliseconds("httpclient.connect-timeout", client.child("connect-timeout"), "httpclient.connect-timeout")
	limit := client.child("response-timeout")
	if d, ok := b.duration("httpclient.response-timeout", limit, springGateway, "httpclient.response-timeout", 0); ok {
		b.Copy.Set("httpclient.response-timeout", schema.DurationOf(d), limit.valueAt)
	}
}

// milliseconds sets a whole number of milliseconds, which may not name its unit.
func (b *binder) milliseconds(p schema.Path, v *prop, key string) {
	if n, ok := b.integer(p, v, springGateway, key, -1, 1<<31-1); ok && n >= 0 {
		b.Copy.Set(p, schema.DurationOf(time.Duration(n)*time.Millisecond), v.valueAt)
	}
}
