package haproxy

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// option is one parameter of a server or default-server line.
type option struct {
	param param
	undo  bool // the "no-" form, or "enabled"
	own   bool // written on the line itself, not taken over from default-server
	// unsure: the parameter stands inside a conditional, so it may not be there.
	unsure bool
	name   string      // as written
	value  word        // the argument, of parameters that take one
	at     schema.Span // the parameter with its arguments
}

// server is one server or server-template line.
type server struct {
	name, addr word
	count      *word // of server-template
	options    []option
	at         schema.Span
	// opaque is a template that may stand for any parameters, unknown where there is none.
	opaque   schema.Span
	index    int32
	template bool
	within   blockKind // the blocks around the line
}

// get returns a parameter, nil where the server has none.
func (s *server) get(p param) *option { return find(s.options, p) }

// has reports whether a flag is set for certain.
func (s *server) has(p param) bool {
	o := s.get(p)
	return o != nil && !o.undo && !o.unsure
}

// checks reports whether the server is checked, and whether that is certain.
func (s *server) checks() (yes, certain bool) {
	o := s.get(pCheck)
	switch {
	case o == nil:
		return s.opaque.Known(), !s.opaque.Known()
	case o.unsure:
		return true, false
	}
	return !o.undo, true
}

func find(options []option, p param) *option {
	for i := range options {
		if options[i].param == p {
			return &options[i]
		}
	}
	return nil
}

// server reads a server or server-template line of the section.
func (p *proxy) server(l *line, template bool) {
	addr := 2
	if template {
		addr = 3
	}
	if len(l.words) <= addr {
		last := l.words[len(l.words)-1]
		if !l.opaque && !bind.HasTemplate(last.text, bind.Common) {
			if p.syntax.Room(schema.Error) {
				p.report(schema.Problem{Rule: "source/syntax", At: l.span(), Item: schema.Members,
					Text: schema.Textf("a %s line needs a name and an address", "%s 行需要名称和地址", l.words[0].text)})
			}
			return
		}
		last.templated = true // one template holds several words
		for len(l.words) <= addr {
			l.words = append(l.words, last)
		}
	}
	s := server{
		index: int32(p.servers.n), name: l.words[1], addr: l.words[addr], template: template, at: l.span(),
		within: max(since(l.tpl, nil), since(l.dot, nil)),
	}
	if template {
		count := l.words[2]
		s.count = &count
	}
	s.options, s.opaque = p.options(l, addr+1, append(make([]option, 0, len(p.base)+min(len(l.words)-addr-1, int(params))), p.base...), neutral)
	if s.addr.at == s.name.at {
		s.opaque = s.addr.at
	}
	if !s.opaque.Known() {
		s.opaque = p.unknown
	}
	p.twice(&s)
	p.servers.add(s)
}

// defaultServer reads a default-server line, which adds to the ones before it.
func (p *proxy) defaultServer(l *line) {
	if len(l.words) > 2 && l.words[1].text == "name" {
		return // named sets are used by servers that are added at run time
	}
	options, opaque := p.options(l, 1, p.base, p.relative(l))
	p.base = options
	if opaque.Known() {
		p.unsettle(opaque)
	}
}

// options reads the parameters from the i-th word on over those in into. within is what the blocks around the line make
// of it.
func (p *proxy) options(l *line, i int, into []option, within blockKind) (out []option, opaque schema.Span) {
	start := l.words[0].at.Start
	for i < len(l.words) {
		w := l.words[i]
		if w.templated || bind.HasTemplate(w.text, bind.Common) {
			opaque = schema.Join(opaque, w.at)
			i++
			continue
		}
		k, known := lookup(w.text)
		if !known {
			i++
			if !opaque.Known() && !l.opaque { // else it may belong to what the template writes
				i += p.misspelt(l, i-1)
			}
			continue
		}
		n := int(k.args)
		if n == sourceArgs {
			for n = 1; i+n+2 < len(l.words) && (l.words[i+n+1].text == "usesrc" || l.words[i+n+1].text == "interface"); {
				n += 2
			}
		}
		if i+n >= len(l.words) {
			if k.param != pSkip && !opaque.Known() && !l.opaque && p.syntax.Room(schema.Error) {
				p.report(schema.Problem{Rule: "source/syntax", At: w.at,
					Text: schema.Textf("%q needs a value after it", "%q 之后缺少取值", w.text)})
			}
			break
		}
		o := option{param: k.param, undo: k.undo, own: true, name: w.text, at: schema.Join(w.at, l.words[i+n].at)}
		if n > 0 {
			o.value = l.words[i+1]
		}
		o.unsure = max(within, since(l.in[i], l.tpl)) >= cond
		i += n + 1
		switch k.param {
		case pSkip:
		case pFrom:
			switch {
			case o.value.text == "none":
				into = into[:0]
			case len(o.value.text) < 3 || o.value.text[:3] != "be:":
				opaque = schema.Join(opaque, o.at)
			}
		default:
			into = p.put(into, o, start)
		}
	}
	if l.opaque {
		opaque = schema.Join(opaque, l.span())
	}
	return into, opaque
}

// put adds a parameter, replacing an earlier one. Twice on one line with two values is a mistake: the last counts.
func (p *proxy) put(into []option, o option, lineStart uint32) []option {
	old := find(into, o.param)
	if old == nil {
		return append(into, o)
	}
	if old.at.Start >= lineStart && !old.unsure && !o.unsure && (old.value.text != o.value.text || old.undo != o.undo) {
		p.duplicate(o.name, o.at, old.at)
	}
	*old = o
	return into
}

// manyServers is from how many servers on names are looked up in a map.
const manyServers = 16

// twice warns of a second server of one name.
func (p *proxy) twice(s *server) {
	if s.within != neutral || s.name.templated {
		return
	}
	var first *server
	if p.names == nil && p.servers.n < manyServers {
		for o := range p.servers.all() {
			if o.name.text == s.name.text && o.within == neutral && o.template == s.template {
				first = o
				break
			}
		}
	} else {
		if p.names == nil {
			p.names = make(map[string]int32, 2*p.servers.n)
			for i := p.servers.n - 1; i >= 0; i-- {
				if o := p.servers.at(i); o.within == neutral && !o.name.templated {
					p.names[o.name.text] = o.index
				}
			}
		}
		if i, ok := p.names[s.name.text]; ok {
			first = p.servers.at(int(i))
		} else {
			p.names[s.name.text] = s.index
		}
	}
	if first == nil || !p.other.Room(schema.Warning) {
		return
	}
	p.report(schema.Problem{Rule: "schema/invalid", Severity: schema.Warning, At: s.name.at, Item: schema.Members, Got: s.name.text,
		Text:    schema.Textf("HAProxy 2.0 and later refuses a second server named %q in one section", "HAProxy 2.0 及以后的版本拒绝同一段内第二个名为 %q 的 server", s.name.text),
		Hint:    schema.Textf("give every server a name of its own", "每个 server 使用各自的名称"),
		Related: []schema.Note{{At: first.name.at, Label: schema.Textf("the first one", "第一个")}}})
}
