package alert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/template"
	"text/template/parse"
)

// template reads the sink's template; nil where there is none.
func (s *settings) template() (*template.Template, error) {
	text := s.text("template")
	if path := s.text("templateFile"); path != "" {
		file, err := s.file(path)
		if err != nil {
			return nil, fmt.Errorf("templateFile: %w", err)
		}
		text = string(file)
	}
	if text == "" {
		return nil, nil
	}
	t, err := template.New("webhook").Option("missingkey=error").Funcs(template.FuncMap{"json": toJSON}).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	if len(t.Templates()) > 1 {
		return nil, errors.New("template: it defines further templates; write it as one")
	}
	if t.Tree == nil {
		return nil, errors.New("template: it writes nothing")
	}
	if err := ends(t.Tree.Root, 0); err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	return t, nil
}

// try runs a template on texts that are hard to quote, so that what is wrong with it shows now and not when it matters.
func try(t *template.Template, isJSON bool) error {
	const hard = "\"\\\n</a>\u2028"
	l := line{Key: hard, Status: "firing", Rule: hard, Severity: "error", Pool: hard, Env: hard, Item: hard, Field: hard, Member: hard, Side: hard, Place: hard, Got: hard, Want: hard, Message: hard, Hint: hard}
	body, err := execute(t, view{Title: hard, Link: hard, Counts: Counts{Firing: 2}, Alerts: []line{l, l}})
	if err != nil {
		return fmt.Errorf("template: %w", err)
	}
	if isJSON && !json.Valid(body) {
		return noJSON()
	}
	return nil
}

func noJSON() error {
	return errors.New("template: it writes no valid JSON for every text; write values as {{json .Title}}")
}

// ends refuses templates of which nobody can say when they end: such as call themselves, and loops over anything but the
// alerts, or more than two deep.
func ends(n parse.Node, loops int) error {
	branch := func(b *parse.BranchNode, loops int) error {
		if err := ends(b.List, loops); err != nil || b.ElseList == nil {
			return err
		}
		return ends(b.ElseList, loops)
	}
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, inner := range n.Nodes {
			if err := ends(inner, loops); err != nil {
				return err
			}
		}
	case *parse.TemplateNode:
		return errors.New("it calls a template; write it as one")
	case *parse.IfNode:
		return branch(&n.BranchNode, loops)
	case *parse.WithNode:
		return branch(&n.BranchNode, loops)
	case *parse.RangeNode:
		if loops == 2 || !field(n.Pipe) {
			return errors.New("range goes over the alerts alone, as in {{range .Alerts}}, and at most two deep")
		}
		return branch(&n.BranchNode, loops+1)
	}
	return nil
}

// field reports whether a pipeline is nothing but .Alerts or $.Alerts.
func field(p *parse.PipeNode) bool {
	if len(p.Cmds) != 1 || len(p.Cmds[0].Args) != 1 {
		return false
	}
	switch n := p.Cmds[0].Args[0].(type) {
	case *parse.FieldNode:
		return n.Ident[len(n.Ident)-1] == "Alerts" // other fields are numbers, which range would count up to
	case *parse.VariableNode:
		return len(n.Ident) > 1 && n.Ident[len(n.Ident)-1] == "Alerts"
	}
	return false
}

func toJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

func execute(t *template.Template, v view) ([]byte, error) {
	var b bytes.Buffer
	if err := t.Execute(&bounded{w: &b, left: maxBody}, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var errTooLarge = fmt.Errorf("the message is larger than %d bytes", maxBody)

// bounded ends templates that write too much.
type bounded struct {
	w    io.Writer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errTooLarge
	}
	return b.w.Write(p)
}
