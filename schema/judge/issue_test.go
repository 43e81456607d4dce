package judge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

var pool = schema.Text{En: "pool orders", Zh: "地址池 orders"}

// What people read: rule, message, hint.
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		doc                    *node
		rule, en, hint, zh, zx string
	}{
		{obj("cooldown", obj("duration", 30)), "schema/unit", "cooldown.duration: 30 has no unit", "write the unit: 30ms, 30s, 30m",
			"cooldown.duration：30 没有单位", "写明单位：30ms、30s、30m"},
		{obj("cooldown", obj("duration", "30")), "schema/unit", `cooldown.duration: "30" has no unit`, "write the unit: 30ms, 30s, 30m",
			`cooldown.duration："30" 没有单位`, "写明单位：30ms、30s、30m"},
		{obj("probe", obj("fall", "3s")), "schema/unit", `probe.fall: "3s" has a unit where none can stand`, "write a whole number of at least 1 without a unit",
			`probe.fall："3s" 带有单位，此处不能带单位`, "写成不带单位的不小于 1 的整数"},
		{obj("cooldown", obj("cooldwn", "5s")), "schema/unknown-key", "cooldown has no key cooldwn", "did you mean cooldown?", "cooldown 没有键 cooldwn", "是否应为 cooldown？"},
		{obj("cooldwn", obj()), "schema/unknown-key", "unknown key cooldwn", "did you mean cooldown?", "未知的键 cooldwn", "是否应为 cooldown？"},
		{obj("interval", "2s"), "schema/unknown-key", "unknown key interval", "did you mean probe.interval?", "未知的键 interval", "是否应为 probe.interval？"},
		{obj("probe", obj("members", arr())), "schema/unknown-key", "probe has no key members", "did you mean members?", "probe 没有键 members", "是否应为 members？"},
		{obj("onAllOut", obj("panicBelow", 5, "xyz", 1)), "schema/unknown-key", "onAllOut has no key xyz", `known keys: panicBelow`, "onAllOut 没有键 xyz", "已知的键：panicBelow"},
		{obj("cooldown", obj("growth", 0.5)), "schema/invalid", "cooldown.growth: 0.5 is not a number of at least 1 or a mapping", "",
			"cooldown.growth：0.5 不是不小于 1 的数字或映射", ""},
		{obj("members", arr(obj("port", "8080"))), "schema/invalid", `members[0].port: "8080" is not a whole number from 1 to 65535, "client" or an offset (+1)`, "drop the quotes",
			`members[0].port："8080" 不是 1 到 65535 的整数、"client"或偏移量（+1）`, "去掉引号"},
		{obj("cooldown", obj("startsAt", "drain")), "schema/invalid", `cooldown.startsAt: "drain" is none of "drained", "ejected" or "probe-passed"`, "did you mean drained?",
			`cooldown.startsAt："drain" 不在 "drained"、"ejected"或"probe-passed"之中`, "是否应为 drained？"},
		{obj("cooldown", obj("repeat", obj("limit", 3))), "schema/invalid", "cooldown.repeat.within is missing", "add within: a duration (500ms, 2s, 1m30s)",
			"缺少 cooldown.repeat.within", "补充 within：时长（500ms、2s、1m30s）"},
		{obj("probe", of(nil)), "schema/invalid", "probe has no value; it takes a mapping", "write a value, or remove the key", "probe 没有值；此处应为映射", "写上值，或删除该键"},
		{obj("probe", arr()), "schema/invalid", "probe: a list is not a mapping", "", "probe：列表 不是映射", ""},
		{arr(), "schema/invalid", "pool orders: a list is not a mapping", "", "地址池 orders：列表 不是映射", ""},
		{obj("traffic", obj("interfaces", obj("a.b", 101))), "schema/invalid", `traffic.interfaces."a.b": 101 is not a number from 0 to 100`, "",
			`traffic.interfaces."a.b"：101 不是 0 到 100 的数字`, ""},
	} {
		issues := New().Check(Pool, tt.doc, nil)
		if len(issues) != 1 {
			t.Errorf("%s: %d issues", tt.doc, len(issues))
			continue
		}
		p := issues[0].Problem(pool)
		for _, w := range []struct{ what, got, want string }{
			{"rule", p.Rule, tt.rule}, {"message", p.Text.En, tt.en}, {"hint", p.Hint.En, tt.hint}, {"message in Chinese", p.Text.Zh, tt.zh}, {"hint in Chinese", p.Hint.Zh, tt.zx},
		} {
			if w.got != w.want {
				t.Errorf("%s: %s\n got %s\nwant %s", tt.doc, w.what, w.got, w.want)
			}
		}
	}
}

func TestProblemOfItem(t *testing.T) {
	issues := New().Check(Pool, obj("members", arr(obj("port", 0)), "env", 5), nil)
	if len(issues) != 2 {
		t.Fatal(issues)
	}
	if p := issues[0].Problem(pool); p.Item != schema.Members || p.Field != "port" || p.Got != "0" {
		t.Errorf("%+v", p)
	}
	if p := issues[1].Problem(pool); p.Item != schema.NoItem || p.Field != "env" {
		t.Errorf("%+v", p)
	}
}

// Names of a bad form are not unknown keys, and long ones are not shown whole.
func TestBadName(t *testing.T) {
	for _, name := range []string{"", strings.Repeat("池", 201)} {
		issues := New().Check(NativeFile, obj("pools", obj(name, obj())), nil)
		if len(issues) != 1 || issues[0].Kind != BadKey {
			t.Fatalf("%q: %+v", name, issues)
		}
		if p := issues[0].Problem(pool); p.Rule != "schema/invalid" || len(p.Text.En) > 120 || !strings.HasSuffix(p.Text.En, "is not a text of 1 to 200 characters") {
			t.Errorf("%s %s", p.Rule, p.Text.En)
		}
	}
	if issues := New().Check(NativeFile, obj("pools", obj(strings.Repeat("池", 200), obj())), nil); issues != nil {
		t.Errorf("a name of 200 characters is refused: %v", issues[0].Path)
	}
}

func TestStates(t *testing.T) {
	cut, filled, digits := text("{{ .X }}"), text("30s"), text("3")
	states := map[Tree]State{cut: Cut, filled: Filled, digits: Filled}
	doc := obj("probe", cut, "cooldown", obj("duration", filled, "growth", digits, "repeat", obj("limit", digits, "within", cut)))
	if issues := New().Check(Pool, doc, func(n Tree) State { return states[n] }); issues != nil {
		t.Errorf("%s: %s", issues[0].Path, issues[0].Want.En)
	}
	issues := New().Check(Pool, doc, nil)
	var paths []string
	for _, i := range issues {
		paths = append(paths, i.Path)
	}
	if want := []string{"probe", "cooldown.growth", "cooldown.repeat.limit", "cooldown.repeat.within"}; !slices.Equal(paths, want) {
		t.Errorf("without states: %v, want %v", paths, want)
	}
	bad := text("30")
	issues = New().Check(Pool, obj("cooldown", obj("duration", bad)), func(n Tree) State { return map[Tree]State{bad: Filled}[n] })
	if len(issues) != 1 || issues[0].Kind != NoUnit {
		t.Errorf("a filled-in number without a unit: %+v", issues)
	}
}

// Numbers that a float cannot tell apart are compared by CUE.
func TestBeyondFloats(t *testing.T) {
	for _, tt := range []struct {
		number string
		ok     bool
	}{
		{"1.00000000000000000000000001", true}, {"0.99999999999999999999999999", false}, {"123456789012345678901234567890", true}, {"1e3", true}, {"9e-1", false},
	} {
		n := &node{kind: Float, text: tt.number}
		if !strings.ContainsAny(tt.number, ".e") {
			n.kind = Int
		}
		issues := New().Check(Pool, obj("cooldown", obj("growth", n, "max", "5")), nil)
		refused := slices.ContainsFunc(issues, func(i Issue) bool { return i.Path == "cooldown.growth" })
		if refused == tt.ok {
			t.Errorf("growth: %s is refused: %v", tt.number, refused)
		}
	}
}

// Where the table cannot express a type, CUE alone decides, and nothing else changes.
func TestOpaqueTypes(t *testing.T) {
	for _, name := range []string{"Duration", "Cooldown", "Ratio", "Batch", "OnAllOut"} {
		tab := table.Table{Types: slices.Clone(compiled.Types), Defs: compiled.Defs}
		for i := range tab.Types {
			if tab.Types[i].Name == name {
				tab.Types[i] = table.Type{Name: name, Flags: table.Opaque}
			}
		}
		opaque, whole := newJudge(&tab), New()
		refused := 0
		for seed := range uint64(60) {
			a := author{&compiled, rand.New(rand.NewPCG(seed, 2)), 25}
			doc := a.write(whole.roots[Pool], 0)
			got, want := opaque.Check(Pool, doc, nil), whole.Check(Pool, doc, nil)
			if (got == nil) != (want == nil) {
				t.Errorf("#%s opaque: %d issues, else %d: %s", name, len(got), len(want), doc)
			}
			if want != nil {
				refused++
			}
		}
		if refused == 0 || refused == 60 {
			t.Errorf("#%s: %d of 60 documents refused", name, refused)
		}
	}
}

// A document of any size and kind of wrongness ends, with each bad value named.
func TestLargeDocuments(t *testing.T) {
	bad := &node{kind: List}
	for range 2000 {
		bad.kids = append(bad.kids, obj("port", 0))
	}
	issues := New().Check(Pool, obj("members", bad), nil)
	if len(issues) != 2000 || issues[maxWorded-1].Brief || !issues[maxWorded].Brief || issues[1999].Node == nil {
		t.Errorf("%d issues of 2000", len(issues))
	}
	deep := obj("x", 1)
	for range 10_000 {
		deep = obj("x", deep)
	}
	if issues := New().Check(Pool, obj("unknown", deep), nil); len(issues) != 1 {
		t.Errorf("%d issues", len(issues))
	}
	wide := &node{kind: List}
	for range maxEncoded + 10 {
		wide.kids = append(wide.kids, text("a"))
	}
	issues = New().Check(Pool, obj("retry", obj("on", wide, "attempts", -1)), nil)
	if len(issues) != 1 || issues[0].Path != "retry.attempts" {
		t.Errorf("%d issues", len(issues))
	}
}

func TestNearest(t *testing.T) {
	known := []string{"interval", "intervals", "timeout", "max", "jitter"}
	for name, want := range map[string]string{
		"intreval": "interval", "Interval": "interval", "time-out": "timeout", "interal": "interval", "intervalls": "intervals", "mx": "max", "port": "", "": "", "j": "",
		strings.Repeat("interval", 100): "",
	} {
		if got := nearest(name, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	members := arr()
	for range 10 {
		members.kids = append(members.kids, obj("address", "m01.payments-00001.eu-west-1.example.net", "port", 8080, "weight", 10, "priority", 1))
	}
	doc := obj("domain", obj("region", "eu-west-1"), "members", members, "cooldown", obj("duration", "2m30s", "max", "10m0s"))
	j := New()
	b.ReportAllocs()
	for b.Loop() {
		if j.Check(Pool, doc, nil) != nil {
			b.Fatal("refused")
		}
	}
}

// TestCheckWithin: what several documents of one file may ask of CUE is bounded together, and bad values stay bad. What CUE
// has said before is not asked again.
func TestCheckWithin(t *testing.T) {
	j, left := New(), 2
	for i, fall := range []int{0, 0, -1, -2, -1} {
		if issues := j.CheckWithin(Pool, obj("probe", obj("fall", fall)), nil, &left); len(issues) != 1 || issues[0].Kind != Invalid {
			t.Errorf("%d: %v", i, issues)
		}
		if want := []int{1, 1, 0, 0, 0}[i]; left != want {
			t.Errorf("%d: %d left, want %d", i, left, want)
		}
	}
}

// TestOwnPart: CUE is asked about what is wrong, not about everything around it that has a definition of its own.
func TestOwnPart(t *testing.T) {
	members := arr()
	for i := range 500 {
		members.kids = append(members.kids, obj("address", fmt.Sprintf("m%d.example.net", i), "port", 8080))
	}
	pool := obj("membrs", 1, "members", members, "probe", obj("fall", 0), "ramp", obj("batches", arr(obj("share", 10), "x")))
	j := New()
	var e encoder
	e.table, e.own = j.table, true
	if e.whole(j.roots[Pool], pool); e.nodes > 30 {
		t.Errorf("%d nodes", e.nodes)
	}
	var paths []string
	for _, i := range j.Check(Pool, pool, nil) {
		paths = append(paths, i.Path)
	}
	if got := strings.Join(paths, " "); got != "membrs probe.fall ramp.batches[1]" {
		t.Errorf("issues at %s", got)
	}
}

// TestSpell: different questions are spelt differently.
func TestSpell(t *testing.T) {
	j := New()
	seen := map[string]*node{}
	for _, doc := range []*node{
		obj(), arr(), text(""), text("1"), num("1"), num("-1"), num("1.0"), of(nil), text("null"), of(true), text("true"), obj("a", 1), obj("a", "1"),
		arr("a", "b"), arr(`a" "b`), arr(arr("a"), "b"), arr(arr("a", "b")), obj("a", obj("b", 1)), obj("a", obj(), "b", 1), text("{"), obj("{", 1), num(".inf"),
	} {
		key := spell("X", encode(j.table, nil, noType, doc))
		if other := seen[key]; other != nil || key == "" {
			t.Errorf("%s and %s are both spelt %q", doc, other, key)
		}
		seen[key] = doc
	}
	if spell("X", encode(j.table, nil, noType, text(strings.Repeat("a", 2*maxSpelt)))) != "" {
		t.Error("a long text has a key")
	}
}

// TestLongNumbers: a number of a million digits is judged like one of four hundred.
func TestLongNumbers(t *testing.T) {
	j := New()
	for _, sign := range []string{"", "-"} {
		long := sign + strings.Repeat("9", 1_000_000)
		for _, c := range []struct {
			doc *node
			ok  bool
		}{
			{obj("probe", obj("fall", num(long))), sign == ""},
			{obj("probe", obj("port", num(long))), false},
		} {
			if issues := j.Check(Pool, c.doc, nil); (len(issues) == 0) != c.ok {
				t.Errorf("%.3s...: %d issues", long, len(issues))
			}
		}
	}
}
