package haproxy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// TestMany: problems that nobody will read are counted, not worded, and the servers are all there.
func TestMany(t *testing.T) {
	const n = 3000
	repeat := func(format string) string {
		var b strings.Builder
		b.WriteString("backend b\n")
		for i := range n {
			fmt.Fprintf(&b, format+"\n", i%250)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, text    string
		members, left int // of the problems, how many are not kept
	}{
		{"one name", repeat(" server same 10.0.0.%d:80"), n, n - 1 - (sources.MaxProblems + 1)},
		{"refused weights", repeat(" server s%[1]d 10.0.0.%[1]d:80 weight 999"), n, n + n - 250 - 2*(sources.MaxProblems+1)},
		{"no address", repeat(" server s%d"), 0, n - (sources.MaxProblems + 1)},
		{"no name", strings.Repeat("backend\n", n), 0, n - (sources.MaxProblems + 1)},
		{"open quotes", repeat(" server s%[1]d \"10.0.0.%[1]d:80"), n, n + n - 250 - 2*(sources.MaxProblems+1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sourcetest.Read(Adapter(), "x.cfg", []byte(c.text), schema.Source{})
			members, problems := 0, len(r.Problems)
			for i := range r.Copies {
				members += len(r.Copies[i].Members)
				problems += len(r.Copies[i].Problems)
			}
			if members != c.members || r.LeftOut != c.left || problems > 2*(sources.MaxProblems+1) {
				t.Errorf("%d members, %d problems and %d left out", members, problems, r.LeftOut)
			}
		})
	}
}
