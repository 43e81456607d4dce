package align

import (
	"github.com/poolproof/poolproof/sources"
)

// prover applies changes to the text and reads it again.
type prover struct {
	text  string
	base  sources.Result
	jobs  []*job
	read  func([]byte) sources.Result
	owner map[int]*job // of the copies of the file
	reads int          // how many more may be made
}

// Bounds of the proof: how often a file may be read again, and how many bytes that may come to.
const (
	mostReads = 96
	fewReads  = 12
	mostBytes = 96 << 20
)

func newProver(text string, base sources.Result, jobs []*job, read func([]byte) sources.Result) *prover {
	p := &prover{text: text, base: base, jobs: jobs, read: read, owner: map[int]*job{}}
	p.reads = min(mostReads, max(fewReads, mostBytes/(len(text)+1)))
	for _, j := range jobs {
		for _, i := range j.parts {
			p.owner[i] = j
		}
	}
	return p
}

// verdict is what reading the edited text again showed.
type verdict struct {
	ok bool
	// blame are changes that did not do what they should.
	blame []*change
	// apart are changes of copies that say something that nobody wanted: one of them is to blame.
	apart []*change
}

// try applies the live ones of the changes.
func (p *prover) try(changes []*change) verdict {
	edits := render(p.text, changes)
	if c := clash(edits); c != nil {
		c.fault = faultClash()
		return verdict{blame: []*change{c}}
	}
	p.reads--
	return p.judge(changes, edits, p.read(apply(p.text, edits)))
}

func (p *prover) judge(changes []*change, edits []placed, after sources.Result) verdict {
	of := map[*job][]*change{}
	for _, c := range changes {
		if c.live() {
			of[c.todo.job] = append(of[c.todo.job], c)
		}
	}
	b := blamer{edits: edits, blame: map[*change]bool{}, apart: map[*change]bool{}}
	if !p.sameShape(&after, &b) {
		return verdict{}
	}
	for _, j := range p.jobs {
		own := of[j]
		found := joined(&after, j.parts, j.todos[0].Copy)
		if len(own) == 0 {
			if !same(j.before, found, &total{}) {
				b.byPlace(j.before)
			}
			continue
		}
		if emptied(j, found) {
			b.removals(own)
		}
		for _, t := range j.todos {
			p.compare(t, found, own, &b)
		}
		if !same(j.before, found, totalOf(own)) {
			b.suspect(own)
		}
	}
	v := verdict{ok: !b.bad}
	for _, c := range changes {
		switch {
		case b.blame[c]:
			v.blame = append(v.blame, c)
		case b.apart[c]:
			v.apart = append(v.apart, c)
		}
	}
	return v
}

// sameShape reports whether the text holds the same copies as before, and whether those that nobody wants to change are
// untouched.
func (p *prover) sameShape(after *sources.Result, blamed *blamer) bool {
	if len(after.Copies) != len(p.base.Copies) || len(after.Orders) != len(p.base.Orders) || !noWorse(p.base.Problems, after.Problems) {
		return false
	}
	none := &total{}
	for i := range after.Copies {
		a, b := &p.base.Copies[i], &after.Copies[i]
		if len(a.Candidates) != len(b.Candidates) {
			return false
		}
		for j := range a.Candidates {
			if a.Candidates[j].Text != b.Candidates[j].Text {
				return false
			}
		}
		if p.owner[i] != nil && (a.Pool != b.Pool || a.Env != b.Env) {
			return false
		}
		if p.owner[i] == nil && !same(a, b, none) {
			blamed.byPlace(a)
		}
	}
	return true
}
