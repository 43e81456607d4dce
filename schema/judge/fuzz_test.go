package judge

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// author writes documents that follow a type, but for slips here and there.
type author struct {
	table *table.Table
	rand  *rand.Rand
	slips int // how many values in a thousand are not what the grammar asks for
}

// oddTexts are texts near the edges of the grammar's forms.
var oddTexts = []string{"", " ", "30", "30s", "30S", "1.5", "1.5s", ".5s", "5.s", "1d", "1w", "1m30s", "-5s", "5 s", "5ms2", "µs", "1µs", "1μs", "ms", "1mss",
	"client", "+1", "-2", "+", "+-1", "sha256:", "2026-12-31", "2026-1-31", "2026-12-31T00:00:00Z", "2026-12-31T24:00:00Z", "2026-12-31T00:00:00+08:00",
	"2026-02-30T00:00:00Z", "2026-12-31T00:00:00", "2026-12-31T00:00:00,5Z", "2026-12-31 00:00:00Z", "active", "Active", "pool", "true", "5xx", "\x00", "\xff", "地址", "x"}

var oddNumbers = []string{"0", "-0", "1", "-1", "2", "65535", "65536", "100", "100.5", "0.5", "1.0", "1.", ".5", "-.5", "+5", "007", "1e2", "1E-2", "1.5e1", "100.0000000000000000001",
	"0.9999999999999999999999", "99999999999999999999999", "-99999999999999999999999", "0x1F", "0o17", ".inf", "-.inf", ".nan", "1.00000000000000000000", "0.1"}

var oddKeys = []string{"", "x", "pool", "Interval", "cooldwn", "#Pool", "_hidden", "a.b", "each", "gateway", "地址池", "1", "0", "\"", "$x"}

func (a *author) slip() bool { return a.rand.IntN(1000) < a.slips }

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// odd returns any scalar or small collection.
func (a *author) odd() *node {
	switch a.rand.IntN(8) {
	case 0:
		return of(nil)
	case 1:
		return of(a.rand.IntN(2) == 0)
	case 2, 3:
		return a.number()
	case 4:
		return arr(pick(a.rand, oddTexts))
	case 5:
		return obj(pick(a.rand, oddKeys), pick(a.rand, oddTexts))
	}
	return text(pick(a.rand, oddTexts))
}

func (a *author) number() *node {
	s := pick(a.rand, oddNumbers)
	n := &node{kind: Int, text: s}
	for _, c := range s {
		if c == '.' || (c == 'e' || c == 'E') && s[1] != 'x' {
			n.kind = Float
		}
	}
	return n
}

func (a *author) write(ti uint16, depth int) *node {
	t := &a.table.Types[ti]
	if a.slip() {
		return a.odd()
	}
	if t.Alts != nil {
		return a.write(pick(a.rand, t.Alts), depth)
	}
	switch {
	case t.Kinds&table.Map != 0:
		return a.mapping(t, depth)
	case t.Kinds&table.List != 0:
		n := &node{kind: List}
		for range a.rand.IntN(3) {
			n.kids = append(n.kids, a.write(t.Elem, depth+1))
		}
		return n
	case t.Enum != nil:
		return text(pick(a.rand, t.Enum))
	case t.Pattern != table.NoPattern:
		return text(examples[t.Pattern])
	case t.Kinds&table.Number != 0:
		if a.rand.IntN(2) == 0 {
			return a.number()
		}
		return num(pick(a.rand, []string{"1", "2", "50"}))
	case t.Kinds&table.Bool != 0:
		return of(a.rand.IntN(2) == 0)
	}
	return text(pick(a.rand, oddTexts))
}

func (a *author) mapping(t *table.Type, depth int) *node {
	n := &node{kind: Map}
	put := func(key string, v *node) {
		if !slices.Contains(n.keys, key) {
			n.keys, n.kids = append(n.keys, key), append(n.kids, v)
		}
	}
	for i, f := range t.Fields {
		required := t.Required&(1<<i) != 0
		if required && !a.slip() || !required && a.rand.IntN(2+depth) == 0 {
			put(f.Name, a.write(f.Type, depth+1))
		}
	}
	for _, r := range t.Rest {
		for range a.rand.IntN(3) {
			key := text(pick(a.rand, oddKeys))
			if a.rand.IntN(4) > 0 {
				key = a.write(r.Key, depth+1)
			}
			put(key.text, a.write(r.Value, depth+1))
		}
	}
	if a.slip() {
		put(pick(a.rand, oddKeys), a.odd())
	}
	a.rand.Shuffle(len(n.keys), func(i, j int) {
		n.keys[i], n.keys[j] = n.keys[j], n.keys[i]
		n.kids[i], n.kids[j] = n.kids[j], n.kids[i]
	})
	return n
}

// cutSome returns a state that takes every n-th node of a document out, none for 0.
func cutSome(doc *node, n int) func(Tree) State {
	if n == 0 {
		return nil
	}
	cut := map[Tree]State{}
	seen := 0
	var walk func(*node)
	walk = func(x *node) {
		if seen++; seen%n == 0 {
			cut[x] = Cut
		}
		for _, k := range x.kids {
			walk(k)
		}
	}
	walk(doc)
	return func(t Tree) State { return cut[t] }
}

// differ judges a document by the table and by CUE and fails where they disagree.
func differ(t *testing.T, j *Judge, o *oracle, d Def, doc *node, state func(Tree) State) {
	t.Helper()
	w := walker{table: j.table, state: state, owner: owner{def: defNames[d], node: doc}}
	w.value(j.roots[d], doc)
	refused, unsure := false, false
	for _, i := range w.issues {
		refused, unsure = refused || !i.open, unsure || i.open
	}
	// The whole document, not only the parts that review asks about.
	whole, asked := o.judge(defNames[d], encode(j.table, state, j.roots[d], doc))
	if !asked {
		t.Fatalf("%s: CUE fails on %s", d, doc)
	}
	switch {
	case refused && whole == nil:
		t.Errorf("%s: CUE accepts what the table refuses (%s): %s", d, w.issues[0].Path, doc)
	case !refused && !unsure && whole != nil:
		t.Errorf("%s: CUE refuses at %q what the table accepts: %s", d, whole.paths, doc)
	}
	if issues := j.Check(d, doc, state); (len(issues) > 0) != (whole != nil) {
		t.Errorf("%s: CUE says %v, the judge %d issues: %s", d, whole, len(issues), doc)
	}
}

func FuzzJudge(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint8(seed), uint16(seed*5), uint8(seed%4*3))
	}
	j := New()
	var o *oracle
	f.Fuzz(func(t *testing.T, seed uint64, def uint8, slips uint16, cut uint8) {
		if o == nil || o.judged >= maxJudged {
			var err error
			if o, err = newOracle(); err != nil {
				t.Fatal(err)
			}
		}
		d := Def(def % uint8(defs))
		var key [32]byte
		binary.LittleEndian.PutUint64(key[:], seed)
		a := author{j.table, rand.New(rand.NewChaCha8(key)), int(slips) % 200}
		doc := a.write(j.roots[d], 0)
		differ(t, j, o, d, doc, cutSome(doc, int(cut)))
	})
}

// TestJudgeAgreesWithCUE is the fuzz target over a fixed range, so that it counts on every run.
func TestJudgeAgreesWithCUE(t *testing.T) {
	j := New()
	var o *oracle
	refused := 0
	for seed := range uint64(600) {
		if o == nil || o.judged >= maxJudged {
			var err error
			if o, err = newOracle(); err != nil {
				t.Fatal(err)
			}
		}
		a := author{j.table, rand.New(rand.NewPCG(seed, 1)), int(seed % 60)}
		d := Def(seed % uint64(defs))
		doc := a.write(j.roots[d], 0)
		differ(t, j, o, d, doc, cutSome(doc, int(seed%3*5)))
		if len(j.Check(d, doc, nil)) > 0 {
			refused++
		}
	}
	if refused < 100 || refused > 500 {
		t.Errorf("%d of 600 documents are refused: the documents do not try both sides", refused)
	}
}
