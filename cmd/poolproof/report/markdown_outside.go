package report

import "strings"

// MarkdownText prepares a value or name for Markdown outside of a report, tables included: as Shown does, and nothing in it
// is markup, HTML, a mention or a link.
func MarkdownText(s string) string { return markdownText(short(s)) }

// MarkdownCode prepares a value or name as a code span that reads alike in a table and outside of one; as text where none does.
func MarkdownCode(s string) string {
	if s = short(s); strings.ContainsAny(s, "|`") {
		return markdownText(s)
	}
	return markdownCode(s)
}
