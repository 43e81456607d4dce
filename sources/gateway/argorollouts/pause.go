package argorollouts

import (
	"strconv"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// pause adds to the dwell of the batch before it. Without a duration it waits for a person, whatever else is waited for.
func (r *reader) pause(n *data.Node, path schema.Path, to *ramp) {
	unread := path + ".duration"
	var b *schema.Batch
	if len(to.batches) > 0 {
		b = &to.batches[len(to.batches)-1]
		b.At = schema.Join(b.At, n.Place())
		unread = to.batchPath("dwell")
	}
	if n.Kind != data.Map {
		r.wrongKind(unread, n, "pause: {} or pause: {duration: 10m}", " pause: {} 或 pause: {duration: 10m}")
		to.lose()
		return
	}
	written := n.Get("duration")
	if written == nil || written.Kind == data.Null {
		r.add(path, schema.TextOf("manual"), n.Place())
		if b != nil {
			b.Manual, b.HasDwell, b.Dwell, b.DwellAt = true, false, 0, n.Place()
		}
		return
	}
	d, ok := r.pauseDuration(unread, written)
	if !ok {
		to.lose()
		return
	}
	r.add(path+".duration", schema.DurationOf(d), written.Place())
	if b == nil || b.Manual {
		return
	}
	b.HasDwell, b.Dwell, b.DwellAt = true, b.Dwell+d, schema.Join(b.DwellAt, written.Place())
}

// lose marks the current batch's dwell as not known.
func (to *ramp) lose() {
	if len(to.lost) > 0 {
		to.lost[len(to.lost)-1] = true
	}
}

// maxSeconds is what Argo's 32-bit count of seconds holds.
const maxSeconds = 1<<31 - 1

// pauseDuration reads whole seconds (30 or "30") or a Go duration ("10m", "1h30m").
func (r *reader) pauseDuration(p schema.Path, n *data.Node) (time.Duration, bool) {
	if n.Kind == data.Int && n.Style == data.Plain {
		v, ok := r.whole(p, n, 0, maxSeconds)
		return time.Duration(v) * time.Second, ok
	}
	s, ok := bind.Of(n)
	if !ok {
		r.wrongKind(p, n, "a duration", "时长")
		return 0, false
	}
	word, ok := r.bind.Resolve(p, s)
	if !ok {
		return 0, false
	}
	hint := schema.Textf("write whole seconds (30) or a Go duration (10m, 1h30m)", "请写整数秒（30）或 Go 时长（10m、1h30m）")
	d, err := time.ParseDuration(word)
	if seconds, serr := strconv.ParseInt(word, 10, 32); serr == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	if err != nil {
		if day, nerr := schema.ParseDuration(word); nerr == nil {
			hint = schema.Textf("write %s", "请写成 %s", schema.FormatDuration(day))
		}
		r.refuse(p, n, schema.Textf("%s: Argo Rollouts cannot read %q as a duration", "%s：Argo Rollouts 无法把 %q 读成时长", p, s.Text), hint)
		return 0, false
	}
	if d < 0 || d/time.Second > maxSeconds {
		r.refuse(p, n, schema.Textf("%s: Argo Rollouts refuses a pause of %s", "%s：Argo Rollouts 不接受 %s 的暂停", p, s.Text), hint)
		return 0, false
	}
	return d, true
}
