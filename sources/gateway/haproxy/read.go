package haproxy

import (
	"maps"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/profile"
)

// sections are the keywords that start a section; true for those that are read.
var sections = map[string]bool{
	"defaults": true, "listen": true, "backend": true, "frontend": false, "healthcheck": true, "global": false,
	"acme": false, "cache": false, "crt-store": false, "dynamic-update": false, "fcgi-app": false, "http-errors": false,
	"log-forward": false, "log-profile": false, "mailers": false, "namespace_list": false, "peers": false,
	"program": false, "resolvers": false, "ring": false, "traces": false, "userlist": false,
}

// reader reads one file.
type reader struct {
	in      sources.Input
	text    string
	version profile.Version
	scanner scanner
	result  sources.Result
	current *proxy
	last    *proxy // the defaults section that sections without "from" build on
	named   map[string]*proxy
	pools   map[string]*proxy // listen and backend sections by keyword and name
	tests   map[string]*proxy // healthcheck sections
	proxies []*proxy
	shared  []*proxy // defaults and healthcheck sections
	// vars are the manifest's values for placeholders and, below them, the variables that the file sets itself.
	vars   map[string]string
	global bool // the section that is open is a global one
	// told holds the places of problems outside sections that a copy has already reported.
	told map[place]bool
	// tally bounds the problems of the file.
	tally   sources.Tally
	speller speller
}

const byteOrderMark = "\xef\xbb\xbf"

// read extracts the pools of one file.
func read(in sources.Input) sources.Result {
	r := reader{in: in, text: string(in.Data), vars: maps.Clone(in.Vars), named: map[string]*proxy{}, pools: map[string]*proxy{}, tests: map[string]*proxy{}, told: map[place]bool{}}
	if p, ok := profile.Lookup(r.profile()); ok {
		r.version, _ = profile.ParseVersion(p.Version)
	}
	var syntax []schema.Problem
	var faults sources.Tally
	r.scanner = scanner{text: r.text, fault: func(at schema.Span, text, hint schema.Text) {
		if faults.Room(schema.Error) {
			syntax = append(syntax, schema.Problem{Rule: "source/syntax", At: at, Text: text, Hint: hint})
		}
	}}
	if strings.HasPrefix(r.text, byteOrderMark) {
		r.scanner.pos = len(byteOrderMark)
		r.result.Report(schema.Problem{Rule: "source/scalar-hazard", Severity: schema.Warning, At: schema.At(0, len(byteOrderMark)),
			Text: schema.Textf("the file starts with a byte-order mark, which HAProxy takes for part of the first keyword", "文件以字节顺序标记（BOM）开头，HAProxy 会把它当作首个关键字的一部分"),
			Hint: schema.Textf("save it as UTF-8 without a byte-order mark", "请保存为不带 BOM 的 UTF-8")})
	}
	seen, stray := false, schema.Span{}
	for l := (line{}); r.scanner.next(&l); {
		if len(l.words) > 0 && !l.words[0].templated {
			if _, ok := sections[l.words[0].text]; ok {
				seen = true
				r.open(&l)
				continue
			}
		}
		switch {
		case r.current != nil:
			r.current.line(&l)
			r.current.end = l.end
		case r.global:
			r.environment(&l)
		case !seen && !stray.Known() && len(l.words) > 0:
			stray = l.span()
		}
	}
	if !r.scanner.template { // a template is not what HAProxy reads
		if stray.Known() {
			syntax = append(syntax, schema.Problem{Rule: "source/syntax", At: stray,
				Text: schema.Textf("HAProxy expects a section (global, defaults, frontend, listen, backend) before this line", "HAProxy 要求此行之前先有段（global、defaults、frontend、listen、backend）")})
		}
		r.lastLine(seen)
		r.keep(syntax, faults.LeftOut)
	}
	for _, p := range r.shared {
		r.keep(p.problems, p.syntax.LeftOut+p.other.LeftOut)
	}
	r.result.Copies = make([]schema.Copy, 0, len(r.proxies))
	for i, p := range r.proxies {
		r.proxies[i] = nil // its memory is not needed below
		r.build(p)
	}
	if len(r.result.Copies) == 0 {
		r.result.Copies = nil
	}
	return r.result
}

func (r *reader) profile() string {
	if r.in.Source.Profile != "" {
		return r.in.Source.Profile
	}
	return "haproxy"
}

// lastLine warns of a file that does not end with a line feed.
func (r *reader) lastLine(seen bool) {
	n := len(r.text)
	if !seen || r.text[n-1] == '\n' || r.version.Known() && r.version.Less(2, 3) {
		return
	}
	r.result.Report(schema.Problem{Rule: "source/syntax", Severity: schema.Warning, At: schema.At(n-1, n),
		Text: schema.Textf("the last line has no line feed: HAProxy 2.3 and later takes the file for truncated and refuses it", "最后一行没有换行符：HAProxy 2.3 及以后的版本视其为截断并拒绝"),
		Hint: schema.Textf("end the file with a line feed", "在文件末尾加上换行符")})
}

// open starts a section.
func (r *reader) open(l *line) {
	kind := l.words[0].text
	r.current, r.global = nil, kind == "global"
	if !sections[kind] {
		return
	}
	p := &proxy{kind: kind, speller: &r.speller, start: int(l.words[0].at.Start), end: l.end, tpl: l.tpl, dot: l.dot, within: max(since(l.tpl, nil), since(l.dot, nil))}
	from := ""
	for i, w := range l.words[1:] {
		switch {
		case w.text == "from" && i+2 < len(l.words):
			from = l.words[i+2].text
		case i == 0:
			p.name = w
		}
	}
	switch kind {
	case "defaults":
		p.inherit(r.named[from]) // nil where there is none
		p.inDefaults = false
		r.last = p
		if p.name.text != "" {
			r.named[p.name.text] = p
		}
		r.current, r.shared = p, append(r.shared, p)
		return
	case "healthcheck":
		r.tests[p.name.text] = p
		r.current, r.shared = p, append(r.shared, p)
		return
	}
	if p.name.text == "" {
		if !r.scanner.template {
			r.keep([]schema.Problem{{Rule: "source/syntax", At: l.span(),
				Text: schema.Textf("a %s section needs a name", "%s 段需要名称", kind)}}, 0)
		}
		return
	}
	key := kind + " " + p.name.text
	if old := r.pools[key]; old != nil && (old.within >= cond || p.within >= cond) {
		old.reopen(p.tpl, p.dot)
		r.current = old
		return
	}
	r.pools[key] = p
	r.current = p
	r.proxies = append(r.proxies, p)
	if base, ok := r.named[from]; ok {
		p.inherit(base)
	} else if from == "" {
		p.inherit(r.last)
	}
}
