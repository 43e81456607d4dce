package vocabulary

import (
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// TestWaysOfWriting: how people write the same parameters in documents.
func TestWaysOfWriting(t *testing.T) {
	for words, want := range map[string]schema.Path{
		"Check interval,Checks every,Check every (s),Check period,Health check period,Health check every,Health check interval,Probe every,Time between checks,Interval between probes,Interval of the probe,Interval of health checks,Active check interval,Health probe interval": "probe.interval",
		"检查间隔,检查周期,检测间隔（秒）,健康检测间隔,健康检查周期,探活间隔,探测频率,主动探测间隔,两次探测间隔,探测间隔（Probe interval）,Probe interval / 探测间隔,间隔（interval）":                                                                                                                                                           "probe.interval",
		"Check timeout,Timeout per check,Timeout per probe,Timeout of a check,Timeout for checks,Probe timeout,检查超时,检测超时时间,单次探测超时,Health check timeout ms":                                                                                                                          "probe.timeout",
		"Check path,Health path,Health check path,检查路径": "probe.path",
		"Failures before out,Failures before being taken out,Failures until down,failures before removal,Failures before ejection,Failures to unhealthy,Failures until it is out,Failed checks,Failed checks before out,Consecutive failures before removal,Failed probes until unhealthy,FAILURES BEFORE OUT,Consecutive failed checks,Failures in a row": "probe.fall",
		"连续失败几次摘除,摘除前失败次数,失败多少次摘除,下线前失败次数,探测失败次数,检查失败次数,连续失败阈值":                                                                                                                                                                                                                                                                                            "probe.fall",
		"Successes before in,Successes until healthy,Successes before return,Successful checks,Successful checks before back in,Consecutive successes until up,连续成功几次恢复,恢复前成功次数,检查成功次数":                                                                                                                                                                    "probe.rise",
		"Unhealthy after,Down after,Out after,Removed after,不健康判定": "probe.fall",
		"Healthy after,Up after,Back in after":                     "probe.rise",
		"Cool-down,Cooling time,Cool-off period,Ejected for,Ejection period,Quarantine time,Cooldown period,隔离时长,熔断时间,Wait duration in open state": "cooldown.duration",
		"Maximum ejection duration,Max cooldown time,最大隔离时长":                                                                                       "cooldown.max",
		"Slow start duration,慢启动时长":                                "ramp.window",
		"Cooldown after rollback,回滚冷却时间,Cooldown after a rollback": "ramp.rollback.cooldown",
		"Decision window,Window of the decision,判定窗口":              "decision.window",
		// What says something else, or not enough.
		"Growth of cooldown,Path of the health check,Successes before out,Failures before in,Failures before deployment,Interval before return,Check,Checks,Check list,Check interval of certificates,Timeout of the pool,Interval for retries,Cooldown (per region),Interval / Timeout,探测间隔（默认）,Failures before,before out,Probe,Requests before out,Check-in,Up,Out,Back,Failover after,Alert after,Last check,Next check,检查人,检查结果,Max fails,Max failures": "",
	} {
		for word := range strings.SplitSeq(words, ",") {
			if got, _ := Builtin().Parameter(word, schema.NoItem); got.Path != want || want != "" && !got.Qualified && !strings.HasPrefix(word, "间隔") {
				t.Errorf("%q: %+v, want %s", word, got, want)
			}
		}
	}
	for name, unit := range map[string]time.Duration{"Check every (s)": time.Second, "Timeout of checks (ms)": 0, "探测间隔（Probe interval）": 0, "Probe interval (s) / 探测间隔": time.Second} {
		if got, _ := Builtin().Parameter(name, schema.NoItem); got.Unit != Unit(unit) {
			t.Errorf("%q: %v", name, got)
		}
	}
	for name, count := range map[string]bool{"Unhealthy after": true, "Healthy after": true, "Failures before out": false, "Fall": false} {
		if got, _ := Builtin().Parameter(name, schema.NoItem); got.Count != count {
			t.Errorf("%q: %+v", name, got)
		}
	}
	if got, ok := Builtin().Parameter(strings.Repeat("Failures before ", 5000)+"out", schema.NoItem); ok {
		t.Errorf("prose: %+v", got)
	}
}

// TestOutside: settings that no part of the model is about, and names that could be.
func TestOutside(t *testing.T) {
	for name, want := range map[string]bool{"Keepalive": true, "Max connections": true, "Connect timeout (s)": true, "最大连接数": true, "读超时（毫秒）": true,
		"Seconds between pings": false, "Check rhythm": false, "探测节奏": false, "": false} {
		if got := Builtin().Outside(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
