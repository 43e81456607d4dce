package haproxy

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// request is the first exchange of a check: HAProxy can run several, the model holds one.
type request struct {
	method, path, host word
	byFormat           *directive // the path or host is computed at run time
	expects            []directive
	steps              int // http-check or tcp-check sends
	option             bool

	connect, ssl, byDefault bool
	port                    word
	unsure                  []directive // rules inside conditionals
}

// maxRules bounds how many rules of a kind are looked at; a check fails or passes by fewer.
const maxRules = 16

// readRules follows the rules in order. "option httpchk" and the first "http-check send" write one request together;
// what comes later replaces the parts that it names.
func readRules(c *checks) *request {
	if c.rules == nil {
		return &request{}
	}
	if c.rules.request != nil {
		return c.rules.request
	}
	q := &request{}
	c.rules.request = q
	for _, d := range c.rules.lines {
		if d.unsure {
			if len(q.unsure) < maxRules {
				q.unsure = append(q.unsure, d)
			}
			continue
		}
		switch d.words[1].text {
		case "httpchk":
			if q.steps == 0 {
				q.method, q.path, q.host = word{}, word{}, word{}
			}
			q.option = true
			q.readOption(d.words[2:])
		case "send":
			if q.steps++; q.steps == 1 && d.words[0].text == "http-check" {
				q.readSend(d.words[2:], d)
			}
		case "send-lf", "send-binary", "send-binary-lf":
			q.steps++
		case "connect":
			if !q.connect && q.steps == 0 {
				q.readConnect(d.words[2:])
			}
		case "expect":
			if q.steps <= 1 && len(q.expects) < maxRules {
				q.expects = append(q.expects, d)
			}
		}
	}
	return q
}

// readOption reads option httpchk [[METHOD] URI [VERSION [HOST]]].
func (q *request) readOption(args []word) {
	switch {
	case len(args) == 1:
		q.path, q.byFormat = args[0], nil
	case len(args) > 1:
		q.method, q.path, q.byFormat = args[0], args[1], nil
	}
	if len(args) > 3 {
		q.host = args[3]
	} else if len(args) > 2 { // before 2.2 headers were hidden behind the version
		for _, header := range strings.Split(args[2].text, "\r\n")[1:] {
			if name, value, _ := strings.Cut(header, ":"); strings.EqualFold(name, "host") {
				q.host = args[2]
				q.host.text, q.host.exact = strings.TrimSpace(value), false
			}
		}
	}
}

// readSend reads http-check send [meth M] [uri U] [ver V] [hdr NAME VALUE]...
func (q *request) readSend(args []word, d directive) {
	for i := 0; i+1 < len(args); i++ {
		switch args[i].text {
		case "meth":
			q.method = args[i+1]
		case "uri":
			q.path = args[i+1]
		case "uri-lf":
			q.path, q.byFormat = word{}, &d
		case "hdr":
			if i+2 < len(args) && strings.EqualFold(args[i+1].text, "host") {
				q.host = args[i+2]
			}
			i++
		}
		i++
	}
}

// readConnect reads http-check connect and tcp-check connect.
func (q *request) readConnect(args []word) {
	q.connect = true
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case "default":
			q.byDefault = true
		case "ssl":
			q.ssl = true
		case "port":
			if i++; i < len(args) {
				q.port = args[i]
			}
		case "addr", "sni", "alpn", "proto", "comment":
			i++
		}
	}
}

func said(w word) bool { return w.at.Known() }

// bindRequest sets what the request says.
func (k *copier) bindRequest(q *request) {
	if said(q.method) {
		k.text("probe.method", q.method)
	}
	if said(q.path) {
		k.text("probe.path", q.path)
	}
	if q.byFormat != nil {
		k.unsure("probe.path", q.byFormat.at)
	}
	if said(q.host) {
		if strings.Contains(q.host.text, "%[") { // a log format
			k.unsure("probe.host", q.host.at)
		} else {
			k.text("probe.host", q.host)
		}
	}
	if said(q.port) && strings.Trim(q.port.text, "0123456789") == "" {
		k.number("probe.port", q.port, 1, 65535)
	}
	if q.steps > 1 {
		k.Copy.Set("check steps", schema.IntOf(int64(q.steps)), q.expectsOr(k.p.checks.option.at))
	}
	for _, d := range q.unsure {
		path := schema.Path("probe.path")
		if d.words[1].text == "expect" {
			path = "probe.expect.statuses"
		}
		k.unsure(path, d.at)
	}
	for _, d := range q.expects {
		k.expect(d)
	}
}

func (q *request) expectsOr(at schema.Span) schema.Span {
	if len(q.expects) > 0 {
		return q.expects[0].at
	}
	return at
}
