package apisix

import (
	"bytes"
	"path"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// reader reads one file. copy is the pool being filled, the last of out.Copies.
type reader struct {
	in         sources.Input
	out        *sources.Result
	bind       bind.Binder
	copy       *schema.Copy
	names      map[string]bool // pools so far
	owners     []owner         // routes whose plugins concern a pool that may stand further down
	standalone bool            // the file has the shape that APISIX loads by itself
}

// resource is a kind of APISIX object.
type resource string

const (
	upstreams    resource = "upstream"
	routes       resource = "route"
	services     resource = "service"
	streamRoutes resource = "stream_route"
)

func resourceOf(list string) (resource, bool) {
	switch list {
	case "upstreams":
		return upstreams, true
	case "routes":
		return routes, true
	case "services":
		return services, true
	case "stream_routes":
		return streamRoutes, true
	}
	return "", false
}

// document reads one document of any of APISIX's shapes.
func (r *reader) document(n *data.Node) {
	if n == nil {
		return
	}
	if n.Kind == data.List {
		for _, item := range n.Items {
			r.admin(item, 0)
		}
		return
	}
	if n.Kind != data.Map {
		return
	}
	// Upstreams first: what is called after its owner must not take the name of one.
	found := false
	for _, first := range [...]bool{true, false} {
		for i := range n.Pairs {
			p := &n.Pairs[i]
			kind, ok := resourceOf(p.Key)
			if !ok || p.Value.Kind != data.List || first != (kind == upstreams) {
				continue
			}
			found = true
			r.standalone = r.standalone || kind != services || !adc(p.Value)
			for _, item := range p.Value.Items {
				r.object(kind, item, identity{})
			}
		}
	}
	if !found {
		r.admin(n, 0)
	}
}

// adc reports whether a list of services is written for ADC, which nests routes in services and knows them by name; in
// APISIX's own files nothing could refer to a service without an id.
func adc(list *data.Node) bool {
	for _, item := range list.Items {
		if item.Get("routes") != nil || item.Get("stream_routes") != nil || text(item.Get("name")) != "" && item.Get("id") == nil {
			return true
		}
	}
	return false
}

// identity is an object's id where only the key of an answer gives it.
type identity struct {
	id string
	at schema.Span
}

// object reads one object of a list.
func (r *reader) object(kind resource, n *data.Node, id identity) {
	if n == nil || n.Kind != data.Map {
		return
	}
	if kind == upstreams {
		r.upstream(n, id)
		return
	}
	o := owner{kind: kind, node: n, id: id, copy: -1}
	if up := n.Get("upstream"); up != nil && up.Kind == data.Map {
		before := len(r.out.Copies)
		if r.inline(up, &o, ""); len(r.out.Copies) > before {
			o.copy = before
			r.timeouts("route.timeout.", n.Get("timeout"))
		}
	}
	r.plugins(&o)
	for _, key := range [...]string{"routes", "stream_routes", "upstreams"} { // ADC nests them in services
		if list := n.Get(key); kind == services && list != nil {
			nested, _ := resourceOf(key)
			for _, item := range list.Items {
				r.object(nested, item, identity{})
			}
		}
	}
}

// begin adds a copy and makes it the current one.
func (r *reader) begin() *schema.Copy {
	s := r.in.Source
	profile := s.Profile
	if profile == "" {
		profile = "apisix"
	}
	r.out.Copies = append(r.out.Copies, schema.Copy{
		Side: s.Side, Format: "apisix", Profile: profile, Env: s.Env, Files: []string{r.in.Path},
		Fields: make([]schema.Field, 0, 16),
	})
	r.open(len(r.out.Copies) - 1)
	return r.copy
}

func (r *reader) open(i int) {
	r.copy = &r.out.Copies[i]
	r.bind.Copy = r.copy
}

// endMark reports a stand-alone file without its end mark.
func endMark(out *sources.Result, in sources.Input) {
	if hasEndMark(in.Data) {
		return
	}
	severity := schema.Warning
	if base := path.Base(in.Path); base == "apisix.yaml" || base == "apisix.yml" {
		severity = schema.DefaultSeverity
	}
	end := len(bytes.TrimRight(in.Data, " \t\r\n"))
	start := bytes.LastIndexByte(in.Data[:end], '\n') + 1
	out.Report(schema.Problem{Rule: "schema/invalid", Severity: severity, At: schema.At(start, end),
		Text: schema.Textf("the file does not end with #END; APISIX ignores a stand-alone YAML file without it", "文件末尾没有 #END；APISIX 会忽略没有该标记的独立模式 YAML 文件"),
		Hint: schema.Textf("add a last line: #END", "在最后加一行：#END")})
}
