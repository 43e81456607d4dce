package drill

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
)

//go:embed page.gohtml
var pageText string

//go:embed page.css
var pageStyle string

// HTML writes the report as one page, for people with a browser and without a network. The page holds no script, and its
// policy allows none: nothing is loaded, and the one style is allowed by its digest. All that comes from files is escaped.
func (r *Report) HTML(w io.Writer) error {
	l := language(r.Lang)
	t, err := template.New("page").Funcs(template.FuncMap{
		"say":   l.say,
		"shown": report.Shown,
		"text":  report.ShownText,
		"count": l.count,
		"many": func(n int, one, many, zh string) string {
			return strings.TrimLeft(l.count(n, one, many, zh), "0123456789 ")
		},
		"tail": func(n int, list []entryView) []entryView { return list[min(n, len(list)):] },
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("reading the page's template: %w", err)
	}
	sum := sha256.Sum256([]byte(pageStyle))
	page := newPage(r)
	page.Style = template.CSS(pageStyle)
	page.Policy = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	b := bufio.NewWriterSize(w, 64<<10)
	if err := t.Execute(b, page); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
