// Package draft writes a first manifest from what a tree holds: the sources of known formats, home-made application
// files that list addresses of the gateway, and which pools are probably the same under two names. It proposes; people
// read the manifest and correct it.
package draft

import (
	"sort"
	"strings"
	"unicode"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

// Draft is a manifest to be.
type Draft struct {
	Sources []Source
	Pools   []Pool
	// Executor is the side that runs the health checks of all pools; empty where that is not plain to see.
	Executor schema.Side
	// LeftOut are files that look as if a source should name them and that none does, and why.
	LeftOut []LeftOut
}

// Source is a source with how many files it stands for now.
type Source struct {
	schema.Source
	Count int
	// Guess: a home-made file, recognised by the addresses in it alone.
	Guess bool
}

// Pool is what the draft says about one pool.
type Pool struct {
	Name  string
	Sides []schema.Side // that have a copy under this name, or under one of Names
	// Names are what the pool is called on the sides where Name does not stand.
	Names map[schema.Side]string
	// Why says what speaks for the names being those of one pool, as far as they were not the same.
	Why []schema.Text
	// Perhaps are names that may be the same pool's, or another's.
	Perhaps []Guess
	// Env is the environment of this tree that the name in the documents speaks of ("Orders pool (prod)"), if any.
	Env string
	// Executor is the side that alone states a probe; TwoExecutors says that both do.
	Executor     schema.Side
	TwoExecutors bool
}

// Guess is a name of a side that may be a pool's, and what speaks for it.
type Guess struct {
	Side schema.Side
	Name string
	Why  schema.Text
	// Rival: another name, or another pool, fits as well.
	Rival bool
	// EntryName and EntryNames are what the manifest would say if it were so.
	EntryName  string
	EntryNames map[schema.Side]string
}

// LeftOut is a file that no source names.
type LeftOut struct {
	Path string
	Why  schema.Text
}

// New drafts a manifest for the tree t: m are the sources that were found in it, l is what they read. files are all files
// of the tree.
func New(t tree.Tree, files []string, m *schema.Manifest, l *load.Loaded) *Draft {
	d := &Draft{}
	f := finder{files: files, format: map[string]string{}}
	for _, file := range l.Files {
		f.format[file.Path] = file.Format
	}
	var copies []*schema.Copy
	for _, file := range l.Files {
		if tests(file.Path) {
			d.LeftOut = append(d.LeftOut, LeftOut{file.Path, schema.Textf("configuration of tests", "测试用的配置")})
			continue
		}
		if nearlyOrder(t, file.Path) {
			d.LeftOut = append(d.LeftOut, LeftOut{file.Path, unsaidOrder()})
			continue
		}
		for i := range file.Result.Copies {
			copies = append(copies, &file.Result.Copies[i])
		}
		f.add(m.Sources[file.Source].Side, file)
	}
	f.findEnvironments()
	guesses, found, left := guess(t, files, f.format, copies)
	d.LeftOut = append(d.LeftOut, left...)
	for _, g := range guesses {
		f.environment(g.file)
	}
	d.Sources = append(f.sources(), f.guessed(guesses)...)
	rank := map[schema.Side]int{schema.Gateway: 0, schema.App: 1, schema.Doc: 2, schema.Order: 3}
	sort.SliceStable(d.Sources, func(i, j int) bool { return rank[d.Sources[i].Side] < rank[d.Sources[j].Side] })
	d.pools(reconcile.Pair(append(copies, found...), m, nil))
	for i := range d.Pools {
		p := &d.Pools[i]
		doc := p.Names[schema.Doc]
		for _, g := range p.Perhaps {
			if g.Side == schema.Doc {
				doc += " " + g.Name
			}
		}
		for _, word := range words(doc) {
			if f.envs[word] {
				p.Env = word
			}
		}
	}
	return d
}

// words are the words of a name.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// SideName says where a side's names stand, in the language "en" or "zh".
func SideName(side schema.Side, lang string) string {
	names := map[schema.Side]schema.Text{
		schema.App: {En: "in the application", Zh: "应用"}, schema.Gateway: {En: "on the gateway", Zh: "网关"},
		schema.Doc: {En: "in the documents", Zh: "文档"}, schema.Order: {En: "in the change order", Zh: "变更单"},
	}
	return names[side].In(lang)
}
