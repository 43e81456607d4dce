package bind

import (
	"slices"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func TestSplitList(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             nil,
		" , ,":                         nil,
		"a":                            {"a"},
		" a , b,\n c ":                 {"a", "b", "c"},
		"a，b":                          {"a", "b"},
		"${X:-a:1,b:2}, c":             {"${X:-a:1,b:2}", "c"},
		"{{ join(x, y) }}:80,b":        {"{{ join(x, y) }}:80", "b"},
		"a},b":                         {"a}", "b"},
		"[2001:db8::1]:80,https://h/v": {"[2001:db8::1]:80", "https://h/v"},
	} {
		if got := SplitList(text); !slices.Equal(got, want) {
			t.Errorf("SplitList(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestEntriesPlaces(t *testing.T) {
	src := `"a:1, b\u003a2, a:1"`
	got := Entries([]byte(src), Scalar{Text: "a:1, b:2, a:1", At: schema.At(100, 100+len(src))})
	want := []string{"a:1", src, "a:1"}
	starts := []uint32{101, 100, 116}
	for i, e := range got {
		if at := src[e.At.Start-100 : e.At.End-100]; at != want[i] || e.At.Start != starts[i] {
			t.Errorf("entry %d stands at %d %q, want %d %q", i, e.At.Start, at, starts[i], want[i])
		}
	}
	if len(got) != 3 || got[1].Text != "b:2" {
		t.Errorf("entries %v", got)
	}
}

func TestWholePlaceholder(t *testing.T) {
	for text, want := range map[string]bool{
		"${X}": true, " ${X:${Y:-}} ": true, "{{ hosts }}": true, "<%= hosts %>": true, "{% for h in hosts %}": true,
		"${X}:80": false, "{{ a }},{{ b }}": false, "{{ a": false, "<% a": false, "${X}${Y}": false, "a": false, "": false, "${X": false,
	} {
		if got := WholePlaceholder(text); got != want {
			t.Errorf("WholePlaceholder(%q) = %v", text, got)
		}
	}
}
