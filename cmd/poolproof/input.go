package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

// single is a tree of one file.
type single struct {
	name string
	data []byte
}

func (s single) Revision() string { return "" }

func (s single) List(string, func(string) bool) ([]tree.Entry, error) {
	return []tree.Entry{{Path: s.name}}, nil
}

func (s single) Read(path string) ([]byte, error) {
	if path != s.name {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return s.data, nil
}

// maxInput is how large a file on standard input may be, in bytes: as large as any file.
const maxInput = tree.MaxFile

// openInput reads one file from standard input into a tree of its own.
func (o *options) openInput(ctx context.Context) (*workspace, error) {
	type input struct {
		data []byte
		err  error
	}
	read := make(chan input, 1)
	go func() { // a terminal or pipe that says nothing must not keep a signal from ending the wait
		data, err := io.ReadAll(io.LimitReader(o.env.in, maxInput+1))
		read <- input{data, err}
	}()
	var in input
	select {
	case in = <-read:
	case <-ctx.Done():
		return nil, notChecked("reading standard input: %w", ctx.Err())
	}
	switch {
	case in.err != nil:
		return nil, notChecked("reading standard input: %w", in.err)
	case len(in.data) > maxInput:
		return nil, notChecked("standard input is larger than %d MiB", maxInput>>20)
	case tree.Crowded(in.data):
		return nil, notChecked("standard input has more than %d lines or list entries", tree.MaxParts)
	}
	name, a, ok := recognise(in.data)
	if !ok {
		return nil, notChecked("the format of standard input was not recognised")
	}
	w := &workspace{tree: single{name, in.data}}
	w.manifest = schema.Manifest{File: "-", Discovered: true, Sources: []schema.Source{{Side: a.Sides[0], Format: a.Name, Files: []string{name}}}}
	return w, nil
}

// recognise finds the format of a file without a name. Formats that are told by the ending of a name are tried under
// that; the first reading that yields something counts.
func recognise(data []byte) (name string, a sources.Adapter, ok bool) {
	adapters := all.Adapters()
	for _, ending := range []string{"", ".properties", ".yaml", ".json", ".toml", ".md", ".adoc"} {
		candidate, found := load.Detect(adapters, "-"+ending, data, "")
		if !found {
			continue
		}
		source := schema.Source{Side: candidate.Sides[0], Format: candidate.Name, Profile: candidate.Profile}
		if r := candidate.Read(sources.Input{Path: "-" + ending, Data: data, Source: &source}); len(r.Copies) > 0 || len(r.Orders) > 0 {
			return "-" + ending, candidate, true
		}
		if !ok {
			name, a, ok = "-"+ending, candidate, true
		}
	}
	return name, a, ok
}
