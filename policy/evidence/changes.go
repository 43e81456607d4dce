package evidence

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// Change is one thing that a change alters in the rules that changes are judged by.
type Change struct {
	// What is the part of the manifest: "sources", "severity", "pools.orders.truth", ...
	What string
	// Got is what head says, as far as it fits into a line; Pool is the pool concerned, if it is one.
	Got, Pool string
	Text      schema.Text
	// Removed: it stands in the base alone, and so does At.
	Removed bool
	At      schema.Span
	// Now: it counts for this change already, since head may add names and sources.
	Now bool
}

// changes lists what head alters, in the order of the grammar.
func changes(base, head *schema.Manifest) []Change {
	var c changeList
	c.sources(base, head)
	c.pools(base, head)
	c.entry("defaults", "", &base.Defaults, &head.Defaults)
	c.values("vars", base.Vars, head.Vars)
	c.differs("aliases", "", base.Aliases, head.Aliases, schema.Span{})
	c.severities("severity", "", base.Severity, head.Severity)
	if base.Evidence != head.Evidence {
		c.add(Change{What: "evidence", Got: head.Evidence, Text: schema.Textf("evidence is %s, was %s", "evidence 由 %[2]s 改为 %[1]s", head.Evidence, base.Evidence)})
	}
	c.differs("vocabulary", "", base.Vocabulary, head.Vocabulary, schema.Span{})
	c.exceptions(base, head)
	c.differs("live", "", unplacedLive(base.Live), unplacedLive(head.Live), schema.Span{})
	return c.list
}

type changeList struct{ list []Change }

func (c *changeList) add(x Change) { c.list = append(c.list, x) }

func (c *changeList) sources(base, head *schema.Manifest) {
	in := func(list []schema.Source, s *schema.Source) bool {
		return slices.ContainsFunc(list, func(x schema.Source) bool { return sameSource(&x, s) })
	}
	for i := range head.Sources {
		if s := &head.Sources[i]; !in(base.Sources, s) {
			c.add(Change{What: "sources", Got: sourceName(s), At: s.At, Now: true, Text: schema.Textf("the %s source %s is added or altered", "新增或修改了%s来源 %s", rules.SideName(s.Side), sourceName(s))})
		}
	}
	for i := range base.Sources {
		if s := &base.Sources[i]; !in(head.Sources, s) {
			c.add(Change{What: "sources", Got: sourceName(s), Removed: true, At: s.At, Text: schema.Textf("the %s source %s is removed or altered", "删除或修改了%s来源 %s", rules.SideName(s.Side), sourceName(s))})
		}
	}
}

func sourceName(s *schema.Source) string {
	switch len(s.Files) {
	case 0:
		return string(s.Side)
	case 1:
		return s.Files[0]
	}
	return fmt.Sprintf("%s (+%d)", s.Files[0], len(s.Files)-1)
}

func (c *changeList) pools(base, head *schema.Manifest) {
	old := map[string]*schema.PoolEntry{}
	for i := range base.Pools {
		old[base.Pools[i].Name] = &base.Pools[i]
	}
	for i := range head.Pools {
		e := &head.Pools[i]
		o := old[e.Name]
		if delete(old, e.Name); o == nil {
			o = &schema.PoolEntry{Name: e.Name}
		}
		if !reflect.DeepEqual(o.Names, e.Names) {
			c.add(Change{What: "pools." + e.Name + ".names", Pool: e.Name, At: e.At, Now: true, Text: schema.Textf("the names of pool %s are altered", "池 %s 的名称被修改", e.Name)})
		}
		c.entry("pools."+e.Name, e.Name, o, e)
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		c.add(Change{What: "pools." + name, Pool: name, Removed: true, At: old[name].At, Text: schema.Textf("the entry of pool %s is removed", "池 %s 的条目被删除", name)})
	}
}

// entry compares what decides in an entry: everything but its names and its owner.
func (c *changeList) entry(what, pool string, base, head *schema.PoolEntry) {
	if base.Executor != head.Executor {
		c.add(Change{What: what + ".executor", Pool: pool, Got: head.Executor, At: head.At, Text: schema.Textf("the executor of the probe (%s) is %q, was %q", "探测的执行方（%s）由 %[3]q 改为 %[2]q", what, head.Executor, base.Executor)})
	}
	for _, item := range schema.Reconciled() {
		b, h := base.Truth[item], head.Truth[item]
		if b.Side != h.Side || b.Copy != h.Copy {
			c.add(Change{What: what + ".truth." + item.String(), Pool: pool, Got: h.Side, At: head.At, Text: schema.Textf("the truth of %s (%s) is altered", "%[2]s 的 %[1]s 真相方被修改", item, what)})
		}
	}
	c.severities(what+".severity", pool, base.Severity, head.Severity)
	if base.Constraints != head.Constraints {
		c.add(Change{What: what + ".constraints", Pool: pool, Got: head.Constraints, At: head.At, Text: schema.Textf("constraints (%s) is %q, was %q", "constraints（%s）由 %[3]q 改为 %[2]q", what, head.Constraints, base.Constraints)})
	}
	if base.MinActive != head.MinActive {
		c.add(Change{What: what + ".minActive", Pool: pool, Got: fmt.Sprint(head.MinActive), At: head.At, Text: schema.Textf("minActive (%s) is %d, was %d", "minActive（%s）由 %[3]d 改为 %[2]d", what, head.MinActive, base.MinActive)})
	}
	c.differs(what+".traffic", pool, base.Traffic, head.Traffic, head.At)
	c.differs(what+".onAllOut", pool, base.OnAllOut, head.OnAllOut, head.At)
	c.differs(what+".probePorts", pool, base.ProbePorts, head.ProbePorts, head.At)
}

func (c *changeList) differs(what, pool string, base, head any, at schema.Span) {
	if b, h := reflect.ValueOf(base), reflect.ValueOf(head); reflect.DeepEqual(base, head) || b.Kind() != reflect.Pointer && b.Len() == 0 && h.Len() == 0 {
		return
	}
	c.add(Change{What: what, Pool: pool, At: at, Text: schema.Textf("%s is altered", "%s 被修改", what)})
}

func (c *changeList) values(what string, base, head map[string]string) {
	names := map[string]bool{}
	for _, m := range []map[string]string{base, head} {
		for name := range m {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		b, before := base[name]
		h, after := head[name]
		switch {
		case !after:
			c.add(Change{What: what + "." + name, Removed: true, Text: schema.Textf("%s.%s is removed", "%s.%s 被删除", what, name)})
		case !before || b != h: // values are settings of the copies, and count in head as they are
			c.add(Change{What: what + "." + name, Now: true, Text: schema.Textf("%s.%s is added or altered", "%s.%s 被新增或修改", what, name)})
		}
	}
}

func (c *changeList) severities(what, pool string, base, head []schema.SeverityRule) {
	of := func(list []schema.SeverityRule) map[string]schema.SeverityRule {
		m := map[string]schema.SeverityRule{}
		for _, s := range list {
			m[s.Rule] = s
		}
		return m
	}
	b, h := of(base), of(head)
	for _, rule := range slices.Sorted(maps.Keys(h)) {
		if s := h[rule]; s.Severity != b[rule].Severity {
			c.add(Change{What: what, Pool: pool, Got: rule + ": " + s.Severity.String(), At: s.At, Text: schema.Textf("the severity of %s is set to %s", "%s 的级别被设为 %s", rule, s.Severity)})
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(b)) {
		if _, ok := h[rule]; !ok {
			c.add(Change{What: what, Pool: pool, Got: rule, Removed: true, At: b[rule].At, Text: schema.Textf("the severity of %s is no longer set", "不再设置 %s 的级别", rule)})
		}
	}
}

func (c *changeList) exceptions(base, head *schema.Manifest) {
	bare := func(e schema.Exception) schema.Exception { e.At, e.File = schema.Span{}, ""; return e }
	in := func(list []schema.Exception, e schema.Exception) bool {
		return slices.ContainsFunc(list, func(x schema.Exception) bool {
			x, e := bare(x), bare(e)
			same := x.Expires.Equal(e.Expires)
			x.Expires = e.Expires
			return same && x == e
		})
	}
	for _, e := range head.Exceptions {
		if !in(base.Exceptions, e) {
			c.add(Change{What: "exceptions", Pool: e.Pool, Got: e.Rule, At: e.At, Text: schema.Textf("an exception for %s of pool %s is added or altered", "新增或修改了池 %[2]s 对 %[1]s 的例外", e.Rule, e.Pool)})
		}
	}
	for _, e := range base.Exceptions {
		if !in(head.Exceptions, e) {
			c.add(Change{What: "exceptions", Pool: e.Pool, Got: e.Rule, Removed: true, At: e.At, Text: schema.Textf("the exception for %s of pool %s is removed or altered", "删除或修改了池 %[2]s 对 %[1]s 的例外", e.Rule, e.Pool)})
		}
	}
}

func unplacedLive(list []schema.LiveGateway) []schema.LiveGateway {
	out := slices.Clone(list)
	for i := range out {
		out[i].At = schema.Span{}
	}
	return out
}
