package live

import "github.com/poolproof/poolproof/schema"

// Somewhere is the place of what stands in no file: it only says that something is stated.
func Somewhere() schema.Span { return schema.At(0, 1) }
