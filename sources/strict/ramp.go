package strict

import (
	"strconv"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// ramp binds the lists of a ramp.
func (b *Binder) ramp(key string, n *data.Node) {
	switch key {
	case "batches":
		if !b.usable("ramp.batches", n) {
			return
		}
		b.Copy.Batches = make([]schema.Batch, 0, len(n.Items))
		for i, item := range n.Items {
			if b.usable(b.entryPath("ramp.batches", i, ""), item) {
				b.Copy.Batches = append(b.Copy.Batches, b.batch(i, item))
			}
		}
	case "stop":
		if !b.usable("ramp.stop", n) {
			return
		}
		b.Copy.Stops = make([]schema.Stop, 0, len(n.Items))
		for i, item := range n.Items {
			if s, ok := b.stop(i, item); ok {
				b.Copy.Stops = append(b.Copy.Stops, s)
			}
		}
	}
}

// indexed returns list[i].leaf.
func indexed(list string, i int, leaf string) schema.Path {
	p := list + "[" + strconv.Itoa(i) + "]"
	if leaf != "" {
		p += "." + leaf
	}
	return schema.Path(p)
}

// entryPath names a value of an entry of a list. Nothing asks for the name in a file without anything special, so the index
// is left out there.
func (b *Binder) entryPath(list string, i int, leaf string) schema.Path {
	if b.File.marks == nil {
		return schema.Path(list)
	}
	return indexed(list, i, leaf)
}

func (b *Binder) batch(i int, n *data.Node) schema.Batch {
	t := schema.Batch{At: n.Place()}
	at := func(leaf string) schema.Path { return b.entryPath("ramp.batches", i, leaf) }
	for j := range n.Pairs {
		key, v := n.Pairs[j].Key, n.Pairs[j].Value
		switch key {
		case "share":
			t.Share, t.HasShare = b.number(at("share"), v)
			t.ShareAt = v.Place()
		case "dwell":
			t.DwellAt = v.Place()
			if v.Text == "manual" && v.Kind == data.String {
				t.Manual = true
			} else {
				t.Dwell, t.HasDwell = b.duration(at("dwell"), v)
			}
		case "minSamples":
			t.MinSamples, _ = b.int(at("minSamples"), v)
			t.SamplesAt = v.Place()
		case "regions":
			t.Regions, _ = b.texts(at("regions"), v)
		case "priorities":
			t.Priorities, _ = b.texts(at("priorities"), v)
		}
	}
	return t
}

// stop is not ok where the metric is not known: the rest says nothing without it.
func (b *Binder) stop(i int, n *data.Node) (schema.Stop, bool) {
	s := schema.Stop{At: n.Place()}
	at := func(leaf string) schema.Path { return b.entryPath("ramp.stop", i, leaf) }
	if !b.usable(at(""), n) {
		return s, false
	}
	ok := false
	for j := range n.Pairs {
		key, v := n.Pairs[j].Key, n.Pairs[j].Value
		switch key {
		case "metric":
			if ok = b.usable(at("metric"), v); ok {
				s.Metric = v.Text
			}
		case "above":
			s.Above, s.HasAbove = b.number(at("above"), v)
		case "below":
			s.Below, s.HasBelow = b.number(at("below"), v)
		case "against":
			if b.usable(at("against"), v) {
				s.Against = v.Text
			}
		}
	}
	return s, ok
}
