package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/live"
	gateways "github.com/poolproof/poolproof/sources/live/all"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

var readmes = []string{"../../README.md", "../../README.zh-CN.md"}

// block is a fenced block of code.
type block struct {
	info, text string
	line       int
}

// page is what two pages in different languages have in common.
type page struct {
	text   string
	blocks []block
	// outline has one entry for each heading ("#", "##", ...), block ("``` sh"), list item ("-") and table row ("|3", with
	// its number of cells), in order.
	outline []string
}

func readPage(t *testing.T, file string) page {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := page{text: string(data)}
	open := false
	for i, line := range strings.Split(p.text, "\n") {
		switch info, fence := strings.CutPrefix(line, "```"); {
		case fence && !open:
			p.blocks = append(p.blocks, block{info: info, line: i + 1})
			p.outline = append(p.outline, "``` "+info)
			open = true
		case fence:
			open = false
		case open:
			p.blocks[len(p.blocks)-1].text += line + "\n"
		case strings.HasPrefix(line, "#"):
			p.outline = append(p.outline, line[:strings.IndexByte(line, ' ')])
		case strings.HasPrefix(line, "- "):
			p.outline = append(p.outline, "-")
		case strings.HasPrefix(line, "|"):
			p.outline = append(p.outline, "|"+strings.Repeat("x", strings.Count(line, "|")-1))
		}
	}
	if open || len(p.blocks) < 8 {
		t.Fatalf("%s: a block does not end, or there are only %d", file, len(p.blocks))
	}
	return p
}

// TestReadmesInStep: both pages have the same headings, blocks, lists and table rows in the same order, and the blocks
// say the same, comments and documents apart.
func TestReadmesInStep(t *testing.T) {
	en, zh := readPage(t, readmes[0]), readPage(t, readmes[1])
	for i := range min(len(en.outline), len(zh.outline)) {
		if en.outline[i] != zh.outline[i] {
			t.Fatalf("part %d: %q in English, %q in Chinese", i, en.outline[i], zh.outline[i])
		}
	}
	if len(en.outline) != len(zh.outline) {
		t.Fatalf("%d parts in English, %d in Chinese", len(en.outline), len(zh.outline))
	}
	comment := regexp.MustCompile(`(?m)\s*#.*$`)
	for i := range en.blocks {
		a, b := en.blocks[i], zh.blocks[i]
		if a.info == "sh" || a.info == "yaml" {
			a.text, b.text = comment.ReplaceAllString(a.text, ""), comment.ReplaceAllString(b.text, "")
		}
		if a.info != "markdown" && a.text != b.text {
			t.Errorf("the blocks at lines %d and %d differ", a.line, b.line)
		}
	}
}

// TestReadmeSample: the sample output is a part of what the demo prints.
func TestReadmeSample(t *testing.T) {
	demo := demoOutput(t, "en")
	for _, file := range readmes {
		found := false
		for _, b := range readPage(t, file).blocks {
			if b.info == "text" {
				found = true
				if !strings.Contains(demo, "\n\n"+b.text+"\n") {
					t.Errorf("%s:%d: the demo prints no such finding", file, b.line)
				}
			}
		}
		if !found {
			t.Errorf("%s shows no output", file)
		}
	}
}

// TestReadmeSettings: every snippet of YAML and every document is accepted by what reads it.
func TestReadmeSettings(t *testing.T) {
	known := rules.Known(rules.All())
	for _, file := range readmes {
		read, watched := 0, 0
		for _, b := range readPage(t, file).blocks {
			switch {
			case b.info == "yaml" && strings.HasPrefix(b.text, "# poolproof.yaml\n"):
				read++
				text := b.text
				if !strings.Contains(text, "\nsources:\n") {
					text += "sources: [{side: doc, files: [\"*.md\"]}]\n"
				}
				m, problems := manifest.Load("poolproof.yaml", []byte(text))
				for _, p := range problems {
					t.Errorf("%s:%d: %s: %s", file, b.line, p.Rule, p.Text.En)
				}
				for _, s := range m.Severity {
					if !known(s.Rule) {
						t.Errorf("%s:%d: there is no rule %s", file, b.line, s.Rule)
					}
				}
				watched += watchable(t, file, b, &m)
				for _, e := range m.Exceptions {
					if !known(e.Rule) {
						t.Errorf("%s:%d: there is no rule %s", file, b.line, e.Rule)
					}
				}
			case b.info == "yaml" && drillName(b) != "":
				read++
				if _, problems, ok := dryrun.Read(drillName(b), []byte(b.text)); !ok || len(problems) > 0 {
					t.Errorf("%s:%d: %v", file, b.line, problems)
				}
			case b.info == "yaml" && strings.HasPrefix(b.text, "# ."):
				// The settings of a CI; tests of ci run them.
			case b.info == "yaml" && b.name() == mappedFile:
				// TestReadmeMapped reads it by the map beside it.
			case b.info == "yaml":
				read++
				readBlock(t, file, b, "poolproof", schema.App, schema.Members, schema.Cooldown)
			case b.info == "markdown" && strings.HasPrefix(b.text, "---\n"):
				read++
				readBlock(t, file, b, "change-order", schema.Order, schema.Ramp)
			case b.info == "markdown":
				read++
				readBlock(t, file, b, "markdown", schema.Doc, schema.Members, schema.Probe)
			}
		}
		if read < 6 || watched == 0 {
			t.Errorf("%s: only %d snippets, %d gateways and sinks", file, read, watched)
		}
	}
}

// watchable makes the readers of gateways and the sinks that a snippet names, and returns how many there are.
func watchable(t *testing.T, file string, b block, m *schema.Manifest) int {
	t.Helper()
	env := func(string) (string, bool) { return "https://hooks.example.com/token", true }
	for _, g := range m.Live {
		if _, err := live.New(gateways.Kinds(), g, live.Options{Env: env}); err != nil {
			t.Errorf("%s:%d: %v", file, b.line, err)
		}
	}
	sinks, err := alert.Open(m.Alerts, alert.Config{Root: t.TempDir(), Env: env})
	if err != nil {
		t.Errorf("%s:%d: %v", file, b.line, err)
	}
	return len(m.Live) + len(sinks)
}

// name is the file that a block shows, which its first line says.
func (b block) name() string {
	first, _, _ := strings.Cut(b.text, "\n")
	name, _ := strings.CutPrefix(first, "# ")
	return name
}

// drillName is the file of a block that holds a scenario, "" for others.
func drillName(b block) string {
	if name := b.name(); strings.HasPrefix(name, "drills/") {
		return name
	}
	return ""
}

// layOutPage makes the repository that the commands of a page run in: the example's files without the manifest, committed
// to a branch main, and the page's scenarios.
func layOutPage(t *testing.T, repository string, p page) {
	t.Helper()
	if err := layOut(repository); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(repository, "poolproof.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "example"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = repository
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	for _, b := range p.blocks {
		name := drillName(b)
		if name == "" {
			continue
		}
		file := filepath.Join(repository, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(b.text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readBlock reads a block by an adapter, which must find the items and nothing wrong.
func readBlock(t *testing.T, file string, b block, format string, side schema.Side, items ...schema.Item) {
	t.Helper()
	adapters := all.Adapters()
	i := slices.IndexFunc(adapters, func(a sources.Adapter) bool { return a.Name == format })
	if i < 0 {
		t.Fatalf("no adapter %s", format)
	}
	name := "block.md"
	if b.info == "yaml" {
		name = "block.yaml"
	}
	r := adapters[i].Read(sources.Input{Path: name, Data: []byte(b.text), Source: &schema.Source{Side: side, Format: format}})
	problems := r.Problems
	states := map[schema.Item]bool{}
	for i := range r.Copies {
		problems = append(problems, r.Copies[i].Problems...)
		for _, item := range items {
			states[item] = states[item] || r.Copies[i].States(item)
		}
	}
	for _, p := range problems {
		t.Errorf("%s:%d: %s: %s", file, b.line, p.Rule, p.Text.En)
	}
	for _, item := range items {
		if !states[item] {
			t.Errorf("%s:%d: %s finds no %s", file, b.line, format, item)
		}
	}
}

// changeOf makes a repository with a change of its gateway: what was there before is origin/main.
func changeOf(t *testing.T, repository string) {
	t.Helper()
	gittest.Run(t, repository, "init", "-q", "-b", "change")
	gittest.Run(t, repository, "add", "-A")
	gittest.Run(t, repository, "commit", "-q", "-m", "base")
	gittest.Run(t, repository, "update-ref", "refs/remotes/origin/main", "HEAD")
	file := filepath.Join(repository, "gateway", "haproxy.cfg")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, "    server added 10.9.9.9:8080 check\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, repository, "commit", "-q", "-am", "change")
}

// notRun are the commands of the pages that no test can run: one needs a release on the network, the other runs this
// very test.
var notRun = []string{"go install github.com/poolproof/poolproof/cmd/poolproof@latest", "make test"}

// TestReadmeCommands runs every command of the pages: those of Go in the module, those of poolproof in a repository that
// has the example's files and no manifest yet. check may find something; everything else must succeed.
func TestReadmeCommands(t *testing.T) {
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	built := map[string]bool{} // commands of Go, which both pages have and which take their time
	for _, file := range readmes {
		repository := filepath.Join(t.TempDir(), "repository")
		page := readPage(t, file)
		layOutPage(t, repository, page)
		changeOf(t, repository)
		ran, skipped := 0, map[string]bool{}
		for _, b := range page.blocks {
			if b.info != "sh" || walked(b) {
				continue
			}
			for _, line := range strings.Split(b.text, "\n") {
				command, _, _ := strings.Cut(line, " #")
				command = strings.TrimSpace(command)
				if command == "" {
					continue
				}
				if slices.Contains(notRun, command) {
					skipped[command] = true
					continue
				}
				words := strings.Fields(command)
				cmd := exec.Command(words[0], words[1:]...)
				cmd.Dir = repository
				switch words[0] {
				case "go":
					if built[command] {
						ran++
						continue
					}
					built[command] = true
					cmd.Dir = "../.."
				case "poolproof":
					if command == "poolproof watch" {
						watchDaemon(t, repository)
						ran++
						continue
					}
					if command == "poolproof alerts test" {
						addSink(t, repository)
					}
				default:
					t.Errorf("%s:%d: no way to run %q", file, b.line, command)
					continue
				}
				cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "XDG_CACHE_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir(), "GOCACHE="+strings.TrimSpace(string(goCache)))
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				var exit *exec.ExitError
				found := errors.As(err, &exit) && exit.ExitCode() == exitFindings && len(words) > 1 && slices.Contains([]string{"check", "ci", "watch", "align"}, words[1])
				if err != nil && !found || len(out) == 0 {
					t.Errorf("%s:%d: %s: %v, %d bytes\n%s", file, b.line, command, err, len(out), stderr.String())
				}
				ran++
			}
		}
		if ran < 5 || len(skipped) != len(notRun) {
			t.Errorf("%s: %d commands ran, %d were skipped", file, ran, len(skipped))
		}
		for _, report := range []string{"poolproof.yaml", "poolproof.sarif", "poolproof.xml", "dryrun.html"} {
			if _, err := os.Stat(filepath.Join(repository, report)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
