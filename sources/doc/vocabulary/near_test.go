package vocabulary

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func TestNearColumn(t *testing.T) {
	for header, want := range map[string]string{
		"Adress": "Address", "Wieght": "Weight", "Valeu": "Value", "Weigth (%)": "Weight", "IP adress": "IP address", "优先级列": "优先级",
		// Columns of their own.
		"Notes": "", "Note": "", "Rules": "", "Costs": "", "Owner": "", "Date": "", "Comment": "", "Reason": "", "Patch": "", "Height": "", "Posts": "",
		"备注": "", "说明": "", "负责人": "", "变更日期": "", "": "", "Min connections": "",
		strings.Repeat("a", 5000): "", strings.Repeat("地", 5000): "",
	} {
		if got, ok := Builtin().NearColumn(header); got != want || ok != (want != "") {
			t.Errorf("%.40q is near %q, want %q", header, got, want)
		}
	}
}

func TestNearParameter(t *testing.T) {
	for _, c := range []struct {
		name   string
		within schema.Item
		want   string
	}{
		{"Intervall", schema.NoItem, "Interval"},
		{"Probe intervall", schema.NoItem, "Probe Interval"},
		{"Timeouts", schema.Probe, "Timeout"},
		{"Cooldwon", schema.NoItem, "Cooldown"},
		{"Unhealthy treshold", schema.NoItem, "Unhealthy threshold"},
		{"连续失败次", schema.NoItem, "连续失败次数"},
		{"健康检查间格时间", schema.NoItem, "健康检查间隔时间"},
		{"Timeouts", schema.Cooldown, ""},
		// Settings of their own, and words that say the opposite.
		{"Minimum cooldown", schema.NoItem, ""}, {"最小冷却时长", schema.NoItem, ""}, {"成功间值", schema.NoItem, "成功阈值"},
		{"Connect timeout", schema.NoItem, ""}, {"Owner", schema.NoItem, ""}, {"Balance", schema.NoItem, ""}, {"负责人", schema.NoItem, ""}, {"p99", schema.NoItem, ""},
	} {
		if got, _ := Builtin().NearParameter(c.name, c.within); got != c.want {
			t.Errorf("%q is near %q, want %q", c.name, got, c.want)
		}
	}
	own := Builtin().With(map[string][]string{"probe.interval": {"Puls der Probe"}})
	if got, _ := own.NearParameter("Pulz der Probe", schema.NoItem); got != "Puls der Probe" {
		t.Errorf("a word of the manifest: %q", got)
	}
}

func TestInexact(t *testing.T) {
	for text, want := range map[string]bool{
		"~2s": true, "～2秒": true, "≤ 2s": true, "≈2s": true, "<2s": true, ">= 3": true, "约 30 秒": true, "about 30 s": true, "30秒左右": true, "不超过30秒": true,
		"2-3 s": true, "2s–3s": true, "2 to 3 s": true, "2到3秒": true, "3 or more": true, "3+": true, "30 秒以内": true, "1m30s左右": true, "±5%": true, "up to 10": true, "10% max": true,
		"2s": false, "-2s": false, "abc": false, "": false, "1m30s": false, "3 apples": false, "10.0.0.1:80": false, "2026-11-01": true, "x2": false, "30 bananas": false,
		strings.Repeat("9 ", 5000): false,
	} {
		if got := Builtin().Inexact(text); got != want {
			t.Errorf("%.40q is inexact: %v", text, got)
		}
	}
}
