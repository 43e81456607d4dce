package judge

import (
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// verdicts keeps what CUE said of the last values, since generated files hold the same mistake many times. It is safe for
// concurrent use.
type verdicts struct {
	mutex sync.Mutex
	known map[string]verdictOf
}

const (
	// maxVerdicts is how many verdicts are kept; then all are forgotten.
	maxVerdicts = 1024
	// maxSpelt is how long a value may be whose verdict is kept, in bytes.
	maxSpelt = 2048
)

func (k *verdicts) get(key string) (v verdictOf, ok bool) {
	if key == "" {
		return v, false
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	v, ok = k.known[key]
	return v, ok
}

func (k *verdicts) put(key string, v verdictOf) {
	if key == "" || !v.asked {
		return
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.known == nil || len(k.known) >= maxVerdicts {
		k.known = map[string]verdictOf{}
	}
	k.known[key] = v
}

// spell writes what CUE is asked as a text that no other question has; empty for long ones.
func spell(def string, x ast.Expr) string {
	var b strings.Builder
	b.WriteString(def)
	if !spellTo(&b, x) {
		return ""
	}
	return b.String()
}

// spellTo reports whether the text is of a good length and the expression of a kind that encode makes.
func spellTo(b *strings.Builder, x ast.Node) bool {
	if b.Len() > maxSpelt {
		return false
	}
	switch x := x.(type) {
	case *ast.BasicLit: // texts are quoted, so that no two read alike
		b.WriteByte(' ')
		b.WriteString(x.Value)
	case *ast.Ident:
		b.WriteByte(' ')
		b.WriteString(x.Name)
	case *ast.BottomLit:
		b.WriteString(" _|_")
	case *ast.UnaryExpr:
		if x.Op != token.SUB {
			return false
		}
		b.WriteString(" -")
		return spellTo(b, x.X)
	case *ast.ListLit:
		b.WriteByte('[')
		for _, e := range x.Elts {
			if !spellTo(b, e) {
				return false
			}
		}
		b.WriteByte(']')
	case *ast.StructLit:
		b.WriteByte('{')
		for _, e := range x.Elts {
			f, ok := e.(*ast.Field)
			if !ok || !spellTo(b, f.Label) || !spellTo(b, f.Value) {
				return false
			}
		}
		b.WriteByte('}')
	default:
		return false
	}
	return b.Len() <= maxSpelt
}
