package schema

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"
)

func drawMember(t *rapid.T) Member {
	m := Member{Host: rapid.SampledFrom([]string{"a", "b", "c", "10.0.0.1"}).Draw(t, "host"), Port: uint16(rapid.IntRange(1, 3).Draw(t, "port"))}
	if rapid.Bool().Draw(t, "weighted") {
		m.HasWeight, m.Weight = true, rapid.Int64Range(0, 6).Draw(t, "weight")
	}
	m.HasPriority, m.Priority = true, rapid.Int64Range(-2, 2).Draw(t, "priority")
	m.Backup = rapid.SampledFrom([]Tri{Unsaid, No, Yes}).Draw(t, "backup")
	m.State = rapid.SampledFrom([]State{StateUnsaid, Active, Drain, Disabled}).Draw(t, "state")
	m.Origin = rapid.SampledFrom([]Origin{Static, FromSRV}).Draw(t, "origin")
	return m
}

func drawCopy(t *rapid.T) *Copy {
	c := &Copy{Complete: rapid.Bool().Draw(t, "complete"), Members: rapid.SliceOfN(rapid.Custom(drawMember), 0, 6).Draw(t, "members")}
	for i := range Items {
		c.ItemAt[i] = At(1, 2)
	}
	for _, e := range Model() {
		if !rapid.Bool().Draw(t, "set") {
			continue
		}
		switch e.Kind {
		case TextKind:
			c.Set(e.Path, TextOf(rapid.String().Draw(t, "text")), At(1, 2))
		case Bool:
			c.Set(e.Path, BoolOf(rapid.Bool().Draw(t, "bool")), At(1, 2))
		case Int:
			c.Set(e.Path, IntOf(rapid.Int64Range(0, 1<<53).Draw(t, "int")), At(1, 2))
		case Number:
			c.Set(e.Path, NumberOf(rapid.Float64().Filter(finite).Draw(t, "number")), At(1, 2))
		case Duration:
			c.Set(e.Path, DurationOf(time.Duration(rapid.Int64Min(0).Draw(t, "duration"))), At(1, 2))
		case List:
			c.Set(e.Path, ListOf(rapid.SliceOf(rapid.StringMatching("[a-c]{1,2}")).Draw(t, "list")...), At(1, 2))
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "batches") {
		c.Batches = append(c.Batches, Batch{HasShare: true, Share: rapid.Float64Range(0, 100).Draw(t, "share"), HasDwell: rapid.Bool().Draw(t, "dwells"),
			Dwell: time.Minute, Manual: rapid.Bool().Draw(t, "manual"), MinSamples: rapid.Int64Range(0, 9).Draw(t, "samples"), Regions: []string{"b", "a"}})
		c.Stops = append(c.Stops, Stop{Metric: rapid.String().Draw(t, "metric"), HasAbove: true, Above: rapid.Float64().Filter(finite).Draw(t, "above"), Against: "baseline"})
	}
	c.Unresolve("members[1]", rapid.String().Draw(t, "raw"), At(1, 2))
	return c
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// The own writer and a kept implementation of RFC 8785 agree on every byte.
func TestCanonicalIsRFC8785(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCopy(t)
		for i := Members; i < Items; i++ {
			got := canonical(c, i)
			want, err := jcs.Transform(got)
			if err != nil {
				t.Fatalf("%s: %v: %s", i, err, got)
			}
			if string(got) != string(want) {
				t.Fatalf("%s:\n got %s\nwant %s", i, got, want)
			}
		}
	})
}

// Order, scale and spelling take no part in a digest.
func TestDigestIgnoresSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCopy(t)
		other := *c
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		other.Members = append([]Member(nil), c.Members...)
		r.Shuffle(len(other.Members), func(i, j int) { other.Members[i], other.Members[j] = other.Members[j], other.Members[i] })
		other.Fields = append([]Field(nil), c.Fields...)
		r.Shuffle(len(other.Fields), func(i, j int) { other.Fields[i], other.Fields[j] = other.Fields[j], other.Fields[i] })
		other.Stops = append([]Stop(nil), c.Stops...)
		r.Shuffle(len(other.Stops), func(i, j int) { other.Stops[i], other.Stops[j] = other.Stops[j], other.Stops[i] })
		factor, step := rapid.Int64Range(1, 1000).Draw(t, "factor"), rapid.Int64Range(1, 10).Draw(t, "step")
		for i := range other.Members {
			m := &other.Members[i]
			m.Weight *= factor
			m.Priority = m.Priority*step + 7
			m.At = At(r.IntN(100), 200)
			if m.State == Active {
				m.State = StateUnsaid
			}
			if m.Backup == No {
				m.Backup = Unsaid
			}
		}
		for i := Members; i < Items; i++ {
			if a, b := Digest(c, i), Digest(&other, i); a != b {
				t.Fatalf("%s: %s\n%s", i, canonical(c, i), canonical(&other, i))
			}
		}
	})
}

// Entries of one identity that differ in one thing only have one order, whichever stands first in the file.
func TestDigestOfDuplicates(t *testing.T) {
	plain := member("a", -1, -1)
	zero, active, srv, drained := plain, plain, plain, plain
	zero.HasWeight = true
	active.State = Active
	srv.Origin = FromSRV
	drained.State = Drain
	list := []Member{plain, zero, active, srv, drained}
	for _, a := range list {
		for _, b := range list {
			if x, y := canonical(stating(a, b), Members), canonical(stating(b, a), Members); string(x) != string(y) {
				t.Errorf("the order of two entries shows:\n%s\n%s", x, y)
			}
			unsaid := a
			if unsaid.State == Active {
				unsaid.State = StateUnsaid
			}
			if x, y := canonical(stating(a, b), Members), canonical(stating(unsaid, b), Members); string(x) != string(y) {
				t.Errorf("\"active\" shows:\n%s\n%s", x, y)
			}
		}
	}
}

func member(host string, weight, priority int64) Member {
	return Member{Host: host, Port: 80, HasWeight: weight >= 0, Weight: max(weight, 0), HasPriority: priority >= 0, Priority: max(priority, 0)}
}

func stating(members ...Member) *Copy {
	c := &Copy{Members: members, Complete: true}
	c.ItemAt[Members] = At(1, 2)
	return c
}

func TestCanonicalMembers(t *testing.T) {
	backup := member("c", 5, -1)
	backup.Backup = Yes
	drained := member("a", 0, 1)
	drained.State = Drain
	srv := Member{Host: "_http._tcp.a", Origin: FromSRV}
	open := stating(srv)
	open.Complete = false
	open.Unresolve("members[1]", "${HOST}:80", At(3, 4))
	for _, tt := range []struct {
		name string
		copy *Copy
		want string
	}{
		{"weights are ratios", stating(member("b", 50, -1), member("a", 100, -1)), `{"item":"members","members":[{"id":"a:80","weight":2},{"id":"b:80","weight":1}]}`},
		{"per tier", stating(member("a", 4, 1), member("b", 6, 5), member("c", 9, 5)), `{"item":"members","members":[{"id":"a:80","weight":1},{"id":"b:80","tier":1,"weight":2},{"id":"c:80","tier":1,"weight":3}]}`},
		{"zeros stay", stating(member("a", 0, -1), member("b", 0, -1)), `{"item":"members","members":[{"id":"a:80","weight":0},{"id":"b:80","weight":0}]}`},
		{"backups come last", stating(member("a", 5, 3), backup, drained), `{"item":"members","members":[{"id":"a:80","state":"drain","weight":0},{"id":"a:80","tier":1,"weight":1},{"id":"c:80","tier":2,"weight":1}]}`},
		{"what is not known", open, `{"item":"members","members":[{"from":"srv","id":"_http._tcp.a"}],"open":true,"unresolved":["${HOST}:80"]}`},
		{"empty", stating(), `{"item":"members","members":[]}`},
	} {
		if got := string(canonical(tt.copy, Members)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestCanonicalItems(t *testing.T) {
	c := &Copy{}
	at := At(1, 2)
	c.Set("probe.timeout", DurationOf(90*time.Second), at)
	c.Set("probe.interval", DurationOf(2*time.Second), at)
	c.Set("probe.executor", TextOf("gateway"), at) // annotates
	c.Set("probe.expect.statuses", ListOf("2xx", "200", "2xx"), at)
	c.Set("cooldown.growth.kind", TextOf("constant"), at)
	c.Set("cooldown.growth.factor", NumberOf(1), at)
	c.Set("cooldown.jitter", NumberOf(0.1), at)
	c.Set("ramp.by", TextOf("ratio"), at)
	c.Batches = []Batch{{HasShare: true, Share: 12.5, HasDwell: true, Dwell: 10 * time.Minute, MinSamples: 5}, {Manual: true, Regions: []string{"eu"}}, {HasShare: true, Share: 100, Implied: true}}
	c.Stops = []Stop{{Metric: "latency-p99", HasAbove: true, Above: 2, Against: "baseline"}, {Metric: "error-rate", HasAbove: true, Above: 0.01, Against: "absolute"}}
	c.Unresolve("probe.rise", "{{ .Rise }}", at)
	for item, want := range map[Item]string{
		Probe:    `{"item":"probe","unresolved":["probe.rise {{ .Rise }}"],"values":{"probe.expect.statuses":["200","2xx"],"probe.interval":"2s","probe.timeout":"1m30s"}}`,
		Cooldown: `{"item":"cooldown","values":{"cooldown.growth.kind":"constant","cooldown.jitter":0.1}}`,
		Ramp: `{"batches":[{"dwell":"10m","minSamples":5,"share":12.5},{"dwell":"manual","regions":["eu"]},{"share":100}],"item":"ramp",` +
			`"stops":[{"above":0.01,"metric":"error-rate"},{"above":2,"against":"baseline","metric":"latency-p99"}],"values":{"ramp.by":"ratio"}}`,
	} {
		if got := string(canonical(c, item)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", item, got, want)
		}
	}
}

func TestDigest(t *testing.T) {
	c := stating(member("a", 1, -1))
	if got := Digest(c, Probe); got != "" {
		t.Errorf("an item that is not stated has the digest %s", got)
	}
	const want = "sha256:"
	got := Digest(c, Members)
	if len(got) != len(want)+64 || got[:len(want)] != want {
		t.Errorf("digest %q", got)
	}
	for i, other := range []*Copy{stating(member("a", 0, -1)), stating(member("b", 1, -1)), stating(member("a", -1, -1)), stating()} {
		if Digest(other, Members) == got {
			t.Errorf("copy %d is another and has the same digest", i)
		}
	}
	partial := *c
	partial.Complete = false
	if Digest(&partial, Members) == got {
		t.Error("a list that is not complete has the digest of one that is")
	}
}

func BenchmarkDigest(b *testing.B) {
	var members []Member
	for i := range 10 {
		members = append(members, member(fmt.Sprintf("m%02d.orders.example.net", i), int64(i), int64(i/4)))
	}
	c := stating(members...)
	b.ReportAllocs()
	for b.Loop() {
		Digest(c, Members)
	}
}
