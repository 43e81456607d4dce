package git_test

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

func mergeBase(t testing.TB, r *git.Repo, base, head string) (git.Commit, error) {
	t.Helper()
	return r.MergeBase(resolve(t, r, base), resolve(t, r, head))
}

// TestChangesOfARequest holds that comparing the trees of the merge base and of the head shows what a request changes,
// however its commits came about.
func TestChangesOfARequest(t *testing.T) {
	for _, c := range []struct {
		name string
		// make gets main with the files f and g, on the branch req, and returns the head.
		make func(r *gittest.Repo) string
		want string
	}{
		{"the merge commit that CI checks out", func(r *gittest.Repo) string {
			r.Save("f", "2")
			r.Git("checkout", "-q", "main")
			r.Save("g", "of others")
			r.Git("checkout", "-q", "--detach", "main")
			return r.Merge("req")
		}, "[M f]"},
		{"a change inside a merge commit", func(r *gittest.Repo) string {
			r.Git("checkout", "-q", "main")
			r.Save("g", "of others")
			r.Git("checkout", "-q", "req")
			r.Save("f", "2")
			r.Git("merge", "-q", "--no-commit", "--no-ff", "main")
			return r.Save("evil", "1")
		}, "[A evil M f]"},
		{"a branch merged into the request", func(r *gittest.Repo) string {
			r.Git("checkout", "-q", "-b", "helper")
			r.Save("h", "1")
			r.Git("checkout", "-q", "req")
			return r.Merge("helper")
		}, "[A h]"},
		{"base merged back", func(r *gittest.Repo) string {
			r.Save("f", "2")
			r.Git("checkout", "-q", "main")
			r.Save("g", "of others")
			r.Git("checkout", "-q", "req")
			r.Merge("main")
			return r.Save("f", "3")
		}, "[M f]"},
		{"an octopus", func(r *gittest.Repo) string {
			for _, b := range []string{"a", "b", "c"} {
				r.Git("checkout", "-q", "-b", b, "main")
				r.Save(b, "1")
			}
			r.Git("checkout", "-q", "req")
			return r.Merge("a", "b", "c")
		}, "[A a A b A c]"},
		{"squashed", func(r *gittest.Repo) string {
			r.Save("f", "2")
			r.Save("f", "3")
			r.Git("checkout", "-q", "--detach", "main")
			r.Git("merge", "-q", "--squash", "req")
			return r.Commit("squashed")
		}, "[M f]"},
		{"force-pushed", func(r *gittest.Repo) string {
			r.Save("f", "2")
			r.Git("reset", "-q", "--hard", "HEAD~1")
			return r.Save("g", "2")
		}, "[M g]"},
		{"undone", func(r *gittest.Repo) string { r.Save("f", "2"); return r.Save("f", "1") }, "[]"},
		{"skip ci in a message", func(r *gittest.Repo) string {
			r.Write("f", "2")
			return r.Commit("harmless [skip ci] [no ci]")
		}, "[M f]"},
		{"renamed, and renamed in case only", func(r *gittest.Repo) string {
			r.Git("mv", "f", "deep")
			r.Git("mv", "g", "G")
			return r.Commit("moves")
		}, "[A G A deep D f D g]"},
		{"names that git quotes, and settings of git diff", func(r *gittest.Repo) string {
			for _, kv := range []string{"diff.noprefix=true", "diff.renames=false", "core.quotePath=true", "core.precomposeUnicode=true"} {
				key, value, _ := strings.Cut(kv, "=")
				r.Git("config", key, value)
			}
			r.Write("池/naïve \"x\"\t\n\x1b.yaml", "1")
			r.Write("\xff\xfe", "1")
			return r.Save("池/"+strings.Repeat("长", 80), "1")
		}, "[A 池/naïve \"x\"\t\n\x1b.yaml A 池/" + strings.Repeat("长", 80) + " A \xff\xfe]"},
		{"300 files", func(r *gittest.Repo) string {
			for i := range 300 {
				r.Write(fmt.Sprintf("many/%03d", i), "1")
			}
			r.Commit("many")
			r.Git("rm", "-q", "-r", "many")
			return r.Commit("none")
		}, "[]"},
		{"executable", func(r *gittest.Repo) string {
			r.Git("update-index", "--chmod=+x", "f")
			r.Git("commit", "-q", "-m", "mode")
			return r.Rev("HEAD")
		}, "[M f]"},
		{"a file becomes a folder, a folder a link", func(r *gittest.Repo) string {
			r.Git("rm", "-q", "-r", "f", "d")
			r.Write("f/in", "1")
			r.Link("f", "d")
			return r.Commit("kinds")
		}, "[A d D d/x D f A f/in]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := gittest.New(t)
			r.Write("f", "1")
			r.Write("d/x", "1")
			r.Save("g", "1")
			r.Git("checkout", "-q", "-b", "req")
			head := c.make(r)
			// As hosts have it: refs, and a detached head.
			r.Git("checkout", "-q", "-f", "--detach", head)
			// What lies about in the work tree is of no account.
			r.Write("g", "dirty")
			r.Write("d/untracked", "dirty")
			r.Git("add", "-A")
			g := open(t, r.Dir)
			mb, err := mergeBase(t, g, "main", "HEAD")
			if err != nil {
				t.Fatal(err)
			}
			same(t, "merge base", mb, r.Git("merge-base", "main", "HEAD"))
			before, err := g.Tree(mb, ".")
			if err != nil {
				t.Fatal(err)
			}
			same(t, "changes", changes(t, before, at(t, g, "HEAD", ".")), c.want)
		})
	}
}

func TestCrissCross(t *testing.T) {
	r := gittest.New(t)
	r.Save("f", "1")
	r.Git("checkout", "-q", "-b", "a")
	a1 := r.Save("a", "1")
	r.Git("checkout", "-q", "-b", "b", "main")
	b1 := r.Save("b", "1")
	r.Merge("a")
	r.Git("checkout", "-q", "a")
	r.Merge(b1)
	g := open(t, r.Dir)
	if n := strings.Count(r.Git("merge-base", "--all", "a", "b"), "\n"); n != 1 {
		t.Fatalf("%d lines", n)
	}
	for _, pair := range [][2]string{{"a", "b"}, {"b", "a"}} {
		mb, err := mergeBase(t, g, pair[0], pair[1])
		if err != nil || mb.String() != b1 {
			t.Errorf("%s, %v; want the newer %s, not %s", mb, err, b1, a1)
		}
	}
}

func TestUnrelated(t *testing.T) {
	r := gittest.New(t)
	r.Save("f", "1")
	r.Git("checkout", "-q", "--orphan", "other")
	r.Save("f", "2")
	_, err := mergeBase(t, open(t, r.Dir), "main", "other")
	wantTrouble(t, err, git.Unrelated, "")
	// Wholly fetched, shallow or not, they have nothing in common.
	c := r.Clone("--depth=5", "--no-single-branch")
	_, err = mergeBase(t, open(t, c.Dir), "origin/main", "origin/other")
	wantTrouble(t, err, git.Unrelated, "")
}

func TestShallow(t *testing.T) {
	r := gittest.New(t)
	for i := range 4 {
		r.Save("f", fmt.Sprint(i))
	}
	r.Git("checkout", "-q", "-b", "req")
	for i := range 4 {
		r.Save("r", fmt.Sprint(i))
	}
	r.Git("checkout", "-q", "main")
	fork := r.Rev("HEAD")
	r.Save("f", "later")
	for depth, ok := range map[int]bool{1: false, 2: false, 3: false, 5: true, 6: true} {
		c := r.Clone(fmt.Sprintf("--depth=%d", depth), "--no-single-branch")
		mb, err := mergeBase(t, open(t, c.Dir), "origin/main", "origin/req")
		if ok {
			if err != nil || mb.String() != fork {
				t.Errorf("depth %d: %s, %v", depth, mb, err)
			}
			continue
		}
		tr := wantTrouble(t, err, git.Shallow, "git fetch --unshallow origin")
		if !strings.Contains(tr.What.En, "fetch-depth: 0") {
			t.Error(tr.What.En)
		}
		c.Shell(tr.Mend)
		if mb, err = mergeBase(t, open(t, c.Dir), "origin/main", "origin/req"); err != nil || mb.String() != fork {
			t.Errorf("depth %d, mended: %s, %v", depth, mb, err)
		}
	}
	c := r.Clone("--depth=2", "--no-single-branch")
	g := open(t, c.Dir)
	_, err := g.Resolve("origin/req~3")
	c.Shell(wantTrouble(t, err, git.Shallow, "git fetch --unshallow origin").Mend)
	resolve(t, open(t, c.Dir), "origin/req~3")
	if !g.Shallow() || open(t, c.Dir).Shallow() {
		t.Error("shallow or not")
	}
}

func TestContains(t *testing.T) {
	r := gittest.New(t)
	first := r.Save("f", "1")
	r.Git("checkout", "-q", "-b", "side")
	side := r.Save("g", "1")
	r.Git("checkout", "-q", "main")
	second := r.Save("f", "2")
	g := open(t, r.Dir)
	for _, c := range []struct {
		ref, commit string
		want        bool
	}{{"main", first, true}, {"main", second, true}, {"main", side, false}, {"side", first, true}, {"side", second, false}, {"side", side, true}, {"main~1", second, false}} {
		got, err := g.Contains(c.ref, resolve(t, g, c.commit))
		if err != nil || got != c.want {
			t.Errorf("%s holds %.7s: %t, %v", c.ref, c.commit, got, err)
		}
	}
	c := r.Clone("--depth=1", "--no-single-branch")
	s := open(t, c.Dir)
	_, err := s.Contains("origin/main", resolve(t, s, "origin/side"))
	wantTrouble(t, err, git.Shallow, "git fetch --unshallow origin")
	if ok, err := s.Contains("origin/main", resolve(t, s, "origin/main")); !ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
	_, err = s.Contains("gone", resolve(t, s, "origin/main"))
	var tr *git.Trouble
	if !errors.As(err, &tr) || tr.Kind != git.UnknownRevision {
		t.Error(err)
	}
}

// TestReplacedObjectsStay has replace refs and grafts, which make git itself show another history.
func TestReplacedObjectsStay(t *testing.T) {
	r := gittest.New(t)
	first := r.Save("f", "1")
	second := r.Save("f", "2")
	lie := r.CommitTree(r.Rev("HEAD~1^{tree}"))
	r.Git("replace", second, lie)
	r.Write(".git/info/grafts", second+"\n")
	if r.Git("log", "--format=%H", "HEAD") == second+"\n"+first {
		t.Fatal("git does not follow the lie")
	}
	g := open(t, r.Dir)
	same(t, "history", resolve(t, g, "HEAD~1"), first)
	same(t, "content", listing(t, at(t, g, "HEAD", "."), "."), "[f 2]")
}

// randomHistory makes commits with random parents on branches b0, b1 and so on. Some dates are wrong if so wished.
func randomHistory(t testing.TB, rng *rand.Rand, n int, wrong bool) (*gittest.Repo, [][]int) {
	r := gittest.New(t)
	parents := make([][]int, n)
	var s strings.Builder
	for i := range n {
		date := gittest.Epoch + int64(i)*60
		if wrong && rng.Intn(3) == 0 {
			date += int64(rng.Intn(8000) - 4000)
		}
		fmt.Fprintf(&s, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@x> %d +0000\ndata 1\nx\n", i, i+1, date)
		seen := map[int]bool{}
		for k := rng.Intn(4); k > 0 && i > 0; k-- {
			p := max(0, i-1-rng.Intn(8))
			if seen[p] {
				continue
			}
			word := "merge"
			if len(seen) == 0 {
				word = "from"
			}
			fmt.Fprintf(&s, "%s :%d\n", word, p+1)
			seen[p] = true
			parents[i] = append(parents[i], p)
		}
		fmt.Fprintf(&s, "M 100644 inline f\ndata %d\n%d\n", len(fmt.Sprint(i)), i)
	}
	r.Pipe(s.String(), "fast-import", "--quiet")
	return r, parents
}

// bestOf works the best common ancestors out by brute force.
func bestOf(parents [][]int, a, b int) map[int]bool {
	var up func(i int, seen map[int]bool) map[int]bool
	up = func(i int, seen map[int]bool) map[int]bool {
		for _, p := range parents[i] {
			if !seen[p] {
				seen[p] = true
				up(p, seen)
			}
		}
		return seen
	}
	ofA, ofB := up(a, map[int]bool{a: true}), up(b, map[int]bool{b: true})
	best := map[int]bool{}
	for i := range parents {
		if ofA[i] && ofB[i] {
			best[i] = true
		}
	}
	for i := range parents {
		if best[i] {
			for j := range up(i, map[int]bool{}) {
				delete(best, j)
			}
		}
	}
	return best
}

// TestMergeBaseIsBest compares with brute force on random histories with wrong dates.
func TestMergeBaseIsBest(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 10 {
		const n = 40
		r, parents := randomHistory(t, rng, n, true)
		g := open(t, r.Dir)
		numbers := map[string]int{}
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("b", i)
			numbers[resolve(t, g, names[i]).String()] = i
		}
		for a := range n {
			for b := range a {
				best := bestOf(parents, a, b)
				got, err := mergeBase(t, g, names[a], names[b])
				if (err == nil) != (len(best) > 0) || err == nil && !best[numbers[got.String()]] {
					t.Fatalf("%d %d: %d, %v; want one of %v in %v", a, b, numbers[got.String()], err, best, parents)
				}
			}
		}
	}
}

// TestMergeBaseIsGits compares with git on random histories.
func TestMergeBaseIsGits(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	several := 0
	for range 4 {
		const n = 30
		r, _ := randomHistory(t, rng, n, true)
		g := open(t, r.Dir)
		for range 25 {
			a, b := fmt.Sprintf("b%d", rng.Intn(n)), fmt.Sprintf("b%d", rng.Intn(n))
			out, failed := r.Try("", "merge-base", "--all", a, b)
			if strings.Contains(out, "\n") {
				several++
			}
			got, err := mergeBase(t, g, a, b)
			var tr *git.Trouble
			if failed != nil {
				if !errors.As(err, &tr) || tr.Kind != git.Unrelated {
					t.Errorf("%s %s: %s, %v; git finds nothing", a, b, got, err)
				}
			} else if err != nil || !strings.Contains(out, got.String()) {
				t.Errorf("%s %s: %s, %v; git says %s", a, b, got, err, out)
			}
		}
	}
	if several < 1 {
		t.Errorf("%d with several bases: the histories are too simple", several)
	}
}

// TestCutHistoriesNeverLie cuts random histories off: what is found must be what the whole history gives.
func TestCutHistoriesNeverLie(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	troubles, answers := 0, 0
	for range 3 {
		const n = 40
		r, _ := randomHistory(t, rng, n, false)
		whole := open(t, r.Dir)
		for range 60 {
			var ends strings.Builder
			for range 1 + rng.Intn(6) {
				ends.WriteString(resolve(t, whole, fmt.Sprintf("b%d", rng.Intn(n))).String() + "\n")
			}
			r.Write(".git/shallow", ends.String())
			cut := open(t, r.Dir)
			a, b := fmt.Sprintf("b%d", n-1-rng.Intn(15)), fmt.Sprintf("b%d", n-1-rng.Intn(15))
			want, wantErr := mergeBase(t, whole, a, b)
			got, err := mergeBase(t, cut, a, b)
			var tr *git.Trouble
			switch {
			case errors.As(err, &tr) && tr.Kind == git.Shallow:
				troubles++
			case got != want || (err == nil) != (wantErr == nil):
				t.Errorf("%s %s: %s, %v; want %s, %v", a, b, got, err, want, wantErr)
			default:
				answers++
			}
			inside, err := cut.Contains(a, resolve(t, whole, b))
			if sure, _ := whole.Contains(a, resolve(t, whole, b)); err == nil && inside != sure {
				t.Errorf("%s holds %s: %t", a, b, inside)
			}
		}
	}
	if troubles < 10 || answers < 50 {
		t.Errorf("%d troubles, %d answers", troubles, answers)
	}
}
