package data

import (
	"fmt"
	"strings"
)

// dump writes a file's documents with the source of every place.
func dump(f File, src string) string {
	var b strings.Builder
	for i, d := range f.Documents {
		fmt.Fprintf(&b, "document %d [%d,%d)\n", i, d.At.Start, d.At.End)
		dumpNode(&b, d.Root, src, "  ")
	}
	for _, p := range f.Problems {
		fmt.Fprintf(&b, "problem %s %d:%d %s %q: %s\n", p.Rule, p.At.Start, p.At.End, lineColumn(src, int(p.At.Start)), cut(src, int(p.At.Start), int(p.At.End)), p.Text.En)
		for _, n := range p.Related {
			fmt.Fprintf(&b, "  note %s %q: %s\n", lineColumn(src, int(n.At.Start)), cut(src, int(n.At.Start), int(n.At.End)), n.Label.En)
		}
	}
	return b.String()
}

func dumpNode(b *strings.Builder, n *Node, src, indent string) {
	if n == nil {
		fmt.Fprintf(b, "%snil\n", indent)
		return
	}
	fmt.Fprintf(b, "%s%v/%v %q", indent, n.Kind, n.Style, cut(src, int(n.At.Start), int(n.At.End)))
	if n.Alias.Known() {
		fmt.Fprintf(b, " via %q", cut(src, int(n.Alias.Start), int(n.Alias.End)))
	}
	if n.Scalar() && n.Text != cut(src, int(n.At.Start), int(n.At.End)) {
		fmt.Fprintf(b, " = %q", n.Text)
	}
	if n.Partial {
		b.WriteString(" partial")
	}
	b.WriteString("\n")
	for _, p := range n.Pairs {
		fmt.Fprintf(b, "%s  %s %q", indent, p.Key, cut(src, int(p.KeyAt.Start), int(p.KeyAt.End)))
		if p.Merged {
			b.WriteString(" merged")
		}
		b.WriteString(":\n")
		dumpNode(b, p.Value, src, indent+"    ")
	}
	for _, item := range n.Items {
		dumpNode(b, item, src, indent+"  ")
	}
}

func cut(src string, start, end int) string {
	if start > end || end > len(src) {
		return fmt.Sprintf("BAD(%d,%d)", start, end)
	}
	return src[start:end]
}

func lineColumn(src string, pos int) string {
	if pos > len(src) {
		return "BAD"
	}
	line := strings.Count(src[:pos], "\n") + 1
	return fmt.Sprintf("%d:%d", line, pos-strings.LastIndexByte(src[:pos], '\n'))
}
