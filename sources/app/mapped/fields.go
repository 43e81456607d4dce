package mapped

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// field reads one setting of the model.
func (p *poolReader) field(f field) {
	hits, near := f.expr.find(p.from)
	if len(hits) == 0 {
		p.copy.Unresolve(f.entry.Path, f.expr.text, near)
		return
	}
	if f.entry.Kind == schema.List {
		if items, at, ok := p.texts(f.entry.Path, hits); ok {
			p.binder.List(f.entry.Path, items, at)
		}
		return
	}
	if s, ok := p.one(f.entry.Path, f.expr.text, hits); ok {
		p.bind(f, s)
	}
}

// one returns the only scalar among matches; anything else is reported.
func (p *poolReader) one(path schema.Path, raw string, hits []match) (bind.Scalar, bool) {
	first, ok := scalar(hits[0])
	switch {
	case !ok && (hits[0].null()):
		p.copy.Unresolve(path, raw, hits[0].place())
		return bind.Scalar{}, false
	case !ok:
		p.refuse(path, raw, hits[0], schema.Textf("%s: %s leads to a %s, not to a value", "%s：%s 指向的是%s，而不是值", path, raw, kindName(hits[0].node)))
		return bind.Scalar{}, false
	}
	for _, h := range hits[1:] {
		if s, ok := scalar(h); !ok || s.Text != first.Text {
			p.refuse(path, raw, h, schema.Textf("%s: %s leads to %d values that differ", "%s：%s 指向 %d 个不同的值", path, raw, len(hits)))
			return bind.Scalar{}, false
		}
	}
	return first, true
}

func kindName(n *data.Node) string {
	if n.Kind == data.List {
		return "list"
	}
	return "mapping"
}

// refuse reports what a path leads to, and counts the setting as unresolved.
func (p *poolReader) refuse(path schema.Path, raw string, h match, text schema.Text) {
	p.binder.Refuse(path, bind.Scalar{Text: raw, At: h.place()}, "schema/invalid", text,
		schema.Textf("name one value in the manifest's map", "请在清单的 map 中指明一个值"))
}

var clock = regexp.MustCompile(`^([0-9]+\.)?[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?$`)

// duration reads native units and ISO-8601; a bare number counts units of the path, and 0 needs none.
func duration(u unit) bind.DurationParser {
	return func(text string) (time.Duration, error) {
		if bind.IsISO(text) {
			return bind.ISODuration(text)
		}
		if u.length != 0 {
			return bind.BareUnit(u.length)(text)
		}
		if text != "" && strings.Trim(text, "0") == "" {
			return 0, nil
		}
		return schema.ParseDuration(text)
	}
}

// bindDuration binds a length of time. The unit of a bare number belongs into the manifest's map: the program whose file it
// is takes the number as it stands.
func (p *poolReader) bindDuration(path schema.Path, s bind.Scalar, e *expr) {
	if clock.MatchString(s.Text) {
		p.binder.Refuse(path, s, "schema/invalid", schema.Textf("%s: %q is a time of day to some readers and a duration to others", "%s：%q 有的读取程序视为时刻，有的视为时长", path, s.Text),
			schema.Textf("write a number with a unit: 30s, 1m30s", "请写数字和单位：30s、1m30s"))
		return
	}
	before := len(p.binder.Copy.Problems)
	p.binder.Duration(path, s, duration(e.unit))
	for i := range p.binder.Copy.Problems[before:] {
		if problem := &p.binder.Copy.Problems[before+i]; problem.Rule == "schema/unit" {
			problem.Hint = schema.Textf("say in the manifest's map what it counts: \"%[1]s | s\", \"%[1]s | ms\", ...", "请在清单的 map 中写明单位：\"%[1]s | s\"、\"%[1]s | ms\" 等", e.text)
		}
	}
}

// bind sets one scalar setting by its kind in the model.
func (p *poolReader) bind(f field, s bind.Scalar) {
	path, b := f.entry.Path, &p.binder
	switch f.entry.Kind {
	case schema.Duration:
		p.bindDuration(path, s, &f.expr)
	case schema.Int:
		lo, hi := intRange(path)
		b.Int(path, s, lo, hi)
	case schema.Number:
		p.number(path, s, f.expr.unit)
	case schema.Bool:
		b.Bool(path, s)
	default:
		p.text(path, s)
	}
}

// intRange returns the bounds that the schema sets for a whole number.
func intRange(path schema.Path) (lo, hi int64) {
	switch path {
	case "probe.port":
		return 1, math.MaxUint16
	case "retry.attempts":
		return 0, math.MaxInt64
	}
	return 1, math.MaxInt64
}

// number binds a ratio from 0 to 1, or a factor above 0.
func (p *poolReader) number(path schema.Path, s bind.Scalar, u unit) {
	if path != "cooldown.growth.factor" {
		scale := 1.0
		if u.name == percent && !strings.HasSuffix(strings.TrimSpace(s.Text), "%") {
			scale = 100
		}
		p.binder.Number(path, s, 0, 1, scale)
		return
	}
	if f, err := strconv.ParseFloat(s.Text, 64); err == nil && f <= 0 {
		p.binder.Refuse(path, s, "schema/invalid", schema.Textf("%s: %s is not above 0", "%s：%s 不大于 0", path, s.Text), schema.Text{})
		return
	}
	p.binder.Number(path, s, math.SmallestNonzeroFloat64, math.MaxFloat64, 1)
}

// text binds a text in its usual case, hosts in normal form.
func (p *poolReader) text(path schema.Path, s bind.Scalar) {
	switch path {
	case "probe.protocol", "probe.method", "probe.host":
	default:
		p.binder.Text(path, s)
		return
	}
	text, ok := p.binder.Resolve(path, s)
	if !ok {
		return
	}
	switch path {
	case "probe.protocol":
		text = strings.ToLower(text)
	case "probe.method":
		text = strings.ToUpper(text)
	case "probe.host":
		if host, ok := schema.NormalHost(text); ok {
			text = host
		}
	}
	p.copy.Set(path, schema.TextOf(text), s.At)
}

// texts reads a list: the scalars of lists and of comma-separated texts, in order.
func (p *poolReader) texts(path schema.Path, hits []match) (items []string, at schema.Span, ok bool) {
	for _, h := range hits {
		nodes := []match{h}
		if h.node != nil && h.node.Kind == data.List {
			nodes = nil
			for _, item := range h.node.Items {
				nodes = append(nodes, match{node: item})
			}
		}
		at = schema.Join(at, h.place())
		for _, n := range nodes {
			s, scalarOK := scalar(n)
			if !scalarOK {
				p.refuse(path, "", n, schema.Textf("%s: not a list of texts", "%s：不是文本列表", path))
				return nil, at, false
			}
			text, resolved := p.binder.Resolve(path, s)
			if !resolved {
				return nil, at, false
			}
			items = append(items, bind.SplitList(text)...)
		}
	}
	return items, at, true
}
