package web

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/browsertest"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
)

// serveFor serves snapshots on a port of its own, as watch does.
func serveFor(t *testing.T, snapshot *atomic.Pointer[status.Snapshot]) (address string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Listen(ctx, "127.0.0.1:0", Options{Source: snapshot.Load, Log: func(m string) { t.Error("the server complains: " + m) }})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return "http://" + s.Address().String(), stop
}

// tooWide lists elements that stick out of the page.
const tooWide = `[...document.querySelectorAll("body *")].filter(e => !e.closest("pre") && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.tagName + "." + e.className + " " + e.textContent.slice(0, 40)).slice(0, 5)`

func TestPageKeepsItselfUpToDate(t *testing.T) {
	b := browsertest.Start(t)
	var snapshot atomic.Pointer[status.Snapshot]
	snapshot.Store(fine(time.Now(), 12))
	address, stop := serveFor(t, &snapshot)
	b.Resize(1280, 900)
	b.Media("", "light")
	b.Open(address+"/?lang=en", "main")
	b.Becomes("all agree", `document.querySelector(".verdict.ok h1")?.textContent === "12 pools, all copies agree"`)
	b.Picture("fine")
	browsertest.Look[bool](b, `window.same = true, document.querySelector("details.pool").open = true`)

	snapshot.Store(wrong(time.Now()))
	b.Becomes("drift appears", `document.querySelectorAll("article.drift").length === 3`)
	b.Becomes("the title counts", `document.title === "(3) poolproof" && document.getElementById("icon").getAttribute("href") === "/assets/bad.svg"`)
	if text := browsertest.Look[string](b, `document.querySelector("article.drift .values").innerText`); !strings.Contains(text, "50") || !strings.Contains(text, "100") {
		t.Errorf("both values should be there: %q", text)
	}
	b.Becomes("times are relative", `/7 min/.test(document.querySelector("article.drift time").textContent)`)
	if !browsertest.Look[bool](b, `[...document.querySelectorAll("details.pool")].some(d => d.open)`) {
		t.Error("what was unfolded is folded after an update")
	}
	b.Picture("wrong")
	b.Resize(1280, 900)
	b.Media("", "dark")
	b.Picture("dark")
	b.Resize(390, 844)
	b.Media("", "light")
	b.Picture("phone")

	browsertest.Look[bool](b, `(q => { q.focus(); q.value = "orders-2"; return q.dispatchEvent(new Event("input")) })(document.getElementById("q"))`)
	b.Becomes("a search narrows", `document.querySelectorAll("article.drift").length === 1 && location.search.includes("q=orders-2")`)
	browsertest.Look[bool](b, `(q => { q.value = ""; return q.dispatchEvent(new Event("input")) })(document.getElementById("q"))`)
	snapshot.Store(fine(time.Now(), 12))
	b.Becomes("drift goes", `document.querySelectorAll("article.drift").length === 0 && !!document.querySelector(".verdict.ok")`)
	if !browsertest.Look[bool](b, `window.same === true`) {
		t.Error("the page was loaded again")
	}
	complaints, asked := b.Heard()
	if len(complaints) > 0 {
		t.Errorf("the browser complains: %q", complaints)
	}
	for _, a := range asked {
		if !strings.HasPrefix(a, address+"/") {
			t.Errorf("the page asks elsewhere: %s", a)
		}
	}
	stop()
	b.Becomes("a lost connection is told", `!document.getElementById("lost").hidden`)
}

func TestPageFitsEveryScreen(t *testing.T) {
	b := browsertest.Start(t)
	var snapshot atomic.Pointer[status.Snapshot]
	s := wrong(time.Now())
	s.Pools[0].Name = strings.Repeat("a-very-long-name", 12)
	s.Drifts[0].Got = strings.Repeat("10.0.0.1:8080,", 40)
	s.Drifts[0].Place = strings.Repeat("deep/", 40) + "haproxy.cfg:12"
	s.Gateways[1].Name = strings.Repeat("gateway", 20)
	snapshot.Store(s)
	address, _ := serveFor(t, &snapshot)
	colours := map[string]string{}
	for _, lang := range []string{"en", "zh"} {
		for _, path := range []string{"/?lang=" + lang, "/rules/live/differs?lang=" + lang} {
			b.Resize(1280, 844)
			b.Media("", "light")
			b.Open(address+path, "main")
			browsertest.Look[bool](b, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
			for _, width := range []int64{1280, 768, 390, 320} {
				b.Resize(width, 844)
				b.Media("", "light")
				if scroll, client := browsertest.Look[int](b, `document.documentElement.scrollWidth`), browsertest.Look[int](b, `document.documentElement.clientWidth`); scroll > client {
					t.Errorf("%s: %d wide on a screen of %d: %q", path, scroll, client, browsertest.Look[[]string](b, tooWide))
				}
				if list := browsertest.Look[[]string](b, tooWide); len(list) > 0 {
					t.Errorf("%s, width %d: these stick out: %q", path, width, list)
				}
			}
			for _, scheme := range []string{"light", "dark"} {
				b.Resize(390, 844)
				b.Media("", scheme)
				colours[scheme] = browsertest.Look[string](b, `getComputedStyle(document.body).backgroundColor`)
			}
			b.Picture("phone-" + lang + strings.ReplaceAll(path[:6], "/", "-"))
		}
	}
	if colours["light"] == colours["dark"] {
		t.Errorf("dark is as light: %v", colours)
	}
}
