// Package outline reads the first level of a structured file without parsing it: enough to tell formats apart, cheap
// enough to run on every file of a tree, and forgiving enough for templates and broken files.
package outline

import (
	"bytes"
	"path"
	"strings"
)

// Kind is the shape of a file's top.
type Kind uint8

// The shapes. Other is text that is neither YAML nor JSON as far as a glance tells.
const (
	Other Kind = iota
	Map
	List
)

// Key is a key of the first level: of the outermost mapping, or of the mappings in the outermost list. Value is the text behind it on the same line, without quotes; it is empty for
// mappings, lists and block texts.
type Key struct{ Name, Value string }

// Outline is the first level of a file, of all its documents together.
type Outline struct {
	Kind Kind
	JSON bool
	Keys []Key
}

// maxKeys bounds the outline of files that were made to be large.
const maxKeys = 4096

// Has reports whether any of the keys stands on the first level.
func (o Outline) Has(names ...string) bool {
	for _, k := range o.Keys {
		for _, name := range names {
			if k.Name == name {
				return true
			}
		}
	}
	return false
}

// Value returns the value of the first key of that name for which ok holds.
func (o Outline) Value(name string, ok func(string) bool) bool {
	for _, k := range o.Keys {
		if k.Name == name && ok(k.Value) {
			return true
		}
	}
	return false
}

// Structured reports whether a path may hold YAML or JSON, judged by its extension below those that templates add
// (envoy.yaml.j2). Files without an extension, such as standard input, may.
func Structured(file string) bool {
	base := path.Base(file)
	for {
		switch ext := strings.ToLower(path.Ext(base)); ext {
		case "", ".yaml", ".yml", ".json":
			return true
		case ".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".gotmpl", ".template", ".in", ".erb", ".example", ".sample", ".dist":
			base = base[:len(base)-len(ext)]
		default:
			return false
		}
	}
}

// IsJSON reports whether a file is read as JSON: by its extension, or because it starts like an object or list and not
// like a template.
func IsJSON(file string, text []byte) bool {
	if strings.EqualFold(path.Ext(file), ".json") {
		return true
	}
	if ext := strings.ToLower(path.Ext(file)); ext == ".yaml" || ext == ".yml" {
		return false
	}
	return startsJSON(text)
}

func startsJSON(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, bom), " \t\r\n")
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	return !bytes.HasPrefix(text, []byte("{{")) && !bytes.HasPrefix(text, []byte("{%"))
}

var bom = []byte("\xef\xbb\xbf")

// Of reads the first level of a text.
func Of(text []byte) Outline {
	if startsJSON(text) {
		return ofJSON(text)
	}
	return ofYAML(bytes.TrimPrefix(text, bom))
}
