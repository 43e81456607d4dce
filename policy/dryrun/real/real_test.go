//go:build linux

package real

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// quick are the scenarios that run in every test, six of each program.
var quick = []string{
	"haproxy-hard-down", "haproxy-mark-down", "haproxy-slowstart-two", "haproxy-reload", "haproxy-queue", "haproxy-all-down",
	"nginx-hard-down", "nginx-all-500", "nginx-backup", "nginx-two-workers", "nginx-reload", "nginx-slow",
}

// atOnce is how many are played side by side: they wait most of the time.
const atOnce = 14

// apart keeps their starts, which take more of the machine than all that comes later, from each other.
const apart = 150 * time.Millisecond

// TestReal plays scenario folders of testdata/dryrun on the real programs and holds what is seen against the dry-run:
// those of quick, with POOLPROOF_REAL=all all of them, and with POOLPROOF_REAL=FOLDER those in that folder.
func TestReal(t *testing.T) {
	for _, name := range []string{"haproxy", "nginx"} {
		if _, err := Find(name); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("first before others on this machine: %v", Hurry())
	dirs := folders(t)
	type result struct {
		proof *Proof
		err   error
	}
	results := make([]chan result, len(dirs))
	places := make(chan bool, atOnce)
	for i, dir := range dirs {
		results[i] = make(chan result, 1)
		go func() {
			places <- true
			defer func() { <-places }()
			time.Sleep(time.Duration(i%atOnce) * apart)
			p, err := Prove(t.Context(), dir)
			results[i] <- result{p, err}
		}()
	}
	begin := time.Now()
	for i, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			r := <-results[i]
			if r.err != nil {
				t.Fatal(r.err)
			}
			t.Log(r.proof.line())
			if testing.Verbose() || len(r.proof.Failures) > 0 {
				t.Log("\n" + r.proof.table())
			}
			for k, f := range r.proof.Failures {
				if k == 12 {
					t.Errorf("and %d more", len(r.proof.Failures)-k)
					break
				}
				t.Error(f)
			}
		})
	}
	t.Logf("%d scenarios in %.0f s", len(dirs), time.Since(begin).Seconds())
}

func folders(t *testing.T) []string {
	root := filepath.Join("..", "..", "..", "testdata", "dryrun")
	which := os.Getenv("POOLPROOF_REAL")
	var dirs []string
	if which == "" {
		for _, name := range quick {
			dirs = append(dirs, filepath.Join(root, name))
		}
		return dirs
	}
	if which != "all" {
		root = which
	}
	files, _ := filepath.Glob(filepath.Join(root, "*", "scenario.*"))
	if len(files) == 0 {
		t.Fatalf("%s holds no scenarios", root)
	}
	for _, f := range files {
		dirs = append(dirs, filepath.Dir(f))
	}
	return dirs
}
