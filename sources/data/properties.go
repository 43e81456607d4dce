package data

import (
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// Properties reads a .properties file: keys and values with their escapes, continuation lines, comments, and the
// document separators of Spring (#--- and !---). Dotted keys and indexes (a.b[0].c) form a tree; lists hold their items
// in the order of their indexes, and gaps close. All values are texts that every reader types alike. A file that is no
// UTF-8 is ISO 8859-1, as it always was to Java.
//
// Where a key is a value and also has keys below it (a=1 and a.b=2), the mapping stands under the key, and the value in
// it under the empty key: Get("a").Get("").
func Properties(src []byte) File {
	var f File
	r := propertiesReader{text: string(src), tree: newDottedTree(), latin1: !utf8.Valid(src) && !isUTF16(string(src))}
	if !r.latin1 {
		f, r.text, r.base = openText(src)
	}
	r.text, r.filler = f.lineTemplates(r.text, r.base)
	for pos := 0; pos < len(r.text); {
		pos = r.line(pos)
	}
	r.flush()
	f.report(r.problems...)
	f.Documents = r.documents
	return f
}

type propertiesReader struct {
	text      string
	base      int
	tree      *dottedTree
	filler    *filler // nil if the file is no template
	latin1    bool
	documents []Document
	problems  problemList
}

// flush ends a document. Empty ones, as before a first separator, are no documents.
func (r *propertiesReader) flush() {
	r.tree.finish()
	r.problems.add(r.tree.problems...)
	if root := r.tree.root; len(root.Pairs) > 0 {
		if r.filler != nil {
			r.tree.partial()
		}
		r.documents = append(r.documents, Document{Root: root, At: root.At})
	}
	r.tree = newDottedTree()
}

// line reads one logical line and returns the start of the next.
func (r *propertiesReader) line(pos int) int {
	s := r.text
	start := pos
	for start < len(s) && (s[start] == ' ' || s[start] == '\t' || s[start] == '\f') {
		start++
	}
	end := lineEnd(s, pos)
	if start >= len(s) || s[start] == '\n' || s[start] == '\r' {
		return end
	}
	if s[start] == '#' || s[start] == '!' {
		if start == pos && strings.TrimRight(s[start+1:end], " \t\r\n") == "---" {
			r.flush()
		}
		return end
	}
	key := r.token(start, true)
	sep := r.skipBlank(key.end)
	if sep < len(s) && (s[sep] == '=' || s[sep] == ':') {
		sep = r.skipBlank(sep + 1)
	}
	value := r.token(sep, false)
	n := &Node{Kind: String, Text: value.text, At: schema.At(r.base+value.start, r.base+value.end), settled: true}
	r.tree.put(key.text, schema.At(r.base+key.start, r.base+key.end), len(key.text) == key.end-key.start, n)
	return lineEnd(s, value.end)
}

// token is a key or value: its text without escapes, and its bytes.
type token struct {
	text       string
	start, end int
}

// token reads a key, which ends at a separator, or a value, which ends with the logical line.
func (r *propertiesReader) token(pos int, key bool) token {
	s := r.text
	t := token{start: pos, end: pos}
	plain := pos // start of bytes that were not yet copied
	var b strings.Builder
	i := pos
scan:
	for i < len(s) {
		switch c := s[i]; {
		case c == '\n' || c == '\r':
			break scan
		case key && (c == '=' || c == ':' || c == ' ' || c == '\t' || c == '\f'):
			break scan
		case c == '\\':
			b.WriteString(s[plain:i])
			i = r.escape(&b, i)
			plain = i
		default:
			i++
		}
	}
	t.end = i
	if plain == pos {
		t.text = s[pos:i]
	} else {
		b.WriteString(s[plain:i])
		t.text = b.String()
	}
	if r.latin1 {
		t.text = fromLatin1(t.text)
	}
	if r.filler != nil {
		n := Node{Text: t.text}
		r.filler.restore(&n, t.start, t.end)
		t.text = n.Text
	}
	return t
}

// fromLatin1 returns a text as Java has always read such files: a byte a character.
func fromLatin1(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// escape reads an escape or a continuation at i and returns the byte after it.
func (r *propertiesReader) escape(b *strings.Builder, i int) int {
	s := r.text
	if i+1 >= len(s) {
		return i + 1
	}
	switch c := s[i+1]; c {
	case '\n', '\r':
		i = lineEnd(s, i+1)
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\f') {
			i++
		}
		return i
	case 't':
		b.WriteByte('\t')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 'f':
		b.WriteByte('\f')
	case 'u':
		return r.unicode(b, i)
	default:
		_, n := utf8.DecodeRuneInString(s[i+1:])
		b.WriteString(s[i+1 : i+1+n])
		return i + 1 + n
	}
	return i + 2
}
