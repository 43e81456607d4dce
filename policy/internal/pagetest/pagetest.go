// Package pagetest reads the pages of rules as their tests need them.
package pagetest

import "strings"

// Fence is a fenced block; File stands behind the language.
type Fence struct{ File, Text string }

// Sections splits a page by its headings, in order.
func Sections(page string) (sections map[string]string, order []string) {
	sections = map[string]string{}
	name, open := "", false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			open = !open
		}
		if heading, ok := strings.CutPrefix(line, "## "); ok && !open {
			name = strings.TrimSpace(heading)
			order = append(order, name)
			continue
		}
		sections[name] += line
	}
	return sections, order
}

// Fences returns the fenced blocks of a section.
func Fences(section string) []Fence {
	var out []Fence
	open := false
	for line := range strings.Lines(section) {
		info, mark := strings.CutPrefix(line, "```")
		switch {
		case mark && !open:
			_, file, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(info, "`")), " ")
			out = append(out, Fence{File: file})
			open = true
		case mark:
			open = false
		case open:
			out[len(out)-1].Text += line
		}
	}
	return out
}
