package dryrun

import (
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// describe words an expectation.
func (e *Expect) describe() schema.Text {
	en, zh := e.what()
	switch {
	case e.At >= 0 && e.Within > 0:
		en += " within " + dur(e.Within) + " from " + dur(e.At)
		zh = "自 " + dur(e.At) + " 起 " + dur(e.Within) + " 内，" + zh
	case e.At >= 0:
		en += " at " + dur(e.At)
		zh = dur(e.At) + " 时，" + zh
	case e.By >= 0:
		en += " by " + dur(e.By)
		zh = "最迟 " + dur(e.By) + "，" + zh
	case e.From >= 0 || e.To >= 0:
		to, bis := "the end", "结束"
		if e.To >= 0 {
			to, bis = dur(e.To), dur(e.To)
		}
		en += " from " + dur(max(e.From, 0)) + " to " + to
		zh = "自 " + dur(max(e.From, 0)) + " 至 " + bis + "，" + zh
	}
	return schema.Text{En: en, Zh: zh}
}

func (e *Expect) what() (en, zh string) {
	subject := e.Member
	if e.Interface != "" {
		subject = strings.TrimSpace(subject + " " + e.Interface)
	}
	switch {
	case len(e.States) > 0:
		names := make([]string, len(e.States))
		for i, s := range e.States {
			names[i] = s.String()
		}
		return subject + " is " + strings.Join(names, " or "), subject + " 为 " + strings.Join(names, " 或 ")
	case e.HasShare:
		of := [...]string{"the answers", "the attempts", "the requests"}[e.Of]
		ofZh := [...]string{"应答", "尝试", "请求"}[e.Of]
		share := number(e.Share) + " ± " + number(e.Tolerance) + " %"
		return subject + " has " + share + " of " + of, subject + " 占" + ofZh + "的 " + share
	}
	name := string(e.Metric)
	if e.Metric == Status {
		name += " " + strconv.Itoa(e.Status)
	}
	if subject != "" {
		name += " of " + subject
	}
	en, zh = name, name
	if e.Above.Set {
		en += " is above " + e.Above.text()
		zh += " 大于 " + e.Above.text()
	}
	if e.Below.Set {
		if e.Above.Set {
			en += " and"
			zh += "，"
		} else {
			en += " is"
		}
		en += " below " + e.Below.text()
		zh += " 小于 " + e.Below.text()
	}
	return en, zh
}

func (b Bound) text() string {
	if b.Duration {
		return dur(time.Duration(b.Value))
	}
	return number(b.Value)
}

func dur(d time.Duration) string { return schema.FormatDuration(d) }

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// describe words what a fault does.
func (e *Event) describe() schema.Text {
	f := e.Fault
	var en, zh []string
	add := func(a, b string) { en, zh = append(en, a), append(zh, b) }
	switch f.Down {
	case DownRefuse:
		add("down", "宕机")
	case DownRefuseNew:
		add("refuses connections", "拒绝连接")
	case DownDrop:
		add("drops connections", "丢弃连接")
	case DownReset:
		add("resets connections", "重置连接")
	}
	if f.Hang {
		add("hangs", "挂起")
	}
	if f.SlowBy > 0 {
		add("slower by "+dur(f.SlowBy), "变慢 "+dur(f.SlowBy))
	}
	if f.Errors > 0 {
		part := number(100*f.Errors) + " % " + strconv.Itoa(int(f.Status))
		add(part, part)
	}
	who, whoZh := "all members", "全部成员"
	if len(f.Members) > 0 {
		who = strings.Join(f.Members, ", ")
		whoZh = who
	}
	for _, l := range [][]string{f.Shares, f.Interfaces, f.Regions, f.Tenants} {
		if len(l) > 0 {
			who += " on " + strings.Join(l, ", ")
			whoZh += "，" + strings.Join(l, "、")
		}
	}
	if f.ProbesOnly {
		add("probes only", "仅探测")
	}
	if f.BusinessOnly {
		add("business only", "仅业务")
	}
	return schema.Text{En: who + ": " + strings.Join(en, ", "), Zh: whoZh + "：" + strings.Join(zh, "，")}
}
