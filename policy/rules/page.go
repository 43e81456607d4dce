package rules

import (
	"embed"
	"strings"
)

//go:embed *.md
var pages embed.FS

// Page returns the documentation of a rule in Markdown, in the language "en" or "zh" (English where there is no Chinese
// page), or "" for a rule that does not exist.
func Page(id, lang string) string {
	stem := strings.NewReplacer("/", "_", "-", "_").Replace(id)
	if strings.Contains(stem, ".") {
		return ""
	}
	if lang == "zh" {
		if text, err := pages.ReadFile(stem + ".zh.md"); err == nil {
			return string(text)
		}
	}
	text, err := pages.ReadFile(stem + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}
