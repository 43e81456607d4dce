package web

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
)

// browser is a headless Chromium that notes what a page complains of and asks for.
type browser struct {
	context.Context
	t                 *testing.T
	mu                sync.Mutex
	complaints, asked []string
}

func startBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("this test looks at the page in a browser, which is missing: apt-get install -y --no-install-recommends chromium (make tools does it)")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	all, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(all)
	t.Cleanup(end)
	ctx, late := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(late)
	b := &browser{Context: ctx, t: t}
	b.must(chromedp.Do(ctx))
	b.must(chromedp.Listen(ctx, b.hear))
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	return b
}

func (b *browser) hear(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		b.complaints = append(b.complaints, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.complaints = append(b.complaints, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	}
}

func (b *browser) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func call[P any](b *browser, c cdp.Command[P, cdp.Empty], p P) {
	b.t.Helper()
	_, err := chromedp.Call(b.Context, c, p)
	b.must(err)
}

func look[T any](b *browser, expression string) (value T) {
	b.t.Helper()
	value, err := chromedp.Run(b.Context, chromedp.Evaluate[T](expression))
	b.must(err)
	return value
}

func (b *browser) open(address string) {
	b.t.Helper()
	b.must(chromedp.Do(b.Context, chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS("main"))))
}

func (b *browser) screen(width, height int64, scheme string) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// becomes waits until an expression is true.
func (b *browser) becomes(what, expression string) {
	b.t.Helper()
	for range 200 {
		if look[bool](b, expression) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s: it never does: %s", what, expression)
}

// picture keeps a screenshot in the folder that POOLPROOF_PICTURES names, for eyes.
func (b *browser) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("POOLPROOF_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.Context, chromedp.FullScreenshot(100))
	b.must(err)
	b.must(os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600))
}

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
	b := startBrowser(t)
	var snapshot atomic.Pointer[status.Snapshot]
	snapshot.Store(fine(time.Now(), 12))
	address, stop := serveFor(t, &snapshot)
	b.screen(1280, 900, "light")
	b.open(address + "/?lang=en")
	b.becomes("all agree", `document.querySelector(".verdict.ok h1")?.textContent === "12 pools, all copies agree"`)
	b.picture("fine")
	look[bool](b, `window.same = true, document.querySelector("details.pool").open = true`)

	snapshot.Store(wrong(time.Now()))
	b.becomes("drift appears", `document.querySelectorAll("article.drift").length === 3`)
	b.becomes("the title counts", `document.title === "(3) poolproof" && document.getElementById("icon").getAttribute("href") === "/assets/bad.svg"`)
	if text := look[string](b, `document.querySelector("article.drift .values").innerText`); !strings.Contains(text, "50") || !strings.Contains(text, "100") {
		t.Errorf("both values should be there: %q", text)
	}
	b.becomes("times are relative", `/7 min/.test(document.querySelector("article.drift time").textContent)`)
	if !look[bool](b, `[...document.querySelectorAll("details.pool")].some(d => d.open)`) {
		t.Error("what was unfolded is folded after an update")
	}
	b.picture("wrong")
	b.screen(1280, 900, "dark")
	b.picture("dark")
	b.screen(390, 844, "light")
	b.picture("phone")

	look[bool](b, `(q => { q.focus(); q.value = "orders-2"; return q.dispatchEvent(new Event("input")) })(document.getElementById("q"))`)
	b.becomes("a search narrows", `document.querySelectorAll("article.drift").length === 1 && location.search.includes("q=orders-2")`)
	look[bool](b, `(q => { q.value = ""; return q.dispatchEvent(new Event("input")) })(document.getElementById("q"))`)
	snapshot.Store(fine(time.Now(), 12))
	b.becomes("drift goes", `document.querySelectorAll("article.drift").length === 0 && !!document.querySelector(".verdict.ok")`)
	if !look[bool](b, `window.same === true`) {
		t.Error("the page was loaded again")
	}
	b.mu.Lock()
	if len(b.complaints) > 0 {
		t.Errorf("the browser complains: %q", b.complaints)
	}
	for _, a := range b.asked {
		if !strings.HasPrefix(a, address+"/") {
			t.Errorf("the page asks elsewhere: %s", a)
		}
	}
	b.mu.Unlock()
	stop()
	b.becomes("a lost connection is told", `!document.getElementById("lost").hidden`)
}

func TestPageFitsEveryScreen(t *testing.T) {
	b := startBrowser(t)
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
			b.screen(1280, 844, "light")
			b.open(address + path)
			look[bool](b, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
			for _, width := range []int64{1280, 768, 390, 320} {
				b.screen(width, 844, "light")
				if scroll, client := look[int](b, `document.documentElement.scrollWidth`), look[int](b, `document.documentElement.clientWidth`); scroll > client {
					t.Errorf("%s: %d wide on a screen of %d: %q", path, scroll, client, look[[]string](b, tooWide))
				}
				if list := look[[]string](b, tooWide); len(list) > 0 {
					t.Errorf("%s, width %d: these stick out: %q", path, width, list)
				}
			}
			for _, scheme := range []string{"light", "dark"} {
				b.screen(390, 844, scheme)
				colours[scheme] = look[string](b, `getComputedStyle(document.body).backgroundColor`)
			}
			b.picture("phone-" + lang + strings.ReplaceAll(path[:6], "/", "-"))
		}
	}
	if colours["light"] == colours["dark"] {
		t.Errorf("dark is as light: %v", colours)
	}
}
