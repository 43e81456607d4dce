package reconcile

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Key returns what is left of a pool's name when spelling is taken away: case, '-', '_', spaces, quotes, and the words
// "pool", "address pool" and 地址池. A name made of these words alone keeps them.
func Key(name string) string {
	name, _ = schema.Fold(name)
	name = strings.ToLower(name)
	words := strings.FieldsFunc(strings.ReplaceAll(name, "地址池", " "), func(r rune) bool {
		return r == '-' || r == '_' || r == ' ' || r == '\t' || r == '`' || r == '"' || r == '\u00a0'
	})
	var kept []string
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "address" && i+1 < len(words) && words[i+1] == "pool":
			i++
		case words[i] != "pool":
			kept = append(kept, words[i])
		}
	}
	if len(kept) == 0 {
		return strings.Join(strings.Fields(name), "")
	}
	return strings.Join(kept, "")
}
