package alert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

const token = "t0k3n-0f-the-r0b0t"

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// config gives every secret that the tests name.
func config() Config {
	return Config{Lang: "en", Link: "https://pp.example.com/", Env: func(name string) (string, bool) {
		return map[string]string{"POOLPROOF_URL": "https://chat.example.com/hook/" + token + "?access_token=" + token, "POOLPROOF_SECRET": token}[name], true
	}}
}

// sink opens one sink; settings are key, value.
func sink(t *testing.T, kind string, texts ...string) Sink {
	t.Helper()
	s, err := tryOpen(kind, config(), texts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tryOpen(kind string, c Config, texts ...string) (Sink, error) {
	entry := schema.AlertSink{Kind: kind}
	for i := 0; i+1 < len(texts); i += 2 {
		entry.Settings = append(entry.Settings, schema.AlertSetting{Key: texts[i], Values: strings.Split(texts[i+1], ",")})
	}
	sinks, err := Open(schema.Alerts{Sinks: []schema.AlertSink{entry}}, c)
	if err != nil {
		return Sink{}, err
	}
	return sinks[0], nil
}

func event(n int) Event {
	f := schema.Finding{Rule: "live/differs", Severity: schema.Error, Pool: fmt.Sprintf("orders-%d", n), Env: "prod", Item: schema.Members, Field: "weight", Member: "10.0.0.1:80",
		At: schema.Place{Side: schema.Live, File: "haproxy unix:/run/s"}, Got: "30", Want: "100",
		Message: schema.Textf("the weight of 10.0.0.1:80 is 30 in haproxy and 100 in the file", "10.0.0.1:80 的 weight 在 haproxy 中为 30，文件中为 100"),
		Hint:    schema.Textf("reload the gateway", "请重新加载网关")}
	return NewEvent(&f, fmt.Sprint("id", n), f.At.File, noon)
}

func ended(e Event) Event {
	e.Ended = noon.Add(time.Hour)
	return e
}

func encode(t *testing.T, s Sink, events ...Event) []Request {
	t.Helper()
	requests, err := s.Encode(Batch{Events: events, Now: noon.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	return requests
}

// chats are the sinks for people, and how to find the text in what they send.
var chats = map[string]func(m map[string]any) string{
	"slack":    func(m map[string]any) string { return m["text"].(string) },
	"feishu":   func(m map[string]any) string { return m["content"].(map[string]any)["text"].(string) },
	"dingtalk": func(m map[string]any) string { return m["markdown"].(map[string]any)["text"].(string) },
	"wecom":    func(m map[string]any) string { return m["markdown"].(map[string]any)["content"].(string) },
}

func text(t *testing.T, kind string, r Request) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(r.Body, &m); err != nil {
		t.Fatalf("%s: %v\n%s", kind, err, r.Body)
	}
	return chats[kind](m)
}

// TestChats holds what people read: both languages, both values, the end of a drift.
func TestChats(t *testing.T) {
	want := map[string]string{
		"en": "poolproof: drift: 1, errors 1, pools 1, resolved: 1\n\n[error] orders-1 (prod): the weight of 10.0.0.1:80 is 30 in haproxy and 100 in the file\n→ reload the gateway\nhaproxy unix:/run/s · since 2026-11-30 12:00:00Z · live/differs\n\n" +
			"[resolved] orders-2 (prod): the weight of 10.0.0.1:80 is 30 in haproxy and 100 in the file\nhaproxy unix:/run/s · 2026-11-30 12:00:00Z to 2026-11-30 13:00:00Z · live/differs\n\nhttps://pp.example.com/",
		"zh": "poolproof：漂移 1 处，错误 1 处，涉及 1 个池，已恢复 1 处\n\n[错误] orders-1 (prod): 10.0.0.1:80 的 weight 在 haproxy 中为 30，文件中为 100\n→ 请重新加载网关\nhaproxy unix:/run/s · 自 2026-11-30 12:00:00Z · live/differs\n\n" +
			"[已恢复] orders-2 (prod): 10.0.0.1:80 的 weight 在 haproxy 中为 30，文件中为 100\nhaproxy unix:/run/s · 2026-11-30 12:00:00Z 至 2026-11-30 13:00:00Z · live/differs\n\nhttps://pp.example.com/",
	}
	for kind := range chats {
		for lang := range want {
			requests := encode(t, sink(t, kind, "urlFile", "env:POOLPROOF_URL", "lang", lang), event(1), event(2), ended(event(2)))
			if len(requests) != 1 || !strings.HasPrefix(requests[0].URL, "https://chat.example.com/hook/") {
				t.Fatalf("%s: %d requests", kind, len(requests))
			}
			got := strings.NewReplacer("**", "", "*", "", "  \n", "\n").Replace(text(t, kind, requests[0]))
			if diff := cmp.Diff(want[lang], got); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", kind, lang, diff)
			}
			if bytes.Contains(requests[0].Body, []byte(token)) {
				t.Errorf("%s: the token stands in the message", kind)
			}
		}
	}
}

// TestMany holds that 10,000 drifts at once are few and bounded messages with their number.
func TestMany(t *testing.T) {
	var events []Event
	for n := range 10_000 {
		events = append(events, event(n))
	}
	limits := map[string]int{"slack": 12000, "feishu": 20000, "dingtalk": 20000, "wecom": 4096}
	for kind, limit := range limits {
		requests := encode(t, sink(t, kind, "urlFile", "env:POOLPROOF_URL"), events...)
		got := text(t, kind, requests[0])
		if len(requests) != 1 || len(got) > limit || !strings.Contains(got, "drift: 10000") || !strings.Contains(got, "and 99") {
			t.Errorf("%s: %d requests, %d bytes:\n%.300s", kind, len(requests), len(got), got)
		}
	}
	requests := encode(t, sink(t, "webhook", "url", "https://h.example.com"), events...)
	told := 0
	for _, r := range requests {
		var v view
		if err := json.Unmarshal(r.Body, &v); err != nil || len(r.Body) > maxBody || v.Omitted != 0 || v.Counts.Firing != len(v.Alerts) {
			t.Errorf("webhook: %v, %d bytes, %d alerts, %d omitted", err, len(r.Body), len(v.Alerts), v.Omitted)
		}
		told += len(v.Alerts)
	}
	if told != len(events) || len(requests) != 10_000/maxPosted {
		t.Errorf("webhook: %d told in %d requests", told, len(requests))
	}
	form := encode(t, sink(t, "webhook", "url", "https://h.example.com", "contentType", "text/plain", "template", `{{len .Alerts}} and {{.Omitted}} more`), events...)
	if got := string(form[0].Body); len(form) != 1 || got != "100 and 9900 more" {
		t.Errorf("webhook with a template: %d requests, %s", len(form), got)
	}
	var long []Event
	for n := range 4 {
		long = append(long, event(n))
		long[n].Message.En = strings.Repeat("x", maxBody/3)
	}
	if requests := encode(t, sink(t, "webhook", "url", "https://h.example.com"), long...); len(requests) != 2 {
		t.Errorf("webhook: long alerts in %d requests", len(requests))
	}
	form = encode(t, sink(t, "webhook", "url", "https://h.example.com", "contentType", "text/plain", "template", `{{range .Alerts}}{{.Message}}{{end}}{{.Omitted}}`), long...)
	if body := string(form[0].Body); !strings.HasSuffix(body, "x2") {
		t.Errorf("webhook with a template: %d bytes of long alerts", len(body))
	}
	if requests := encode(t, sink(t, "alertmanager", "url", "http://a:9093,http://b:9093"), events...); len(requests) != 20 {
		t.Errorf("alertmanager: %d requests", len(requests))
	}
	if requests := encode(t, sink(t, "stdout"), events...); len(requests) != 1 || bytes.Count(requests[0].Body, []byte("\n")) != 10_000 {
		t.Error("stdout: not a line an event")
	}
}

// TestHostile holds that names of others are no mentions, links, form or further lines.
func TestHostile(t *testing.T) {
	evil := "<!channel> <at user_id=\"all\"></at> <@U1> *b* _i_ `c` [x](http://evil) ![p](http://evil) # h\n@all \u202eabc\x1b[31m\xff <http://evil|ok>" + strings.Repeat("x", 5000)
	e := event(1)
	e.Pool, e.Place, e.Rule, e.Message = evil, evil, evil, schema.Text{En: evil, Zh: evil}
	for kind := range chats {
		requests := encode(t, sink(t, kind, "urlFile", "env:POOLPROOF_URL"), e)
		got := text(t, kind, requests[0])
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\u202e") || len(got) > 12000 {
			t.Errorf("%s: %q", kind, got)
		}
		for _, bad := range []string{"<!channel", "<at ", "<@", "<http", "](http", "![", "`c`"} {
			if kind == "feishu" && !strings.HasPrefix(bad, "<") || kind == "slack" && strings.HasPrefix(bad, "]") || kind == "slack" && bad == "![" {
				continue // plain text there
			}
			if strings.Contains(got, bad) {
				t.Errorf("%s holds %q", kind, bad)
			}
		}
		if strings.Contains(got, "@all") && kind != "slack" && kind != "feishu" {
			t.Errorf("%s mentions all", kind)
		}
	}
	for _, kind := range []string{"stdout", "alertmanager", "webhook"} {
		var s Sink
		if kind == "stdout" {
			s = sink(t, kind)
		} else {
			s = sink(t, kind, "url", "http://h")
		}
		body := bytes.TrimSpace(encode(t, s, e)[0].Body)
		if !json.Valid(body) || bytes.Contains(body, []byte("\n")) || !utf8.Valid(body) {
			t.Errorf("%s: %.200q", kind, body)
		}
	}
}

func TestAlertmanager(t *testing.T) {
	s := sink(t, "alertmanager", "url", "http://am:9093/,http://am:9094/base/api/v2/alerts", "resend", "2m", "tokenFile", "env:POOLPROOF_SECRET")
	if s.Resend != 2*time.Minute {
		t.Error(s.Resend)
	}
	requests := encode(t, s, event(1), event(2), ended(event(2)))
	if len(requests) != 2 || requests[0].URL != "http://am:9093/api/v2/alerts" || requests[1].URL != "http://am:9094/base/api/v2/alerts" || requests[0].Header.Get("Authorization") != "Bearer "+token {
		t.Fatalf("%+v", requests)
	}
	var got []posted
	if err := json.Unmarshal(requests[0].Body, &got); err != nil {
		t.Fatal(err)
	}
	want := posted{
		Labels: map[string]string{"alertname": "PoolproofDrift", "rule": "live/differs", "severity": "error", "pool": "orders-1", "env": "prod", "item": "members", "field": "weight",
			"member": "10.0.0.1:80", "side": "live", "gateway": "haproxy unix:/run/s"},
		Annotations: map[string]string{"summary": "the weight of 10.0.0.1:80 is 30 in haproxy and 100 in the file", "description": "reload the gateway", "place": "haproxy unix:/run/s", "got": "30", "want": "100"},
		StartsAt:    noon, EndsAt: noon.Add(time.Hour + 8*time.Minute), GeneratorURL: "https://pp.example.com/",
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got[1].EndsAt != noon.Add(time.Hour) {
		t.Errorf("resolved, and it ends at %v", got[1].EndsAt)
	}
	// The values are no labels: the same drift with other numbers is the same alert, from every replica.
	changed := event(1)
	changed.Got, changed.Since = "31", noon.Add(time.Second)
	if diff := cmp.Diff(got[0].Labels, postedOf(&changed, &Batch{Now: noon}, "en", time.Minute, "").Labels); diff != "" {
		t.Error(diff)
	}
}

// TestAlertmanagerKeepsApart: drift of two files is two alerts, so that the end of one is not that of the other; the end of
// what lasts again is not told, since it would be taken for the last word.
func TestAlertmanagerKeepsApart(t *testing.T) {
	one, two := event(1), event(2)
	one.Pool = two.Pool
	for _, e := range []*Event{&one, &two} {
		e.Side, e.Place = schema.Doc, "doc/a.md:3"
	}
	one.File, two.File = "doc/a.md", "doc/b.md"
	again := one
	again.Key, again.Since, again.Place = "again", noon.Add(61*time.Minute), "doc/a.md:4"
	var got []posted
	if err := json.Unmarshal(encode(t, sink(t, "alertmanager", "url", "http://am"), one, ended(one), ended(two), again)[0].Body, &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Labels["file"] != "doc/a.md" || !got[0].StartsAt.Equal(again.Since) || got[1].Labels["file"] != "doc/b.md" || !got[1].EndsAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("%+v", got)
	}
}

func TestStdout(t *testing.T) {
	got := string(encode(t, sink(t, "stdout"), event(1), ended(event(1)))[0].Body)
	first, second, _ := strings.Cut(got, "\n")
	key := Key("id1", noon)
	if !strings.HasPrefix(first, `{"schema":"poolproof/alert/v1","key":"`+key+`","status":"firing","rule":"live/differs","severity":"error","pool":"orders-1"`) ||
		!strings.Contains(first, `"since":"2026-11-30T12:00:00Z"`) || strings.Contains(first, "ended") {
		t.Error(first)
	}
	if !strings.Contains(second, `"key":"`+key+`","status":"resolved"`) || !strings.Contains(second, `"ended":"2026-11-30T13:00:00Z"`) {
		t.Error(second)
	}
}

// TestStdoutShowsAll: standard output may be a terminal, so that nothing invisible reaches it as it is.
func TestStdoutShowsAll(t *testing.T) {
	e := event(1)
	e.Pool, e.Got = "a\u009b31m\u202e\x7f\x1b", "\xff\u2028"
	text := string(encode(t, sink(t, "stdout"), e)[0].Body)
	for _, r := range strings.TrimSuffix(text, "\n") {
		if !unicode.IsPrint(r) && r != utf8.RuneError {
			t.Errorf("%U in %q", r, text)
		}
	}
	var back line
	if err := json.Unmarshal([]byte(text), &back); err != nil || back.Pool != e.Pool {
		t.Errorf("%v, %+v", err, back)
	}
}

// TestSecretsOfFiles: what a finding quotes may hold a secret, which stands in no event, and in no message of any sink.
func TestSecretsOfFiles(t *testing.T) {
	const secret = "hunter2hunter2"
	text := schema.Textf("the address http://user:"+secret+"@h is none", "http://user:"+secret+"@h 不是地址")
	f := schema.Finding{Rule: "schema/invalid", Severity: schema.Error, Message: text, Hint: text, Got: "password=" + secret, Want: "http://a:" + secret + "@h"}
	e := NewEvent(&f, "id", "a.yaml:1", noon)
	if kept, err := json.Marshal(e); err != nil || strings.Contains(string(kept), secret) {
		t.Errorf("%v, kept %s", err, kept)
	}
	var out bytes.Buffer
	e.Pool, e.Env, e.Field, e.Member = "amqp://p:"+secret+"@h", "password="+secret, "token="+secret, "http://m:"+secret+"@h"
	r := &receiver{start: time.Now(), answer: func(string, int) *http.Response { return answer(200) }}
	var a schema.Alerts
	for _, k := range kinds() {
		s := schema.AlertSink{Kind: k.name}
		if k.name != "stdout" {
			s.Settings = []schema.AlertSetting{{Key: "urlFile", Values: []string{"env:POOLPROOF_URL"}}}
		}
		a.Sinks = append(a.Sinks, s)
	}
	sinks, err := Open(a, config())
	if err != nil {
		t.Fatal(err)
	}
	runner, err := NewRunner(sinks, Options{Client: &http.Client{Transport: r}, Stdout: &out, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.Tell([]Event{e}); err != nil {
		t.Fatal(err)
	}
	_ = runner.Flush(t.Context()) // chats find no number in the answer
	var sent []string
	for _, bodies := range r.bodies {
		sent = append(sent, bodies...)
	}
	if all := strings.Join(append(sent, out.String()), "\n"); len(sent) != len(sinks)-1 || out.Len() == 0 || strings.Contains(all, secret) {
		t.Errorf("%d messages: %s", len(sent), all)
	}
}

func TestTemplate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "form.tmpl")
	const form = `{"text": {{json .Title}}, "items": [{{range $i, $a := .Alerts}}{{if $i}}, {{end}}{{json $a.Pool}}{{end}}]}`
	if err := os.WriteFile(file, []byte(form), 0o600); err != nil {
		t.Fatal(err)
	}
	evil := event(1)
	evil.Pool = "a\"}\n</script>"
	for _, s := range []Sink{sink(t, "webhook", "url", "http://h", "templateFile", file)} {
		var got struct {
			Text  string
			Items []string
		}
		if err := json.Unmarshal(encode(t, s, evil, event(2))[0].Body, &got); err != nil || len(got.Items) != 2 || got.Items[0] != evil.Pool || !strings.HasPrefix(got.Text, "poolproof: drift: 2") {
			t.Errorf("%v, %+v", err, got)
		}
	}
	if body := encode(t, sink(t, "webhook", "url", "http://h", "template", "{{.Title}}", "contentType", "text/plain"), evil)[0].Body; !strings.HasPrefix(string(body), "poolproof: drift") {
		t.Errorf("%s", body)
	}
	for text, want := range map[string]string{"{{": "template", "{{.Nothing}}": "Nothing", `{{range $x := .Alerts}}{{template "webhook" $}}{{end}}`: "calls a template",
		"{{range 1000000000}}{{end}}": "over the alerts", "{{$n := 1000000000}}{{range $n}}{{end}}": "over the alerts", "{{range .Counts.Firing}}{{end}}": "over the alerts",
		"{{range .Alerts}}{{range $.Alerts}}{{range $.Alerts}}{{end}}{{end}}{{end}}": "two deep", `{{define "x"}}{{end}}{{.Title}}`: "further templates",
		`{{if .Title}}{{else}}{{with .Link}}{{range 9}}{{end}}{{end}}{{end}}`: "over the alerts", "{{/* nothing */}}": "no valid JSON",
		`{"pool": "{{(index .Alerts 0).Pool}}"}`: "no valid JSON"} {
		if _, err := tryOpen("webhook", config(), "url", "http://h", "template", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSigned holds the signatures against ones that were computed apart.
func TestSigned(t *testing.T) {
	now := time.Unix(1599360473, 0)
	if got := feishuSign(now, "demo"); got != "l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8=" {
		t.Error(got)
	}
	got, err := dingTalkSigned("https://oapi.dingtalk.com/robot/send?access_token=x", now, "demo")
	if err != nil || got != "https://oapi.dingtalk.com/robot/send?access_token=x&sign=eblRZvilBzXa6Ce18IeBM4pMy1rYNWKicaCg6VMwQe0%3D&timestamp=1599360473000" {
		t.Error(got, err)
	}
	r := encode(t, sink(t, "feishu", "urlFile", "env:POOLPROOF_URL", "secretFile", "env:POOLPROOF_SECRET"), event(1))[0]
	if !bytes.Contains(r.Body, []byte(`"sign":"`+feishuSign(noon.Add(time.Hour), token)+`"`)) || !bytes.Contains(r.Body, []byte(`"timestamp":"1796043600"`)) || bytes.Contains(r.Body, []byte(token)) {
		t.Errorf("%s", r.Body)
	}
	r = encode(t, sink(t, "dingtalk", "urlFile", "env:POOLPROOF_URL", "secretFile", "env:POOLPROOF_SECRET"), event(1))[0]
	if !strings.Contains(r.URL, "&sign=") || !strings.Contains(r.URL, "&timestamp=1796043600000") {
		t.Error(r.URL)
	}
}

// TestSettings holds what a manifest may not say.
func TestSettings(t *testing.T) {
	root := t.TempDir()
	inside := filepath.Join(root, "url")
	if err := os.WriteFile(inside, []byte("https://h/"+token), 0o600); err != nil {
		t.Fatal(err)
	}
	c := config()
	c.Root = root
	for _, tt := range []struct {
		kind  string
		texts []string
		want  string
	}{
		{"pager", nil, "there are stdout, alertmanager"},
		{"slack", nil, "write urlFile"},
		{"slack", []string{"url", "https://h/" + token}, "its address holds a token"},
		{"slack", []string{"urlFile", inside}, "inside the watched tree"},
		{"slack", []string{"urlFile", "url"}, "no absolute path"},
		{"slack", []string{"urlFile", "env:HOME"}, "does not start with"},
		{"slack", []string{"urlFile", "env:POOLPROOF_URL", "lang", "fr"}, "lang is en or zh"},
		{"slack", []string{"urlFile", "env:POOLPROOF_URL", "chanel", "x"}, `no setting "chanel"`},
		{"alertmanager", nil, "write url or urlFile"},
		{"alertmanager", []string{"url", "am:9093"}, "no http or https address"},
		{"alertmanager", []string{"url", "http://u:" + token + "@am:9093"}, "holds a password"},
		{"webhook", []string{"url", "http://h/hook?access_token=" + token}, "access_token looks like a secret"},
		{"alertmanager", []string{"url", "http://am", "resend", "5"}, "no duration"},
		{"webhook", []string{"url", "http://h", "templateFile", "none"}, "no such file"},
		{"webhook", []string{"url", "http://h", "contentType", "a\nb: c"}, "line break"},
		{"feishu", []string{"urlFile", "env:POOLPROOF_URL", "secretFile", inside}, "inside the watched tree"},
	} {
		if _, err := tryOpen(tt.kind, c, tt.texts...); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), token) {
			t.Errorf("%s %q: %v", tt.kind, tt.texts, err)
		}
	}
	sinks, err := Open(schema.Alerts{Sinks: []schema.AlertSink{{Kind: "stdout"}, {Kind: "nothing"}, {Kind: "stdout"}}}, c)
	if err == nil || len(sinks) != 2 || sinks[1].Name != "stdout-2" {
		t.Errorf("%v, %+v", err, sinks)
	}
}

// TestAccepts holds that a refusal with status 200 is one.
func TestAccepts(t *testing.T) {
	for _, tt := range []struct{ kind, good, bad, busy string }{
		{"feishu", `{"code":0,"msg":"success"}`, `{"code":19021,"msg":"sign match fail"}`, `{"code":11232}`},
		{"feishu", `{"StatusCode":0,"StatusMessage":"success"}`, `<html>`, `{"code":9499}`},
		{"dingtalk", `{"errcode":0,"errmsg":"ok"}`, `{"errcode":310000,"errmsg":"sign not match"}`, `{"errcode":130101}`},
		{"wecom", `{"errcode":0,"errmsg":"ok"}`, `{}`, `{"errcode":45009}`},
	} {
		s := sink(t, tt.kind, "urlFile", "env:POOLPROOF_URL")
		if err := s.Accepts([]byte(tt.good)); err != nil {
			t.Errorf("%s: %v", tt.kind, err)
		}
		if err := s.Accepts([]byte(tt.bad)); err == nil {
			t.Errorf("%s takes %s", tt.kind, tt.bad)
		}
		if _, later := s.Accepts([]byte(tt.busy)).(*Later); !later {
			t.Errorf("%s is not told to wait", tt.kind)
		}
	}
}
