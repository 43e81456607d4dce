package change

import (
	"slices"
	"strings"
	"testing"
)

// TestNothingOfPeopleIsLost puts a line of a person, and a remark behind a line, at every place of an order, and has it
// brought up to date with the same change and with another: both are still there, and a second time changes nothing.
func TestNothingOfPeopleIsLost(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		text := string(render(t, sample(t, lang, "orders"), nil))
		lines := strings.SplitAfter(text, "\n")
		front := slices.Index(lines[1:], "---\n") + 1
		other := sample(t, lang, "orders")
		other.Settings, other.Items, other.Ramps = other.Settings[:1], other.Items[:1], nil
		for at := 1; at < len(lines); at++ {
			for _, behind := range []bool{false, true} {
				own := slices.Clone(lines)
				switch {
				case behind && (at <= front || strings.TrimSpace(lines[at]) == "" || strings.HasPrefix(lines[at], "<!--")):
					continue // see TestRemarksBehindValues
				case behind:
					own[at] = strings.TrimSuffix(own[at], "\n") + " MINE\n"
				case at <= front:
					own[at] = "# MINE\n" + own[at]
				default:
					own[at] = "- MINE, and `more`\n" + own[at]
				}
				for _, o := range []*Order{sample(t, lang, "orders"), other} {
					if behind && o == other && strings.HasPrefix(lines[at], "| `") {
						continue // which of an old row was generated is not known any more
					}
					got := string(render(t, o, []byte(strings.Join(own, ""))))
					if strings.Count(got, "MINE") != 1 {
						t.Errorf("%s: %q at %q: there %d times", lang, own[at], lines[at], strings.Count(got, "MINE"))
					} else if again := string(render(t, o, []byte(got))); again != got {
						t.Errorf("%s: %q: rendered again it is another text", lang, own[at])
					}
				}
			}
		}
	}
}

// TestRemarksBehindValues: a remark behind a value that is written anew stays, also where the value holds the sign.
func TestRemarksBehindValues(t *testing.T) {
	text := string(render(t, sample(t, "en", "a # b"), nil))
	lines := strings.SplitAfter(text, "\n")
	front := slices.Index(lines[1:], "---\n") + 1
	for at := 1; at < front; at++ {
		if strings.Contains(lines[at], "TODO") {
			continue // the remark is this program's
		}
		own := slices.Clone(lines)
		own[at] = strings.TrimSuffix(own[at], "\n") + " # it's MINE\n"
		got := string(render(t, sample(t, "en", "a # b"), []byte(strings.Join(own, ""))))
		if strings.Count(got, "# it's MINE") != 1 {
			t.Errorf("%q: there %d times", own[at], strings.Count(got, "# it's MINE"))
		} else if again := string(render(t, sample(t, "en", "a # b"), []byte(got))); again != got {
			t.Errorf("%q: rendered again it is another text", own[at])
		}
	}
}

// TestFormatted: what a formatter of Markdown does to the generated tables is no text of people.
func TestFormatted(t *testing.T) {
	text := string(render(t, sample(t, "en", "orders"), nil))
	wide := strings.ReplaceAll(strings.ReplaceAll(text, " | ", "    | "), "|---|", "| ----- |")
	if got := string(render(t, sample(t, "en", "orders"), []byte(wide))); got != strings.ReplaceAll(text, "\x00", "") {
		t.Errorf("more is left than there should be:\n%s", got)
	}
}

func TestComment(t *testing.T) {
	for line, want := range map[string]string{
		"a: b # c":                   "# c",
		"# c":                        "# c",
		"  # c # d":                  "# c # d",
		"a: b#c":                     "",
		"a: it's # c":                "# c",
		"a: 'x # y' # z":             "# z",
		"a: 'it''s # y' # z":         "# z",
		`a: "x # y"`:                 "",
		`a: "x \" # y" # z`:          "# z",
		`a: "x \\" # z`:              "# z",
		`{a: "x # y", b: '#'} # "z`:  `# "z`,
		`results: [{id: "#"}]	# tab`: "# tab",
	} {
		if got := comment([]byte(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
