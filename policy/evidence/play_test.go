package evidence_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// moment is when changes play.
var moment = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

// play is a change over two small trees, and what lies beside them.
type play struct {
	base, head map[string]string
	beside     map[string]map[string]string // name: files of the repository ../name
	text       string                       // of the pull request
	closed     bool                         // other repositories cannot be opened
}

// readPlay takes a change apart: base/, head/, all/ (both of them), beside/NAME/ and pull-request.
func readPlay(a *txtar.Archive) (p play, rest map[string]string) {
	p = play{base: map[string]string{}, head: map[string]string{}, beside: map[string]map[string]string{}}
	rest = map[string]string{}
	for _, f := range a.Files {
		text := escapes(string(f.Data))
		where, name, _ := strings.Cut(f.Name, "/")
		switch where {
		case "base":
			p.base[name] = text
		case "head":
			p.head[name] = text
		case "all":
			p.base[name], p.head[name] = text, text
		case "beside":
			repo, file, _ := strings.Cut(name, "/")
			if p.beside[repo] == nil {
				p.beside[repo] = map[string]string{}
			}
			p.beside[repo][file] = text
		default:
			rest[f.Name] = text
		}
	}
	for _, files := range []map[string]string{p.base, p.head, rest} {
		for name, text := range files {
			for repo := range p.beside {
				text = strings.ReplaceAll(text, "${COMMIT:"+repo+"}", commitOf(repo))
			}
			files[name] = text
		}
	}
	return p, rest
}

// escapes reads the lines that start with %%, on which \\r and the like count.
func escapes(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest, marked := strings.CutPrefix(line, "%%")
		if !marked {
			b.WriteString(line)
			continue
		}
		if s, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.TrimSuffix(rest, "\n"), `"`, `\"`) + `"`); err == nil {
			rest = s + "\n"
		}
		b.WriteString(rest)
	}
	return b.String()
}

// commitOf is the one commit of a repository beside.
func commitOf(repo string) string { return fmt.Sprintf("%040x", []byte(repo)) }

// outcome is what a change gives.
type outcome struct {
	findings    []schema.Finding
	obligations []evidence.Obligation
	report      *evidence.Report
	copies      int
}

// run judges the change as the command does.
func (p play) run(t testing.TB, adjust ...func(*evidence.Options)) outcome {
	t.Helper()
	ctx := context.Background()
	options := load.Options{Adapters: all.Adapters(), Workers: 1}
	works := map[string]tree.Tree{}
	own := map[string]*schema.Manifest{}
	for name, files := range map[string]map[string]string{"base": p.base, "head": p.head} {
		works[name] = lay(t, files)
		own[name] = manifestOf(t, works[name], files, options)
	}
	u := evidence.Unite(own["base"], own["head"])
	changed := map[string]bool{}
	for _, files := range []map[string]string{p.base, p.head} {
		for name := range files {
			if b, ok := p.base[name]; !ok || b != p.head[name] || p.head[name] == "" {
				changed[name] = true
			}
		}
	}
	o := evidence.Options{Union: u, Rules: rules.All(), Now: moment, Changed: changed, Entire: true, PullRequest: evidence.ReadPullRequest([]byte(p.text))}
	if !p.closed {
		o.Repositories = besides{p.beside}
	}
	var grants *evidence.Grants
	judge := func(name string, m *schema.Manifest) evidence.Tree {
		loaded, err := load.Load(ctx, works[name], m, options)
		if err != nil {
			t.Fatal(err)
		}
		u.Settle(loaded, name == "head")
		a := audit.Options{Rules: rules.All(), Now: moment, Touched: changed, Entire: true, Workers: 1}
		if b, h := own["base"], own["head"]; !b.Discovered && !h.Discovered && (b.File != h.File || p.base[b.File] != p.head[h.File]) {
			a.Own = own[name]
		}
		if grants == nil {
			grants = evidence.GrantsOf(loaded)
		} else if !u.First {
			a.Granted, a.Marked = grants.Granted, grants.Marked
		}
		if own["base"] != nil && own["base"].Discovered != m.Discovered {
			a.Touched = nil
		}
		result, err := audit.Audit(ctx, m, nil, loaded, a)
		if err != nil {
			t.Fatal(err)
		}
		return evidence.Tree{Revision: name, Loaded: loaded, Audit: result}
	}
	o.Base = judge("base", u.Base)
	o.Head = judge("head", u.Head)
	for _, f := range adjust {
		f(&o)
	}
	r, err := evidence.Judge(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.Head.Audit.Findings {
		r.Ahead(&o.Head.Audit.Findings[i])
	}
	r.Status(o.Base.Audit.Findings, o.Head.Audit.Findings, nil)
	out := outcome{findings: append(o.Head.Audit.Findings, r.Findings...), obligations: r.Obligations, report: r, copies: o.Head.Audit.Copies}
	for i := range out.findings {
		f := &out.findings[i]
		text := p.head[f.At.File]
		if f.At.Revision == "base" {
			text = p.base[f.At.File]
		}
		f.At.Line = 1 + bytes.Count([]byte(text)[:min(int(f.At.Span.Start), len(text))], []byte{'\n'})
	}
	return out
}

func lay(t testing.TB, files map[string]string) tree.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	work, err := tree.OpenWork(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { work.Close() })
	return work
}

func manifestOf(t testing.TB, work tree.Tree, files map[string]string, o load.Options) *schema.Manifest {
	t.Helper()
	for _, name := range manifest.Names() {
		if text, ok := files[name]; ok {
			m, problems := manifest.Load(name, []byte(text))
			for _, p := range problems {
				t.Errorf("%s: %s", name, p.Text.En)
			}
			m.File = name
			return &m
		}
	}
	m, err := load.Discover(context.Background(), work, o, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// besides are the repositories beside the change's own, each with one commit.
type besides struct{ repos map[string]map[string]string }

func (b besides) Open(_ context.Context, s *schema.Source) (evidence.Repository, error) {
	name, ok := strings.CutPrefix(s.Repo, "../")
	if files := b.repos[name]; ok && files != nil {
		return beside{name, files, s}, nil
	}
	return nil, fmt.Errorf("the repository %s cannot be opened", s.Repo)
}

type beside struct {
	name   string
	files  map[string]string
	source *schema.Source
}

func (b beside) Reachable(_ context.Context, commit string) (bool, error) {
	return len(commit) >= 7 && strings.HasPrefix(commitOf(b.name), commit), nil
}

func (b beside) Copies(ctx context.Context, _, file string) ([]schema.Copy, error) {
	text, ok := b.files[file]
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", file, fs.ErrNotExist)
	}
	s := *b.source
	s.Repo, s.Files = "", []string{load.EscapePattern(file)}
	l, err := load.Load(ctx, memory{file: text}, &schema.Manifest{Sources: []schema.Source{s}}, load.Options{Adapters: all.Adapters(), Workers: 1})
	if err != nil {
		return nil, err
	}
	var out []schema.Copy
	for _, f := range l.Files {
		out = append(out, f.Result.Copies...)
	}
	return out, nil
}

// memory is a tree of files in memory.
type memory map[string]string

func (m memory) Revision() string { return "" }

func (m memory) List(dir string, _ func(string) bool) ([]tree.Entry, error) {
	var out []tree.Entry
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if dir == "." || dir == "" || name == dir || strings.HasPrefix(name, dir+"/") {
			out = append(out, tree.Entry{Path: name})
		}
	}
	return out, nil
}

func (m memory) Read(name string) ([]byte, error) {
	text, ok := m[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func show(f *schema.Finding) string {
	return fmt.Sprintf("%s %s %s %s:%d %s [%s] want %s got %s", f.Rule, f.Severity, f.At.Side, f.At.File, f.At.Line, f.Message.En, f.Status, f.Want, f.Got)
}
