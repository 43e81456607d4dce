package native

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// itemKeys are the keys of a pool that only items of the model have. probe, retry and domain alone could be anybody's.
var itemKeys = []string{"members", "probe", "decision", "cooldown", "ramp", "retry", "onAllOut"}

// detect recognises a document whose only root is pools, of pools that state items. Home-made files may look like that,
// so what the members or items hold has to fit, too.
func detect(name string, text []byte) sources.Confidence {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json", ".cue", "":
	default:
		return sources.Unlikely
	}
	if strings.TrimSuffix(path.Base(name), path.Ext(name)) == "poolproof" {
		return sources.Unlikely // the manifest has pools, too
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if rest := bytes.TrimLeft(text, " \t\r\n"); len(rest) > 0 && rest[0] == '{' {
		return detectFlow(rest)
	}
	return detectBlock(text)
}

// maxSniffed is how many bytes are looked at.
const maxSniffed = 16 << 10

// detectBlock looks at block YAML and at CUE: top-level keys, then those of the pools.
func detectBlock(text []byte) sources.Confidence {
	s := sniffer{}
	for len(text) > 0 && s.read < maxSniffed {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		s.read += len(line) + 1
		text = rest
		if !s.line(strings.TrimRight(string(line), " \t\r")) {
			return sources.Unlikely
		}
	}
	return s.confidence()
}

// sniffer follows the indentation of a block document.
type sniffer struct {
	read          int
	inPools       bool
	depths        []int // indentation of the pools, of their keys, of what is inside
	items, fits   int
	item          string
	foreign, seen bool
}

// line takes one line in; false ends the search: this is another format.
func (s *sniffer) line(line string) bool {
	body := strings.TrimLeft(line, " \t")
	indent := len(line) - len(body)
	if body == "" || body[0] == '#' || strings.HasPrefix(body, "//") || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "package ") {
		return true
	}
	entry := strings.TrimLeft(body, "- ") // an entry's keys are deeper than the list's own, which may stand above the dashes
	indent += len(body) - len(entry)
	body = entry
	key, value, ok := strings.Cut(body, ":")
	if !ok {
		return true
	}
	key = strings.Trim(strings.TrimSpace(key), `"'`)
	if indent == 0 {
		s.inPools = key == "pools"
		if s.inPools {
			s.seen = true
			s.depths = s.depths[:0]
			s.flowPool(value)
		}
		return s.inPools
	}
	s.inner(indent, key, value)
	return true
}

// inner takes a line below pools in.
func (s *sniffer) inner(indent int, key, value string) {
	level := len(s.depths)
	for level > 0 && indent <= s.depths[level-1] {
		level--
	}
	s.depths = append(s.depths[:level], indent)
	switch level {
	case 0: // a pool
		s.flowPool(value)
	case 1: // a key of a pool
		s.item = key
		switch {
		case slices.Contains(itemKeys, key):
			s.items++
			s.flow(key, value)
		case key != "domain" && key != "env" && key != "engine" && key != "traffic" && key != "constraints":
			s.foreign = true
		}
	case 2: // a key of an item, or of a member
		s.leaf(s.item, key)
	}
}

// flowPool looks for items in a pool, or pools, written on the line: orders: {members: [...]}.
func (s *sniffer) flowPool(value string) {
	if !strings.HasPrefix(strings.TrimSpace(value), "{") {
		return
	}
	for _, key := range itemKeys {
		if i := strings.Index(value, key+":"); i > 0 && strings.IndexByte("{ ,", value[i-1]) >= 0 {
			s.items++
			s.flow(key, value[i+len(key)+1:])
		}
	}
}

// flow looks for known keys in a value written on the line: probe: {interval: 2s}.
func (s *sniffer) flow(item, value string) {
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("{}[],", r) }) {
		if key, _, ok := strings.Cut(part, ":"); ok {
			s.leaf(item, strings.Trim(strings.TrimSpace(key), `"`))
		}
	}
}

// leaf counts a key that the model has under the item.
func (s *sniffer) leaf(item, key string) {
	key = strings.TrimLeft(key, "{[ \"")
	switch item {
	case "members":
		if slices.Contains([]string{"address", "socket", "provider", "from"}, key) {
			s.fits++
		}
	default:
		for _, e := range schema.Model() {
			if rest, ok := strings.CutPrefix(string(e.Path), item+"."); ok && (rest == key || strings.HasPrefix(rest, key+".")) {
				s.fits++
				return
			}
		}
		if item == "ramp" && (key == "batches" || key == "stop") {
			s.fits++
		}
	}
}

func (s *sniffer) confidence() sources.Confidence {
	switch {
	case !s.seen || s.items == 0:
		return sources.Unlikely
	case s.fits == 0:
		return sources.Possible
	case s.foreign:
		return sources.Likely
	}
	return sources.Certain
}

// detectFlow looks at JSON and flow YAML: the first key must be pools, and items must follow.
func detectFlow(text []byte) sources.Confidence {
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	rest, ok := bytes.CutPrefix(rest, []byte(`"pools"`))
	if !ok {
		return sources.Unlikely
	}
	rest = rest[:min(len(rest), maxSniffed)]
	s := sniffer{seen: true}
	for _, key := range itemKeys {
		if i := bytes.Index(rest, []byte(`"`+key+`"`)); i >= 0 {
			s.items++
			s.flow(key, string(rest[i+len(key)+2:]))
		}
	}
	return s.confidence()
}
