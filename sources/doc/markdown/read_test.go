package markdown

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func dump(t *testing.T, doc string) string {
	t.Helper()
	return sourcetest.Dump(sourcetest.Check(t, Adapter(), "doc.md", []byte(doc)), []byte(doc))
}

// Each document must give the lines that start with the texts of has, and nothing that holds one of not.
func TestRead(t *testing.T) {
	const list, rule = "| Host | Port |\n", "|---|---|\n"
	for _, c := range []struct {
		name, doc string
		has, not  []string
	}{
		{"in a quote", "# a\n> " + list + "> " + rule + "> | h.example | 80 |\n", []string{"member h.example:80"}, nil},
		{"in a list", "# a\n- x\n\n  " + list + "  " + rule + "  | h.example | 80 |\n", []string{"member h.example:80"}, nil},
		{"without outer pipes", "# a\nHost | Port\n-|-\nh.example | 80\n", []string{"member h.example:80"}, nil},
		{"carriage returns and no final newline", "# a\r\n\r\n" + strings.ReplaceAll(list+rule, "\n", "\r\n") + "| h.example | 80 |", []string{`copy doc pool="a"`, "member h.example:80 (5:1 \"| h.example | 80 |\")"}, nil},
		{"byte-order mark", "\uFEFF# a\n" + list + rule + "| h.example | 80 |\n", []string{"member h.example:80", "problem source/scalar-hazard warning"}, nil},
		{"a byte-order mark alone", "\uFEFF# a\n\nText.\n", nil, []string{"problem", "copy"}},
		{"text above the table in one paragraph", "# a\nThese are the members:\n" + list + rule + "| h.example | 80 |\n", []string{"member h.example:80"}, nil},
		{"escaped pipe", "# a\n| Host | Port | Path |\n|---|---|---|\n| h.example | 80 | `a\\|b` |\n", []string{"member h.example:80"}, []string{"problem"}},
		{"pipe in a code span", "# a\n| Host | Port | Path |\n|---|---|---|\n| h.example | 80 | `a|b` |\n", []string{"problem source/table-shape", "unresolved members[0] quiet=true"}, []string{"member h.example"}},
		{"pipe in a code span that makes the numbers right", "# a\n" + list + rule + "| `h.example|80` |\n", []string{"problem source/table-shape"}, []string{"member h.example"}},
		{"text below the table", "# a\n" + list + rule + "| h.example | 80 |\nDone.\n", []string{"member h.example:80", "problem source/table-shape  field=\"\" got=\"\" want=\"\": this line is read as a row"}, []string{"unresolved"}},
		{"the end of a container", "# a\n:::note\n" + list + rule + "| h.example | 80 |\n:::\n", []string{"member h.example:80"}, []string{"problem"}},
		{"an attribute list", "# a\n" + list + rule + "| h.example | 80 |\n{: .table-striped }\n", []string{"member h.example:80"}, []string{"problem"}},
		{"the end of a shortcode or component", "# a\n" + list + rule + "| h.example | 80 |\n{{< /tab >}}\n\n" + list + rule + "| i.example | 80 |\n</TabItem>\n", []string{"member h.example:80", "member i.example:80"}, []string{"problem"}},
		{"a table right behind a container", "# a\n" + list + rule + "| h.example | 80 |\n:::\n:::tip\n" + list + rule + "| i.example | 80 |\n:::\n", []string{"member h.example:80", "member i.example:80"}, []string{"problem"}},
		{"a template in a row is no end", "# a\nHost | Port\n---|---\n{{ host }} | {{ port }}\nh.example | 80\n", []string{"member h.example:80", "unresolved members[0]"}, []string{"problem"}},
		{"rows in a loop", "# a\n" + list + rule + "{% for h in hosts | sort %}\n| {{ h.ip }} | {{ h.port | default: 80 }} |\n{% endfor %}\n| i.example | 80 |\n{% endraw %}\n", []string{`copy doc pool="a" owned=false profile="" complete=false`, "member i.example:80", "unresolved members[0]"}, []string{"problem"}},
		{"a loop of Go", "# a\n" + list + rule + "{{- range .Hosts }}\n| {{ . }} | 80 |\n{{- end }}\n", []string{"unresolved members[0]"}, []string{"problem", "complete=true"}},
		{"rows of another file", "# a\n" + list + rule + "| h.example | 80 |\n{!hosts.md!}\n", []string{"member h.example:80", "unresolved members[1]"}, []string{"problem", "complete=true"}},
		{"statements without rows", "# a\n" + list + rule + "| h.example | 80 |\n{% endraw %}\n", []string{"member h.example:80"}, []string{"problem", "unresolved", "complete=false"}},
		{"all of the traffic in words", "# a\n| 批次 | 放量比例 | 停留时长 |\n|---|---|---|\n| 1 | 5% | 10分钟 |\n| 2 | 全量（全部用户） | — |\n\n# b\n| Batch | Share |\n|---|---|\n| 1 | 0.5 |\n| 2 | Full |\n", []string{"batch share=true/5", "batch share=true/100"}, []string{"problem schema/invalid"}},
		{"a full-width pipe is none", "# a\n| Host ｜ Port |\n|---|---|\n| h.example | 80 |\n", nil, []string{"member"}},
		{"a caption row", "# a\n" + list + rule + "| **Primary** | |\n| h.example | 80 |\n| **Standby** | |\n| i.example | 80 |\n", []string{"member h.example:80", "member i.example:80"}, []string{"problem", "standby", "unresolved"}},
		{"endpoints alone", "# a\n| Endpoint |\n|---|\n| h.example:80 |\n", []string{"member h.example:80"}, nil},
		{"names alone are no members", "# a\n| Server | Owner |\n|---|---|\n| web | Team |\n", nil, []string{"copy"}},
		{"hosts in a table of something else", "# a\n| Host | Why |\n|---|---|\n| web | old |\n", nil, []string{"copy"}},
		{"lists of addresses", "# a\n" + list + rule + "| 10.0.0.1, 10.0.0.2<br>10.0.0.3；10.0.0.4 | 80 |\n", []string{"member 10.0.0.1:80", "member 10.0.0.2:80", "member 10.0.0.3:80", "member 10.0.0.4:80"}, []string{"problem"}},
		{"ports in the address", "# a\n" + list + rule + "| h.example:81 | |\n| i.example:81 | 82 |\n| j.example:81 | 81 |\n", []string{"member h.example:81", "member j.example:81", "problem schema/invalid  field=\"port\""}, []string{"member i.example"}},
		{"relative ports and sockets", "# a\n" + list + rule + "| h.example | +1 |\n| i.example | client |\n| unix:/run/a.sock | |\n", []string{"member h.example:+1", "member i.example:client", "member unix:/run/a.sock"}, []string{"problem"}},
		{"IPv6", "# a\n" + list + rule + "| ::1 | 80 |\n| [2001:DB8::1] | 80 |\n| [::2]:81 | |\n| ::ffff:10.0.0.1 | 80 |\n", []string{"member [::1]:80", "member [2001:db8::1]:80", "member [::2]:81", "member 10.0.0.1:80"}, []string{"problem"}},
		{"a range is discovery", "# a\n" + list + rule + "| 10.0.0.1-10.0.0.9 | 80 |\n", []string{"copy doc pool=\"a\" owned=false profile=\"\" complete=false", "unresolved members[0] quiet=false"}, []string{"problem", "member 10"}},
		{"an empty list", "# a\n" + list + rule, []string{"copy doc pool=\"a\" owned=false profile=\"\" complete=true", "item members"}, []string{"member "}},
		{"an effective column", "# a\n| Host | Port | Effective |\n|---|---|---|\n| h.example | 80 | 2026-01-02 |\n| i.example | 80 | 2026-03-04 |\n", []string{"effective 2026-03-04"}, nil},
		{"the latest effective line", "# a\nEffective: 2026-01-02\n\n* Effective: 2026-03-04\n\n" + list + rule + "| h.example | 80 |\n", []string{"effective 2026-03-04"}, nil},
		{"an effective time in parameters", "# a\n" + list + rule + "| h.example | 80 |\n\n| 参数 | 值 |\n|---|---|\n| 生效时间 | 2026-01-02 |\n", []string{"effective 2026-01-02"}, []string{"生效"}},
		{"an effective line in a table's shadow", "# a\n\nEffective: soon\n\n## b\n\nEffective: 2026-01-02\n\n" + list + rule + "| h.example | 80 |\n", []string{"effective 2026-01-02"}, []string{"problem"}},
		{"an effective template", "# a\nEffective: ${DATE}\n\n" + list + rule + "| h.example | 80 |\n", []string{"unresolved effective quiet=false"}, []string{"problem"}},
		{"an effective line without a colon", "# a\nEffective 2026-01-02T03:04:05Z\n\n" + list + rule + "| h.example | 80 |\n", []string{`effective 2026-01-02T03:04:05Z (2:11 "2026-01-02T03:04:05Z")`}, nil},
		{"prose with a number", "# a\nEffective 3 times: yes.\n\n" + list + rule + "| h.example | 80 |\n", []string{"member"}, []string{"problem", "effective"}},
		{"weights in percent", "# a\n| Host | Port | Weight |\n|---|---|---|\n| h.example | 80/tcp | 50 % |\n", []string{"member h.example:80 weight=50"}, []string{"problem"}},
		{"steps of a runbook", "# a\n| Step | Traffic |\n|---|---|\n| Stop | none |\n| Start | all |\n", nil, []string{"copy"}},
		{"batches by priority", "# a\n| Batch | Priority | Dwell |\n|---|---|---|\n| 1 | p0, p1 | 5 min |\n", []string{"batch share=false/0 dwell=true/5m0s"}, nil},
		{"a comment wins over a column of pools", "# a\n\nText.\n\n<!-- poolproof: pool=z -->\n| Pool | Host | Port |\n|---|---|---|\n| x | h.example | 80 |\n", []string{`copy doc pool="z"`}, []string{`pool="x"`}},
		{"prose that starts like one", "# a\nEffective use of pools: see below.\n\n" + list + rule + "| h.example | 80 |\n", []string{"member"}, []string{"problem", "effective"}},
		{"a numbered heading", "# 2. Service\n## 2.1 Orders\n" + list + rule + "| h.example | 80 |\n", []string{`copy doc pool="2.1 Orders"`, `candidate "Orders"`, `candidate "Service"`}, nil},
		{"no heading, no candidates", list + rule + "| h.example | 80 |\n", []string{`copy doc pool=""`, `candidate "" (-)`}, nil},
		{"headings of quotes end with them", "# a\n> # b\n> text\n\n" + list + rule + "| h.example | 80 |\n", []string{`copy doc pool="a"`}, []string{`candidate "b"`}},
		{"a heading of equal level ends a section", "# a\n## b\n## c\n" + list + rule + "| h.example | 80 |\n", []string{`candidate "c"`, `candidate "a"`}, []string{`candidate "b"`}},
		{"heading markup", "# The **big** [`orders`](x.md) _pool_ {#orders}\n" + list + rule + "| h.example | 80 |\n", []string{`candidate "The big orders pool"`, `candidate "orders"`}, nil},
		{"underlined headings", "Orders\npool\n===\n" + list + rule + "| h.example | 80 |\n", []string{`candidate "Orders\npool"`}, nil},
		{"a comment binds the table", "# a\n\nText.\n\n<!-- poolproof: pool='x y' item=members -->\n\n" + list + rule + "| h.example | 80 |\n\n" + list + rule + "| i.example | 80 |\n", []string{`copy doc pool="x y"`, "bound = true", `copy doc pool="a"`}, []string{"problem"}},
		{"a comment binds the section", "# a\n<!-- poolproof: pool=x -->\n## b\n" + list + rule + "| h.example | 80 |\n# c\n" + list + rule + "| i.example | 80 |\n", []string{`copy doc pool="x"`, `copy doc pool="c"`}, []string{`pool="b"`}},
		{"a comment in the heading", "# a <!-- poolproof: pool=x -->\n" + list + rule + "| h.example | 80 |\n", []string{`copy doc pool="x"`}, nil},
		{"other comments", "# a\n<!-- poolproof:ignore members/extra until=2026-12-31 by=x because=y -->\n<!-- prettier-ignore -->\n" + list + rule + "| h.example | 80 |\n", []string{`copy doc pool="a"`}, []string{"problem", "bound"}},
		{"the item of a comment", "# a\n<!-- poolproof: item=cooldown -->\n| Name | Value |\n|---|---|\n| Duration | 60 s |\n", []string{"cooldown.duration = 1m"}, nil},
		{"the item of a heading", "# a\n## Retry\n| Name | Value |\n|---|---|\n| Attempts | 3 |\n| Timeout | 2 s |\n", []string{"retry.attempts = 3", "Timeout = 2s"}, []string{"probe"}},
		{"bare names beside parameters of a retry", "# a\n| Name | Value |\n|---|---|\n| Retry attempts | 3 |\n| Timeout | 2 s |\n", []string{"retry.attempts = 3", "Timeout = 2s"}, []string{"probe"}},
		{"bare names among defaults", "# a\n| Name | Default |\n|---|---|\n| Timeout | 2 s |\n| Probe interval | 2 s |\n", []string{"Timeout = 2s", "probe.interval = 2s"}, []string{"probe.timeout"}},
		{"values before defaults", "# a\n| Name | Default | Value |\n|---|---|---|\n| Probe interval | 2 s | 3 s |\n", []string{"probe.interval = 3s"}, nil},
		{"a header without words", "# a\n| | |\n|---|---|\n| Interval | 2 s |\n", []string{"probe.interval = 2s"}, nil},
		{"units in the header", "# a\n| Name | Value (ms) |\n|---|---|\n| Interval | 500 |\n| Fall | 3 |\n", []string{"probe.interval = 500ms", "probe.fall = 3"}, []string{"problem"}},
		{"a unit where none can stand", "# a\n| Name | Value |\n|---|---|\n| Fall | 3 s |\n", []string{"problem schema/unit  field=\"fall\""}, nil},
		{"percent", "# a\n| Name | Value |\n|---|---|\n| Probe jitter (%) | 10 |\n| Decision error ratio | 5 % |\n| Cooldown jitter | 0.2 |\n", []string{"probe.jitter = 0.1", "decision.errorRatio = 0.05", "cooldown.jitter = 0.2"}, []string{"problem"}},
		{"flags and words", "# a\n| 参数 | 取值 |\n|---|---|\n| 冷却起点 | 摘流完成 |\n| 冷却退出条件 | 与进入条件相同 |\n| Decision record | 是 |\n| Cooldown growth decays | maybe |\n", []string{"cooldown.startsAt = drained", "cooldown.exit = same-as-entry", "decision.record = true", "problem schema/invalid  field=\"growth.decays\""}, nil},
		{"secrets", "# a\n| Name | Value |\n|---|---|\n| Keepalive | 32 |\n| Redis password | hunter2 |\n| API-Key | 12345 |\n", []string{"Keepalive = 32"}, []string{"hunter2 ", "= hunter2", "12345"}},
		{"a name that looks like the model's", "# a\n| Name | Value |\n|---|---|\n| probe.colour | 3 |\n| members | 3 |\n| bound | 1 |\n", []string{"document.probe.colour = 3", "document.members = 3", "document.bound = 1"}, []string{"item probe"}},
		{"empty values", "# a\n| Name | Value |\n|---|---|\n| Interval | 2 s |\n| Timeout | — |\n| Path | |\n| Fall | n/a |\n", []string{"probe.interval = 2s"}, []string{"timeout", "path", "fall", "problem"}},
		{"shares as ratios", "# a\n| Batch | Share |\n|---|---|\n| 1 | 0.25 |\n| 2 | 1 |\n", []string{"batch share=true/25", "batch share=true/100"}, nil},
		{"small percentages", "# a\n| Batch | Share |\n|---|---|\n| 1 | 0.1 |\n| 2 | 100 |\n", []string{"batch share=true/0.1", "batch share=true/100"}, nil},
		{"a dwell without a unit", "# a\n| Batch | Share | Dwell |\n|---|---|---|\n| 1 | 10 % | 5 |\n", []string{"problem schema/unit  field=\"dwell\""}, nil},
		{"a timeline is no ramp", "# a\n| Phase | Duration |\n|---|---|\n| Detection | 5 min |\n", nil, []string{"copy"}},
		{"parameters in the header", "# a\n| Interval (s) | Timeout | Fall |\n|---|---|---|\n| 2 | 250 ms | 3 |\n", []string{"probe.interval = 2s", "probe.timeout = 250ms", "probe.fall = 3"}, nil},
		{"parameters in the header of many rows", "# a\n| Interface | Interval | Timeout |\n|---|---|---|\n| pay | 2 s | 1 s |\n| refund | 3 s | 1 s |\n", nil, []string{"copy"}},
		{"a column of pools", "# a\n| Pool | Host | Port |\n|---|---|---|\n| x | h.example | 80 |\n| x | i.example | 80 |\n| y | j.example | 80 |\n", []string{`copy doc pool="x"`, `copy doc pool="y"`}, []string{`pool="a"`}},
		{"html", "# a\n<table>\n<tr><td>x</td></tr>\n</table>\n", []string{"problem source/skipped"}, []string{"member"}},
		{"front matter of another kind", "+++\ntitle = 'x'\n+++\n# a\n" + list + rule + "| h.example | 80 |\n", []string{`copy doc pool="a"`}, nil},
		{"front matter that does not end", "---\nnot: closed\n\n# a\n" + list + rule + "| h.example | 80 |\n", []string{`copy doc pool="a"`}, nil},
		{"placeholders", "# a\n" + list + rule + "| `<ip>` | 80 |\n| h.example | <port> |\n| ${A}:80 | |\n", []string{"unresolved members[0] quiet=false", "unresolved members[1] quiet=false", "unresolved members[2] quiet=false"}, []string{"problem", "member h"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := dump(t, c.doc)
			for _, want := range c.has {
				found := false
				for line := range strings.Lines(got) {
					found = found || strings.HasPrefix(strings.TrimSpace(line), want)
				}
				if !found {
					t.Errorf("no line starts with %q", want)
				}
			}
			for _, bad := range c.not {
				if strings.Contains(got, bad) {
					t.Errorf("%q should not be there", bad)
				}
			}
			if t.Failed() {
				t.Log("\n" + c.doc + "\n" + got)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	doc := "# a\n| Host | Port |\n|---|---|\n| ${HOST} | ${PORT} |\n"
	in := sources.Input{Path: "a.md", Data: []byte(doc), Source: &schema.Source{Side: schema.Doc}, Vars: map[string]string{"HOST": "h.example", "PORT": "80"}}
	got := Adapter().Read(in)
	if len(got.Copies) != 1 || len(got.Copies[0].Members) != 1 || got.Copies[0].Members[0].ID() != "h.example:80" || !got.Copies[0].Complete {
		t.Errorf("%s", sourcetest.Dump(got, in.Data))
	}
}

func TestVocabulary(t *testing.T) {
	doc := "# a\n| Machine | Socket |\n|---|---|\n| h.example | 80 |\n\n| Knob | Setting to |\n|---|---|\n| Penalty | 60 s |\n"
	in := sources.Input{Path: "a.md", Data: []byte(doc), Source: &schema.Source{Side: schema.Doc}, Vocabulary: map[string][]string{
		"address": {"Machine"}, "port": {"Socket"}, "cooldown.duration": {"Penalty"}, "key": {"Knob"}, "Value": {"Setting to"},
	}}
	got := sourcetest.Dump(Adapter().Read(in), in.Data)
	if !strings.Contains(got, "member h.example:80") || !strings.Contains(got, "cooldown.duration = 1m") {
		t.Error(got)
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		path, data string
		want       sources.Confidence
	}{
		{"a.md", "# Title\n", sources.Likely}, {"docs/A.MARKDOWN", "a | b\n- | -\n", sources.Likely}, {"a.md", "Just text.\n", sources.Possible},
		{"a.md", "", sources.Possible}, {"a.txt", "# Title\n", sources.Unlikely}, {"md", "# Title\n", sources.Possible + 1}, {"a.yaml", "# comment\n", sources.Unlikely},
		{"changes/1.md", "---\npoolproof: change-order/v1\nid: 1\n---\n# CHG\n", sources.Unlikely},
		{"a.md", "---\ntitle: about poolproof: change-order/v1\n", sources.Possible},
		{"a.md", strings.Repeat("x", 1<<20), sources.Possible},
	} {
		if got := Adapter().Detect(c.path, []byte(c.data)); got != c.want {
			t.Errorf("Detect(%s, %.30q) = %v, want %v", c.path, c.data, got, c.want)
		}
	}
}
