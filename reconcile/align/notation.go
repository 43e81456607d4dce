package align

import (
	"path"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/cuefile"
	"github.com/poolproof/poolproof/sources/data"
)

// notation is how a file is written.
type notation uint8

const (
	unknown notation = iota
	yamlText
	jsonFile
	tomlFile
	properties
	cueFile
	document // tables of | cells
)

// notationOf tells the notation of a copy's file, by its format and the file's name.
func notationOf(c *schema.Copy, text string) notation {
	switch c.Format {
	case "markdown", "asciidoc":
		return document
	}
	for base := path.Base(c.File()); ; {
		ext := path.Ext(base)
		switch strings.ToLower(ext) {
		case ".yaml", ".yml":
			return yamlText
		case ".json", ".jsonc", ".json5":
			if c.Format == "spring" {
				return yamlText
			}
			return jsonFile
		case ".toml":
			return tomlFile
		case ".properties":
			return properties
		case ".cue":
			return cueFile
		case "":
			if c.Format != "mapped" && c.Format != "poolproof" {
				return unknown
			}
			if head := strings.TrimLeft(text, "\uFEFF \t\r\n"); strings.HasPrefix(head, "{") {
				return jsonFile
			}
			return yamlText
		}
		base = strings.TrimSuffix(base, ext)
	}
}

// comment returns what opens a comment in a notation.
func (n notation) comment() string {
	switch n {
	case yamlText, tomlFile:
		return "#"
	case jsonFile, cueFile:
		return "//"
	}
	return ""
}

// quotable reports whether a text without quotes can be given some.
func (n notation) quotable() bool { return n == yamlText }

// decode reads the text's tree; nothing for notations without one.
func (n notation) decode(text string) []data.Document {
	switch n {
	case yamlText:
		return data.YAML([]byte(text)).Documents
	case jsonFile:
		return data.JSON([]byte(text)).Documents
	case tomlFile:
		return data.TOML([]byte(text)).Documents
	case properties:
		return data.Properties([]byte(text)).Documents
	case cueFile:
		return cuefile.Parse([]byte(text)).Documents
	}
	return nil
}
