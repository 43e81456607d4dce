package change

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"

	"github.com/poolproof/poolproof/cmd/poolproof/yamltext"
)

// Value is a text from a file. A template that prints it gets it escaped for Markdown.
type Value string

// String returns the value as Markdown that shows it and is nothing else.
func (v Value) String() string { return report.MarkdownText(string(v)) }

//go:embed body.en.gotmpl body.zh.gotmpl
var builtins embed.FS

// Template is that of the text below the front matter.
type Template struct{ t *template.Template }

func builtin(lang string) (*Template, error) {
	name := "body.en.gotmpl"
	if lang == "zh" {
		name = "body.zh.gotmpl"
	}
	text, err := builtins.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the built-in template: %w", err)
	}
	return ParseTemplate(name, string(text))
}

// ParseTemplate reads a template of text/template. It is executed with a *View; besides the functions that every template
// has there are
//
//	code V    V as a code span
//	yaml V    V as a YAML scalar
//	side V    the side's name in the language
//	item V    the item's name in the language
//	open N    begins the generated section N, a line of its own
//	close N   ends it
//
// What stands outside of sections is written once, when the order is new.
func ParseTemplate(name, text string) (*Template, error) {
	t := template.New(name).Funcs(template.FuncMap{
		"code":  func(v Value) string { return report.MarkdownCode(string(v)) },
		"yaml":  func(v Value) string { return yamltext.Scalar(string(v)) },
		"side":  func(v Value) string { return sideWord(v, "en") },
		"item":  func(v Value) string { return itemWord(v, "en") },
		"open":  func(name string) (string, error) { return openMark + name, checkName(name) },
		"close": func(name string) (string, error) { return closeMark + name, checkName(name) },
	})
	t, err := t.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the template cannot be read: %w", err)
	}
	return &Template{t}, nil
}

// Marks stand in for the lines of a section until its content, which its hash covers, is known.
const openMark, closeMark = "\x00open", "\x00close"

func checkName(name string) error {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return errors.New("a section is named by small letters, digits and hyphens")
	}
	return nil
}

func sideWord(v Value, lang string) string {
	if s := schema.Side(v); s.Valid() {
		return report.Side(s, lang)
	}
	return v.String()
}

// itemWord names an item, or what an obligation is about besides items.
func itemWord(v Value, lang string) string {
	text := schema.Text{En: v.String(), Zh: v.String()}
	switch item, ok := schema.ParseItem(string(v)); {
	case ok && item != schema.NoItem:
		text = rules.ItemName(item)
	case v == "pool":
		text.Zh = "池"
	case v == "effective":
		text.En, text.Zh = "effective time", "生效时刻"
	}
	return text.In(lang)
}

// maxBody bounds what a template writes, in bytes.
const maxBody = 16 << 20

var errLarge = errors.New("the template writes more than 16 MiB")

type bounded struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxBody {
		return 0, errLarge
	}
	return b.Buffer.Write(p)
}

func (t *Template) execute(v *View) ([]byte, error) {
	own, err := t.t.Clone()
	if err != nil {
		return nil, fmt.Errorf("executing the template: %w", err)
	}
	own.Funcs(template.FuncMap{
		"side": func(side Value) string { return sideWord(side, v.Lang) },
		"item": func(item Value) string { return itemWord(item, v.Lang) },
	})
	var b bounded
	if err := own.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("executing the template: %w", err)
	}
	return seal(v.facts, strings.ReplaceAll(b.String(), "\r\n", "\n"))
}

// seal writes the marks of the sections, now that their content is known.
func seal(facts []byte, text string) ([]byte, error) {
	var out, content strings.Builder
	inside := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(bare, openMark); ok {
			if inside != "" {
				return nil, fmt.Errorf("the template opens the section %s inside of %s", name, inside)
			}
			inside = name
			content.Reset()
			continue
		}
		if name, ok := strings.CutPrefix(bare, closeMark); ok {
			if name != inside {
				return nil, fmt.Errorf("the template closes the section %s, which is not open", name)
			}
			fmt.Fprintf(&out, "%sbegin %s %s %s\n%s%send %s %s\n", markOpen, name, hash(facts, name, content.String()), markClose, content.String(), markOpen, name, markClose)
			inside = ""
			continue
		}
		if strings.Contains(line, "\x00") {
			return nil, errors.New("open and close of a template stand alone on their lines")
		}
		if inside != "" {
			content.WriteString(line)
		} else {
			out.WriteString(line)
		}
	}
	if inside != "" {
		return nil, fmt.Errorf("the template does not close the section %s", inside)
	}
	return []byte(strings.TrimRight(out.String(), "\n") + "\n"), nil
}
