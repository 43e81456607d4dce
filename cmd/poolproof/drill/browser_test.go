package drill

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/poolproof/poolproof/cmd/poolproof/browsertest"
)

// openPage opens a page from a file, as people do.
func openPage(t *testing.T, b *browsertest.Browser, html string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dry run.html")
	if err := os.WriteFile(file, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: file}
	b.Open(address.String(), "footer")
}

const (
	unfoldAll = `document.querySelectorAll("details").forEach(d => d.open = true), document.querySelectorAll("details").length`
	// tooWide lists elements that stick out of the page; what scrolls in a box of its own, or is cut there, does not.
	tooWide = `[...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll, .defs, .band .name") && !e.closest("svg svg") && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.tagName + "." + e.getAttribute("class") + " " + e.textContent.slice(0, 40)).slice(0, 5)`
	// flat lists charts without a size.
	flat = `[...document.querySelectorAll("svg.chart")].filter(e => e.getBoundingClientRect().width < 150 || e.getBoundingClientRect().height < 15).length`
	// outside lists texts of charts that stick out of them.
	outside = `[...document.querySelectorAll("svg.chart text")].filter(e => getComputedStyle(e).display != "none").filter(e => { const t = e.getBoundingClientRect(), c = e.closest("svg.chart").getBoundingClientRect(); return t.left < c.left - 8 || t.right > c.right + 8 }).map(e => e.textContent).slice(0, 5)`
)

// TestPageInBrowser opens the page in a browser as its readers do: from a file, wide and narrow, light and dark, on paper.
func TestPageInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	for _, lang := range []string{"en", "zh"} {
		b.Media("", "light")
		b.Resize(1280, 900)
		openPage(t, b, page(t, fixture(lang)))
		if n := browsertest.Look[int](b, `document.scripts.length + document.images.length`); n != 0 {
			t.Errorf("%s: %d scripts and pictures", lang, n)
		}
		if radius := browsertest.Look[string](b, `getComputedStyle(document.querySelector("details.pool")).borderTopLeftRadius`); radius != "12px" {
			t.Errorf("%s: the page's own style is not in force: %q", lang, radius)
		}
		// The policy of the page stops what should ever slip in.
		if ran := browsertest.Look[bool](b, `(() => { const s = document.createElement("script"); s.textContent = "window.slipped = 1"; document.body.append(s); s.remove(); return "slipped" in window })()`); ran {
			t.Errorf("%s: a script runs in the page", lang)
		}
		b.Forget() // that

		fold(t, b, lang)
		if n := browsertest.Look[int](b, unfoldAll); n < 5 {
			t.Errorf("%s: only %d parts to unfold", lang, n)
		}
		for _, width := range []int64{1280, 768, 390, 320} {
			b.Resize(width, 844)
			if scroll, client := browsertest.Look[int](b, `document.documentElement.scrollWidth`), browsertest.Look[int](b, `document.documentElement.clientWidth`); scroll > client {
				t.Errorf("%s: the page is %d wide on a screen of %d: %q", lang, scroll, client, browsertest.Look[[]string](b, tooWide))
			}
			if list := browsertest.Look[[]string](b, tooWide); len(list) > 0 {
				t.Errorf("%s, width %d: these stick out: %q", lang, width, list)
			}
			if n := browsertest.Look[int](b, flat); n > 0 {
				t.Errorf("%s, width %d: %d charts have no size", lang, width, n)
			}
			if list := browsertest.Look[[]string](b, outside); len(list) > 0 {
				t.Errorf("%s, width %d: these texts stick out of their charts: %q", lang, width, list)
			}
			if n := browsertest.Look[int](b, `[...document.querySelectorAll("svg.chart text")].filter(e => parseFloat(getComputedStyle(e).fontSize) < 10).length`); n > 0 {
				t.Errorf("%s, width %d: %d texts of charts are too small to read", lang, width, n)
			}
		}
		schemes(t, b, lang)
	}
	complaints, asked := b.Heard()
	if len(complaints) > 0 {
		t.Errorf("the browser complains: %q", complaints)
	}
	for _, a := range asked {
		if !strings.HasPrefix(a, "file://") || !strings.HasSuffix(a, "/dry%20run.html") {
			t.Errorf("the page asks for %s", a)
		}
	}
}

// fold clicks a part open and shut.
func fold(t *testing.T, b *browsertest.Browser, lang string) {
	t.Helper()
	const part = "footer > details"
	height := func() float64 { return browsertest.Look[float64](b, `document.querySelector("`+part+`").offsetHeight`) }
	shut := height()
	b.Must(chromedp.Do(b.Context, chromedp.Click(chromedp.CSS(part+" > summary"))))
	if open := height(); open <= shut+40 {
		t.Errorf("%s: the part is %v high shut and %v open", lang, shut, open)
	}
	b.Must(chromedp.Do(b.Context, chromedp.Click(chromedp.CSS(part+" > summary"))))
	if again := height(); again != shut {
		t.Errorf("%s: the part does not shut", lang)
	}
}

// schemes holds the page's colours to what the reader prefers, and its texts to what can be read.
func schemes(t *testing.T, b *browsertest.Browser, lang string) {
	t.Helper()
	// contrast is the smallest contrast of a text with what it stands on, by the formula of WCAG 2.
	const contrast = `(() => {
		const rgb = s => s.match(/[\d.]+/g).map(Number);
		const light = c => { const f = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2] };
		const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c } return [255, 255, 255] };
		let worst = 99;
		for (const e of document.querySelectorAll("p, li, td, th, h1, h2, h3, .pill, code, summary, small, time, b")) {
			if (e.closest("svg, .suppressed")) continue;
			const a = light(rgb(getComputedStyle(e).color)), g = light(ground(e));
			worst = Math.min(worst, (Math.max(a, g) + 0.05) / (Math.min(a, g) + 0.05));
		}
		return worst })()`
	grounds := map[string]string{}
	for _, scheme := range []string{"light", "dark"} {
		b.Media("", scheme)
		grounds[scheme] = browsertest.Look[string](b, `getComputedStyle(document.body).backgroundColor`)
		if c := browsertest.Look[float64](b, contrast); c < 4.5 {
			t.Errorf("%s, %s: the weakest contrast of a text is %.2f; 4.5 is the least", lang, scheme, c)
		}
	}
	if grounds["light"] == grounds["dark"] {
		t.Errorf("%s: light and dark pages have the same ground %s", lang, grounds["light"])
	}
	// On paper, what is folded shows.
	b.Media("print", "light")
	browsertest.Look[int](b, `document.querySelectorAll("details").forEach(d => d.open = false), 1`)
	if !browsertest.Look[bool](b, `document.querySelector("footer > details > .body").checkVisibility()`) {
		t.Errorf("%s: what is folded is missing on paper", lang)
	}
	b.Media("", "light")
	if browsertest.Look[bool](b, `document.querySelector("footer > details > .body").checkVisibility()`) {
		t.Errorf("%s: nothing is folded on a screen", lang)
	}
}
