package web

import (
	"fmt"

	"github.com/poolproof/poolproof/schema"
)

// say returns the words of a key in the language of the page.
func (p *pages) say(key string, args ...any) string {
	text, ok := p.words[key]
	if !ok {
		panic("no words for " + key) // which a test finds
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// count returns a number of things: "1 pool", "3 pools", "3 个池".
func (p *pages) count(key string, n int) string {
	if n == 1 {
		return p.say(key+"/1", n)
	}
	return p.say(key, n)
}

// words are what the pages say themselves.
func words() map[string]schema.Text {
	return map[string]schema.Text{
		"lang": {En: "en", Zh: "zh"},

		"starting":   {En: "The first look is not finished", Zh: "首次检查尚未完成"},
		"blind":      {En: "Blind: nothing was looked at for %s", Zh: "已失明：%s 内没有完成任何检查"},
		"drift":      {En: "%s in %s", Zh: "%[2]s有 %[1]s"},
		"unknown":    {En: "No difference seen, but nobody knows what %s", Zh: "未见差异，但 %s 的运行状态未知"},
		"undecided":  {En: "No difference seen, but not all could be compared", Zh: "未见差异，但有内容无法比对"},
		"andunknown": {En: "; nobody knows what %s", Zh: "；另有 %s 的运行状态未知"},
		"empty":      {En: "No pool found", Zh: "没有找到任何池"},
		"fine":       {En: "%s, all copies agree", Zh: "%s，各处副本一致"},

		"differences": {En: "%d differences", Zh: "%d 处差异"}, "differences/1": {En: "%d difference", Zh: "%d 处差异"},
		"pools": {En: "%d pools", Zh: "%d 个池"}, "pools/1": {En: "%d pool", Zh: "%d 个池"},
		"gateways": {En: "%d gateways run", Zh: "%d 个网关"}, "gateways/1": {En: "%d gateway runs", Zh: "%d 个网关"},
		"copies": {En: "%d copies", Zh: "%d 份副本"}, "copies/1": {En: "%d copy", Zh: "%d 份副本"},
		"files": {En: "%d files", Zh: "%d 个文件"}, "files/1": {En: "%d file", Zh: "%d 个文件"},
		"errors": {En: "%d errors", Zh: "%d 个错误"}, "errors/1": {En: "%d error", Zh: "%d 个错误"},
		"warnings": {En: "%d warnings", Zh: "%d 个警告"}, "warnings/1": {En: "%d warning", Zh: "%d 个警告"},
		"infos": {En: "%d notes", Zh: "%d 条提示"}, "infos/1": {En: "%d note", Zh: "%d 条提示"},
		"waiting": {En: "%d events wait", Zh: "%d 条待发送"}, "waiting/1": {En: "%d event waits", Zh: "%d 条待发送"},
		"dropped": {En: "%d events were given up", Zh: "已放弃 %d 条"}, "dropped/1": {En: "%d event was given up", Zh: "已放弃 %d 条"},
		"sent": {En: "%d events sent", Zh: "已发送 %d 条"}, "sent/1": {En: "%d event sent", Zh: "已发送 %d 条"},

		"lastlook": {En: "Last look", Zh: "上次检查"}, "took": {En: "took %s", Zh: "用时 %s"},
		"every":   {En: "everything again every %s", Zh: "每 %s 全量检查一次"},
		"lost":    {En: "The connection to poolproof is lost. What you see is old.", Zh: "与 poolproof 的连接已断开，当前显示的是旧内容。"},
		"search":  {En: "Search pools, members, files, rules", Zh: "搜索池、成员、文件、规则"},
		"find":    {En: "Search", Zh: "搜索"},
		"clear":   {En: "show all", Zh: "显示全部"},
		"drifts":  {En: "Drift", Zh: "漂移"},
		"nodrift": {En: "No drift.", Zh: "没有漂移。"},
		"nohits":  {En: "Nothing here holds “%s”.", Zh: "此处没有包含“%s”的内容。"},
		"since":   {En: "since", Zh: "始于"},
		"for":     {En: "for", Zh: "已持续"},
		"here":    {En: "is", Zh: "实际"},
		"should":  {En: "should be", Zh: "应为"},
		"nothing": {En: "nothing", Zh: "无"},
		"told":    {En: "alert sent", Zh: "已告警"},
		"nottold": {En: "alert not sent yet", Zh: "尚未告警"},
		"held":    {En: "cannot be seen now", Zh: "目前无法查看"},
		"todo":    {En: "To do:", Zh: "处理："},
		"why":     {En: "why this matters", Zh: "规则说明"},
		"running": {En: "Running gateways", Zh: "运行中的网关"},
		"answers": {En: "answers", Zh: "正常应答"}, "answered": {En: "last answer", Zh: "上次应答"},
		"never":  {En: "no answer yet", Zh: "尚未应答"},
		"isdark": {En: "unknown", Zh: "状态未知"},
		"sinks":  {En: "Alerts go to", Zh: "告警发送到"},
		"works":  {En: "works", Zh: "正常"}, "fails": {En: "fails", Zh: "发送失败"},
		"allpools": {En: "Pools", Zh: "池"},
		"agree":    {En: "agrees", Zh: "一致"},
		"lone":     {En: "one copy only", Zh: "仅一份副本"},
		"range":    {En: "%d–%d of %d", Zh: "第 %d–%d 项，共 %d 项"},
		"before":   {En: "previous", Zh: "上一页"}, "after": {En: "next", Zh: "下一页"},
		"andmore":  {En: "and %d more", Zh: "另有 %d 项"},
		"degraded": {En: "Not every folder can be watched, so that some changes are found by the next look at everything only.", Zh: "部分目录无法监视，其中的变更要到下次全量检查才会发现。"},
		"unsaved":  {En: "The state could not be written %d times: after a restart, alerts may be repeated.", Zh: "状态写入失败 %d 次：重启后告警可能重复。"},
		"defects":  {En: "%d defects of poolproof were survived; its log says more.", Zh: "poolproof 已从 %d 次内部错误中恢复，详见日志。"},
		"notes":    {En: "About this watch", Zh: "关于本监视进程"},
		"skipped":  {En: "%d things were not looked at; poolproof check -v names them.", Zh: "有 %d 项未检查，poolproof check -v 会列出。"},
		"silenced": {En: "silenced: %s", Zh: "已豁免：%s"},
		"findings": {En: "findings", Zh: "问题列表"}, "status": {En: "status", Zh: "状态"}, "metrics": {En: "metrics", Zh: "指标"},
		"back": {En: "Status", Zh: "状态页"},
	}
}
