package dryrun

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
)

// Unknown finds members and interfaces that a scenario names and the pool or its traffic does not have.
func Unknown(s *Scenario, o Options) []schema.Problem {
	var r reader
	known := map[string]bool{}
	for _, c := range []*schema.Copy{o.Copy, o.Head} {
		if c != nil {
			for i := range c.Members {
				known[c.Members[i].ID()] = true
			}
		}
	}
	hint := schema.Textf("write address and port as the pool does", "请按地址池中的写法填写地址与端口")
	missing := func(id string, at schema.Span) {
		if id != "" && !known[id] {
			r.problems = append(r.problems, schema.Problem{Rule: ruleInvalid, At: at, Member: id, Got: id, Hint: hint,
				Text: schema.Textf("the pool has no member %q", "地址池没有成员 %q", id)})
		}
	}
	for _, id := range sortedKeys(s.MemberAt) {
		missing(id, s.MemberAt[id])
	}
	for i := range s.Events {
		e := &s.Events[i]
		if e.Fault != nil {
			for _, id := range e.Fault.Members {
				missing(id, e.Place)
			}
		}
		if e.External != nil {
			for _, id := range e.External.Members {
				missing(id, e.Place)
			}
		}
		if e.Operator != nil {
			missing(e.Operator.Member, e.Place)
		}
	}
	var paths []schema.Share
	if s.Traffic != nil {
		paths = s.Traffic.Interfaces
	} else if o.Traffic != nil {
		paths = o.Traffic.Interfaces
	}
	for i := range s.Expect {
		e := &s.Expect[i]
		missing(e.Member, e.MemberAt)
		if e.Interface != "" && !slices.ContainsFunc(paths, func(p schema.Share) bool { return p.Name == e.Interface }) {
			r.invalid(e.InterfaceAt, schema.Textf("there is no traffic on interface %q", "接口 %q 没有流量", e.Interface), schema.Textf("write it under traffic.interfaces", "请写在 traffic.interfaces 中"))
		}
	}
	return r.problems
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
