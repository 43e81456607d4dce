package draft

import (
	"fmt"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// versioned are the formats whose engines differ between versions, with a version as an example.
var versioned = map[string]string{
	"haproxy": "haproxy-2.8", "nginx": "nginx-1.26", "envoy": "envoy-1.33", "apisix": "apisix-3.9", "argo-rollouts": "argo-rollouts-1.7",
}

// YAML writes the draft as a manifest that people go on with.
func (d *Draft) YAML() string {
	var b strings.Builder
	b.WriteString("# What poolproof compares. poolproof schema prints the whole grammar; poolproof explain RULE explains a finding.\n")
	if len(d.Sources) == 0 {
		b.WriteString("# Nothing that poolproof knows was found: take off the # below and put in your own files.\n")
	}
	b.WriteString("sources:\n")
	said := map[string]bool{}
	sides := map[schema.Side]bool{}
	for i := range d.Sources {
		s := &d.Sources[i]
		sides[s.Side] = true
		if v := versioned[s.Format]; v != "" && !said[s.Format] {
			said[s.Format] = true
			fmt.Fprintf(&b, "  # Say which version runs, since defaults differ: profile: %s\n", v)
		}
		d.source(&b, s)
	}
	if !sides[schema.Gateway] {
		b.WriteString("  # - {side: gateway, format: haproxy, files: [\"gateway/*.cfg\"], profile: haproxy-2.8}\n")
	}
	if !sides[schema.App] {
		b.WriteString(`  # An application file of your own making is read through paths:
  # - side: app
  #   format: mapped
  #   files: ["services/orders/config.yaml"]
  #   map:
  #     pool: orders
  #     members: {each: "upstream.hosts[*]", address: host, port: port, weight: weight}
  #     cooldown: {duration: "breaker.sleep_ms | ms"}
`)
	}
	if !sides[schema.Doc] {
		b.WriteString("  # - {side: doc, format: markdown, files: [\"docs/**/*.md\"]}\n")
	}
	if !sides[schema.Order] {
		b.WriteString("  # - {side: order, files: [\"changes/*.md\"]}\n")
	}
	for _, l := range d.LeftOut {
		fmt.Fprintf(&b, "  # left out: %s (%s)\n", quote(l.Path), l.Why.En)
	}
	d.entries(&b)
	return b.String()
}

func (d *Draft) source(b *strings.Builder, s *Source) {
	if s.Guess {
		b.WriteString("  # A guess, by the addresses in it. Other settings are mapped alike: cooldown: {duration: \"breaker.sleep_ms | ms\"}\n")
		fmt.Fprintf(b, "  - side: %s\n    format: %s\n    files: %s\n    map:\n      pool: %s\n", s.Side, s.Format, list(s.Files), scalar(s.Map.Pool))
		if s.Map.Members != "" {
			fmt.Fprintf(b, "      members: %s\n", quote(s.Map.Members))
			return
		}
		fmt.Fprintf(b, "      members: {each: %s", quote(s.Map.MembersEach))
		for _, e := range s.Map.MembersMap {
			fmt.Fprintf(b, ", %s: %s", e.Key, scalar(e.Expr))
		}
		b.WriteString("}\n")
		return
	}
	fmt.Fprintf(b, "  - {side: %s, format: %s, files: %s", s.Side, s.Format, list(s.Files))
	if len(s.Profiles) > 0 {
		fmt.Fprintf(b, ", profiles: %s", list(s.Profiles))
	}
	if s.Env != "" {
		fmt.Fprintf(b, ", env: %s", scalar(s.Env))
	}
	b.WriteString("}\n")
}

// How many pools are listed: those that there is something to say about, and all together. The others need no entry.
const (
	maxSaid  = 60
	maxPools = 12
)

func (d *Draft) entries(b *strings.Builder) {
	b.WriteString(`
# Pools pair by name; case, '-', '_', spaces and the word pool do not matter. names says what a pool is called elsewhere,
# executor which side runs the health checks.
`)
	if d.Executor != "" {
		fmt.Fprintf(b, "defaults: {executor: %s}  # the only side that states a probe\n", d.Executor)
	}
	pools := append([]Pool{}, d.Pools...)
	weight := func(p *Pool) int {
		switch {
		case len(p.Names) > 0 || len(p.Perhaps) > 0 || p.TwoExecutors:
			return 0
		case len(p.Sides) > 1:
			return 1
		}
		return 2
	}
	sort.SliceStable(pools, func(i, j int) bool { return weight(&pools[i]) < weight(&pools[j]) })
	said := sort.Search(len(pools), func(i int) bool { return weight(&pools[i]) > 0 })
	left := max(0, len(pools)-max(maxPools, min(said, maxSaid)))
	pools = pools[:len(pools)-left]
	if len(pools) == 0 {
		b.WriteString("pools: {}\n#  orders: {names: {gateway: be_orders, doc: \"Orders address pool\"}, executor: gateway}\n")
		return
	}
	b.WriteString("pools:\n")
	for i := range pools {
		pools[i].entry(b)
	}
	if left > 0 {
		fmt.Fprintf(b, "  # and %d more pools, which need no entry as long as their names pair\n", left)
	}
}

func (p *Pool) entry(b *strings.Builder) {
	var parts, sides []string
	if len(p.Names) > 0 {
		var names []string
		for _, side := range Sorted(p.Names) {
			names = append(names, string(side)+": "+scalar(p.Names[side]))
		}
		parts = append(parts, "names: {"+strings.Join(names, ", ")+"}")
	}
	if p.Executor != "" {
		parts = append(parts, "executor: "+string(p.Executor))
	}
	for _, s := range p.Sides {
		sides = append(sides, string(s))
	}
	fmt.Fprintf(b, "  %s: {%s}  # %s", scalar(p.Name), strings.Join(parts, ", "), strings.Join(sides, ", "))
	if len(p.Names) > 0 {
		b.WriteString("; the names are near and addresses are the same")
	}
	b.WriteString("\n")
	for _, side := range Sorted(p.Perhaps) {
		why := "the names are near"
		if p.Perhaps[side].SameAddresses {
			why = "addresses are the same"
		}
		fmt.Fprintf(b, "    # the same pool? names: {%s: %s} (%s)\n", side, scalar(p.Perhaps[side].Name), why)
	}
	if p.TwoExecutors {
		b.WriteString("    # application and gateway both state a probe: say who runs it, executor: gateway\n")
	}
}

// Sorted returns the sides that a map has, in byte order.
func Sorted[V any](m map[schema.Side]V) []schema.Side {
	sides := make([]schema.Side, 0, len(m))
	for s := range m {
		sides = append(sides, s)
	}
	sort.Slice(sides, func(i, j int) bool { return sides[i] < sides[j] })
	return sides
}
