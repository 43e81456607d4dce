package report

import "testing"

func TestRow(t *testing.T) {
	for row, zh := range map[string]string{
		"members: gateway": "成员：网关",
		"members: app (the registry feeds (and checks) it)": "成员：应用（the registry feeds (and checks) it）",
		"probe: the executor":                               "探测：执行方",
		"probe: the executor (gateway)":                     "探测：执行方（网关）",
		"probe: the executor (prober-1) (two files)":        "探测：执行方（prober-1）（two files）",
		"ramp: change order":                                "放量：变更单",
		"something else":                                    "something else",
		"":                                                  "",
	} {
		if got := language("zh").row(row); got != zh {
			t.Errorf("%q is %q, want %q", row, got, zh)
		}
		if got := language("en").row(row); got != row {
			t.Errorf("%q is %q in English", row, got)
		}
	}
}

func TestSilencedBy(t *testing.T) {
	for s, zh := range map[string]string{
		"exception by on call until 2026-12-21T00:00:00Z": "例外，on call，至 2026-12-21T00:00:00Z",
		"marker by a until b until 2026-12-21T00:00:00Z":  "标记，a until b，至 2026-12-21T00:00:00Z",
		"CHG-1": "CHG-1",
	} {
		if got := language("zh").silencedBy(s); got != zh {
			t.Errorf("%q is %q, want %q", s, got, zh)
		}
	}
}
