package manifest

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// alerts reads where alerts go: each key names a kind of sink, with its settings or a list of such. What settings a kind
// has is known to the sinks alone.
func (l *loader) alerts(n *data.Node) schema.Alerts {
	a := schema.Alerts{Lang: l.text(n.Get("lang")), Link: l.text(n.Get("link")), For: l.duration(n.Get("for"))}
	l.each(n, func(p *data.Pair) {
		switch p.Key {
		case "lang", "link", "for":
			return
		}
		if p.Value.Kind != data.List {
			a.Sinks = append(a.Sinks, l.sink(p.Key, p.Value))
			return
		}
		for _, item := range l.list(p.Value) {
			a.Sinks = append(a.Sinks, l.sink(p.Key, item))
		}
	})
	return a
}

func (l *loader) sink(kind string, n *data.Node) schema.AlertSink {
	s := schema.AlertSink{Kind: kind, At: n.Place()}
	l.each(n, func(p *data.Pair) {
		setting := schema.AlertSetting{Key: p.Key, At: p.Value.Place()}
		for _, v := range l.oneOrMore(p.Value) {
			if v.Scalar() && v.Kind != data.Null {
				setting.Values = append(setting.Values, v.Text)
			}
		}
		s.Settings = append(s.Settings, setting)
	})
	return s
}
