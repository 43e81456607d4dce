package envoy

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// kind says how a field's value is read.
type kind uint8

const (
	ignored   kind = iota // known, and of no concern to failover
	positive              // a duration above zero
	duration              // a duration, zero allowed
	count                 // uint32
	percent               // uint32 up to 100
	boolean               //
	word                  // text
	constant              // enumeration
	structure             // read by its own code
	threshold             // of a health check
	checker               // what a health check asks
)

// field is one field of a block that is known whole, so that a key outside the table is a mistake.
type field struct {
	snake, camel string
	kind         kind
	path         schema.Path
}

// fieldOf finds a key's field in either spelling.
func fieldOf(table []field, key string) *field {
	for i := range table {
		if table[i].snake == key || table[i].camel == key {
			return &table[i]
		}
	}
	return nil
}

// set reads a value as its field says.
func (r *reader) set(f *field, p schema.Path, n *data.Node) {
	switch f.kind {
	case positive:
		r.duration(p, n, zeroRefused)
	case duration:
		r.duration(p, n, zeroTaken)
	case count:
		r.count(p, n, 0, maxUint32)
	case percent:
		r.count(p, n, 0, 100)
	case boolean:
		r.flag(p, n)
	case word:
		r.words(p, n)
	case constant:
		r.enum(p, n)
	}
}

// unknownKey reports a key that Envoy does not know in a block; Envoy refuses the whole configuration then.
func (r *reader) unknownKey(block string, p *data.Pair, table []field) {
	hint := schema.Text{}
	if near := nearest(p.Key, table); near != "" {
		hint = schema.Textf("the nearest known name is %s", "最接近的已知名称是 %s", near)
	}
	r.copy.Report(schema.Problem{Rule: "schema/unknown-key", Severity: schema.Warning, At: p.KeyAt, Field: block, Got: p.Key,
		Text: schema.Textf("%s: Envoy knows no %q here", "%s：Envoy 此处没有 %q", block, p.Key), Hint: hint})
}

// nearest returns the table's name that differs from key in the fewest letters, at most a third of them.
func nearest(key string, table []field) string {
	best, name := len(key)/3+1, ""
	for i := range table {
		for _, candidate := range [...]string{table[i].snake, table[i].camel} {
			if d := distance(key, candidate, best); d < best {
				best, name = d, candidate
			}
		}
	}
	return name
}

// distance is the number of letters to insert, delete or replace, or limit where it is not below.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
