package align

import (
	"bytes"
	"regexp"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// Edit replaces the bytes from Start up to End of a file by New.
type Edit struct {
	Start, End int
	New        string
	Item       schema.Item
	Pool, Env  string
	// Settles says in both languages what the edit does: "members: adds 10.0.0.3:8080", "probe.interval: 5s becomes 2s".
	Settles schema.Text
}

// Left is a difference that no edit settles, and why: a template, a discovery, a value that this notation cannot express,
// a list whose layout is not understood.
type Left struct {
	Divergence reconcile.Divergence
	Pool, Env  string
	Why        schema.Text
}

// Task is one copy of a file that is to be brought to the truth.
type Task struct {
	Pool, Env string
	// Copy is the copy as it was read, with everything that it says.
	Copy *schema.Copy
	// Compare returns how a copy, read again from an edited text, differs from the truth. It has no place of its own in
	// mind: what it returns for Copy is what is to be settled.
	Compare func(*schema.Copy) []reconcile.Divergence
}

// File finds the edits of one file. read reads a text as the file's adapter does, under the same path and settings. Every
// edit is proven: the text with all returned edits, read again, holds the same copies, the differences that the edits
// settle are gone, and nothing else that any copy of the file says has changed. What cannot be proven is not edited; it is
// left, with the reason. Edits are sorted and do not overlap.
func File(text []byte, tasks []Task, read func([]byte) sources.Result) ([]Edit, []Left) {
	base, whole := read(text), string(text)
	todos, jobs := jobsOf(tasks, &base)
	var changes []*change
	if why := untouchable(text); why.En != "" {
		for _, t := range todos {
			t.leaveAll(why)
		}
	} else {
		shared := map[notation]*tree{}
		for _, j := range jobs {
			changes = append(changes, plan(whole, j, shared)...)
		}
	}
	p := newProver(whole, base, jobs, read)
	proven := p.prove(changes)
	done := map[*change]bool{}
	for _, c := range proven {
		done[c] = true
	}
	return finish(render(whole, proven)), leave(todos, done)
}

// generated matches the note that tools put into files that they write.
var generated = regexp.MustCompile(`(?i)(generated[^\n]{0,80}do not (edit|modify|change)|do not (edit|modify)[^\n]{0,80}generated|@generated\b)`)

// untouchable says why no byte of a file may be changed.
func untouchable(text []byte) schema.Text {
	const head = 2 << 10
	start := text[:min(len(text), head)]
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}), bytes.HasPrefix(text, []byte{0xFE, 0xFF}), bytes.IndexByte(start, 0) >= 0:
		return whyEncoding()
	case generated.Match(start):
		return whyGenerated()
	}
	return schema.Text{}
}

// finish turns what was proven into edits.
func finish(placed []placed) []Edit {
	edits := make([]Edit, len(placed))
	for i, e := range placed {
		edits[i] = Edit{Start: e.start, End: e.end, New: e.text, Item: e.by.item, Pool: e.by.todo.Pool, Env: e.by.todo.Env, Settles: e.says}
	}
	return edits
}

// leave lists the differences that are not settled, in the order of the tasks.
func leave(todos []*todo, done map[*change]bool) []Left {
	var out []Left
	for _, t := range todos {
		for i, d := range t.divs {
			c := t.by[i]
			if c != nil && done[c] {
				continue
			}
			why := t.why[i]
			switch {
			case why.En != "":
			case c != nil && c.fault.En != "":
				why = c.fault
			case t.job == nil:
				why = whyMoved()
			default:
				why = faultEffort()
			}
			out = append(out, Left{Divergence: d, Pool: t.Pool, Env: t.Env, Why: why})
		}
	}
	return out
}

// leaveAll gives every difference of a task the same reason.
func (t *todo) leaveAll(why schema.Text) {
	for i := range t.why {
		t.why[i] = why
	}
}
