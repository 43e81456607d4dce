package live

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Identity returns what makes two findings the same drift, seen at two moments: rule, pool, environment, gateway, item,
// field and member. The values are no part of it: a weight that is turned down step by step is one drift, whose numbers
// change.
func Identity(f *schema.Finding) string {
	return strings.Join([]string{f.Rule, f.Pool, f.Env, f.At.File, f.Item.String(), f.Field, f.Member}, "\x1f")
}
