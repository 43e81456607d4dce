package argorollouts

import (
	"strconv"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/gateway/internal/settings"
)

// ramp gathers the batches of one Rollout.
type ramp struct {
	everything int64 // the weight that means 100 percent
	batches    []schema.Batch
	lost       []bool // by batch: a pause of it cannot be read, so its dwell is not known
	unknown    bool   // a step is a template that may stand for any steps
	weights    int    // setWeight steps, also those that cannot be read
}

// steps reads a canary's steps.
func (r *reader) steps(n *data.Node, everything int64) {
	if n == nil || n.Kind == data.Null {
		return
	}
	if n.Kind != data.List {
		r.wrongKind("ramp.batches", n, "a list of steps", "步骤列表")
		return
	}
	if n.Partial { // a template decides which steps there are, and so which number each has
		r.copy.Unresolve("ramp.batches", "steps", n.Place())
		return
	}
	r.add("steps", schema.IntOf(int64(len(n.Items))), n.Place())
	to := ramp{everything: everything}
	for i, step := range n.Items {
		r.step(step, i, &to)
	}
	if to.unknown || to.weights == 0 {
		return
	}
	for i := range to.batches {
		if to.lost[i] {
			to.batches[i].HasDwell, to.batches[i].Dwell = false, 0
		}
	}
	if last := &to.batches[len(to.batches)-1]; last.HasShare && last.Share != 100 {
		to.batches = append(to.batches, schema.Batch{HasShare: true, Share: 100, Implied: true, At: n.Place()})
	}
	r.copy.Batches = to.batches
	r.copy.ItemAt[schema.Ramp] = n.Place()
}

// add records a setting. Steps are numbered, so no path comes twice and none need be searched for.
func (r *reader) add(p schema.Path, v schema.Value, at schema.Span) {
	r.copy.Fields = append(r.copy.Fields, schema.Field{Path: p, Value: v, At: at})
}

// maxRecorded is the number of steps whose contents are recorded as settings.
const maxRecorded = 200

func (r *reader) step(n *data.Node, i int, to *ramp) {
	path := schema.Path("steps[" + strconv.Itoa(i) + "]")
	if n == nil || n.Kind != data.Map {
		r.oddStep(n, path, to)
		return
	}
	if n.Partial {
		to.unknown = true
		r.copy.Unresolve("ramp.batches", string(path), n.Place())
	}
	actions, exclusive := 0, 0
	for j := range n.Pairs {
		p := &n.Pairs[j]
		if p.Value.Kind == data.Null {
			continue
		}
		actions++
		switch p.Key {
		case "setWeight":
			exclusive++
			r.setWeight(p.Value, n, path+".setWeight", to)
		case "pause":
			exclusive++
			r.pause(p.Value, path+".pause", to)
		case "experiment", "analysis":
			exclusive++
			fallthrough
		default:
			if i < maxRecorded {
				settings.Flatten(&r.bind, path+"."+schema.Path(p.Key), p.Value)
			}
		}
	}
	switch {
	case n.Partial:
	case actions == 0:
		r.copy.Report(schema.Problem{Rule: "schema/invalid", At: n.Place(), Item: schema.Ramp, Field: string(path),
			Text: schema.Textf("a step without an action; Argo Rollouts refuses it", "步骤没有任何动作；Argo Rollouts 会拒绝"),
			Hint: schema.Textf("to wait for a person, write pause: {}", "若要等待人工确认，请写 pause: {}")})
	case exclusive > 1:
		r.copy.Report(schema.Problem{Rule: "schema/invalid", At: n.Place(), Item: schema.Ramp, Field: string(path),
			Text: schema.Textf("a step with more than one of setWeight, pause, experiment and analysis; Argo Rollouts refuses it", "一个步骤同时写了 setWeight、pause、experiment、analysis 中的多个；Argo Rollouts 会拒绝"),
			Hint: schema.Textf("write them as steps of their own", "请拆成各自的步骤")})
	}
}

// oddStep reads a step that is no mapping: a template that may stand for any number of steps, or a mistake.
func (r *reader) oddStep(n *data.Node, path schema.Path, to *ramp) {
	s, ok := bind.Of(n)
	if !ok {
		at := schema.Span{}
		if n != nil {
			at = n.Place()
		}
		r.copy.Report(schema.Problem{Rule: "schema/invalid", At: at, Item: schema.Ramp, Field: string(path),
			Text: schema.Textf("a step without an action; Argo Rollouts refuses it", "步骤没有任何动作；Argo Rollouts 会拒绝")})
		return
	}
	to.unknown = true
	r.wrongKind("ramp.batches", n, "a mapping; "+strconv.Quote(s.Text)+" is none", "映射")
}

// batchPath names a batch's value for what cannot be read.
func (to *ramp) batchPath(leaf string) schema.Path {
	return schema.Path("ramp.batches[" + strconv.Itoa(len(to.batches)-1) + "]." + leaf)
}

func (r *reader) setWeight(n, step *data.Node, path schema.Path, to *ramp) {
	to.weights++
	to.batches = append(to.batches, schema.Batch{At: step.Place()})
	to.lost = append(to.lost, false)
	weight, ok := r.whole(to.batchPath("share"), n, 0, to.everything)
	if !ok {
		return
	}
	r.add(path, schema.IntOf(weight), n.Place())
	b := &to.batches[len(to.batches)-1]
	b.HasShare, b.Share, b.ShareAt = true, float64(weight)*100/float64(to.everything), n.Place()
	to.merge()
}

// merge joins the last batch to the one before it where both have the same share: a weight that is set again changes
// nothing but how long it stays.
func (to *ramp) merge() {
	last := len(to.batches) - 1
	if last < 1 || !to.batches[last-1].HasShare || to.batches[last-1].Share != to.batches[last].Share {
		return
	}
	b := &to.batches[last-1]
	b.At = schema.Join(b.At, to.batches[last].At)
	to.batches, to.lost = to.batches[:last], to.lost[:last]
}
