package strict

import (
	"bytes"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// Prepare fills in placeholders from vars, folds full-width characters, and marks what stays a template. text is the
// file: most hold none of these, and their trees are then not walked at all.
func (f *File) Prepare(text []byte, docs []data.Document, vars map[string]string) {
	templates, fullWidth := special(text)
	if !templates && !fullWidth {
		return
	}
	p := preparer{file: f, vars: vars, templates: templates}
	for i := range docs {
		p.node(docs[i].Root)
	}
}

// special reports whether a text can hold templates and full-width characters.
func special(text []byte) (templates, fullWidth bool) {
	templates = bytes.Contains(text, []byte("${")) || bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%")) ||
		bytes.Contains(text, []byte("<%"))
	// U+FF01 to U+FF5E begin with EF BC or EF BD, U+3000 is E3 80 80. JSON may write them as escapes.
	fullWidth = bytes.IndexByte(text, 0xEF) >= 0 || bytes.Contains(text, []byte("\u3000")) || bytes.Contains(text, []byte(`\u`))
	return templates, fullWidth
}

type preparer struct {
	file      *File
	vars      map[string]string
	templates bool
}

func (p *preparer) node(n *data.Node) {
	if n == nil {
		return
	}
	switch n.Kind {
	case data.Map:
		for i := range n.Pairs {
			p.node(n.Pairs[i].Value)
		}
	case data.List:
		for _, item := range n.Items {
			p.node(item)
		}
	case data.String:
		p.text(n)
	}
}

func (p *preparer) text(n *data.Node) {
	raw := n.Text
	if p.templates && bind.HasTemplate(raw, Syntax) {
		text, ok := bind.Expand(raw, p.vars, Syntax)
		if !ok {
			p.file.mark(n, mark{fate: template, raw: raw})
			return
		}
		n.Text, _ = schema.Fold(text)
		p.file.mark(n, mark{fate: given, raw: raw})
		return
	}
	if folded, changed := schema.Fold(raw); changed {
		n.Text = folded
		p.file.mark(n, mark{fate: wide, raw: raw})
	}
}
