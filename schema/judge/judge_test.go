package judge

import (
	"bytes"
	"os"
	"regexp"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/poolproof/poolproof/schema/grammar"
	"github.com/poolproof/poolproof/schema/judge/internal/build"
	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

func TestTableIsCurrent(t *testing.T) {
	g, err := grammar.Load()
	if err != nil {
		t.Fatal(err)
	}
	tab, err := build.Table(g)
	if err != nil {
		t.Fatal(err)
	}
	want, err := build.Source(tab)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("table_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("table_gen.go is not what the schema says: run go generate ./schema/judge")
	}
}

// The whole schema is within what the table can say; CUE is asked about bad documents alone.
func TestNothingIsOpaque(t *testing.T) {
	for i, typ := range compiled.Types {
		if typ.Has(table.Opaque) {
			t.Errorf("type %d %s is opaque", i, typ.Name)
		}
	}
}

// Many goroutines may share a judge, bad documents and CUE included.
func TestConcurrent(t *testing.T) {
	j := New()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 40 {
				doc := obj("cooldown", obj("growth", i%2*3, "max", "5s"))
				if issues := j.Check(Pool, doc, nil); len(issues) != 1-i%2 {
					t.Errorf("goroutine %d: %d issues in %s", g, len(issues), doc)
				}
			}
		})
	}
	wg.Wait()
}

func TestPatternsAgreeWithExpressions(t *testing.T) {
	for p, expression := range build.Expressions() {
		re := regexp.MustCompile(expression)
		check := func(t *rapid.T) {
			s := rapid.OneOf(
				rapid.StringMatching(expression),
				rapid.StringOfN(rapid.SampledFrom([]rune("0123456789.+-nuµμmshd:Tabf \n")), 0, 12, -1),
				rapid.StringMatching(`sha256:[0-9a-g]{63,65}`),
				rapid.StringMatching(`[0-9]{3,5}-[0-9]{1,2}-[0-9]{2,3}`),
			).Draw(t, "text")
			if got, want := matches(p, s), re.MatchString(s); got != want {
				t.Fatalf("matches(%d, %q) = %v, %s says %v", p, s, got, expression, want)
			}
		}
		rapid.Check(t, check)
	}
	if len(build.Expressions()) != int(table.Time)-1 {
		t.Error("a pattern has no expression to be compared with")
	}
}
