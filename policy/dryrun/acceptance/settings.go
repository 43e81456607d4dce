package acceptance

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// What engines take where nothing is written. They bound how long is waited, and judge nothing.
const (
	usualWindow   = 10 * time.Second
	usualSamples  = 20
	usualRatio    = 0.5
	usualCooldown = 30 * time.Second
	usualInterval = 2 * time.Second
)

func (b *bench) duration(p schema.Path, def time.Duration) time.Duration {
	if f, ok := b.copy.Get(p); ok && f.Value.Kind() == schema.Duration {
		return f.Value.Duration()
	}
	return def
}

func (b *bench) number(p schema.Path, def float64) float64 {
	if f, ok := b.copy.Get(p); ok {
		return f.Value.Number()
	}
	return def
}

func (b *bench) text(p schema.Path) string {
	f, _ := b.copy.Get(p)
	return f.Value.Text()
}

// written returns a setting as it is written.
func (b *bench) written(p schema.Path) schema.Text {
	if f, ok := b.copy.Get(p); ok {
		return schema.Textf("%s", "%s", f.Value.String())
	}
	return schema.Textf("not written", "未写明")
}

// settings reads what the cases are made from.
func (b *bench) settings() {
	b.window = b.duration("decision.window", 0)
	b.samples = int(b.number("decision.minSamples", 1))
	b.ratio = b.number("decision.errorRatio", 0)
	b.consecutive = int(b.number("decision.consecutive", 0))
	if b.slowOver = b.duration("decision.slow.threshold", 0); b.slowOver > 0 {
		b.slow = int(b.number("decision.slow.confirmations", 1))
		b.slowDedupe = b.duration("decision.slow.dedupe", 0)
	}
	if b.ratio == 0 && b.consecutive == 0 && b.slow == 0 {
		b.ratio, b.window = usualRatio, b.duration("decision.window", usualWindow)
		b.samples = int(b.number("decision.minSamples", usualSamples))
	}
	b.cooldown = b.duration("cooldown.duration", usualCooldown)
	b.jitter = min(1, max(0, b.number("cooldown.jitter", 0)))
	if b.copy.States(schema.Probe) {
		interval := b.duration("probe.interval", usualInterval)
		b.timeout = b.duration("probe.timeout", interval)
		b.probeTime = interval*time.Duration(b.number("probe.fall", 3)+1) + b.timeout
	}
}

// dimension returns what the pool's granularity divides the traffic by: interfaces, regions or lines, at least two, as the
// load says or assumed.
func (b *bench) dimension() (key string, parts []schema.Share, ok bool) {
	name := b.text("decision.granularity")
	if name == "" {
		name = b.text("cooldown.granularity")
	}
	switch name {
	case "interface":
		key, parts = "interfaces", b.traffic.Interfaces
	case "region":
		if b.text("decision.regionFrom") == "" {
			return "", nil, false
		}
		key, parts = "regions", b.traffic.Regions
	case "business":
		key = "tenants"
	default:
		return "", nil, false
	}
	if len(parts) < 2 {
		parts = assumedParts(key)
	}
	return key, parts, true
}

func assumedParts(key string) []schema.Share {
	names := map[string][2]string{"interfaces": {"/one", "/two"}, "regions": {"one", "two"}, "tenants": {"one", "two"}}[key]
	return []schema.Share{{Name: names[0], Share: 50}, {Name: names[1], Share: 50}}
}

// load returns the traffic of a case, divided as asked.
func (b *bench) load(key string, parts []schema.Share) dryrun.Traffic {
	t := b.traffic
	t.Interfaces, t.Regions, t.Tenants = nil, nil, nil
	switch key {
	case "interfaces":
		t.Interfaces = parts
	case "regions":
		t.Regions = parts
	case "tenants":
		t.Tenants = parts
	}
	return t
}

// plain is the traffic without kinds, save for regions where the ramp goes by them.
func (b *bench) plain() dryrun.Traffic {
	if b.text("ramp.by") == "region" {
		return b.load("regions", b.traffic.Regions)
	}
	return b.load("", nil)
}

// rate is how many requests a second a part of the target's traffic has.
func (b *bench) rate(part float64) float64 { return max(b.traffic.RPS*b.share*part, 1e-3) }

// lead is how long all is well before the first fault: the first window must have been watched, and a baseline known.
func (b *bench) lead() time.Duration {
	d := b.window + 2*time.Second
	for _, s := range b.copy.Stops {
		if s.Against == "baseline" {
			const page = 10 * time.Second
			return 3*max(2*b.window, page) + d
		}
	}
	return d
}

// detection is within what time a fault on a part of the target's traffic must have been judged, with some room.
func (b *bench) detection(part float64) time.Duration {
	need := float64(b.samples + b.consecutive + 3)
	d := 2*b.window + time.Duration(1.5*need/b.rate(part)*1e9)
	if b.slow > 0 {
		d += time.Duration(b.slow+1)*max(b.slowDedupe, time.Second) + 2*b.slowOver
	}
	return clampTime(d + 2*b.probeTime + 5*time.Second)
}

// proof is within what time a part of the target's traffic must have been tried again after a cooldown, with some room.
func (b *bench) proof(part float64) time.Duration {
	rise := time.Duration(b.number("probe.rise", 2)+1) * b.duration("probe.interval", usualInterval)
	return clampTime(3*b.window + time.Duration(4*float64(b.samples)/b.rate(part)*1e9) + rise + 10*time.Second)
}

// clampTime keeps times of absurd settings within what is played.
func clampTime(d time.Duration) time.Duration {
	const most = 24 * time.Hour
	if d < 0 || d > most {
		return most
	}
	return d
}

// trip words the fault that the business signal must see: of a kind that counts, or slowness where only that does.
func (b *bench) trip() string {
	if b.ratio == 0 && b.consecutive == 0 && b.slow > 0 {
		return "slowBy: " + schema.FormatDuration(b.slowOver*3/2)
	}
	return b.bad(1)
}

// bad words a fault of which a part of the requests fails, in a way that counts.
func (b *bench) bad(part float64) string {
	errors := "errors: " + strconv.FormatFloat(part, 'f', 4, 64)
	f, ok := b.copy.Get("decision.counts")
	if !ok {
		return errors + ", status: 503"
	}
	other := ""
	for _, w := range f.Value.List() {
		w = strings.ToLower(w)
		switch {
		case w == "5xx" || w == "503":
			return errors + ", status: 503"
		case len(w) == 3 && w[0] == '5' && w != "5xx":
			other = errors + ", status: " + w
		case other == "" && part == 1 && (w == "connect" || w == "connect-failure"):
			other = "down: refuse"
		case other == "" && part == 1 && w == "reset":
			other = "down: reset"
		case other == "" && part == 1 && w == "timeout":
			other = "hang: true"
		}
	}
	if other != "" {
		return other
	}
	return errors + ", status: 503"
}

// scene writes a scenario.
func scene(name string, duration time.Duration, events ...string) string {
	return fmt.Sprintf("scenario: %q\nduration: %s\nevents:\n  - %s\n", name, dur(duration), strings.Join(events, "\n  - "))
}

// fault words a fault on the target. A time of 0 is to the end.
func (b *bench) fault(at, length time.Duration, what string) string {
	times := "at: " + dur(at)
	if length > 0 {
		times += ", for: " + dur(length)
	}
	return fmt.Sprintf("{%s, fault: {members: [%q], %s}}", times, b.id, what)
}

func dur(d time.Duration) string { return schema.FormatDuration(d.Round(time.Millisecond)) }
