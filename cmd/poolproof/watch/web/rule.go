package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/poolproof/poolproof/policy/rules"
)

// ruleView is what the template of a rule's page shows.
type ruleView struct {
	Lang, ID string
	Body     template.HTML
}

// rule answers with the page of a rule. The pages are poolproof's own; raw HTML in them would be left out all the same.
func (s *site) rule(w http.ResponseWriter, r *http.Request) {
	p := s.pages[language(r)]
	id := r.PathValue("area") + "/" + r.PathValue("name")
	text := rules.Page(id, p.lang)
	if text == "" {
		http.NotFound(w, r)
		return
	}
	var body, page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(text), &body); err != nil {
		panic(fmt.Errorf("the page of rule %s: %w", id, err))
	}
	if err := p.template.ExecuteTemplate(&page, "rule", ruleView{p.lang, id, template.HTML(body.String())}); err != nil {
		panic(fmt.Errorf("the page of rule %s: %w", id, err))
	}
	w.Header().Set("Vary", "Accept-Language")
	send(w, r, "text/html; charset=utf-8", page.Bytes())
}

// known reports whether a rule has a page.
func known(id string) bool { return rules.Page(id, "en") != "" }
