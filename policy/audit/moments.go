package audit

import (
	"time"

	"github.com/poolproof/poolproof/policy/rules"
)

// moments lists the times at which the same tree is judged differently from before: orders come into force, exceptions
// and markers end. Between two of them, time changes nothing.
func moments(run *rules.Run) []time.Time {
	var out []time.Time
	add := func(t time.Time) {
		if !t.IsZero() {
			out = append(out, t)
		}
	}
	for i := range run.Manifest.Exceptions {
		add(run.Manifest.Exceptions[i].Expires)
	}
	for _, o := range run.Orders {
		add(o.Effective)
		for i := range o.Exceptions {
			add(o.Exceptions[i].Expires)
		}
	}
	for _, f := range run.Loaded.Files {
		for _, raw := range f.Markers {
			m, _ := parseMarker(raw.Text)
			add(m.until)
		}
	}
	return out
}
