package report

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// The page needs nothing but itself, and may load nothing: no script, font or picture.
const (
	htmlHead = `<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
`
	htmlStyle = `<style>
:root{color-scheme:light dark;--line:#8884;--error:#c62828;--warning:#a66a00;--info:#0277bd}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid var(--line)}
article{border-left:4px solid var(--warning);padding:.2rem 1rem;margin:1rem 0;overflow-wrap:anywhere}
article.error{border-color:var(--error)}article.info{border-color:var(--info)}article.suppressed{opacity:.6}
h3{font-size:1rem;margin:.3rem 0}code,pre{font:13px/1.4 ui-monospace,monospace}
pre{overflow-x:auto;background:#8881;padding:.4rem;margin:.4rem 0}mark{background:#ffd54f;color:#000}
p{margin:.3rem 0}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.3rem 0}dd{margin:0}
</style>
`
)

// htmlWidth is how much of a source line the page shows, in cells.
const htmlWidth = 160

// htmlReport writes one page that needs nothing else: the verdict, and every finding under its pool with the source
// lines. Suppressed findings are shown, faded.
func htmlReport(w io.Writer, run *Run, opts Options) error {
	h := &htmlWriter{xmlWriter: xmlWriter{out: w}, language: language(run.Lang), sources: newSourceCache(run.Source)}
	title := strings.TrimSpace(run.Tool + " " + run.Command)
	h.raw("<!doctype html>\n<html lang=\"" + h.say("en", "zh") + "\">\n<head>\n" + htmlHead)
	h.raw("<title>" + htmlText(short(title)) + ": " + htmlText(h.verdict(run)) + "</title>\n" + htmlStyle + "</head>\n<body>\n")
	h.raw("<h1>" + htmlText(short(title)) + "</h1>\n")
	h.element("p", h.verdict(run))
	h.element("p", h.lookedAt(run))
	h.items(h.remarks(run, true))
	pool := "\x00"
	for i := range run.Findings {
		f := &run.Findings[i]
		if o := owner(f); o != pool {
			pool = o
			if o == "" {
				o = h.say("Files", "文件")
			}
			h.element("h2", o)
		}
		h.finding(f)
	}
	if len(run.Obligations) > 0 {
		h.element("h2", h.say("Owed by this change", "本次变更须同步"))
		debts := make([]string, len(run.Obligations))
		for i := range run.Obligations {
			debts[i] = h.debt(&run.Obligations[i])
		}
		h.items(debts)
	}
	if len(run.Drills) > 0 {
		h.element("h2", h.say("Dry-run of the change", "变更演练"))
		for i := range run.Drills {
			d := &run.Drills[i]
			h.raw("<details><summary>" + htmlText(h.drill(d)) + "</summary>\n")
			lines := slices.Clone(d.Changes)
			for k := range d.Lines {
				lines = append(lines, h.drillLine(&d.Lines[k]))
			}
			h.items(lines)
			h.raw("</details>\n")
		}
	}
	h.raw("<footer><p>" + htmlText(short(run.Tool+" "+run.Version)) + "</p></footer>\n</body>\n</html>\n")
	return h.err
}

type htmlWriter struct {
	xmlWriter
	language
	sources *sourceCache
}

func (h *htmlWriter) element(name, text string) {
	h.raw("<" + name + ">" + htmlText(text) + "</" + name + ">\n")
}

func (h *htmlWriter) items(list []string) {
	if len(list) == 0 {
		return
	}
	h.raw("<ul>\n")
	for _, s := range list {
		h.element("li", s)
	}
	h.raw("</ul>\n")
}

func (h *htmlWriter) finding(f *schema.Finding) {
	class := severityName(f.Severity)
	state := ""
	switch {
	case silenced(f):
		class += " suppressed"
		state = h.say(" (suppressed)", "（已豁免）")
	case f.Status == schema.Existing:
		state = h.say(" (existing)", "（已存在）")
	}
	h.raw("<article class=\"" + class + "\"")
	if f.Fingerprint != "" {
		h.raw(" id=\"f-" + htmlText(short(f.Fingerprint)) + "\"")
	}
	h.raw(">\n<h3>" + h.severity(f.Severity) + " <code>" + htmlText(short(f.Rule)) + "</code>" + state + "</h3>\n")
	h.element("p", text(h.in(f.Message)))
	h.place(&f.At, "")
	for i := range f.Related {
		h.place(&f.Related[i].Place, h.label(&f.Related[i]))
	}
	h.raw("<dl>")
	h.fact(h.say("truth", "依据"), h.row(f.Truth))
	h.fact(h.say("found", "实际"), h.value(f, f.Got))
	h.fact(h.say("expected", "应为"), h.value(f, f.Want))
	h.fact(h.say("help", "建议"), text(h.in(f.Hint)))
	if f.Status == schema.Suppressed {
		h.fact(h.say("suppressed by", "豁免来源"), h.silencedBy(f.SuppressedBy))
	}
	h.raw("</dl>\n</article>\n")
}

func (h *htmlWriter) fact(name, value string) {
	if value != "" {
		h.raw("<dt>" + name + "</dt><dd>" + htmlText(value) + "</dd>")
	}
}

// place shows where something stands: the file, the label, and the source lines with the value marked.
func (h *htmlWriter) place(p *schema.Place, label string) {
	at := where(p)
	if at == "" && label == "" {
		return
	}
	h.raw("<p><code>" + htmlText(at) + "</code> " + htmlText(label) + "</p>\n")
	src, ok := h.sources.text(p)
	if !ok {
		return
	}
	list := excerpts(src, p, htmlWidth)
	if len(list) == 0 {
		return
	}
	h.raw("<pre>")
	for i, e := range list {
		if i > 0 && e.line > list[i-1].line+1 {
			h.raw("...\n")
		}
		h.raw(strconv.Itoa(e.line) + " | " + htmlText(e.before) + "<mark>" + htmlText(e.marked) + "</mark>" + htmlText(e.after) + "\n")
	}
	h.raw("</pre>\n")
}
