package align_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/poolproof/poolproof/reconcile/align"
	"github.com/poolproof/poolproof/schema"
)

// model is what a random file says.
type model struct {
	members            []person
	weights, backups   bool
	interval, cooldown time.Duration
	fall               int
	path               string
	jitter             int // percent
	batches            []leg
}

type person struct {
	host   string
	port   int
	weight int
	backup bool
}

type leg struct {
	share int
	dwell time.Duration // 0: none, on the last
}

func drawModel(t *rapid.T, name string, weights, backups bool) model {
	m := model{weights: weights, backups: backups}
	hosts := []string{"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "2001:db8::5", "2001:db8::6", "10.0.0.77"}
	picked := rapid.SliceOfNDistinct(rapid.IntRange(0, len(hosts)*2-1), 1, 6, rapid.ID).Draw(t, name+" members")
	for i, x := range picked {
		m.members = append(m.members, person{host: hosts[x/2], port: 8080 + x%2, weight: rapid.IntRange(1, 4).Draw(t, name+" weight"), backup: backups && i > 0 && rapid.Bool().Draw(t, name+" backup")})
	}
	seconds := rapid.SampledFrom([]time.Duration{time.Second, 2 * time.Second, 30 * time.Second, 60 * time.Second, 90 * time.Second, 5 * time.Minute})
	m.interval, m.cooldown = seconds.Draw(t, name+" interval"), seconds.Draw(t, name+" cooldown")
	m.fall = rapid.IntRange(1, 12).Draw(t, name+" fall")
	m.path = rapid.SampledFrom([]string{"/", "/healthz", "/health/live", "/ping"}).Draw(t, name+" path")
	m.jitter = rapid.IntRange(1, 50).Draw(t, name+" jitter")
	share := 0
	for range rapid.IntRange(0, 3).Draw(t, name+" batches") {
		share += rapid.IntRange(1, 30).Draw(t, name+" share")
		m.batches = append(m.batches, leg{share, seconds.Draw(t, name+" dwell")})
	}
	m.batches = append(m.batches, leg{share: 100})
	return m
}

// truthText writes a model as a native file.
func truthText(m model) string {
	var b strings.Builder
	b.WriteString("pools:\n  orders:\n    members:\n")
	for _, x := range m.members {
		fmt.Fprintf(&b, "      - {address: %q, port: %d, weight: %d", x.host, x.port, x.weight)
		if x.backup {
			b.WriteString(", backup: true")
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "    probe: {interval: %s, fall: %d, path: %q}\n    cooldown: {duration: %s, jitter: 0.%02d}\n    ramp: {batches: [", schema.FormatDuration(m.interval), m.fall, m.path, schema.FormatDuration(m.cooldown), m.jitter)
	for i, x := range m.batches {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "{share: %d", x.share)
		if x.dwell > 0 {
			b.WriteString(", dwell: " + schema.FormatDuration(x.dwell))
		}
		b.WriteString("}")
	}
	return b.String() + "]}\n"
}

// style is a way to write a model down.
type style struct {
	name, format, path, manifest string
	write                        func(m model) string
}

const mappedSource = `sources:
  - side: app
    format: mapped
    files: ["*"]
    map:
      pool: orders
      members: {each: "o.hosts[*]", address: ip, port: port, weight: w, backup: spare}
      probe: {interval: "o.every | ms", fall: o.fails, path: o.url}
      cooldown: {duration: "o.rest | s", jitter: "o.jitter | percent"}
      ramp: {each: "o.steps[*]", share: percent, dwell: "hold | s"}
`

const listedSource = `sources:
  - side: app
    format: mapped
    files: ["*"]
    map:
      pool: orders
      members: o.hosts
      probe: {interval: o.every}
      ramp: {share: "o.shares | percent", dwell: o.holds}
`

func TestRandom(t *testing.T) {
	for _, s := range styles() {
		t.Run(s.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { randomCase(t, s) })
		})
	}
}

func randomCase(t *rapid.T, s style) {
	truth := drawModel(t, "truth", true, rapid.Bool().Draw(t, "backups"))
	have := drawModel(t, "copy", rapid.Bool().Draw(t, "weights"), truth.backups)
	text := []byte(s.write(have))
	if rapid.Bool().Draw(t, "CRLF") {
		text = []byte(strings.ReplaceAll(string(text), "\n", "\r\n"))
	}
	var manifest []byte
	if s.manifest != "" {
		manifest = []byte(s.manifest)
	}
	b := newBench(t, []byte(truthText(truth)), manifest, s.format, s.path)
	tasks := b.tasks(text)
	if len(tasks) != 1 {
		t.Fatalf("%d tasks in:\n%s", len(tasks), text)
	}
	edits, left := align.File(text, tasks, b.read)
	out := apply(t, text, edits)
	for _, l := range left {
		t.Fatalf("left %s.%s %s want %s got %s: %s\n%s\nbecame:\n%s", l.Divergence.Item, l.Divergence.Field, l.Divergence.Member, l.Divergence.Want, l.Divergence.Got, l.Why.En, text, out)
	}
	for _, again := range b.tasks(out) {
		for _, d := range again.Compare(again.Copy) {
			t.Fatalf("still %s.%s %s want %s got %s\n%s\nbecame:\n%s", d.Item, d.Field, d.Member, d.Want, d.Got, text, out)
		}
	}
	if got, want := strings.Count(string(out), "keep-"), strings.Count(string(text), "keep-"); got != want {
		t.Fatalf("%d of %d comments left:\n%s\nbecame:\n%s", got, want, text, out)
	}
	if strings.Count(string(text), "\r\n") == strings.Count(string(text), "\n") != (strings.Count(string(out), "\r\n") == strings.Count(string(out), "\n")) {
		t.Fatalf("line ends are mixed:\n%q\nbecame:\n%q", text, out)
	}
}
