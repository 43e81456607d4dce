package data

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
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

var kindNames = [...]string{"null", "bool", "int", "float", "string", "map", "list"}

func dumpNode(b *strings.Builder, n *Node, src, indent string) {
	if n == nil {
		fmt.Fprintf(b, "%snil\n", indent)
		return
	}
	fmt.Fprintf(b, "%s%s %q", indent, kindNames[n.Kind]+[]string{"", "-quoted", "-block"}[n.Style], brief(cut(src, int(n.At.Start), int(n.At.End))))
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

// brief keeps both ends of a long text.
func brief(s string) string {
	if len(s) > 70 {
		return s[:32] + "..." + s[len(s)-32:]
	}
	return s
}

func lineColumn(src string, pos int) string {
	if pos > len(src) {
		return "BAD"
	}
	line := strings.Count(src[:pos], "\n") + 1
	return fmt.Sprintf("%d:%d", line, pos-strings.LastIndexByte(src[:pos], '\n'))
}

// check holds a result to what all readers promise: places inside the text, children inside their parents unless they
// are used elsewhere, and, where plain is set, plain scalars that read as they are written.
func check(t testing.TB, f File, src []byte, plain bool) {
	t.Helper()
	inside := func(what string, s schema.Span) {
		if s.Start > s.End || int(s.End) > len(src) || s.File != 0 {
			t.Fatalf("%q: %s at %v of %d bytes", clip(string(src)), what, s, len(src))
		}
	}
	var walk func(n *Node, parent schema.Span, depth int)
	walk = func(n *Node, parent schema.Span, depth int) {
		if depth > 2*maxDepth {
			t.Fatalf("%q: too deep", clip(string(src)))
		}
		inside("a node", n.At)
		inside("an alias", n.Alias)
		if !n.Alias.Known() && parent.Known() && (n.At.Start < parent.Start || n.At.End > parent.End) {
			t.Fatalf("%q: node %v outside its parent %v\n%s", clip(string(src)), n.At, parent, dump(f, string(src)))
		}
		if n.Scalar() == (len(n.Pairs)+len(n.Items) > 0) && n.Scalar() || n.Kind == Map && n.Items != nil || n.Kind == List && n.Pairs != nil {
			t.Fatalf("%q: a node of two kinds", clip(string(src)))
		}
		if text := string(src[n.At.Start:n.At.End]); plain && n.Scalar() && n.Style == Plain && text != n.Text && !strings.ContainsAny(text, "\r\n{<*\u0085\u2028\u2029") && firstBad(text) < 0 {
			t.Fatalf("%q: %q reads as %q", clip(string(src)), text, n.Text)
		}
		seen := map[string]bool{}
		for _, p := range n.Pairs {
			inside("a key", p.KeyAt)
			if seen[p.Key] {
				t.Fatalf("%q: key %q twice", clip(string(src)), p.Key)
			}
			seen[p.Key] = true
			own := n.At
			if p.Merged || n.Alias.Known() {
				own = schema.Span{}
			}
			walk(p.Value, own, depth+1)
		}
		for _, item := range n.Items {
			walk(item, n.At, depth+1)
		}
	}
	for _, d := range f.Documents {
		inside("a document", d.At)
		if d.Root != nil {
			walk(d.Root, d.At, 1)
		}
	}
	percent := bytes.IndexByte(src, '%') >= 0
	for _, p := range f.Problems {
		inside(p.Rule, p.At)
		if p.Rule == "" || p.Text.En == "" || p.Text.Zh == "" || !percent && strings.Contains(p.Text.En+p.Text.Zh+p.Hint.En+p.Hint.Zh, "%!") {
			t.Fatalf("%q: problem %+v", clip(string(src)), p)
		}
		for _, n := range p.Related {
			inside("a note", n.At)
		}
	}
}
