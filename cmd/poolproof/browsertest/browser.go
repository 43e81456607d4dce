// Package browsertest lets tests look at pages in a real browser.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Browser is a headless Chromium that notes what a page complains of and asks for.
type Browser struct {
	context.Context
	t  testing.TB
	mu sync.Mutex
	// complaints are errors, warnings and blocked things; asked are the addresses that were fetched.
	complaints, asked []string
}

// Start starts it; it ends with the test. A machine without Chromium fails the test.
func Start(t testing.TB) *Browser {
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
	b := &Browser{Context: ctx, t: t}
	b.Must(chromedp.Do(ctx))
	b.Must(chromedp.Listen(ctx, b.hear))
	Call(b, network.Enable, network.EnableParams{})
	Call(b, log.Enable, cdp.Empty{})
	return b
}

// hear notes what matters of what the browser tells.
func (b *Browser) hear(ev any) {
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

// Must ends the test at an error.
func (b *Browser) Must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// Call calls a command of the browser that answers nothing.
func Call[P any](b *Browser, c cdp.Command[P, cdp.Empty], p P) {
	b.t.Helper()
	_, err := chromedp.Call(b.Context, c, p)
	b.Must(err)
}

// Look evaluates an expression in the page.
func Look[T any](b *Browser, expression string) (value T) {
	b.t.Helper()
	value, err := chromedp.Run(b.Context, chromedp.Evaluate[T](expression))
	b.Must(err)
	return value
}

// Open goes to an address and waits for an element to be ready.
func (b *Browser) Open(address, element string) {
	b.t.Helper()
	b.Must(chromedp.Do(b.Context, chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(element))))
}

// Resize shows the page on a screen.
func (b *Browser) Resize(width, height int64) {
	b.t.Helper()
	Call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
}

// Media shows the page on a medium ("", "print") and in a colour scheme ("light", "dark").
func (b *Browser) Media(medium, scheme string) {
	b.t.Helper()
	Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// Becomes waits until an expression is true; what names that.
func (b *Browser) Becomes(what, expression string) {
	b.t.Helper()
	for range 200 {
		if Look[bool](b, expression) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s: it never does: %s", what, expression)
}

// Picture keeps a screenshot in the folder that POOLPROOF_PICTURES names, for eyes.
func (b *Browser) Picture(name string) {
	b.t.Helper()
	dir := os.Getenv("POOLPROOF_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.Context, chromedp.FullScreenshot(100))
	b.Must(err)
	b.Must(os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600))
}

// Heard returns what the browser complained of and which addresses it asked for, since Start or the last Forget.
func (b *Browser) Heard() (complaints, asked []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.complaints), slices.Clone(b.asked)
}

// Forget forgets the complaints so far.
func (b *Browser) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = nil
}
