package align

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// job is a copy of the file that has something to be settled: of a document, all sections that speak of the pool.
type job struct {
	parts  []int // of the copies that reading the file gives
	before *schema.Copy
	todos  []*todo
	// echoes are further places of values that a document writes more than once.
	echoes map[schema.Path][]schema.Span
}

// todo is one task with its differences.
type todo struct {
	Task
	job  *job
	divs []reconcile.Divergence
	// by are the changes that settle the differences; why says why there is none.
	by  []*change
	why []schema.Text
}

// jobsOf finds the tasks' copies among those that reading the file gives. Tasks whose copy is not there have no job.
func jobsOf(tasks []Task, base *sources.Result) (todos []*todo, jobs []*job) {
	known := map[*schema.Copy]*job{}
	f := newFinder(base, tasks)
	for _, task := range tasks {
		t := &todo{Task: task}
		todos = append(todos, t)
		if task.Copy == nil || task.Compare == nil {
			continue
		}
		t.divs = task.Compare(task.Copy)
		t.by, t.why = make([]*change, len(t.divs)), make([]schema.Text, len(t.divs))
		j := known[task.Copy]
		for _, byName := range []bool{true, false} {
			if j != nil {
				break
			}
			parts := f.parts(task.Copy, byName)
			if len(parts) == 0 {
				continue
			}
			before := joined(base, parts, task.Copy)
			if alike(task.Compare(before), t.divs) { // else the file says something else by now
				j = &job{parts: parts, before: before, echoes: echoes(base, parts, before)}
				known[task.Copy] = j
				jobs = append(jobs, j)
			}
		}
		if j != nil {
			t.job = j
			j.todos = append(j.todos, t)
		}
	}
	return todos, jobs
}

// echoes returns where values of a document are written once more, in a further section.
func echoes(base *sources.Result, parts []int, whole *schema.Copy) map[schema.Path][]schema.Span {
	if len(parts) < 2 {
		return nil
	}
	out := map[schema.Path][]schema.Span{}
	for _, i := range parts {
		for _, f := range base.Copies[i].Fields {
			if first, ok := whole.Get(f.Path); ok && first.At != f.At && first.Value == f.Value {
				out[f.Path] = append(out[f.Path], f.At)
			}
		}
	}
	return out
}

// alike reports whether two comparisons found the same.
func alike(a, b []reconcile.Divergence) bool {
	return slices.EqualFunc(a, b, func(x, y reconcile.Divergence) bool {
		return keyOf(&x) == keyOf(&y) && x.At == y.At && x.Want == y.Want && x.Got == y.Got
	})
}

// divKey is what a difference is about.
type divKey struct {
	kind   reconcile.DivergenceKind
	item   schema.Item
	field  string
	member string
}

func keyOf(d *reconcile.Divergence) divKey { return divKey{d.Kind, d.Item, d.Field, d.Member} }

// withPair returns a copy as pairing has it: with the name and the environment of what it was paired to.
func withPair(c, paired *schema.Copy) *schema.Copy {
	out := *c
	out.Pool, out.PoolAt, out.Env, out.Candidates = paired.Pool, paired.PoolAt, paired.Env, nil
	return &out
}

// joined returns the copy that parts of a file are together.
func joined(base *sources.Result, parts []int, like *schema.Copy) *schema.Copy {
	if len(parts) == 1 {
		return withPair(&base.Copies[parts[0]], like)
	}
	copies := make([]*schema.Copy, len(parts))
	for i, p := range parts {
		copies[i] = withPair(&base.Copies[p], like)
	}
	p := reconcile.Pair(copies, &schema.Manifest{}, nil)
	if len(p.Groups) == 0 {
		return copies[0]
	}
	return p.Groups[0].Copies[0]
}
