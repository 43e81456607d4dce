package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
)

// manifest reads the manifest of an end; where there is none, it finds out which known formats there are.
func (e *End) manifest(ctx context.Context, o Options) error {
	names := manifest.Names()
	if o.Manifest != "" {
		names = []string{o.Manifest}
	}
	for _, name := range names {
		data, err := e.Tree.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading the manifest: %w", err)
		}
		m, problems := manifest.Load(name, data)
		m.File = name
		if o.Further != nil {
			problems = append(problems, o.Further(&m)...)
		}
		e.File, e.Text, e.own, e.problems = name, data, &m, problems
		if unusable(&m, problems) {
			return &ManifestError{File: name, Revision: e.Tree.Revision(), Text: data, Problems: problems}
		}
		return nil
	}
	m, err := load.Discover(ctx, e.Tree, o.Load, "")
	if err != nil {
		return fmt.Errorf("looking for known formats: %w", err)
	}
	e.own = m
	return nil
}

// unusable reports whether a manifest is so broken that nothing can be read by it.
func unusable(m *schema.Manifest, problems []schema.Problem) bool {
	for _, p := range problems {
		if p.Rule == "source/syntax" {
			return true
		}
	}
	return len(m.Sources) == 0
}

// ManifestError is a manifest by which nothing can be read.
type ManifestError struct {
	File, Revision string
	Text           []byte
	Problems       []schema.Problem
}

// Error names the file.
func (e *ManifestError) Error() string {
	if e.Revision == "" {
		return e.File + " cannot be used"
	}
	return fmt.Sprintf("%s at %.12s cannot be used", e.File, e.Revision)
}
