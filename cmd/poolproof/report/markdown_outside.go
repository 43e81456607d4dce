package report

// MarkdownText prepares a value or name for Markdown outside of a report, tables included: as Shown does, and nothing in it
// is markup, HTML, a mention or a link.
func MarkdownText(s string) string { return markdownText(short(s)) }

// MarkdownCode prepares a value or name as a code span, tables included; where a code span in a table would not do, as text.
func MarkdownCode(s string) string { return markdownCell(short(s)) }
