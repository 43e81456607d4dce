package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/patch"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// locate works out the lines and columns of what is left, and puts everything in the order of files and places.
func (a *aligner) locate() {
	findings := make([]schema.Finding, len(a.left))
	for i := range a.left {
		findings[i].At = a.left[i].at
	}
	tree := a.w.source()
	report.Locate(findings, func(p schema.Place) ([]byte, bool) {
		if a.readers != nil {
			if f := a.readers.others[p.File]; f != nil {
				t, inner := f.Other()
				text, err := t.Read(inner)
				return text, err == nil
			}
		}
		return tree(p)
	})
	for i := range a.left {
		a.left[i].at = findings[i].At
	}
	slices.SortStableFunc(a.files, func(x, y *alignedFile) int { return cmp.Compare(x.path, y.path) })
	slices.SortStableFunc(a.left, func(x, y leftOver) int {
		return cmp.Or(cmp.Compare(x.at.File, y.at.File), cmp.Compare(x.at.Span.Start, y.at.Span.Start), cmp.Compare(x.pool, y.pool), cmp.Compare(x.env, y.env),
			cmp.Compare(x.item, y.item), cmp.Compare(x.field, y.field), cmp.Compare(x.member, y.member))
	})
}

// locate places the edits of a file. Both ends are looked at by themselves: a line break at the end counts here.
func (f *alignedFile) locate() {
	ends := make([]schema.Finding, 2*len(f.edits))
	for i := range f.edits {
		at := schema.Place{Side: f.side, File: f.path}
		at.Span = schema.At(f.edits[i].Start, f.edits[i].Start)
		ends[2*i].At = at
		at.Span = schema.At(f.edits[i].End, f.edits[i].End)
		ends[2*i+1].At = at
	}
	report.Locate(ends, func(schema.Place) ([]byte, bool) { return f.old, true })
	f.places = make([]schema.Place, len(f.edits))
	for i := range f.places {
		f.places[i] = ends[2*i].At
		f.places[i].Span.End = ends[2*i+1].At.Span.End
		f.places[i].EndLine, f.places[i].EndColumn = ends[2*i+1].At.Line, ends[2*i+1].At.Column
	}
}

// writeDiff prints the edits as a diff.
func (a *aligner) writeDiff(out io.Writer) error {
	// Paths of diffs of git start at the root of the repository, others where they are applied.
	opts := patch.Options{Git: a.w.prefix == ""}
	if a.o.outputFile() == "" && a.o.env.outTerminal {
		opts.Show, opts.Color = shownLine, a.o.color()
	}
	for _, f := range a.files {
		if err := patch.Write(out, patch.File{Path: f.path, Old: f.old, Changes: f.changes()}, opts); err != nil {
			return err
		}
	}
	return nil
}

// shownLine is a line of a file as a terminal may have it.
func shownLine(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = report.ShownText(parts[i])
	}
	return strings.Join(parts, "\t")
}

// writeWritten prints which files were written.
func (a *aligner) writeWritten(out io.Writer) error {
	var b strings.Builder
	for _, f := range a.files {
		if f.written {
			a.line(&b, schema.Textf("%s is written (edits: %d)", "已写入 %s（修改 %d 处）", f.path, len(f.edits)))
			a.settled(&b, f)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// settled lists with -v what the edits of a file settle.
func (a *aligner) settled(b *strings.Builder, f *alignedFile) {
	if !a.o.verbose {
		return
	}
	for i := range f.edits {
		e := &f.edits[i]
		b.WriteString("  ")
		a.line(b, schema.Textf("%s:%d:%d: %s: %s", "%s:%d:%d: %s: %s", f.path, f.places[i].Line, f.places[i].Column, poolName(e.Pool, e.Env), e.Settles))
	}
}

func (a *aligner) line(b *strings.Builder, t schema.Text) {
	b.WriteString(report.ShownText(t.In(a.request.lang)))
	b.WriteByte('\n')
}

func poolName(pool, env string) string {
	if env != "" {
		return pool + " (" + env + ")"
	}
	return pool
}

// tell says on standard error what is left, and what to do next.
func (a *aligner) tell() {
	var b strings.Builder
	for i := range a.left {
		a.line(&b, a.left[i].text())
	}
	for _, o := range a.owing() {
		a.line(&b, schema.Textf("%s: the members of %s change there, and since when is for a person to write (Effective: TIME)", "%s：其中 %s 的成员有变，生效时刻须由人填写（生效时刻：时间）", o.file, o.pool))
	}
	if !a.o.quiet {
		a.summary(&b)
	}
	io.WriteString(a.o.env.err, b.String())
}

// summary says in a few lines how things stand.
func (a *aligner) summary(b *strings.Builder) {
	for _, s := range a.skipped() {
		a.line(b, schema.Textf("not looked at: %s: %s", "未检查：%s：%s", s.What, s.Why))
	}
	if a.silent > 0 {
		a.line(b, schema.Textf("values that differ between copies of which none decides: %d; poolproof check shows them", "有 %d 处取值不同而没有哪一方有决定权；用 poolproof check 查看", a.silent))
	}
	files := len(a.files)
	switch {
	case files == 0 && len(a.left) == 0 && a.result != nil && a.result.Pools > 0:
		a.line(b, schema.Textf("nothing to align: pools: %d, copies: %d", "无需修改：池 %d 个，副本 %d 份", a.result.Pools, a.result.Copies))
	case files == 0 && len(a.left) == 0:
	case a.write:
		written, edits := 0, 0
		for _, f := range a.files {
			if f.written {
				written, edits = written+1, edits+len(f.edits)
			}
		}
		a.line(b, schema.Textf("edits made: %d, in files: %d; left: %d", "已修改 %d 处，涉及文件 %d 个；未处理 %d 处", edits, written, len(a.left)))
		if written > 0 {
			a.line(b, schema.Textf("now run: poolproof check", "接下来请运行：poolproof check"))
		}
	case files > 0:
		for _, f := range a.files {
			a.settled(b, f)
		}
		how := schema.Textf("--write makes them, and so does git apply", "用 --write 写入，或用 git apply 应用")
		if dir := a.folder(); dir != "." {
			how = schema.Textf("--write makes them, and so does git apply in %s", "用 --write 写入，或在 %s 中用 git apply 应用", dir)
		}
		a.line(b, schema.Textf("edits: %d, in files: %d; left: %d; %s", "修改 %d 处，涉及文件 %d 个；未处理 %d 处；%s", a.edits(), files, len(a.left), how))
	case len(a.left) > 0:
		a.line(b, schema.Textf("no edits; left: %d", "没有可做的修改；未处理 %d 处", len(a.left)))
	}
}

// skipped are the other repositories that were not read.
func (a *aligner) skipped() []load.Skip {
	if a.loaded == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.loaded.Skipped), func(s load.Skip) bool {
		return !slices.ContainsFunc(a.w.manifest.Sources, func(x schema.Source) bool { return x.Repo != "" && x.Repo == s.What })
	})
}

// folder is the root as it is called from where the command runs, "." for that folder itself.
func (a *aligner) folder() string {
	here, err := filepath.Abs(".")
	if err != nil {
		return a.w.root
	}
	rel, err := filepath.Rel(here, a.w.root)
	if err != nil {
		return a.w.root
	}
	return rel
}

// text says what is left, where and why.
func (l *leftOver) text() schema.Text {
	if l.item == schema.NoItem {
		return schema.Textf("left: %s", "未处理：%s", l.why) // which names the file
	}
	at := l.at.File
	if l.at.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", at, l.at.Line, l.at.Column)
	}
	what := l.what()
	return schema.Textf("left: %s: %s: %s: %s", "未处理：%s：%s：%s：%s", at, poolName(l.pool, l.env), what, l.why)
}

// what words the difference.
func (l *leftOver) what() schema.Text {
	name := l.item.String()
	switch {
	case l.edit.En != "":
		return l.edit
	case l.item == schema.Members && l.field == "" && l.got == "":
		return schema.Textf("%s is missing", "缺少 %s", cmp.Or(l.member, l.want))
	case l.item == schema.Members && l.field == "" && l.want == "":
		return schema.Textf("%s is too much", "多出 %s", cmp.Or(l.member, l.got))
	case l.item == schema.Members:
		name = strings.TrimSpace(l.member + " " + l.field)
	case l.field != "":
		name += "." + l.field
	}
	return schema.Textf("%s is %s, not %s", "%s 为 %s，应为 %s", name, schema.Spoken(l.item, l.got), schema.Spoken(l.item, l.want))
}
