// Package spring reads the configuration of Spring applications: application.yml and .properties with the files of the
// active profiles beside them, as one property tree with Spring's relaxed names. Circuit breakers of resilience4j give
// decision and cooldown, simple discovery gives members, health checks of the load balancer give the probe, and routes
// of Spring Cloud Gateway give a pool each.
package spring

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
)

// Adapter returns the reader of Spring configuration.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:     "spring",
		Sides:    []schema.Side{schema.App, schema.Gateway},
		Version:  1,
		Profile:  "spring",
		Detect:   detect,
		Read:     read,
		Siblings: true,
	}
}

// detect goes by the usual file names and by the keys that only Spring applications have, at the start of a line.
func detect(name string, text []byte) sources.Confidence {
	ext := strings.ToLower(path.Ext(name))
	if !slices.Contains(extensions, ext) {
		return sources.Unlikely
	}
	if startsLine(text, "resilience4j", ".:") || startsLine(text, "spring.cloud", ".:") {
		return sources.Certain
	}
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	for _, m := range mains {
		if stem == m || strings.HasPrefix(stem, m+"-") {
			return sources.Likely
		}
	}
	if startsLine(text, "spring", ".:") {
		return sources.Likely
	}
	return sources.Unlikely
}

// startsLine reports whether a line starts with a word that one of the bytes follows.
func startsLine(text []byte, word, follows string) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(word))
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || text[i-1] == '\n' || i == 3 && bytes.HasPrefix(text, []byte("\uFEFF"))) && end < len(text) && strings.IndexByte(follows, text[end]) >= 0 {
			return true
		}
		from = end
	}
}

// reader reads one application.
type reader struct {
	in     sources.Input
	files  []string
	texts  [][]byte // of the files
	root   *prop    // all active documents, laid over each other
	copies []*schema.Copy
	byName map[string]*schema.Copy
	result sources.Result
	// elsewhere holds problems of files other than the one being read.
	elsewhere []schema.Problem
	// resolved holds the application's own properties, with their placeholders filled in.
	resolved map[string]string
	// partial: the file belongs to a profile and is read without the rest of its application.
	partial bool
	seen    map[seenProblem]bool
	routed  map[string]bool // paths that routes without an id are called after
}

func read(in sources.Input) sources.Result {
	r := reader{in: in, byName: map[string]*schema.Copy{}, seen: map[seenProblem]bool{}, routed: map[string]bool{}}
	files, ok := r.gather()
	if !ok {
		return r.result
	}
	r.partial = len(files) == 1 && r.parseName(path.Base(in.Path)).profile != ""
	r.load(files)
	r.breakers()
	r.discovery()
	r.ribbon()
	r.clients()
	r.modules()
	r.routes()
	r.imports()
	r.finish()
	return r.result
}

// newCopy starts the copy of a pool, or goes on with the one of that name.
func (r *reader) newCopy(pool string, at schema.Span) *schema.Copy {
	if c := r.byName[relaxed(pool)]; c != nil {
		return c
	}
	return &schema.Copy{
		Side: r.in.Source.Side, Format: "spring", Profile: r.in.Source.Profile, Env: r.in.Source.Env, Files: r.files, Pool: pool, PoolAt: at,
	}
}

// add keeps a copy.
func (r *reader) add(c *schema.Copy) {
	key := relaxed(c.Pool)
	if r.byName[key] == nil {
		r.byName[key] = c
		r.copies = append(r.copies, c)
	}
}

type seenProblem struct {
	rule string
	at   schema.Span
}

// once reports to a copy, unless the same problem at the same place was reported before: configs are shared.
func (r *reader) once(c *schema.Copy) func(schema.Problem) {
	return func(p schema.Problem) {
		key := seenProblem{p.Rule, p.At}
		if !r.seen[key] {
			r.seen[key] = true
			c.Report(p)
		}
	}
}

// imports notes that the application reads more than what is read here.
func (r *reader) imports() {
	v := r.root.get("spring", "config", "import")
	if names := texts(v); len(names) > 0 && len(r.copies) > 0 {
		for i := range names {
			names[i] = bind.HideUser(names[i])
		}
		r.report(schema.Problem{
			Rule: "source/skipped", Severity: schema.Info, At: v.valueAt, Field: "spring.config.import", Got: strings.Join(names, ", "),
			Text: schema.Textf("spring.config.import is not followed: values of %s would win over those of this file", "未读取 spring.config.import：%s 中的值会覆盖本文件", strings.Join(names, ", ")),
			Hint: schema.Textf("name those files as a source of their own, if they hold pools", "若其中写有地址池，请把它们作为单独的来源"),
		})
	}
}

// expand fills in the placeholders of a text that names something.
func (r *reader) expand(text string) (string, bool) {
	return bind.Expand(text, r.vars(text), placeholders)
}

// finish gives the copies away, and problems of other files with the first of them.
func (r *reader) finish() {
	if len(r.copies) > 0 {
		r.result.Copies = slices.Grow(r.result.Copies, len(r.copies))
	}
	r.byName, r.root = nil, nil
	for i, c := range r.copies {
		c.Files = slices.Clone(r.files)
		r.result.Copies = append(r.result.Copies, *c)
		r.copies[i] = nil // its memory is not needed below
	}
	if len(r.elsewhere) == 0 {
		return
	}
	if len(r.result.Copies) > 0 {
		first := &r.result.Copies[0]
		first.Problems = append(first.Problems, r.elsewhere...)
		return
	}
	for _, p := range r.elsewhere {
		p.Text = schema.Text{En: r.files[p.At.File] + ": " + p.Text.En, Zh: r.files[p.At.File] + "：" + p.Text.Zh}
		p.At, p.Related = schema.Span{}, nil
		r.result.Report(p)
	}
}
