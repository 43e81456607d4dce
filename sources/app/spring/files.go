package spring

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/tree"
)

// Extensions in the order in which a later one wins over an earlier one of the same folder and profile.
var extensions = []string{".yaml", ".yml", ".properties"}

// name is what a file name says: application-prod.yml is the application's configuration for the profile prod.
type name struct {
	stem    string // application
	profile string // prod, empty for the file of all profiles
	ext     string
}

// mains are the stems after which a dash starts a profile.
var mains = []string{"application", "bootstrap"}

func (r *reader) parseName(base string) name {
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	for _, m := range mains {
		if p, ok := strings.CutPrefix(stem, m+"-"); ok && p != "" {
			return name{m, p, ext}
		}
	}
	// A configuration server keeps files by application: orders.yml, orders-prod.yml.
	for _, p := range r.in.Source.Profiles {
		if main, ok := strings.CutSuffix(stem, "-"+p); ok && main != "" {
			return name{main, p, ext}
		}
	}
	return name{stem, "", ext}
}

// file is one file of the application.
type file struct {
	base string
	data []byte
	// own: the file is read as a file of its own too, and reports its own problems then.
	own bool
}

// gather collects the files that make up the application: the one being read and, beside it, those of the active
// profiles and of other extensions, the one that wins last. ok is false where this file is not the one to speak: it
// belongs to a profile that is not active, or goes with another file that is read.
func (r *reader) gather() (files []file, ok bool) {
	base := path.Base(r.in.Path)
	n := r.parseName(base)
	active := r.in.Source.Profiles
	alone := []file{{base: base, data: r.in.Data, own: true}}
	if n.profile != "" {
		if len(active) == 0 {
			return alone, true // nobody says what it goes with
		}
		if !slices.Contains(active, n.profile) {
			r.result.Report(schema.Problem{
				Rule: "source/skipped", Got: n.profile,
				Text: schema.Textf("%s is not read: it belongs to profile %s, and the source's profiles are %s", "未读取 %s：它属于 profile %s，而该来源的 profiles 为 %s", base, n.profile, strings.Join(active, ", ")),
				Hint: schema.Textf("add the profile to the source, or exclude the file", "请把该 profile 加入来源，或排除该文件"),
			})
			return nil, false
		}
	}
	if r.in.Sibling == nil {
		return alone, true
	}
	led := false
	for _, profile := range append([]string{""}, active...) {
		for _, ext := range extensions {
			candidate := n.stem + ext
			if profile != "" {
				candidate = n.stem + "-" + profile + ext
			}
			if candidate == base {
				files, led = append(files, alone...), true
				continue
			}
			text, err := r.in.Sibling(candidate)
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					r.unreadable(candidate, err)
				}
				continue
			}
			own := r.selected(candidate)
			if own && !led { // that one speaks for all; what is wrong in this one is said here
				r.result.Problems = append(r.result.Problems, parse(alone[0]).Problems...)
				return nil, false
			}
			files = append(files, file{candidate, text, own})
		}
	}
	if !led {
		return alone, true // an extension that Spring does not look for
	}
	return files, true
}

func (r *reader) unreadable(base string, err error) {
	r.result.Report(schema.Problem{
		Rule: "source/unreadable", Got: base,
		Text: schema.Textf("%s, which goes with this file, cannot be read: %v", "无法读取与本文件一起生效的 %s：%v", base, err),
		Hint: schema.Textf("its values are missing from what is checked", "检查中缺少其中的值"),
	})
}

// selected reports whether the manifest's source reads a file of this folder by itself.
func (r *reader) selected(base string) bool {
	p := path.Join(path.Dir(r.in.Path), base)
	matches := func(patterns []string) bool {
		for _, pattern := range patterns {
			if g, err := tree.CompileGlob(pattern); err == nil {
				if _, ok := g.Match(p); ok {
					return true
				}
			}
		}
		return false
	}
	return matches(r.in.Source.Files) && !matches(r.in.Source.Exclude)
}

// parse decodes a file.
func parse(f file) data.File {
	if path.Ext(f.base) == ".properties" {
		return data.Properties(f.data)
	}
	return data.YAML(f.data)
}

// load reads the files, keeps the documents that are active, and lays them over each other.
func (r *reader) load(files []file) {
	self := path.Base(r.in.Path)
	r.files, r.texts = []string{r.in.Path}, [][]byte{r.in.Data}
	r.root = &prop{}
	budget := maxValues
	for _, f := range files {
		index := 0
		if f.base != self {
			index = len(r.files)
			r.files = append(r.files, path.Join(path.Dir(r.in.Path), f.base))
			r.texts = append(r.texts, f.data)
		}
		decoded := parse(f)
		if index == 0 || !f.own {
			for _, p := range decoded.Problems {
				r.report(inFile(p, uint16(index)))
			}
		}
		b := builder{file: uint16(index), split: path.Ext(f.base) != ".properties", budget: &budget}
		for _, d := range decoded.Documents {
			if d.Root == nil || d.Root.Kind != data.Map {
				continue
			}
			root := b.document(d.Root)
			if r.active(root) {
				r.root.overlay(root)
			}
		}
		for _, p := range b.problems {
			r.report(p)
		}
	}
}

// inFile moves a problem's places to a file of the application.
func inFile(p schema.Problem, index uint16) schema.Problem {
	p.At.File = index
	related := slices.Clone(p.Related)
	for i := range related {
		related[i].At.File = index
	}
	p.Related = related
	return p
}

// report adds a problem of a file as a whole. One of another file goes with the first copy, which knows the file; the
// result itself only knows the file being read.
func (r *reader) report(p schema.Problem) {
	if p.At.File == 0 {
		r.result.Report(p)
		return
	}
	r.elsewhere = append(r.elsewhere, p)
}

// src returns the bytes of a span of one of the files.
func (r *reader) src(at schema.Span) []byte {
	if int(at.File) >= len(r.texts) {
		return nil
	}
	text := r.texts[at.File]
	if at.Start > at.End || int(at.End) > len(text) {
		return nil
	}
	return text[at.Start:at.End]
}
