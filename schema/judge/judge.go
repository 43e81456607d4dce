package judge

import (
	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// Judge judges documents. It is safe for concurrent use, and keeps CUE's state only for the next bad document.
type Judge struct {
	table    *table.Table
	roots    [defs]uint16
	oracles  oracles
	verdicts verdicts
}

// New returns a judge. It costs nothing: the schema is compiled in, and CUE reads it only when a document is refused.
func New() *Judge { return newJudge(&compiled) }

func newJudge(t *table.Table) *Judge {
	j := &Judge{table: t}
	for d := range defs {
		j.roots[d] = noType
		for _, def := range t.Defs {
			if def.Name == defNames[d] {
				j.roots[d] = def.Type
			}
		}
	}
	return j
}

// Check judges a document by a definition and returns what is wrong, in the order of the document; nothing means that it
// is accepted. After the first two hundred, issues are brief. state, which may be nil, says which values are cut out or filled in.
func (j *Judge) Check(d Def, doc Tree, state func(Tree) State) []Issue {
	left := maxReviewed
	return j.CheckWithin(d, doc, state, &left)
}

// CheckWithin judges one of several documents that come from one file. left is how many values of the file CUE may still
// judge by themselves, which takes it most of a millisecond each; beyond that the table's word counts.
func (j *Judge) CheckWithin(d Def, doc Tree, state func(Tree) State, left *int) []Issue {
	w := walker{table: j.table, state: state, owner: owner{def: defNames[d], node: doc}}
	w.path = w.steps[:0]
	w.value(j.roots[d], doc)
	if len(w.issues) == 0 {
		return nil
	}
	return j.review(w.issues, state, left)
}

// maxReviewed is how many values of one document CUE judges by themselves. A document with more bad ones is judged by
// what the table says of the rest.
const maxReviewed = 256

// review lets CUE judge every value that the table refuses, and drops the issues of those that CUE accepts.
func (j *Judge) review(issues []Issue, state func(Tree) State, left *int) []Issue {
	cue := asker{judge: j, state: state, left: left}
	defer cue.done()
	seen := map[owner]verdictOf{}
	kept := issues[:0]
	for _, i := range issues {
		v, known := seen[i.owner]
		if !known && len(seen) < maxReviewed {
			v = cue.ask(i.owner)
			seen[i.owner] = v
		}
		keep := !i.open
		if v.asked {
			keep = v.refusal != nil && (keep || v.refusal.concerns(i.inner))
		}
		if keep {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// asker asks CUE about the values of one document, and borrows an oracle for it when the first of them is new.
type asker struct {
	judge  *Judge
	state  func(Tree) State
	left   *int
	oracle *oracle
}

// ask returns CUE's word on a value, or that there is none.
func (a *asker) ask(value owner) (v verdictOf) {
	x := encodeOwn(a.judge.table, a.state, a.judge.typeOf(value.def), value.node)
	if x == nil {
		return v
	}
	key := spell(value.def, x)
	if v, known := a.judge.verdicts.get(key); known {
		return v
	}
	if *a.left <= 0 {
		return v
	}
	*a.left--
	if a.oracle == nil || a.oracle.judged >= maxJudged {
		fresh, err := a.judge.oracles.get(a.oracle)
		if err != nil {
			// The schema is built in and tests read it, so this is out of reach; without CUE the table's word counts.
			return v
		}
		a.oracle = fresh
	}
	v.refusal, v.asked = a.oracle.judge(value.def, x)
	a.judge.verdicts.put(key, v)
	return v
}

func (a *asker) done() {
	if a.oracle != nil {
		a.judge.oracles.put(a.oracle)
	}
}

// verdictOf is CUE's word on one value.
type verdictOf struct {
	asked   bool // false: there is no verdict
	refusal *refusal
}

func (j *Judge) typeOf(def string) uint16 {
	for _, d := range j.table.Defs {
		if d.Name == def {
			return d.Type
		}
	}
	return noType
}
