package data

import "github.com/poolproof/poolproof/schema"

// Hazard reports a scalar that feeds the model and that readers type differently.
func Hazard(n *Node) (schema.Problem, bool) { return schema.Problem{}, false }
