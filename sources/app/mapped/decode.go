package mapped

import (
	"bytes"
	"path"
	"strings"

	"github.com/poolproof/poolproof/sources/data"
)

// decode reads a file by its extension, or by its content where the extension says nothing. Further extensions behind
// the telling one, as templates and samples have them, are looked through: orders.yaml.tmpl.
func decode(name string, src []byte) data.File {
	for base := path.Base(name); ; {
		ext := path.Ext(base)
		switch strings.ToLower(ext) {
		case ".yaml", ".yml":
			return data.YAML(src)
		case ".json", ".jsonc", ".json5":
			return data.JSON(src)
		case ".toml":
			return data.TOML(src)
		case ".properties":
			return data.Properties(src)
		case "":
			return sniff(src)
		}
		base = strings.TrimSuffix(base, ext)
	}
}

// sniff tells the format by the first lines that say something.
func sniff(src []byte) data.File {
	const enough = 64 << 10
	head := src[:min(len(src), enough)]
	section, hash := false, false
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\uFEFF"))) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || line[0] == '!' || bytes.HasPrefix(line, []byte("//")) {
			hash = hash || len(line) > 0 && line[0] == '#'
			continue
		}
		switch {
		case line[0] == '{' && hash: // JSON has no such comments, YAML has such mappings
			return data.YAML(src)
		case line[0] == '{', bytes.HasPrefix(line, []byte("/*")):
			return data.JSON(src)
		case line[0] == '[' && line[len(line)-1] == ']' && !bytes.ContainsAny(line, `",{`):
			section = true // of TOML, or the start of a JSON list
			continue
		case line[0] == '[':
			return data.JSON(src)
		}
		equals, colon := bytes.IndexByte(line, '='), bytes.IndexByte(line, ':')
		switch {
		case equals < 0 || colon >= 0 && colon < equals:
			return data.YAML(src)
		case section || tomlValue(bytes.TrimSpace(line[equals+1:])):
			return data.TOML(src)
		}
		return data.Properties(src)
	}
	if section {
		return data.TOML(src)
	}
	return data.YAML(src)
}

// tomlValue reports whether a value is written as only TOML writes them.
func tomlValue(v []byte) bool {
	return len(v) > 1 && (v[0] == '"' || v[0] == '\'' || v[0] == '[' || v[0] == '{')
}
