package haproxy

import (
	"errors"
	"strconv"

	"github.com/poolproof/poolproof/schema"
)

// time binds a time of at least lo.
func (k *copier) time(path schema.Path, w word, lo int64) bool {
	text, ok := k.Resolve(path, w.scalar())
	if !ok {
		k.touch(path, w.at)
		return false
	}
	d, err := parseTime(text)
	if err == nil && int64(d) >= lo {
		k.Copy.Set(path, schema.DurationOf(d), w.at)
		return true
	}
	hint := schema.Textf("write a whole number and one of us, ms, s, m, h, d", "写成整数加单位 us、ms、s、m、h、d 之一")
	if s := suggestTime(text); err != nil && s != "" {
		hint = schema.Textf("write %s", "请写成 %s", s)
	}
	switch {
	case errors.Is(err, errTimeLong):
		k.refuse(path, w, "schema/invalid", schema.Textf("HAProxy refuses %q: times end at 2147483647 ms, about 24.8 days", "HAProxy 拒绝 %q：时长上限为 2147483647 毫秒（约 24.8 天）", text), schema.Text{})
	case errors.Is(err, errTimeUnit):
		k.refuse(path, w, "schema/invalid", schema.Textf("HAProxy has no such time as %q: a whole number and at most one unit (us, ms, s, m, h, d)", "HAProxy 没有 %q 这样的时长：应为整数加至多一个单位（us、ms、s、m、h、d）", text), hint)
	case err != nil:
		k.refuse(path, w, "schema/invalid", schema.Textf("HAProxy refuses %q: a time starts with a digit", "HAProxy 拒绝 %q：时长须以数字开头", text), hint)
	default:
		k.refuse(path, w, "schema/invalid", schema.Textf("HAProxy refuses %q: the time must be above 0", "HAProxy 拒绝 %q：时长须大于 0", text), schema.Text{})
	}
	return false
}

// refuse reports a value that HAProxy does not take, or takes for something else than is written.
func (k *copier) refuse(path schema.Path, w word, rule string, text, hint schema.Text) {
	k.Refuse(path, w.scalar(), rule, schema.Text{En: string(path) + ": " + text.En, Zh: string(path) + "：" + text.Zh}, hint)
}

// touch marks an item as stated by a value that stays unknown.
func (k *copier) touch(path schema.Path, at schema.Span) {
	if i := path.Item(); i != schema.NoItem && i != schema.Members {
		k.Copy.Touch(i, at)
	}
}

// number binds a whole number from lo to hi.
func (k *copier) number(path schema.Path, w word, lo, hi int64) bool {
	n, ok := k.whole(path, w, lo, hi)
	if ok {
		k.Copy.Set(path, schema.IntOf(n), w.at)
	}
	return ok
}

// whole reads a whole number from lo to hi. HAProxy itself stops at the first character that is no digit.
func (k *copier) whole(path schema.Path, w word, lo, hi int64) (int64, bool) {
	text, ok := k.Resolve(path, w.scalar())
	if !ok {
		k.touch(path, w.at)
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil && n >= lo && n <= hi:
		return n, true
	case err == nil && hi >= 1<<31-1:
		k.refuse(path, w, "schema/invalid", schema.Textf("HAProxy needs a number of at least %[2]d, not %[1]s", "HAProxy 要求不小于 %[2]d 的数字，而非 %[1]s", text, lo), schema.Text{})
	case err == nil:
		k.refuse(path, w, "schema/invalid", schema.Textf("HAProxy takes numbers from %[2]d to %[3]d here, not %[1]s", "HAProxy 此处取值为 %[2]d 到 %[3]d，而非 %[1]s", text, lo, hi), schema.Text{})
	default:
		if _, err := parseTime(text); err == nil {
			k.refuse(path, w, "schema/unit", schema.Textf("%q has a unit, but HAProxy wants a plain number here", "%q 带有单位，而 HAProxy 此处只接受纯数字", text),
				schema.Textf("drop the unit", "去掉单位"))
		} else {
			k.refuse(path, w, "schema/invalid", schema.Textf("%q is no whole number; HAProxy would read what it can and ignore the rest", "%q 不是整数；HAProxy 会读取能识别的部分并忽略其余", text), schema.Text{})
		}
	}
	return 0, false
}
