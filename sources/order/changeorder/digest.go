package changeorder

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/gowebpki/jcs"

	"github.com/poolproof/poolproof/sources/data"
)

// digest returns what an approval of an order is bound to: "sha256:" and the hexadecimal SHA-256 of the canonical JSON
// (RFC 8785) of the front matter without its keys approvals and drill.
//
// The front matter is taken as YAML 1.2 reads it: mappings become objects, lists become arrays, and of a key that stands
// twice the last value counts; true and false become booleans, null and absent values null, numbers numbers in the form
// that RFC 8785 gives them, and everything else, times included, a string as it is written. Order of keys, comments,
// quotes, anchors and layout take no part; anything else that a reviewer reads does.
func digest(root *data.Node) string {
	w := canonical{buf: make([]byte, 0, 512)}
	w.object(root, func(key string) bool { return key != "approvals" && key != "drill" })
	sum := sha256.Sum256(w.buf)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// canonical writes nodes as canonical JSON.
type canonical struct{ buf []byte }

func (w *canonical) value(n *data.Node) {
	if n == nil {
		w.buf = append(w.buf, "null"...)
		return
	}
	switch n.Kind {
	case data.Map:
		w.object(n, nil)
	case data.List:
		w.buf = append(w.buf, '[')
		for i, item := range n.Items {
			if i > 0 {
				w.buf = append(w.buf, ',')
			}
			w.value(item)
		}
		w.buf = append(w.buf, ']')
	case data.Null:
		w.buf = append(w.buf, "null"...)
	case data.Bool:
		w.buf = strconv.AppendBool(w.buf, n.Text[0]|0x20 == 't')
	case data.Int, data.Float:
		w.number(n.Text)
	default:
		w.text(n.Text)
	}
}

// object writes a mapping with its keys in the order of their UTF-16 code units; keep, which may be nil, selects keys.
func (w *canonical) object(n *data.Node, keep func(string) bool) {
	pairs := make([]*data.Pair, 0, len(n.Pairs))
	for i := range n.Pairs {
		if keep == nil || keep(n.Pairs[i].Key) {
			pairs = append(pairs, &n.Pairs[i])
		}
	}
	slices.SortFunc(pairs, func(a, b *data.Pair) int { return compareUTF16(a.Key, b.Key) })
	w.buf = append(w.buf, '{')
	for i, p := range pairs {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.text(p.Key)
		w.buf = append(w.buf, ':')
		w.value(p.Value)
	}
	w.buf = append(w.buf, '}')
}

// compareUTF16 orders texts as RFC 8785 does. It differs from the order of bytes only where characters beyond the basic
// plane meet those from U+E000 on.
func compareUTF16(a, b string) int {
	x, y := []rune(a), []rune(b)
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] != y[i] {
			return slices.Compare(utf16.AppendRune(nil, x[i]), utf16.AppendRune(nil, y[i]))
		}
	}
	return len(x) - len(y)
}

// number writes a number; what is none in JSON (.inf, .nan) stays the text that it is.
func (w *canonical) number(text string) {
	f, err := strconv.ParseFloat(text, 64)
	if i, whole := wholeNumber(text); whole {
		f, err = i, nil
	}
	if err == nil {
		if s, err := jcs.NumberToJSON(f); err == nil {
			w.buf = append(w.buf, s...)
			return
		}
	}
	w.text(text)
}

// wholeNumber reads the forms of whole numbers that YAML has and ParseFloat takes otherwise, or not at all.
func wholeNumber(text string) (float64, bool) {
	if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'o') {
		n, err := strconv.ParseUint(text, 0, 64)
		return float64(n), err == nil
	}
	return 0, false
}

func (w *canonical) text(s string) {
	const hexDigits = "0123456789abcdef"
	w.buf = append(w.buf, '"')
	for _, r := range s { // bytes that are no UTF-8 become the replacement character
		switch r {
		case '"', '\\':
			w.buf = append(w.buf, '\\', byte(r))
		case '\b':
			w.buf = append(w.buf, `\b`...)
		case '\t':
			w.buf = append(w.buf, `\t`...)
		case '\n':
			w.buf = append(w.buf, `\n`...)
		case '\f':
			w.buf = append(w.buf, `\f`...)
		case '\r':
			w.buf = append(w.buf, `\r`...)
		default:
			if r < 0x20 {
				w.buf = append(w.buf, `\u00`...)
				w.buf = append(w.buf, hexDigits[r>>4], hexDigits[r&15])
				continue
			}
			w.buf = append(w.buf, string(r)...)
		}
	}
	w.buf = append(w.buf, '"')
}
