package envoy

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// httpFields are the fields of HttpHealthCheck.
var httpFields = []field{
	{"host", "host", word, "probe.host"},
	{"path", "path", word, "probe.path"},
	{"method", "method", constant, "probe.method"},
	{"expected_statuses", "expectedStatuses", structure, "probe.expect.statuses"},
	{"retriable_statuses", "retriableStatuses", structure, "health_checks[0].http_health_check.retriable_statuses"},
	{"send", "send", structure, "health_checks[0].http_health_check.send"},
	{"receive", "receive", structure, "probe.expect.body"},
	{"codec_client_type", "codecClientType", constant, "health_checks[0].http_health_check.codec_client_type"},
	{"response_buffer_size", "responseBufferSize", ignored, ""},
	{"request_headers_to_add", "requestHeadersToAdd", ignored, ""},
	{"request_headers_to_remove", "requestHeadersToRemove", ignored, ""},
	{"service_name_matcher", "serviceNameMatcher", ignored, ""},
	{"service_name", "serviceName", ignored, ""},
	{"use_http2", "useHttp2", ignored, ""},
}

// checker reads the part of a check that says what is asked and what must come back.
func (r *reader) checker(snake string, block schema.Path, n *data.Node, index int, overTLS bool) {
	if absent(n) {
		return
	}
	protocol, _, _ := strings.Cut(snake, "_")
	if protocol == "http" && overTLS {
		protocol = "https"
	}
	if protocol == "custom" {
		name := text(get(n, "name", "name"))
		protocol = name[strings.LastIndexByte(name, '.')+1:]
	}
	at := n.Place()
	if index == 0 && protocol != "" {
		r.copy.Set("probe.protocol", schema.TextOf(protocol), at)
	} else if index > 0 {
		r.copy.Set(block, schema.TextOf(protocol), at)
	}
	if !r.object(block, n) {
		return
	}
	switch snake {
	case "http_health_check":
		r.httpCheck(n, index, block)
	case "tcp_health_check":
		r.payload(at0(index, block, ".send", ""), get(n, "send", "send"))
		r.payload(at0(index, block, ".receive", "probe.expect.body"), get(n, "receive", "receive"))
	case "grpc_health_check":
		r.words(block+".service_name", get(n, "service_name", "serviceName"))
		r.words(at0(index, block, ".authority", "probe.host"), get(n, "authority", "authority"))
	}
}

// at0 returns the model's path for the first check and the setting's own for every other.
func at0(index int, block schema.Path, leaf schema.Path, model schema.Path) schema.Path {
	if index == 0 && model != "" {
		return model
	}
	return block + leaf
}

func (r *reader) httpCheck(n *data.Node, index int, block schema.Path) {
	for i := range n.Pairs {
		p := &n.Pairs[i]
		f := fieldOf(httpFields, p.Key)
		if f == nil {
			r.unknownKey("http_health_check", p, httpFields)
			continue
		}
		path := f.path
		if index > 0 {
			path = block + "." + schema.Path(f.snake)
		}
		switch f.snake {
		case "expected_statuses", "retriable_statuses":
			r.statuses(path, p.Value)
		case "send", "receive":
			r.payload(path, p.Value)
		default:
			r.set(f, path, p.Value)
		}
	}
}

// statuses reads ranges [start, end) as texts: "200" for one status, "200-299" for several.
func (r *reader) statuses(p schema.Path, n *data.Node) {
	items := r.list(p, n)
	if len(items) == 0 {
		return
	}
	type statusRange struct{ from, to int64 }
	ranges := make([]statusRange, 0, len(items))
	for _, item := range items {
		if !r.object(p, item) {
			return
		}
		startNode, endNode := get(item, "start", "start"), get(item, "end", "end")
		if absent(startNode) || absent(endNode) {
			r.refuse(p, item, "schema/invalid", schema.Textf("%s: a range without start and end; Envoy refuses it", "%s：区间没有 start 和 end；Envoy 会拒绝", p), schema.Text{})
			return
		}
		start, ok := r.whole(p, startNode, 100, 599)
		if !ok {
			return
		}
		end, ok := r.whole(p, endNode, 101, 600)
		if !ok {
			return
		}
		if end <= start {
			r.refuse(p, endNode, "schema/invalid",
				schema.Textf("%s: the range from %d to before %d is empty; Envoy refuses it", "%s：从 %d 到 %d（不含）的区间为空；Envoy 会拒绝", p, start, end),
				schema.Textf("end is exclusive: for %d alone write end: %d", "end 不包含在内：只取 %d 请写 end: %d", start, start+1))
			return
		}
		ranges = append(ranges, statusRange{start, end - 1})
	}
	slices.SortFunc(ranges, func(a, b statusRange) int { return int(a.from*1000 + a.to - b.from*1000 - b.to) })
	words := make([]string, 0, len(ranges))
	for _, s := range ranges {
		word := strconv.FormatInt(s.from, 10)
		if s.to > s.from {
			word += "-" + strconv.FormatInt(s.to, 10)
		}
		words = append(words, word)
	}
	r.copy.Set(p, schema.ListOf(words...), n.Place())
}

// payload reads what a check sends or wants back: {text: hex} or {binary: base64}, one or a list. Payloads that are
// readable text are shown as that, others as they are written.
func (r *reader) payload(p schema.Path, n *data.Node) {
	if absent(n) {
		return
	}
	items := []*data.Node{n}
	if n.Kind == data.List {
		items = n.Items
	}
	var words []string
	for _, item := range items {
		value := get(item, "text", "text")
		decode := hex.DecodeString
		if value == nil {
			value, decode = get(item, "binary", "binary"), base64.StdEncoding.DecodeString
		}
		s, ok := bind.Of(value)
		if !ok {
			continue
		}
		written, ok := r.bind.Resolve(p, s)
		if !ok {
			return
		}
		if raw, err := decode(written); err == nil && readable(raw) {
			written = string(raw)
		}
		words = append(words, written)
	}
	switch {
	case len(words) == 1:
		r.copy.Set(p, schema.TextOf(words[0]), n.Place())
	case len(words) > 1 && p.Item() == schema.Probe: // the model holds one body
		r.copy.Set("health_checks[0].receive", schema.ListOf(words...), n.Place())
	case len(words) > 1:
		r.copy.Set(p, schema.ListOf(words...), n.Place())
	}
}

func readable(b []byte) bool {
	if len(b) == 0 || !utf8.Valid(b) {
		return false
	}
	return strings.IndexFunc(string(b), func(c rune) bool { return !unicode.IsPrint(c) }) < 0
}
