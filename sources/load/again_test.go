package load

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
)

// TestAgain: a file read again is as it was with its own bytes, and with other ones as it would be if they stood in the tree,
// also those of a file beside it.
func TestAgain(t *testing.T) {
	text := files{"revision": "r1", "envs/x/a": "alpha\np\ninclude b", "envs/x/b": "one", "envs/x/c": "gamma", "b": "another"}
	m := &schema.Manifest{Vars: map[string]string{"v": "1"}, Sources: []schema.Source{
		{Side: schema.App, Files: []string{"envs/{env}/*"}}, {Side: schema.Gateway, Files: []string{"a"}, Repo: "../other"}}}
	o := Options{Adapters: adapters(), Other: func(*schema.Source) (tree.Tree, error) { return files{"revision": "r2", "a": "beta\nq"}, nil }}
	for name, bytes := range map[string]map[string][]byte{
		"the same":         nil,
		"its own":          {"envs/x/a": []byte("alpha\nq")},
		"one beside it":    {"envs/x/b": []byte("two")},
		"one of elsewhere": {"b": []byte("two")},
		"another format":   {"envs/x/a": []byte("beta\nq")},
	} {
		changed := files{}
		for p, old := range text {
			changed[p] = old
		}
		for p, data := range bytes {
			changed[p] = string(data)
		}
		l := mustLoad(t, text, m, o)
		want := mustLoad(t, changed, m, o)
		again := NewAgain(text, m, o)
		for i, f := range l.Files {
			if f.Path == "envs/x/a" && name == "another format" {
				if got := again.Read(f, bytes); len(got.Copies) != 1 || got.Copies[0].Format != "alpha" {
					t.Errorf("%s: read by another adapter: %+v", name, got)
				}
				continue
			}
			if f.Format == "" {
				if got := again.Read(f, bytes); len(got.Copies)+len(got.Problems) > 0 {
					t.Errorf("%s, %s, of an unknown format: %+v", name, f.Path, got)
				}
				continue
			}
			if diff := cmp.Diff(want.Files[i].Result, again.Read(f, bytes), cmp.AllowUnexported(schema.Value{})); diff != "" {
				t.Errorf("%s, %s (-loaded +again):\n%s", name, f.Path, diff)
			}
		}
	}
}
