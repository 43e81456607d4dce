package haproxy

import (
	"strconv"

	"github.com/poolproof/poolproof/schema"
)

// HAProxy sets checks and observation server by server, the model pool by pool. The pool's value is that of
// default-server where a server uses it, else the most frequent one (a server without the parameter counts for "not
// written"). Servers that differ get a setting of their own, "server.NAME.inter"; one that leaves to HAProxy's default what
// the pool's value says gets the text "default" there.

// paramKind says how the argument of a server parameter is read.
type paramKind uint8

const (
	paramTime paramKind = iota
	paramPositive
	paramPort
	paramText
	paramFlag
)

// common sets a parameter of several servers under path, and those that differ under their own names. It returns the
// pool's option, nil where most servers write none.
func (k *copier) common(servers []*server, p param, path schema.Path, kind paramKind) *option {
	pool, key, apart := k.choose(servers, p, kind)
	if pool != nil {
		k.option(path, pool, kind)
	}
	if !apart {
		return pool
	}
	keep := k.Copy
	k.scratch = schema.Copy{Fields: k.scratch.Fields[:0]}
	for _, s := range servers {
		o := s.get(p)
		if o == nil && pool != nil {
			k.Copy.Fields = append(k.Copy.Fields, schema.Field{Path: serverPath(s, pool.name), Value: schema.TextOf("default"), At: s.at})
		}
		if o == nil || pool != nil && optionKey(o, kind) == key {
			continue
		}
		k.Copy = &k.scratch
		k.option(serverPath(s, o.name), o, kind)
		k.Copy = keep
		k.Copy.Fields = append(k.Copy.Fields, k.scratch.Fields...)
		k.Copy.Unresolved = append(k.Copy.Unresolved, k.scratch.Unresolved...)
		k.Copy.Problems = append(k.Copy.Problems, k.scratch.Problems...)
		k.trim()
		k.scratch = schema.Copy{Fields: k.scratch.Fields[:0]}
	}
	return pool
}

// choose returns the option that stands for the pool and its key; apart says that servers differ from it.
func (k *copier) choose(servers []*server, p param, kind paramKind) (pool *option, key string, apart bool) {
	if len(servers) == 0 {
		return nil, "", false
	}
	first := servers[0].get(p)
	for _, s := range servers[1:] {
		o := s.get(p)
		if (o == nil) != (first == nil) || o != nil && o.at != first.at {
			apart = true
			break
		}
	}
	if !apart {
		if first != nil {
			key = optionKey(first, kind)
		}
		return first, key, false
	}
	counts := map[string]int{}
	unsaid, best := 0, 0
	for _, s := range servers {
		o := s.get(p)
		if o == nil {
			unsaid++
			continue
		}
		counts[optionKey(o, kind)]++
	}
	for _, s := range servers { // in file order, so that the first of equals wins
		if o := s.get(p); o != nil && counts[optionKey(o, kind)] > best {
			pool, key = o, optionKey(o, kind)
			best = counts[key]
		}
	}
	if base := find(k.p.base, p); base != nil && counts[optionKey(base, kind)] > 0 {
		pool, key, best = base, optionKey(base, kind), unsaid+1
	}
	if unsaid > best {
		pool, key = nil, ""
	}
	return pool, key, len(counts) > 1 || pool == nil || unsaid > 0
}

// optionKey makes spellings of one value equal.
func optionKey(o *option, kind paramKind) string {
	switch {
	case o.unsure:
		return "?" + o.value.text
	case o.undo:
		return "no"
	case kind == paramTime:
		if d, err := parseTime(o.value.text); err == nil {
			return strconv.FormatInt(int64(d), 10)
		}
	}
	return o.value.text
}

// option binds the argument of a parameter.
func (k *copier) option(path schema.Path, o *option, kind paramKind) {
	switch {
	case o.unsure:
		k.unsure(path, o.at)
	case kind == paramTime:
		lo := int64(1)
		if o.param == pSlowstart {
			lo = 0
		}
		k.time(path, o.value, lo)
	case kind == paramPositive:
		k.number(path, o.value, 1, 1<<31-1)
	case kind == paramPort:
		if n, ok := k.whole(path, o.value, 0, 65535); ok && n > 0 { // 0 leaves the server's own port
			k.Copy.Set(path, schema.IntOf(n), o.value.at)
		}
	case kind == paramFlag:
		k.Copy.Set(path, schema.BoolOf(!o.undo), o.at)
	default:
		k.text(path, o.value)
	}
}

// text binds a text as it stands.
func (k *copier) text(path schema.Path, w word) bool {
	text, ok := k.Resolve(path, w.scalar())
	if !ok {
		k.touch(path, w.at)
		return false
	}
	k.Copy.Set(path, schema.TextOf(text), w.at)
	return true
}
