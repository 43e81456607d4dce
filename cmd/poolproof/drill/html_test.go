package drill

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

func page(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageIsSelfContained: the page loads nothing, runs nothing, and every reference in it has its target.
func TestPageIsSelfContained(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		html := page(t, fixture(lang))
		for _, bad := range []string{"<script", "<img", "<link", "<iframe", "javascript:", "http://", "https://", "@import", " style=", "ZgotmplZ"} {
			if strings.Contains(html, bad) {
				t.Errorf("%s: the page has %q", lang, bad)
			}
		}
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
			if ids[m[1]] {
				t.Errorf("%s: two elements are called %q", lang, m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`(?:href="|url\()#([^")]*)`).FindAllStringSubmatch(html, -1) {
			if !ids[m[1]] {
				t.Errorf("%s: nothing is called %q", lang, m[1])
			}
		}
		if again := page(t, fixture(lang)); again != html {
			t.Errorf("%s: the same report gives another page", lang)
		}
	}
}

// TestPageSaysEverything: what the report holds is on the page.
func TestPageSaysEverything(t *testing.T) {
	html := page(t, fixture("en"))
	for _, want := range []string{
		"1 expectation failed", "10.0.0.1:8080 is in by 40s", "base: FAILED", "head: ok", "cooling at 40s", "the pool states no granularity finer than the address",
		"<del>50s</del>", "<ins>22s</ins>", "nobody says how much traffic there is", "sha256:abab", "gateway/pools.yaml", "removed after",
		"the engine f5 is not built", "poolproof dryrun &#39;a b.yaml&#39; --compare main", "seeds 1–5", "24 others", "&lt;script&gt;alert(1)", "cooling from 16s to 36s",
		"15 more members", `lang="en"`, "2026-11-30",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if zh := page(t, fixture("zh")); !strings.Contains(zh, `lang="zh"`) || !strings.Contains(zh, "摘除：14s 至 16s") || !strings.Contains(zh, "1 项预期不成立") {
		t.Error("the Chinese page is not in Chinese")
	}
}

// TestPageStaysSmall: a hundred pools of a hundred members, each played for a day through twenty scenarios on both
// sides, make a page of a few megabytes that still has every verdict, and the plots of what failed.
func TestPageStaysSmall(t *testing.T) {
	members := make([]string, 100)
	for i := range members {
		members[i] = fmt.Sprintf("10.0.%d.%d:8080", i/250, i%250)
	}
	run := played("x", members, 4*second, 20*second)
	first := run.Summary.First
	first.Duration, first.Slice = 24*time.Hour, 144*second
	for i := range 600 {
		p := dryrun.Point{At: time.Duration(i) * first.Slice, Sent: 1000, Errors: uint64(i * 7 % 300), P50: time.Duration(1+i*13%97) * time.Millisecond, P99: time.Duration(100+i*17%970) * time.Millisecond, Answers: make([]uint64, len(members))}
		for m := range members {
			p.Answers[m] = uint64((i*m)%11) + 1
		}
		first.Series = append(first.Series[:min(i, len(first.Series))], p)
	}
	for i := range first.Members {
		for k := range 200 {
			first.Members[i].States = append(first.Members[i].States, dryrun.StateSpan{From: time.Duration(k) * 400 * second, State: failover.State(k % 5)})
		}
	}
	for i := range 10_000 {
		first.Timeline = append(first.Timeline, dryrun.Entry{At: time.Duration(i) * second, Event: "fault", Why: schema.Textf("fault %d", "故障 %d", i)})
	}
	r := &Report{Tool: "poolproof", Version: "1", Base: "main"}
	for p := range 100 {
		for s := range 20 {
			for _, config := range []string{Base, Head} {
				x := *run
				x.Pool, x.Scenario, x.Config, x.Group = fmt.Sprintf("pool-%d", p), fmt.Sprintf("day-%d", s), config, GroupBadDays
				if s < 8 {
					x.Group = "cooldown"
					x.Expectations = []Expectation{{ID: x.Scenario, Text: schema.Textf("it is not returned early", "不提前放回"), Observed: schema.Text{En: strings.Repeat("observed ", 20)}, Pass: dryrun.Held}}
					if p == 99 && s == 7 {
						x.Expectations[0].Pass = dryrun.Failed
					}
				}
				r.Runs = append(r.Runs, &x)
			}
		}
	}
	html := page(t, r)
	if n := len(html); n > 8<<20 {
		t.Errorf("the page has %d bytes", n)
	}
	if n := strings.Count(html, `class="pool"`); n != 100 {
		t.Errorf("%d of 100 pools are on the page", n)
	}
	last := html[strings.Index(html, `id="p100"`):]
	if !strings.Contains(last, `class="chart"`) || !strings.Contains(html, "plots left out to keep the page small") {
		t.Error("what failed is not drawn, or nothing says that plots were left out")
	}
}
