package daemon

import (
	"context"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// clock compares the clock on the wall with that of the process, which never jumps.
type clock struct {
	wall    func() time.Time
	from    time.Time // on the wall
	process time.Time
	ahead   time.Duration // of the wall, since then, as far as it was noticed
}

func newClock(wall func() time.Time) clock {
	return clock{wall: wall, from: wall().Round(0), process: time.Now()}
}

// jumped returns by how much the clock on the wall was put forward, or back where it is negative, since the last call.
func (c *clock) jumped() time.Duration {
	ahead := c.wall().Round(0).Sub(c.from) - time.Since(c.process)
	by := ahead - c.ahead
	if by.Abs() < smallJump {
		return 0
	}
	c.ahead = ahead
	return by
}

// The steps of a clock that count, and those that are worth a word. A machine that slept looks like one whose clock was
// put forward.
const (
	smallJump = 2 * time.Second
	largeJump = 10 * time.Minute
)

// watchClock notices a clock that jumped: what waits to be told waits on as before, and everything is looked at again,
// since exceptions and change orders hold for a time.
func (d *Daemon) watchClock(ctx context.Context) {
	by := d.clock.jumped()
	if by == 0 {
		return
	}
	d.ledger.Jumped(by)
	if by.Abs() < largeJump {
		return
	}
	text := schema.Textf("the clock was put forward by %s; drift waits to be told as long as before", "时钟被向前调整了 %s；漂移的告警等待时间不变", by.Round(time.Second))
	if by < 0 {
		text = schema.Textf("the clock was put back by %s; drift waits to be told as long as before", "时钟被向后调整了 %s；漂移的告警等待时间不变", (-by).Round(time.Second))
	}
	d.o.Log(text)
	d.begin(ctx, nil)
}
