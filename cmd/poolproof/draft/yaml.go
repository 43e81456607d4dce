package draft

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"

	"github.com/poolproof/poolproof/cmd/poolproof/yamltext"
)

// versioned are the formats whose engines differ between versions, with a version as an example.
var versioned = map[string]string{
	"haproxy": "haproxy-2.8", "nginx": "nginx-1.26", "envoy": "envoy-1.33", "apisix": "apisix-3.9", "argo-rollouts": "argo-rollouts-1.7",
}

// writer writes a manifest with its comments in one language.
type writer struct {
	strings.Builder
	lang string
}

// say writes a comment, or a part of one.
func (w *writer) say(en, zh string, args ...any) {
	fmt.Fprintf(w, schema.Text{En: en, Zh: zh}.In(w.lang), args...)
}

// YAML writes the draft as a manifest that people go on with, with comments in a language ("en", "zh").
func (d *Draft) YAML(lang string) string {
	b := writer{lang: lang}
	b.say("# What poolproof compares. poolproof schema prints the whole grammar; poolproof explain RULE explains a finding.\n",
		"# poolproof 比对的内容。poolproof schema 打印完整语法；poolproof explain RULE 解释一条发现。\n")
	if len(d.Sources) == 0 {
		b.say("# Nothing that poolproof knows was found: take off the # below and put in your own files.\n",
			"# 没有找到 poolproof 认识的格式：请去掉下面的 #，填入自己的文件。\n")
	}
	b.WriteString("sources:\n")
	said := map[string]bool{}
	sides := map[schema.Side]bool{}
	environments := false
	for i := range d.Sources {
		s := &d.Sources[i]
		sides[s.Side] = true
		if v := versioned[s.Format]; v != "" && !said[s.Format] {
			said[s.Format] = true
			b.say("  # Say which version runs, since defaults differ: profile: %s\n", "  # 请写明运行的版本，因为默认值不同：profile: %s\n", v)
		}
		if s.Side == schema.Doc && !environments && d.split() && !split(s) {
			environments = true
			b.say("  # A page about several environments says which a table describes: <!-- poolproof: env=%s --> above it.\n",
				"  # 一页描述多个环境时，在表格上方写明环境：<!-- poolproof: env=%s -->\n", "prod")
		}
		d.source(&b, s)
	}
	if !sides[schema.Gateway] {
		b.WriteString("  # - {side: gateway, format: haproxy, files: [\"gateway/*.cfg\"], profile: haproxy-2.8}\n")
	}
	if !sides[schema.App] {
		b.say("  # An application file of your own making is read through paths:\n", "  # 自制的应用文件按路径读取：\n")
		b.WriteString(`  # - side: app
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
		b.say("  # Change orders, which poolproof change new writes, are read once this counts:\n", "  # 变更单（由 poolproof change new 生成）在启用此行后才会被读取：\n")
		b.WriteString("  # - {side: order, files: [\"changes/*.md\"]}\n")
	}
	d.leftOut(&b)
	d.entries(&b)
	return b.String()
}

// leftOut names what no source names, several files of one folder at once.
func (d *Draft) leftOut(b *writer) {
	const most = 3
	type place struct {
		dir string
		why schema.Text
	}
	count := map[place]int{}
	for _, l := range d.LeftOut {
		count[place{path.Dir(l.Path), l.Why}]++
	}
	for _, l := range d.LeftOut {
		at := place{path.Dir(l.Path), l.Why}
		name := yamltext.Quote(l.Path)
		switch n := count[at]; {
		case n < 0: // said
			continue
		case n > most:
			name = schema.Textf("%d files in %s", "%[2]s 中的 %[1]d 个文件", n, yamltext.Quote(at.dir+"/")).In(b.lang)
			count[at] = -1
		}
		b.say("  # left out: %s (%s)\n", "  # 未列入：%s（%s）\n", name, l.Why.In(b.lang))
	}
}

// split reports whether a source tells environments apart.
func split(s *Source) bool {
	return s.Env != "" || slices.ContainsFunc(s.Files, func(f string) bool { return strings.Contains(f, "{env}") })
}

// split reports whether the gateway's sources do.
func (d *Draft) split() bool {
	return slices.ContainsFunc(d.Sources, func(s Source) bool { return s.Side == schema.Gateway && split(&s) })
}

func (d *Draft) source(b *writer, s *Source) {
	if s.Guess {
		b.say("  # A guess, by the addresses in it. Other settings are mapped alike: cooldown: {duration: \"breaker.sleep_ms | ms\"}\n",
			"  # 据其中的地址猜测。其他配置项同样按路径读取：cooldown: {duration: \"breaker.sleep_ms | ms\"}\n")
		fmt.Fprintf(b, "  - side: %s\n    format: %s\n    files: %s\n    map:\n      pool: %s\n", s.Side, s.Format, yamltext.Quoted(s.Files), yamltext.Scalar(s.Map.Pool))
		if s.Map.Members != "" {
			fmt.Fprintf(b, "      members: %s\n", yamltext.Quote(s.Map.Members))
			return
		}
		fmt.Fprintf(b, "      members: {each: %s", yamltext.Quote(s.Map.MembersEach))
		for _, e := range s.Map.MembersMap {
			fmt.Fprintf(b, ", %s: %s", e.Key, yamltext.Scalar(e.Expr))
		}
		b.WriteString("}\n")
		return
	}
	fmt.Fprintf(b, "  - {side: %s, format: %s, files: %s", s.Side, s.Format, yamltext.Quoted(s.Files))
	if len(s.Profiles) > 0 {
		fmt.Fprintf(b, ", profiles: %s", yamltext.Quoted(s.Profiles))
	}
	if s.Env != "" {
		fmt.Fprintf(b, ", env: %s", yamltext.Scalar(s.Env))
	}
	b.WriteString("}\n")
}

// How many pools are listed of which there is something to ask, and how many others; those with names of their own all
// are, since nothing pairs them but their entry.
const (
	maxSaid  = 60
	maxPools = 12
)

func (d *Draft) entries(b *writer) {
	b.say(`
# Pools pair by name; case, '-', '_', spaces and the word pool do not matter. An entry goes by any
# side's name, best the application's; names says what the other sides call the pool, executor which side runs the
# health checks. A pool that needs neither needs no entry.
`, `
# 池按名称配对；大小写、'-'、'_'、空格和“地址池”、pool 等词不计。条目可用任一方的名称，
# 最好是应用的名称；names 写明其他各方的名称，executor 写明由哪一方执行健康检查。两者都不需要的池不必写条目。
`)
	if d.Executor != "" {
		fmt.Fprintf(b, "defaults: {executor: %s}  # ", d.Executor)
		b.say("the only side that states a probe\n", "只有这一方写了探测\n")
	}
	pools := append([]Pool{}, d.Pools...)
	weight := func(p *Pool) int {
		switch {
		case len(p.Names) > 0:
			return 0
		case len(p.Perhaps) > 0 || p.TwoExecutors:
			return 1
		case !p.silent():
			return 2
		}
		return 3
	}
	sort.SliceStable(pools, func(i, j int) bool { return weight(&pools[i]) < weight(&pools[j]) })
	upTo := func(most int) int {
		return sort.Search(len(pools), func(i int) bool { return weight(&pools[i]) > most })
	}
	left := max(0, len(pools)-max(maxPools, upTo(0), min(upTo(1), max(upTo(0), maxSaid))))
	pools = pools[:len(pools)-left]
	if len(pools) == 0 {
		b.WriteString("pools: {}\n#  orders: {names: {gateway: be_orders, doc: \"Orders address pool\"}, executor: gateway}\n")
		return
	}
	if slices.ContainsFunc(pools, func(p Pool) bool { return !p.silent() }) {
		b.WriteString("pools:\n")
	} else {
		b.say("pools: {}  # take the {} off before the first entry below\n", "pools: {}  # 启用下面的条目前，请先去掉 {}\n")
	}
	for i := range pools {
		pools[i].entry(b)
	}
	if left > 0 {
		b.say("  # and %d more pools, which need no entry as long as their names pair\n", "  # 另有 %d 个池，只要名称能配对就不必写\n", left)
	}
}

// silent reports whether there is nothing to say about a pool in a manifest: it stands on one side alone, under a name that
// nothing else is near. An entry that says nothing would only be in the way of one that does.
func (p *Pool) silent() bool {
	return len(p.Sides) < 2 && len(p.Names) == 0 && p.Executor == "" && !p.TwoExecutors
}

func (p *Pool) entry(b *writer) {
	var sides []string
	for _, s := range p.Sides {
		sides = append(sides, string(s))
	}
	switch where := strings.Join(sides, ", "); {
	case p.silent() && len(p.Perhaps) > 0: // the entries that follow say it
	case p.silent():
		b.say("  # %s: %s alone\n", "  # %s：仅 %s\n", yamltext.Scalar(p.Name), where)
	default:
		fmt.Fprintf(b, "  %s: {%s}  # %s", yamltext.Scalar(p.Name), p.body(p.Names), where)
		if len(p.Why) > 0 {
			var why []string
			for _, t := range p.Why {
				if text := t.In(b.lang); !slices.Contains(why, text) {
					why = append(why, text)
				}
			}
			b.WriteString("; " + strings.Join(why, "; "))
		}
		b.WriteString("\n")
	}
	p.perhaps(b)
	if p.Env != "" {
		b.say("    # a section about %s alone belongs in a file of that environment (docs/{env}/): elsewhere, all environments are compared with it\n",
			"    # 只讲 %s 的一节应放进该环境的文件（docs/{env}/）：放在别处，会与所有环境比较\n", p.Env)
	}
	if p.TwoExecutors {
		b.say("    # application and gateway both state a probe: say who runs it, executor: gateway\n",
			"    # 应用与网关都写了探测：请写明由谁执行，例如 executor: gateway\n")
	}
}

// body writes what an entry of the pool holds, under some names.
func (p *Pool) body(names map[schema.Side]string) string {
	var parts []string
	if len(names) > 0 {
		parts = append(parts, named(names))
	}
	if p.Executor != "" {
		parts = append(parts, "executor: "+string(p.Executor))
	}
	return strings.Join(parts, ", ")
}

// mostGuesses is how many entries a pool is given to choose from.
const mostGuesses = 5

// perhaps writes the entries that the pool should have, if names that may be its own are. Each is a comment that takes the
// place of the entry above as it stands.
func (p *Pool) perhaps(b *writer) {
	for i := range p.Perhaps[:min(mostGuesses, len(p.Perhaps))] {
		g := &p.Perhaps[i]
		fmt.Fprintf(b, "  # %s: {%s}  # ", yamltext.Scalar(g.EntryName), p.body(g.EntryNames))
		if p.silent() {
			b.say("if %s and %s are one pool", "若 %s 与 %s 是同一个池，启用此行", yamltext.Quote(p.Name), yamltext.Quote(g.Name))
		} else {
			b.say("instead, if these are one pool", "若为同一个池，用此行代替上一行")
		}
		b.say(" (%s)", "（%s）", g.Why.In(b.lang))
		if g.Rival {
			b.say("; not sure: another name fits as well", "；不确定：另有名称同样符合")
		}
		b.WriteString("\n")
	}
	if more := len(p.Perhaps) - mostGuesses; more > 0 {
		b.say("  # and %d more names that could be this pool's\n", "  # 另有 %d 个可能属于该池的名称\n", more)
	}
}

// named writes what a pool is called on other sides.
func named(names map[schema.Side]string) string {
	var list []string
	for _, side := range Sorted(names) {
		list = append(list, string(side)+": "+yamltext.Scalar(names[side]))
	}
	return "names: {" + strings.Join(list, ", ") + "}"
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
