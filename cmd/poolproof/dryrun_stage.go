package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git"
)

// dry is one run of the command.
type dry struct {
	o       *options
	flags   *dryrunFlags
	request request
	cwd     string // absolute
	stages  []*stage

	runs        []*drill.Run
	comparisons []drill.Comparison
	changes     []drill.Change
	command     []string // gives the same report again
	base        string   // what the head is compared with, as reports name it
	revision    string   // its commit, if it has one
	repos       []*git.Repo
	step        func() // tells that one more scenario was played
	findings    []schema.Finding
	failed      *schema.Text // why the run fails, where its findings are not the reason
	skipped     []drill.Skipped
	all         struct { // what the trees hold
		manifest schema.Manifest
		result   audit.Result
	}
	fates  []fated           // of the stage that is played
	texts  map[string][]byte // of scenario files, by the path that reports show
	headOf *schema.Copy      // what "apply: head" puts in force
}

// stage is a tree and the scenarios that are played on its pools.
type stage struct {
	w    *workspace
	base *workspace // to compare with; nil if nothing is
	// alone: the pools are those of gateway files beside the scenario.
	alone   bool
	scripts []*script
	// builtin: the acceptance cases and bad days are played.
	builtin bool
	prefix  string // of the tree's files in reports
	pools   int    // that can be played
}

// script is a scenario file.
type script struct {
	file     string // as reports show it
	scenario *dryrun.Scenario
	played   bool // on some pool
}

func (d *dry) close() {
	for _, s := range d.stages {
		s.w.close()
		if s.base != nil {
			s.base.close()
		}
	}
	for _, r := range d.repos {
		r.Close()
	}
}

// stage reads the scenarios and finds the tree of each.
func (d *dry) stage(args []string) error {
	var err error
	if d.cwd, err = os.Getwd(); err != nil {
		return notChecked("finding the current folder: %w", err)
	}
	d.texts = map[string][]byte{}
	if len(args) == 0 {
		w, err := d.o.openWorkspace("")
		if err != nil {
			return err
		}
		d.stages = append(d.stages, &stage{w: w, builtin: true})
		return nil
	}
	for _, arg := range args {
		if err := d.stageFile(arg); err != nil {
			return err
		}
	}
	return nil
}

// scenarioFile returns the file that an argument names.
func scenarioFile(arg string) (string, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return "", usage("%s: %w", arg, bare(err))
	}
	if !info.IsDir() {
		return arg, nil
	}
	for _, ending := range []string{".yaml", ".yml", ".json", ".cue"} {
		if name := filepath.Join(arg, "scenario"+ending); isFile(name) {
			return name, nil
		}
	}
	return "", usage("%s is a folder without a scenario.yaml: name the scenario files (the pools are those of the current folder, or of --manifest)", arg)
}

func (d *dry) stageFile(arg string) error {
	name, err := scenarioFile(arg)
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return usage("%s: %w", name, err)
	}
	dir := filepath.Dir(abs)
	files, err := tree.OpenWork(dir)
	if err != nil {
		return notChecked("%w", err)
	}
	defer files.Close()
	text, err := files.Read(filepath.Base(abs))
	if err != nil {
		return notChecked("reading the scenario %s: %w", name, bare(err))
	}
	shown := d.shown(abs)
	if _, twice := d.texts[shown]; twice {
		return nil
	}
	d.texts[shown] = text
	s, problems, ok := dryrun.Read(abs, text)
	d.problems(shown, "", problems)
	if !ok || len(d.flags.scenarios) > 0 && !matchesName(d.flags.scenarios, s.Name) {
		return nil
	}
	return d.place(&script{file: shown, scenario: s}, dir)
}

// shown is the path of a file as reports show it: from the current folder where it lies inside, else as it is.
func (d *dry) shown(abs string) string {
	if rel, ok := inside(d.cwd, abs); ok {
		return rel
	}
	if rel, err := filepath.Rel(d.cwd, abs); err == nil && len(rel) < len(abs) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// place puts a scenario on the stage that it is played on: the files that it names, the tree of the current folder if it
// has a manifest, the tree of its own folder if that has one, the gateway files beside it, else whatever the current
// folder holds.
func (d *dry) place(s *script, dir string) error {
	if len(s.scenario.Config) > 0 {
		return d.alone(s, dir, s.scenario.Config)
	}
	_, here := findManifest(d.cwd)
	switch {
	case d.o.manifest != "":
		return d.shared(s, "")
	case here != "":
		if root, _ := findManifest(d.cwd); within(root, dir) {
			return d.shared(s, "")
		}
	}
	if _, there := findManifest(dir); there != "" {
		return d.shared(s, dir)
	}
	beside, err := gatewayFiles(dir)
	if err != nil {
		return err
	}
	if len(beside) > 0 {
		return d.alone(s, dir, beside)
	}
	return d.shared(s, "")
}

func within(root, dir string) bool {
	_, ok := inside(root, dir)
	return ok
}

// shared adds a scenario to the stage of a workspace.
func (d *dry) shared(s *script, dir string) error {
	w, err := d.o.openWorkspace(dir)
	if err != nil {
		return err
	}
	for _, other := range d.stages {
		if !other.alone && other.w.root == w.root {
			w.close()
			other.scripts = append(other.scripts, s)
			return nil
		}
	}
	w.below = ""
	d.stages = append(d.stages, &stage{w: w, scripts: []*script{s}, prefix: d.prefix(w.root)})
	return nil
}

// alone makes a stage of gateway files beside the scenario.
func (d *dry) alone(s *script, dir string, files []string) error {
	w, err := openBare(dir)
	if err != nil {
		return err
	}
	st := &stage{w: w, alone: true, scripts: []*script{s}, prefix: d.prefix(dir)}
	d.stages = append(d.stages, st)
	w.manifest.Discovered, w.manifest.File = true, s.file // the scenario stands for the manifest
	for _, name := range files {
		clean := path.Clean(filepath.ToSlash(name))
		if strings.HasPrefix(clean, "../") || clean == ".." || path.IsAbs(clean) {
			d.problems(s.file, "", []schema.Problem{{Rule: "schema/invalid", Got: name,
				Text: schema.Textf("config %q leads out of the scenario's folder", "config %q 指向场景所在文件夹之外", name),
				Hint: schema.Textf("put the file beside the scenario", "请把文件放在场景旁")}})
			continue
		}
		data, err := w.tree.Read(clean)
		if err != nil {
			d.problems(s.file, "", []schema.Problem{{Rule: "source/unreadable", Got: name,
				Text: schema.Textf("config %q cannot be read: %v", "config %q 无法读取：%v", name, bare(err))}})
			continue
		}
		source := schema.Source{Side: schema.Gateway, Files: []string{load.EscapePattern(clean)}}
		if a, ok := load.Detect(all.Adapters(), clean, data, ""); ok {
			source.Format = a.Name
		}
		w.manifest.Sources = append(w.manifest.Sources, source)
	}
	return nil
}

// prefix is what stands before the paths of a tree in reports.
func (d *dry) prefix(root string) string {
	if p := d.shown(root); p != "" && p != "." {
		return p
	}
	return ""
}

// gatewayFiles lists the files of one folder that hold a gateway's or a native configuration.
func gatewayFiles(dir string) ([]string, error) {
	t, err := tree.OpenWork(dir)
	if err != nil {
		return nil, notChecked("%w", err)
	}
	defer t.Close()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, notChecked("looking for configurations beside the scenario: %w", err)
	}
	var files []string
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		data, err := t.Read(e.Name())
		if err != nil {
			continue
		}
		if a, ok := load.Detect(all.Adapters(), e.Name(), data, ""); ok && slices.Contains(a.Sides, schema.Gateway) {
			files = append(files, e.Name())
		}
	}
	return files, nil
}

// problems turns what is wrong in a scenario into findings.
func (d *dry) problems(file, pool string, list []schema.Problem) {
	for i := range list {
		p := &list[i]
		f := schema.Finding{Rule: p.Rule, Severity: p.Severity, Pool: pool, Field: p.Field, Member: p.Member, Message: p.Text, Hint: p.Hint, Got: p.Got, Want: p.Want,
			At: schema.Place{File: file, Span: p.At}, Status: schema.New}
		if f.Severity == schema.DefaultSeverity {
			f.Severity = schema.Error
		}
		for _, n := range p.Related {
			f.Related = append(f.Related, schema.Related{Place: schema.Place{File: file, Span: n.At}, Label: n.Label})
		}
		d.findings = append(d.findings, f)
	}
}
