package main

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/profile"
)

// unknownNames reports formats and profiles of a manifest that this program does not have, and executors that are
// probably a side misspelt. Such a name would leave files unread, their defaults unknown, or a probe without its owner,
// without anybody noticing.
func unknownNames(m *schema.Manifest) []schema.Problem {
	var formats, engines []string
	for _, a := range all.Adapters() {
		formats = append(formats, a.Name)
	}
	for _, p := range profile.All() {
		engines = append(engines, p.Name)
	}
	var out []schema.Problem
	for i := range m.Sources {
		s := &m.Sources[i]
		if s.Format != "" && !slices.Contains(formats, s.Format) {
			out = append(out, schema.Problem{
				Rule: "schema/invalid", At: s.At, Field: "format", Got: s.Format,
				Text: schema.Textf("there is no format %q: the files of this source are not read", "没有格式 %q：该来源的文件未读取", s.Format),
				Hint: nearest(s.Format, formats, schema.Textf("the formats are %s", "可用格式：%s", strings.Join(formats, ", "))),
			})
		}
		if _, ok := profile.Lookup(s.Profile); s.Profile == "" || ok {
			continue
		}
		p := schema.Problem{
			Rule: "schema/invalid", Severity: schema.Info, At: s.At, Field: "profile", Got: s.Profile,
			Text: schema.Textf("nothing is known about the engine %q: no defaults are filled in", "不了解引擎 %q：不补充任何默认值", s.Profile),
			Hint: schema.Textf("the engines are %s, each with a version", "已知引擎：%s，均可带版本", strings.Join(engines, ", ")),
		}
		name := strings.TrimRight(s.Profile, "-.0123456789")
		if near := reconcile.Nearest(name, engines); len(near) > 0 {
			p.Severity = schema.DefaultSeverity
			meant := near[0]
			if version := strings.TrimLeft(s.Profile[len(name):], "-."); version != "" {
				meant += "-" + version
			}
			p.Hint = schema.Textf("did you mean %s?", "是否为 %s？", meant)
		}
		out = append(out, p)
	}
	for _, e := range append([]schema.PoolEntry{m.Defaults}, m.Pools...) {
		if side := misspeltSide(e.Executor); side != "" {
			out = append(out, schema.Problem{
				Rule: "schema/invalid", Severity: schema.Warning, At: e.ExecutorAt, Field: "executor", Pool: e.Name, Got: e.Executor,
				Text: schema.Textf("the executor %q is none of the sides and taken for a prober outside the files", "executor %q 不是任何一方，被当作文件之外的探测方", e.Executor),
				Hint: schema.Textf("did you mean %s?", "是否为 %s？", side),
			})
		}
	}
	return out
}

// misspeltSide returns the side that an executor was probably meant to be, or nothing. A prober's own name may hold that
// of a side ("api-gateway").
func misspeltSide(executor string) schema.Side {
	switch name := strings.ToLower(executor); {
	case executor == "" || executor == string(schema.App) || executor == string(schema.Gateway):
		return ""
	case name == "app" || name == "apps" || name == "application":
		return schema.App
	case name == "gateway" || !strings.Contains(name, string(schema.Gateway)) && len(reconcile.Nearest(name, []string{string(schema.Gateway)})) > 0:
		return schema.Gateway
	}
	return ""
}

// nearest proposes the name that is nearest in spelling, or says what else helps.
func nearest(name string, among []string, otherwise schema.Text) schema.Text {
	if near := reconcile.Nearest(name, among); len(near) > 0 {
		return schema.Textf("did you mean %s?", "是否为 %s？", near[0])
	}
	return otherwise
}
