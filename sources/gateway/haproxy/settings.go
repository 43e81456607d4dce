package haproxy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// settings copies the keywords of the section and its defaults.
func (k *copier) settings() {
	for i := range k.p.settings {
		s := &k.p.settings[i]
		path := schema.Path(s.info.path)
		args := s.args()
		if path == "timeout check" {
			if k.timeoutCheck(s, args) {
				continue
			}
		}
		switch {
		case s.unsure:
			k.unsure(path, s.at)
		case s.info.kind == flagValue:
			k.Copy.Set(path, schema.BoolOf(!s.negated), s.at)
		case s.info.kind == flagOrCount && (s.negated || len(args) == 0):
			k.Copy.Set(path, schema.BoolOf(!s.negated), s.at)
		case s.negated || len(args) == 0:
		case s.info.kind == timeValue:
			k.time(path, args[0], 0)
		case s.info.kind == countValue:
			k.number(path, args[0], 0, 1<<31-1)
		case s.info.kind == flagOrCount:
			k.number(path, args[0], -1<<31, 1<<31-1)
		case s.info.kind == wordsValue:
			k.retryOn(path, args)
		default:
			at := schema.Join(args[0].at, args[len(args)-1].at)
			if text, ok := k.Resolve(path, bind.Scalar{Text: joinWords(args), At: at}); ok {
				k.Copy.Set(path, schema.TextOf(text), at)
			}
		}
	}
	for _, d := range [...]struct {
		param param
		name  schema.Path
		hi    int64
	}{{pWeight, "default-server weight", 256}, {pMaxconn, "default-server maxconn", 1<<31 - 1}, {pMaxqueue, "default-server maxqueue", 1<<31 - 1}} {
		if o := find(k.p.base, d.param); o != nil {
			text, ok := bind.Expand(o.value.text, k.Vars, syntax)
			n, err := strconv.ParseInt(text, 10, 64)
			switch {
			case o.unsure || !ok:
				k.Unresolve(d.name, o.at)
			case err == nil && n >= 0 && n <= d.hi: // else the servers have said so
				k.Copy.Set(d.name, schema.IntOf(n), o.value.at)
			}
		}
	}
}

// retryKinds are the words of retry-on.
const retryKinds = " none conn-failure empty-response junk-response response-timeout 0rtt-rejected all-retryable-errors 401 403 404 408 421 425 429 500 501 502 503 504 "

func (k *copier) retryOn(path schema.Path, args []word) {
	var on []string
	at := schema.Join(args[0].at, args[len(args)-1].at)
	for _, w := range args {
		text, ok := k.Resolve(path, w.scalar())
		if !ok {
			k.Copy.Touch(schema.Retry, at)
			return
		}
		if !strings.Contains(retryKinds, " "+text+" ") {
			k.refuse(path, w, "schema/invalid", schema.Textf("HAProxy knows no retry-on condition %q", "HAProxy 没有 retry-on 条件 %q", text),
				schema.Textf("use:%s", "可用：%s", strings.TrimSpace(retryKinds)))
			return
		}
		on = append(on, text)
	}
	slices.Sort(on)
	k.List(path, slices.Compact(on), at)
}

func joinWords(words []word) string {
	if len(words) == 1 {
		return words[0].text
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}
