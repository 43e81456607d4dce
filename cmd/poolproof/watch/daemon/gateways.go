package daemon

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
)

// gateways asks the running gateways of a manifest, each at its own pace.
type gateways struct {
	list    []*gatewayState
	answers chan answer
	now     func() time.Time
	cancel  context.CancelFunc
	wait    sync.WaitGroup
}

type gatewayState struct {
	reader *live.Reader
	kind   live.Kind
	every  time.Duration
	seen   status.Gateway
	answer live.Answer
}

type answer struct {
	from  *gateways
	index int
	live.Answer
	asked time.Time
	took  time.Duration
}

func (d *Daemon) openGateways(s *Subject) (*gateways, error) {
	g := &gateways{answers: make(chan answer), now: d.o.Now}
	var errs []error
	for _, entry := range s.Manifest.Live {
		r, err := live.New(d.o.Kinds, entry, live.Options{Root: s.Root, Env: d.o.Env, Now: d.o.Now})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		every := entry.Every
		if every <= 0 {
			every = d.o.Poll
		}
		g.list = append(g.list, &gatewayState{reader: r, kind: kindOf(d.o.Kinds, entry.Gateway), every: every, seen: status.Gateway{Name: r.Name(), Every: every}})
	}
	return g, errors.Join(errs...)
}

func (g *gateways) start(ctx context.Context) {
	ctx, g.cancel = context.WithCancel(ctx)
	for i, one := range g.list {
		g.wait.Go(func() {
			g.ask(ctx, i, one)
		})
	}
}

func (g *gateways) stop() {
	if g.cancel != nil {
		g.cancel()
		g.wait.Wait()
	}
}

// ask asks one gateway until the context ends: at once, then at moments that its name moves, so that many are not asked
// together.
func (g *gateways) ask(ctx context.Context, i int, one *gatewayState) {
	h := fnv.New64a()
	fmt.Fprint(h, one.reader.Name())
	wait := one.every/2 + time.Duration(h.Sum64()%uint64(max(one.every/2, 1)))
	for {
		start := time.Now()
		a := answer{from: g, index: i, asked: g.now(), Answer: ask(ctx, one)}
		a.took = time.Since(start)
		if ctx.Err() != nil {
			return
		}
		select {
		case g.answers <- a:
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		wait = max(one.every-a.took, one.every/10)
	}
}

// ask asks once, and makes an unknown gateway of a panic.
func ask(ctx context.Context, one *gatewayState) (a live.Answer) {
	r := one.reader
	defer func() {
		if cause := recover(); cause != nil {
			a = live.Answer{Kind: one.kind, Gateway: r.Gateway(), Name: r.Name(), Unreachable: &live.Unreachable{Gateway: r.Name(),
				Reason: schema.Textf("a defect of poolproof: %v", "poolproof 的缺陷：%v", cause)}}
		}
	}()
	return r.Ask(ctx)
}

// answered takes in one answer.
func (d *Daemon) answered(a answer) {
	if a.from != d.gateways {
		return // of a manifest that counts no more
	}
	if d.note(a) {
		d.stale = true
	}
	if d.stale && d.scanner != nil {
		d.totals.Cycles++
	}
	d.judge(d.o.Now())
	d.publish()
}

// note remembers an answer, and reports whether it differs from the last one.
func (d *Daemon) note(a answer) bool {
	one := d.gateways.list[a.index]
	first := one.seen.Asked.IsZero()
	one.seen.Asks++
	one.seen.Asked, one.seen.Took = a.asked, a.took
	changed := first || !reflect.DeepEqual(one.answer.Copies, a.Copies) || (one.answer.Unreachable == nil) != (a.Unreachable == nil)
	if u := a.Unreachable; u != nil {
		one.seen.Failed++
		one.seen.Reason = u.Reason
		if one.seen.UnknownSince.IsZero() {
			one.seen.UnknownSince = a.asked
		}
		changed = changed || one.answer.Unreachable != nil && one.answer.Unreachable.Reason != u.Reason
	} else {
		one.seen.Answered, one.seen.UnknownSince, one.seen.Reason, one.seen.Pools = a.asked, time.Time{}, schema.Text{}, len(a.Copies)
	}
	one.answer = a.Answer
	return changed
}

// last returns the last answers. A gateway that was not asked yet counts as one that did not answer.
func (g *gateways) last(now time.Time) []live.Answer {
	var list []live.Answer
	for _, one := range g.list {
		a := one.answer
		if one.seen.Asked.IsZero() {
			a = live.Answer{Kind: one.kind, Gateway: one.reader.Gateway(), Name: one.reader.Name(),
				Unreachable: &live.Unreachable{Gateway: one.reader.Name(), Since: now, Reason: schema.Textf("it was not asked yet", "尚未询问")}}
		}
		list = append(list, a)
	}
	return list
}

func (g *gateways) asked(name string) bool {
	for _, one := range g.list {
		if one.seen.Name == name {
			return !one.seen.Asked.IsZero()
		}
	}
	return true
}

// dark reports whether nobody knows at the moment what a gateway runs; empty: any of them.
func (g *gateways) dark(name string) bool {
	for _, one := range g.list {
		if (name == "" || one.seen.Name == name) && (one.seen.Asked.IsZero() || one.answer.Unreachable != nil) {
			return true
		}
	}
	return false
}

// changeGateways asks the gateways of another manifest.
func (d *Daemon) changeGateways(ctx context.Context, s *Subject) {
	g, err := d.openGateways(s)
	d.wrong("gateway", textOf(err))
	d.gateways.stop()
	d.gateways = g
	d.stale = true
	g.start(ctx)
}

func sameGateways(a, b []schema.LiveGateway) bool {
	plain := func(list []schema.LiveGateway) []schema.LiveGateway {
		out := append([]schema.LiveGateway(nil), list...)
		for i := range out {
			out[i].At = schema.Span{}
		}
		return out
	}
	return reflect.DeepEqual(plain(a), plain(b))
}

func kindOf(list []live.Kind, name string) live.Kind {
	for _, k := range list {
		if k.Name == name {
			return k
		}
	}
	return live.Kind{Name: name}
}
