package export

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/encoding/yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// documents calls do with every sample of the grammar: its definition, whether it is good, and the document as JSON.
func documents(t *testing.T, do func(name, def string, good bool, text []byte)) {
	t.Helper()
	files, err := filepath.Glob("../testdata/*/*")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	ctx := cuecontext.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := yaml.Extract(file, text)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := ctx.BuildFile(parsed).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		do(file, filepath.Base(filepath.Dir(file)), strings.HasPrefix(filepath.Base(file), "good-"), doc)
	}
}

func TestJSONSchemaAgreesWithSamples(t *testing.T) {
	text, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("poolproof.json", doc); err != nil {
		t.Fatal(err)
	}
	whole, err := c.Compile("poolproof.json")
	if err != nil {
		t.Fatal(err)
	}
	documents(t, func(name, def string, good bool, text []byte) {
		s, err := c.Compile("poolproof.json#/$defs/" + def)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != good {
			t.Errorf("%s: good is %v, JSON Schema says %v", name, good, err)
		}
		if err := whole.Validate(v); (err == nil) != good {
			t.Errorf("%s: good is %v, the whole JSON Schema says %v", name, good, err)
		}
	})
}

// Editors show descriptions while people type: every key has one.
func TestJSONSchemaIsDocumented(t *testing.T) {
	text, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Defs map[string]struct {
			Description string
			Properties  map[string]struct{ Description string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Defs) < 30 {
		t.Fatalf("%d definitions", len(s.Defs))
	}
	for name, d := range s.Defs {
		if d.Description == "" {
			t.Errorf("$defs/%s has no description", name)
		}
		for key, p := range d.Properties {
			if p.Description == "" {
				t.Errorf("$defs/%s/properties/%s has no description", name, key)
			}
		}
	}
}

func TestCUEAgreesWithSamples(t *testing.T) {
	text, err := CUE()
	if err != nil {
		t.Fatal(err)
	}
	ctx := cuecontext.New()
	s := ctx.CompileString(text)
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	documents(t, func(name, def string, good bool, text []byte) {
		v := s.LookupPath(cue.MakePath(cue.Def(def))).Unify(ctx.CompileBytes(text))
		if err := v.Validate(cue.Concrete(true)); (err == nil) != good {
			t.Errorf("%s: good is %v, CUE says %v", name, good, err)
		}
	})
}
