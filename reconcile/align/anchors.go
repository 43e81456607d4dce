package align

import (
	"regexp"
	"strings"
)

// anchorEnd and anchorInside match the anchor of YAML that stands before an entry, at the end of its line or within.
var (
	anchorEnd    = regexp.MustCompile(`[ \t]+&[^\s,\[\]{}"']+[ \t]*(\r?\n)`)
	anchorInside = regexp.MustCompile(`([ \t])&[^\s,\[\]{}"']+[ \t]+`)
)

// unanchored returns the text between a dash or a key and its value without an anchor: that is the one entry's own.
func unanchored(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return anchorInside.ReplaceAllString(anchorEnd.ReplaceAllString(s, "$1"), "$1")
}
