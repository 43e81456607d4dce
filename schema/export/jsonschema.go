package export

import (
	"encoding/json"
	"fmt"

	"github.com/poolproof/poolproof/schema/grammar"
)

// roots are the definitions that whole documents follow.
var roots = []string{"NativeFile", "Manifest", "ChangeOrder", "Scenario"}

// JSONSchema returns the grammar as JSON Schema 2020-12, indented: one entry of $defs for each definition of CUE, under
// its name. A document follows one of NativeFile, Manifest, ChangeOrder and Scenario.
func JSONSchema() ([]byte, error) {
	g, err := grammar.Load()
	if err != nil {
		return nil, err
	}
	s, err := convert(g)
	if err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the JSON Schema: %w", err)
	}
	return append(out, '\n'), nil
}

type object = map[string]any

func convert(g *grammar.Grammar) (object, error) {
	defs := object{}
	c := converter{g}
	for _, d := range g.Defs {
		s, err := c.schema(d.Type)
		if err != nil {
			return nil, fmt.Errorf("#%s: %w", d.Name, err)
		}
		describe(s, d.Doc)
		defs[d.Name] = s
	}
	any := []object{}
	for _, r := range roots {
		any = append(any, ref(r))
	}
	return object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/poolproof/poolproof/schema/v1",
		"title":       "poolproof",
		"description": "The files that people write for poolproof. $defs/NativeFile, $defs/Manifest, $defs/ChangeOrder and $defs/Scenario can be used alone.",
		"anyOf":       any,
		"$defs":       defs,
	}, nil
}

func ref(def string) object { return object{"$ref": "#/$defs/" + def} }

func describe(s object, doc string) {
	if doc != "" {
		s["description"] = doc
	}
}

type converter struct{ grammar *grammar.Grammar }

func (c converter) schema(t *grammar.Type) (object, error) {
	switch {
	case t.Ref != "":
		return ref(t.Ref), nil
	case t.Opaque != "":
		return nil, fmt.Errorf("JSON Schema has no form for %s", t.Opaque)
	case t.Alts != nil:
		alts := []object{}
		for _, a := range t.Alts {
			s, err := c.schema(a)
			if err != nil {
				return nil, err
			}
			alts = append(alts, s)
		}
		return withDefault(object{"anyOf": alts}, t), nil
	case t.Kinds&grammar.Map != 0:
		return c.mapping(t)
	case t.Kinds&grammar.List != 0:
		s := object{"type": "array"}
		if t.Elem != nil {
			elem, err := c.schema(t.Elem)
			if err != nil {
				return nil, err
			}
			s["items"] = elem
		}
		return s, nil
	}
	return withDefault(scalar(t), t), nil
}

func withDefault(s object, t *grammar.Type) object {
	switch t.Default {
	case "":
	case "true", "false":
		s["default"] = t.Default == "true"
	default:
		s["default"] = t.Default
		if json.Valid([]byte(t.Default)) {
			s["default"] = json.RawMessage(t.Default)
		}
	}
	return s
}

func scalar(t *grammar.Type) object {
	s := object{}
	if t.Enum != nil {
		s["enum"] = t.Enum
		return s
	}
	switch t.Kinds {
	case grammar.Int:
		s["type"] = "integer"
	case grammar.Number, grammar.Float:
		s["type"] = "number"
	case grammar.Bool:
		s["type"] = "boolean"
	case grammar.Null:
		s["type"] = "null"
	case grammar.String:
		s["type"] = "string"
	}
	bound := func(b *grammar.Bound, inclusive, exclusive string) {
		if b == nil {
			return
		}
		if b.Exclusive {
			inclusive = exclusive
		}
		s[inclusive] = b.Value
	}
	bound(t.Min, "minimum", "exclusiveMinimum")
	bound(t.Max, "maximum", "exclusiveMaximum")
	if t.Pattern != "" {
		s["pattern"] = t.Pattern
	}
	if t.Time {
		s["format"] = "date-time"
	}
	if t.MinRunes > 0 {
		s["minLength"] = t.MinRunes
	}
	if t.MaxRunes > 0 {
		s["maxLength"] = t.MaxRunes
	}
	if len(t.Not) > 0 {
		s["not"] = object{"enum": t.Not}
	}
	return s
}

func (c converter) mapping(t *grammar.Type) (object, error) {
	s := object{"type": "object"}
	properties := object{}
	required := []string{}
	for _, f := range t.Fields {
		p, err := c.schema(f.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		describe(p, f.Doc)
		properties[f.Name] = p
		if f.Required {
			required = append(required, f.Name)
		}
	}
	if len(properties) > 0 {
		s["properties"] = properties
	}
	if len(required) > 0 {
		s["required"] = required
	}
	if t.Open {
		return s, nil
	}
	if len(t.Rest) > 1 {
		return nil, fmt.Errorf("several pattern constraints in one mapping")
	}
	s["additionalProperties"] = false
	for _, r := range t.Rest {
		value, err := c.schema(r.Value)
		if err != nil {
			return nil, err
		}
		describe(value, r.Doc)
		s["additionalProperties"] = value
		if key := c.grammar.Resolve(r.Key); t.Fields == nil && r.Key.Ref != "" && key.Enum != nil || key.MinRunes > 0 || key.MaxRunes > 0 || key.Pattern != "" {
			s["propertyNames"] = ref(r.Key.Ref)
		}
	}
	return s, nil
}
