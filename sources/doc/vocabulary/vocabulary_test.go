package vocabulary

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

func TestEveryMeaningIsKnown(t *testing.T) {
	l := Builtin()
	paths := map[section]bool{parameters: true, unqualified: true}
	for item := schema.Members; item < schema.Items; item++ {
		paths[section(item.String())] = true
	}
	for s, words := range l.sections {
		for word, meanings := range words {
			for _, m := range meanings {
				ok := true
				switch {
				case s == columns:
					ok = columnOf[m] != 0
				case paths[s]:
					_, ok = schema.EntryOf(schema.Path(m))
				case s == items:
					_, ok = schema.ParseItem(m)
				case s == states:
					_, ok = schema.ParseState(m)
				case s == units && m != "%":
					_, ok = schema.UnitOf(m)
				}
				if !ok {
					t.Errorf("[%s] %s: %q is no known meaning", s, word, m)
				}
			}
			if len(meanings) > 1 && s != columns && s != values && s != flags {
				t.Errorf("[%s] %s means %v: only the first would count", s, word, meanings)
			}
		}
	}
	for name, c := range columnOf {
		found := false
		for _, meanings := range l.sections[columns] {
			for _, m := range meanings {
				found = found || m == name
			}
		}
		if !found {
			t.Errorf("column %s (%b) has no word", name, c)
		}
	}
}

// The contract names these words; each must keep its meaning.
func TestContractWords(t *testing.T) {
	l := Builtin()
	for words, want := range map[string]Column{
		"Host,主机": Host, "Address,地址": Address, "Endpoint": Endpoint, "Server,Member,节点,成员": MemberName, "Port,端口": Port,
		"Weight,权重": Weight | Share, "Priority,优先级": Priority, "Backup,备用": Backup, "State,Status,状态": State,
		"Interface,接口": Interface, "Region,地区,区域": Region, "Parameter,Setting,Key,参数,配置项": Key, "Name": Key | Name,
		"Value,取值,值": Value, "Batch,Step,批次": Batch, "Share,Traffic,比例,流量,放量比例": Share, "Dwell,Hold,停留,停留时长": Dwell,
		"Minimum samples,最小样本量": MinSamples,
	} {
		for word := range strings.SplitSeq(words, ",") {
			if got, _ := l.Column(word); got != want {
				t.Errorf("Column(%q) = %b, want %b", word, got, want)
			}
		}
	}
	for words, want := range map[string]schema.Path{
		"Interval,间隔,Probe interval,Health check interval,探测间隔,健康检查间隔": "probe.interval", "Timeout,超时,探测超时": "probe.timeout",
		"Path,路径,探测路径": "probe.path", "Port,端口": "probe.port",
		"Unhealthy threshold,Fall,Failures,失败阈值,连续失败次数":     "probe.fall",
		"Healthy threshold,Rise,Successes,恢复阈值,成功阈值,连续成功次数": "probe.rise",
		"Cooldown,Ejection time,冷却时长,冷却时间,冷却":               "cooldown.duration", "Maximum cooldown,最大冷却时长": "cooldown.max",
	} {
		for word := range strings.SplitSeq(words, ",") {
			if got, ok := l.Parameter(word, schema.NoItem); !ok || got.Path != want {
				t.Errorf("Parameter(%q) = %v, want %s", word, got, want)
			}
		}
	}
}

func TestParameter(t *testing.T) {
	l := Builtin()
	second, milli := Unit(time.Second), Unit(time.Millisecond)
	for _, c := range []struct {
		name   string
		within schema.Item
		path   schema.Path
		unit   Unit
		sure   bool
	}{
		{"探测间隔（秒）", 0, "probe.interval", second, true},
		{"探测间隔(单位：毫秒)", 0, "probe.interval", milli, true},
		{"Interval (s)", 0, "probe.interval", second, false},
		{"Probe timeout [ms]", 0, "probe.timeout", milli, true},
		{"health-check.timeout-seconds", 0, "probe.timeout", second, true},
		{"probeIntervalMs", 0, "probe.interval", milli, true},
		{"Interval in seconds", 0, "probe.interval", second, false},
		{"probe.interval", 0, "probe.interval", 0, true},
		{"ramp.rollback.to", 0, "ramp.rollback.to", 0, true},
		{"UNHEALTHY_THRESHOLD", 0, "probe.fall", 0, true},
		{"最大冷却时长：", 0, "cooldown.max", 0, true},
		{"Retry attempts", 0, "retry.attempts", 0, true},
		{"Duration", schema.Cooldown, "cooldown.duration", 0, true},
		{"Timeout", schema.Probe, "probe.timeout", 0, true},
		{"Attempts", schema.Retry, "retry.attempts", 0, true},
		{"Error rate (%)", schema.Decision, "decision.errorRatio", Percent, true},
		// Not known, and not guessed.
		{"Timeout", schema.Retry, "", 0, false},
		{"Duration", 0, "", 0, false},
		{"Attempts", 0, "", 0, false},
		{"Connect timeout", 0, "", 0, false},
		{"Cooldown (per region)", 0, "", 0, false},
		{"Idle timeout (s)", 0, "", 0, false},
		{strings.Repeat("Interval", 100), 0, "", 0, false},
		{"", 0, "", 0, false},
		{"--", 0, "", 0, false},
	} {
		got, _ := l.Parameter(c.name, c.within)
		if want := (Parameter{Path: c.path, Unit: c.unit, Qualified: c.sure}); got != want {
			t.Errorf("Parameter(%q, %s) = %+v, want %+v", c.name, c.within, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	l := Builtin()
	s := Unit(time.Second)
	for _, c := range []struct {
		text string
		unit Unit
		want time.Duration
		err  error
	}{
		{"2 s", 0, 2 * time.Second, nil}, {"10 min", 0, 10 * time.Minute, nil}, {"500ms", 0, 500 * time.Millisecond, nil},
		{"30秒", 0, 30 * time.Second, nil}, {"5 分钟", 0, 5 * time.Minute, nil}, {"1m30s", 0, 90 * time.Second, nil},
		{"1分30秒", 0, 90 * time.Second, nil}, {"30 seconds", 0, 30 * time.Second, nil}, {"250 ms", 0, 250 * time.Millisecond, nil},
		{"1.5 h", 0, 90 * time.Minute, nil}, {"0.1s", 0, 100 * time.Millisecond, nil}, {"1,500 ms", 0, 1500 * time.Millisecond, nil},
		{"3", s, 3 * time.Second, nil}, {"3", Unit(time.Millisecond), 3 * time.Millisecond, nil}, {"5 ms", s, 5 * time.Millisecond, nil},
		{"30 (s)", 0, 30 * time.Second, nil}, {"2 s (default)", 0, 2 * time.Second, nil}, {"3 (default)", s, 3 * time.Second, nil},
		{"1 d", 0, 24 * time.Hour, nil}, {"2 Minutes", 0, 2 * time.Minute, nil}, {"500 µs", 0, 500 * time.Microsecond, nil},
		{"30", 0, 0, schema.ErrNoUnit}, {"0", 0, 0, schema.ErrNoUnit}, {"3 (default)", 0, 0, schema.ErrNoUnit},
		{"", 0, 0, schema.ErrNoDuration}, {"soon", 0, 0, schema.ErrNoDuration}, {"-5 s", 0, 0, schema.ErrNoDuration},
		{"2-3 s", 0, 0, schema.ErrNoDuration}, {"2-3", s, 0, schema.ErrNoDuration}, {"2 s or 3 s", 0, 0, schema.ErrNoDuration},
		{"30 parsecs", 0, 0, schema.ErrNoDuration}, {"30 %", 0, 0, schema.ErrNoDuration}, {"3", Percent, 0, schema.ErrNoDuration},
		{"9999999999999999 d", 0, 0, schema.ErrTooLong}, {"106751d 106751d", 0, 0, schema.ErrTooLong},
		{"1.5.5 s", 0, 0, schema.ErrNoDuration}, {strings.Repeat("1s", 1000), 0, 0, schema.ErrNoDuration},
	} {
		got, err := l.Duration(c.text, c.unit)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("Duration(%.40q, %d) = %v, %v; want %v, %v", c.text, c.unit, got, err, c.want, c.err)
		}
	}
}

func TestCount(t *testing.T) {
	l := Builtin()
	for text, want := range map[string]int64{"3": 3, "1,000": 1000, "3 次": 3, "3次": 3, "3 times": 3, "5 consecutive failures": 5, "200 (per batch)": 200, "2.0": 2} {
		if got, err := l.Count(text); got != want || err != nil {
			t.Errorf("Count(%q) = %d, %v", text, got, err)
		}
	}
	for text, want := range map[string]error{"3 s": ErrHasUnit, "3s": ErrHasUnit, "3（秒）": ErrHasUnit, "3 (s)": ErrHasUnit, "10 %": ErrHasUnit, "": ErrNoNumber, "three": ErrNoNumber,
		"3 apples": ErrNoNumber, "2.5": ErrNoNumber, "-3": ErrNoNumber, "99999999999999999999": ErrNoNumber, "1,00": ErrNoNumber} {
		if got, err := l.Count(text); !errors.Is(err, want) {
			t.Errorf("Count(%q) = %d, %v; want %v", text, got, err, want)
		}
	}
}

func TestShare(t *testing.T) {
	l := Builtin()
	for _, c := range []struct {
		text   string
		want   float64
		marked bool
		err    error
	}{
		{"10 %", 10, true, nil}, {"10%", 10, true, nil}, {"10", 10, false, nil}, {"0.1", 0.1, false, nil}, {"12.5 percent", 12.5, true, nil},
		{"5 % (canary)", 5, true, nil}, {"10 s", 0, false, ErrHasUnit}, {"all", 0, false, ErrNoNumber}, {"10 %-20 %", 0, false, ErrNoNumber},
		{"10 cats", 0, false, ErrNoNumber},
	} {
		got, marked, err := l.Share(c.text)
		if got != c.want || marked != c.marked || !errors.Is(err, c.err) {
			t.Errorf("Share(%q) = %v, %v, %v", c.text, got, marked, err)
		}
	}
}

func TestTime(t *testing.T) {
	l := Builtin()
	for text, want := range map[string]string{
		"2026-11-01T02:00:00+08:00":      "2026-10-31T18:00:00Z",
		"2026-11-01T02:00:00Z":           "2026-11-01T02:00:00Z",
		"2026-11-01T02:00:00.5Z":         "2026-11-01T02:00:00.5Z",
		"2026-11-01 02:00 +08:00":        "2026-10-31T18:00:00Z",
		"2026-11-01 02:00:00 +0800":      "2026-10-31T18:00:00Z",
		"2026-11-01 02:00 UTC+8":         "2026-10-31T18:00:00Z",
		"2026-11-01 02:00 (UTC +8)":      "2026-10-31T18:00:00Z",
		"2026-11-01 02:00 UTC":           "2026-11-01T02:00:00Z",
		"2026-11-01 02:00（北京时间）":         "2026-10-31T18:00:00Z",
		"2026年11月1日 2时30分 北京时间":          "2026-10-31T18:30:00Z",
		"2026年11月1日":                     "2026-11-01T00:00:00Z",
		"2026-11-01":                     "2026-11-01T00:00:00Z",
		"2026/11/1":                      "2026-11-01T00:00:00Z",
		"２０２６－１１－０１ ０２：００":               "2026-11-01T02:00:00Z",
		"2026-11-01 02:00, CHG-0042":     "2026-11-01T02:00:00Z",
		"2026-11-01 (see CHG-0042)":      "2026-11-01T00:00:00Z",
		"2026-11-01T02:00:00-03:30":      "2026-11-01T05:30:00Z",
		"2026-11-01 02:00 Asia/Shanghai": "2026-10-31T18:00:00Z",
	} {
		got, err := l.Time(text)
		if err != nil || got.UTC().Format(time.RFC3339Nano) != want {
			t.Errorf("Time(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "11-01", "2026-13-01", "2026-02-30", "2026-11-01 25:00", "2026-11-01 02:00 CST", "2026-11-01 2", "2026-11", "02:00", "2026-11-01 02:00 +99:00", "20261101"} {
		if got, err := l.Time(text); !errors.Is(err, ErrNoTime) {
			t.Errorf("Time(%q) = %v, %v", text, got, err)
		}
	}
}

func TestWith(t *testing.T) {
	l := Builtin().With(map[string][]string{
		"address": {"Machine"}, "Cooldown": {"Penalty box"}, "members.weight": {"Load"}, "decision.errorRatio": {"Bad share"},
		"disabled": {"parked"}, "probe": {"Sniffer"}, "no such thing": {"Owner"},
	})
	if c, _ := l.Column("machine"); c != Address {
		t.Errorf("Machine: %b", c)
	}
	if c, _ := l.Column("Load"); c != Weight|Share {
		t.Errorf("Load: %b", c)
	}
	if c, _ := l.Column("Host"); c != Host {
		t.Errorf("a built-in word is lost: %b", c)
	}
	for name, want := range map[string]schema.Path{"Penalty box (s)": "cooldown.duration", "bad share": "decision.errorRatio", "Sniffer interval": "probe.interval", "Interval": "probe.interval"} {
		if p, _ := l.Parameter(name, schema.NoItem); p.Path != want {
			t.Errorf("%s: %q", name, p.Path)
		}
	}
	if s, _ := l.State("Parked"); s != schema.Disabled {
		t.Errorf("parked: %v", s)
	}
	if c, _ := l.Column("Owner"); c != 0 {
		t.Errorf("an unknown meaning took a word: %b", c)
	}
	if l.Knows("no such thing") || !l.Knows("address") || !l.Knows("Penalty box") || !l.Knows("members.weight") {
		t.Error("Knows")
	}
	if c, _ := Builtin().Column("machine"); c != 0 {
		t.Error("With changed the built-in lexicon")
	}
}

func TestWords(t *testing.T) {
	l := Builtin()
	for text, want := range map[string]bool{"": true, "-": true, "—": true, "——": true, "n/a": true, "无": true, `""`: true, "0": false, "/": false, "no": false, "*": false} {
		if l.Nothing(text) != want {
			t.Errorf("Nothing(%q) = %v", text, !want)
		}
	}
	for text, want := range map[string]schema.State{"active": schema.Active, "启用": schema.Active, "排空": schema.Drain, "摘流": schema.Drain, "Out of service": schema.Disabled, "停用": schema.Disabled, "下线": schema.Disabled, "?": schema.StateUnsaid} {
		if got, _ := l.State(text); got != want {
			t.Errorf("State(%q) = %v", text, got)
		}
	}
	for text, want := range map[string]bool{"yes": true, "是": true, "✓": true, "✔️": true, "no": false, "否": false} {
		if got, ok := l.Flag(text); got != want || !ok {
			t.Errorf("Flag(%q) = %v, %v", text, got, ok)
		}
	}
	if !l.Manual("人工") || !l.Manual("Until confirmed") || l.Manual("5 min") {
		t.Error("Manual")
	}
	if v, ok := l.Value("摘流完成", []string{"drained", "ejected"}); v != "drained" || !ok {
		t.Errorf("Value = %q, %v", v, ok)
	}
	if !l.Secret("redis.password") || !l.Secret("API key") || l.Secret("keepalive") {
		t.Error("Secret")
	}
	if l.Item("探测参数") != schema.Probe || l.Item("Health check") != schema.Probe || l.Item("Orders") != schema.NoItem {
		t.Error("Item")
	}
	if !l.Effective("生效时刻") || !l.Effective("**Effective**") || l.Effective("Effectively") {
		t.Error("Effective")
	}
}
