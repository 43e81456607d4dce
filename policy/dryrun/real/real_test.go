//go:build real

package real

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/all"
)

func load(t *testing.T, dir string) (*dryrun.Scenario, *schema.Copy, string, bool) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "scenario.*"))
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	s, problems, ok := dryrun.Read(filepath.Base(files[0]), text)
	if !ok {
		t.Fatal(problems)
	}
	for _, a := range all.Adapters() {
		name := map[string]string{"haproxy": "haproxy.cfg", "nginx": "nginx.conf"}[a.Name]
		config, err := os.ReadFile(filepath.Join(dir, name))
		if name == "" || err != nil {
			continue
		}
		profile := map[string]string{"haproxy": "haproxy-2.6", "nginx": "nginx-1.22"}[a.Name]
		result := a.Read(sources.Input{Path: name, Data: config, Source: &schema.Source{Side: schema.Gateway, Profile: profile}})
		for i := range result.Copies {
			if result.Copies[i].Pool == s.Pool {
				return s, &result.Copies[i], string(config), a.Name == "haproxy"
			}
		}
	}
	t.Fatal("no configuration")
	return nil, nil, "", false
}

// slack is how far a change of state may lie from where the scenario expects it, beside what the scenario allows: the
// programs start a moment before the first request, and a busy machine is late.
const slack = 400 * time.Millisecond

// TestReal plays the folders of POOLPROOF_REAL, by default those of testdata/dryrun, on the real programs, judges their
// expectations by what is observed, and with -v prints that beside what the dry-run says, second by second.
func TestReal(t *testing.T) {
	root := os.Getenv("POOLPROOF_REAL")
	if root == "" {
		root = filepath.Join("..", "..", "..", "testdata", "dryrun")
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "*", "scenario.*"))
	for n, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			s, c, config, haproxy := load(t, dir)
			seen, err := Play(s, c, config, haproxy, n%250+1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := dryrun.Run(s, dryrun.Options{Copy: c, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Log("\n" + table(r, seen))
			for i := range s.Expect {
				if held, known, got := seen.Judge(&s.Expect[i], slack); known && !held {
					t.Errorf("%s: the program showed %s", s.Expect[i].ID, got)
				}
			}
			for _, v := range r.Verdicts {
				if v.Pass != dryrun.Held {
					t.Errorf("%s: the dry-run showed %s", v.ID, v.Observed)
				}
			}
		})
	}
}

func table(r *dryrun.Result, seen *Observed) string {
	n := int(r.Duration/time.Second) + 1
	type second struct {
		errors  int
		members map[string]int
		took    time.Duration
	}
	real := make([]second, n)
	for i := range real {
		real[i].members = map[string]int{}
	}
	status := map[int]int{}
	for _, a := range seen.Answers {
		k := min(int(a.Sent/time.Second), n-1)
		if a.Status == 0 || a.Status >= 500 {
			real[k].errors++
		}
		real[k].members[a.Member]++
		real[k].took = max(real[k].took, a.Took)
		status[a.Status]++
	}
	var b strings.Builder
	for _, m := range r.Members {
		fmt.Fprintf(&b, "%-15s", m.ID)
		for k, p := range r.Series {
			for i := range r.Members {
				if r.Members[i].ID == m.ID {
					got := real[k].members[m.ID]
					if int(p.Answers[i]) == got {
						fmt.Fprintf(&b, " %d", got)
					} else {
						fmt.Fprintf(&b, " %d/%d", p.Answers[i], got)
					}
				}
			}
		}
		fmt.Fprintf(&b, "  probes %d/%d\n  states dry", m.Probes, seen.Probes[m.ID])
		for _, x := range m.States {
			fmt.Fprintf(&b, " %s@%.2f", x.State, x.From.Seconds())
		}
		b.WriteString("\n  states real")
		for _, x := range seen.Changes {
			if x.Member == m.ID {
				fmt.Fprintf(&b, " %s@%.2f", x.State, x.At.Seconds())
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("errors         ")
	for k, p := range r.Series {
		if got := real[k].errors; int(p.Errors) == got {
			fmt.Fprintf(&b, " %d", got)
		} else {
			fmt.Fprintf(&b, " %d/%d", p.Errors, got)
		}
	}
	b.WriteString("\nlongest ms     ")
	for k, p := range r.Series {
		fmt.Fprintf(&b, " %d/%d", p.P99.Milliseconds(), real[k].took.Milliseconds())
	}
	fmt.Fprintf(&b, "\nstatuses dry %v real %v\n", r.Metrics.Statuses, status)
	return b.String()
}
