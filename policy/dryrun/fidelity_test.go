package dryrun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/all"
)

// TestFidelity plays the scenario folders of testdata/dryrun, each a scenario with the configuration of a real program,
// whose expectations were seen to hold on that program. POOLPROOF_FIDELITY names a further folder of such folders.
func TestFidelity(t *testing.T) {
	roots := []string{filepath.Join("..", "..", "testdata", "dryrun")}
	if more := os.Getenv("POOLPROOF_FIDELITY"); more != "" {
		roots = append(roots, more)
	}
	for _, root := range roots {
		files, err := filepath.Glob(filepath.Join(root, "*", "scenario.*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s holds no scenarios (%v)", root, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { playFolder(t, file) })
		}
	}
}

// seeds is over how many seeds each scenario is played: what holds on a real program holds for any of them.
const seeds = 5

func playFolder(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, problems, ok := dryrun.Read(filepath.Base(file), text)
	for _, p := range problems {
		t.Errorf("problem: %s", p.Text.En)
	}
	if !ok {
		t.FailNow()
	}
	c := readConfig(t, filepath.Dir(file), s.Pool)
	for _, p := range dryrun.Unknown(s, dryrun.Options{Copy: c}) {
		t.Errorf("problem: %s", p.Text.En)
	}
	for seed := range uint64(seeds) {
		r, err := dryrun.Run(s, dryrun.Options{Copy: c, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range r.Verdicts {
			if v.Pass != dryrun.Held {
				t.Errorf("seed %d: %s: %s: %s", seed, v.ID, v.Text.En, v.Observed)
			} else if testing.Verbose() && seed == 0 {
				t.Logf("%s: %s: %s", v.ID, v.Text.En, v.Observed)
			}
		}
	}
}

// readConfig reads the gateway's file beside a scenario and returns the copy of the pool.
func readConfig(t *testing.T, dir, pool string) *schema.Copy {
	t.Helper()
	for _, a := range all.Adapters() {
		name := map[string]string{"haproxy": "haproxy.cfg", "nginx": "nginx.conf"}[a.Name]
		data, err := os.ReadFile(filepath.Join(dir, name))
		if name == "" || err != nil {
			continue
		}
		profile := map[string]string{"haproxy": "haproxy-2.6", "nginx": "nginx-1.22"}[a.Name]
		result := a.Read(sources.Input{Path: name, Data: data, Source: &schema.Source{Side: schema.Gateway, Profile: profile}})
		for i := range result.Copies {
			if c := &result.Copies[i]; strings.EqualFold(c.Pool, pool) || pool == "" {
				return c
			}
		}
	}
	t.Fatalf("%s holds no configuration of pool %q", dir, pool)
	return nil
}
