package web

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
)

//go:embed assets
var assets embed.FS

// pages writes pages in one language.
type pages struct {
	lang     string
	words    map[string]string
	template *template.Template
}

func newPages(lang string) (*pages, error) {
	p := &pages{lang: lang, words: map[string]string{}}
	for key, text := range words() {
		p.words[key] = text.In(lang)
	}
	t, err := template.New("").Funcs(template.FuncMap{
		"say":      p.say,
		"count":    p.count,
		"shown":    report.Shown,
		"text":     func(t schema.Text) string { return report.ShownText(t.In(lang)) },
		"sentence": report.ShownText,
		"side":     func(s schema.Side) string { return report.Shown(report.Side(s, lang)) },
		"severity": func(s schema.Severity) string { return report.Severity(severityOf(s), lang) },
		"class":    func(s schema.Severity) string { return severityOf(s).String() },
		"iso":      func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"clock":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
		"known":    known,
		"round":    round,
		"pager": func(p pager, of string) pager {
			p.Of = of
			return p
		},
	}).ParseFS(assets, "assets/*.gohtml")
	if err != nil {
		return nil, fmt.Errorf("the templates of the status page: %w", err)
	}
	p.template = t
	return p, nil
}

// round shortens a duration to what people read.
func round(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		d = d.Round(time.Second)
	case d >= time.Second:
		d = d.Round(100 * time.Millisecond)
	default:
		d = d.Round(time.Millisecond)
	}
	return schema.FormatDuration(d)
}

// languages are those that pages are written in.
func languages() []string { return []string{"en", "zh"} }

// language is what a reader asks for: by the address, else by the browser's list, in which the first one that there is
// counts; weights are in the order of the list in all browsers.
func language(r *http.Request) string {
	if lang := r.URL.Query().Get("lang"); lang == "en" || lang == "zh" {
		return lang
	}
	for _, part := range strings.Split(cut(r.Header.Get("Accept-Language"), maxQuery), ",") {
		tag, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(part)), ";")
		switch base, _, _ := strings.Cut(tag, "-"); base {
		case "en", "zh":
			return base
		}
	}
	return "en"
}

// asset answers with what pages load.
func (s *site) asset(w http.ResponseWriter, r *http.Request) {
	kinds := map[string]string{"page.css": "text/css; charset=utf-8", "page.js": "text/javascript; charset=utf-8",
		"ok.svg": "image/svg+xml", "warn.svg": "image/svg+xml", "bad.svg": "image/svg+xml", "blind.svg": "image/svg+xml"}
	name := r.PathValue("file")
	kind, ok := kinds[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	body, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // an asset that was not built in, which the guard tells
	}
	send(w, r, kind, body)
}
