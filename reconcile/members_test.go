package reconcile

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// list writes a copy with members in short: "10.0.0.1:80 w2 p1 backup off", "? " for an unresolved entry, "dns NAME:PORT"
// for a discovered one. It is whole unless something is discovered.
func list(t *testing.T, members ...string) *schema.Copy {
	t.Helper()
	c := &schema.Copy{Side: schema.App, Files: []string{"list"}, Complete: true, ItemAt: [schema.Items]schema.Span{schema.Members: schema.At(0, 1)}}
	for i, text := range members {
		if text == "?" {
			c.Unresolve(schema.Path(fmt.Sprintf("members[%d]", i)), "${X}", schema.At(i, i+1))
			continue
		}
		var m schema.Member
		words := strings.Fields(text)
		if words[0] == "dns" {
			m.Origin, c.Complete, words = schema.FromDNS, false, words[1:]
		}
		e, ok := schema.SplitEndpoint(words[0])
		if !ok {
			t.Fatalf("%q is no endpoint", words[0])
		}
		m.Host, m.Port = e.Host, uint16(e.Port)
		for _, w := range words[1:] {
			n, err := strconv.ParseInt(w[1:], 10, 64)
			switch {
			case w == "backup":
				m.Backup = schema.Yes
			case w == "main":
				m.Backup = schema.No
			case w == "off":
				m.State = schema.Disabled
			case w == "drain":
				m.State = schema.Drain
			case w == "on":
				m.State = schema.Active
			case err == nil && w[0] == 'w':
				m.Weight, m.HasWeight = n, true
			case err == nil && w[0] == 'p':
				m.Priority, m.HasPriority = n, true
			default:
				t.Fatalf("%q says nothing", w)
			}
		}
		c.Members = append(c.Members, m)
	}
	return c
}

// words writes divergences in short.
func words(list []Divergence) []string {
	var out []string
	for _, d := range list {
		s := strings.TrimSpace(strings.Join([]string{map[DivergenceKind]string{Missing: "missing", Extra: "extra", Differs: "differs", CannotCompare: "cannot"}[d.Kind], d.Field, d.Member}, " "))
		if d.Kind == Differs {
			s += ": " + d.Got + " not " + d.Want
		}
		if d.Kind == CannotCompare {
			s += " " + d.Got + " with " + d.Want
		}
		if d.Excused > 0 {
			s += fmt.Sprintf(" %d of %s", d.Excused, strings.Join(d.Names, ","))
		}
		if d.Factor > 0 {
			s += fmt.Sprintf(" x%d", d.Factor)
		}
		out = append(out, strings.Join(strings.Fields(s), " "))
	}
	return out
}

const a, b, c, d = "10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80", "10.0.0.4:80"

func TestMembers(t *testing.T) {
	for _, tt := range []struct {
		name        string
		truth, copy []string
		aliases     map[string][]string
		want        []string
	}{
		{"the same in another order", []string{a, b}, []string{b, a}, nil, nil},
		{"missing and extra", []string{a, b}, []string{a, c}, nil, []string{"extra " + c, "missing " + b}},
		{"another port", []string{a}, []string{"10.0.0.1:81"}, nil, []string{"extra 10.0.0.1:81", "missing " + a}},
		{"spellings of one host", []string{"Api.Example.com.:80", "[2001:DB8:0::1]:80"}, []string{"api.example.com:80", "[2001:db8::1]:80"}, nil, nil},
		{"a host without a port is that host", []string{a, b}, []string{"10.0.0.1", "10.0.0.2"}, nil, nil},
		{"a member twice counts once", []string{a, a, b}, []string{a, b}, nil, nil},

		{"an unresolved entry excuses one missing", []string{a, b}, []string{a, "?"}, nil, nil},
		{"it does not excuse two", []string{a, b, c}, []string{a, "?"}, nil, []string{"missing 1 of " + b + "," + c}},
		{"an unresolved entry of the truth excuses one extra", []string{a, "?"}, []string{a, b}, nil, nil},
		{"it does not excuse two extra", []string{a, "?"}, []string{a, b, c}, nil, []string{"extra " + b + " 1 of " + b + "," + c}},

		{"a discovering copy misses nothing", []string{a, b}, []string{"dns pool.internal:80"}, nil, nil},
		{"a discovering truth has no extra", []string{a, "dns pool.internal:80"}, []string{a, b}, nil, nil},
		{"what is discovered is not missing", []string{a, "dns pool.internal:80"}, []string{a}, nil, nil},
		{"what is written is missing all the same", []string{a, b, "dns pool.internal:80"}, []string{a}, nil, []string{"missing " + b}},

		{"names and addresses cannot be compared", []string{"a.example.com:80"}, []string{a}, nil, []string{"cannot " + a + " with a.example.com:80"}},
		{"on other ports they can", []string{"a.example.com:81"}, []string{a}, nil, []string{"extra " + a, "missing a.example.com:81"}},
		{"two names can", []string{"a.example.com:80"}, []string{"b.example.com:80"}, nil, []string{"extra b.example.com:80", "missing a.example.com:80"}},
		{"a name that both have stays out of it", []string{"a.example.com:80", b}, []string{"a.example.com:80", c}, nil, []string{"extra " + c, "missing " + b}},
		{"an alias joins them", []string{"a.example.com:80"}, []string{a}, map[string][]string{"a.example.com": {"10.0.0.1"}}, nil},
		{"an alias of several", []string{"a.example.com:80"}, []string{a, b}, map[string][]string{"a.example.com": {"10.0.0.1", "10.0.0.2"}}, nil},
		{"an alias of another", []string{"a.example.com:80"}, []string{a}, map[string][]string{"a.example.com": {"10.0.0.9"}},
			[]string{"extra " + a, "missing 10.0.0.9:80"}},

		{"priorities by rank", []string{a + " p0", b + " p1"}, []string{a + " p10", b + " p20"}, nil, nil},
		{"a backup is the tier after all", []string{a, b + " backup"}, []string{a + " p0", b + " p1"}, nil, nil},
		{"priorities turned round", []string{a + " p0", b + " p1"}, []string{a + " p1", b + " p0"}, nil,
			[]string{"differs priority " + a + ": priority 1 not priority 0", "differs priority " + b + ": priority 0 not priority 1"}},
		{"a backup on one side only", []string{a, b + " backup"}, []string{a + " main", b + " main"}, nil,
			[]string{"differs backup " + b + ": no backup not backup"}},
		{"a primary called a backup, alone", []string{a, b + " backup"}, []string{a + " backup", b + " backup"}, nil,
			[]string{"differs backup " + a + ": backup not no backup"}},
		{"ranks of backups", []string{a, b + " backup p1", c + " backup p2"}, []string{a + " p0", b + " p1", c + " p2"}, nil, nil},
		{"a flag says nothing of ranks", []string{a, b + " backup p1", c + " backup p2"}, []string{a + " main", b + " backup", c + " backup"}, nil, nil},
		{"a copy without tiers says nothing about them", []string{a, b + " backup"}, []string{a, b}, nil, nil},
		{"a truth without tiers says nothing", []string{a, b}, []string{a + " p0", b + " p1"}, nil, nil},

		{"a disabled member is a member", []string{a, b + " off"}, []string{a, b}, nil, nil},
		{"its state differs where both write one", []string{a, b + " off"}, []string{a, b + " on"}, nil, []string{"differs state " + b + ": active not disabled"}},
		{"drained is not disabled", []string{a + " drain"}, []string{a + " off"}, nil, []string{"differs state " + a + ": disabled not drain"}},
		{"a truth without states says nothing", []string{a, b}, []string{a, b + " off"}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := words(MembersOf(NewView(list(t, tt.truth...)), list(t, tt.copy...), tt.aliases))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWeights(t *testing.T) {
	for _, tt := range []struct {
		name        string
		truth, copy []string
		def         int64 // the engine's default weight
		want        []string
	}{
		{"one ratio in other numbers", []string{a + " w100", b + " w50"}, []string{a + " w2", b + " w1"}, 0, nil},
		{"another ratio", []string{a + " w100", b + " w50"}, []string{a + " w1", b + " w1"}, 0, []string{"differs weight " + b + ": 1:1 not 2:1"}},
		{"the odd one out is named", []string{a + " w1", b + " w1", c + " w1"}, []string{a + " w10", b + " w30", c + " w10"}, 0, []string{"differs weight " + b + ": 1:3:1 not 1:1:1"}},
		{"the first may be it", []string{a + " w9", b + " w1", c + " w1"}, []string{a + " w1", b + " w1", c + " w1"}, 0, []string{"differs weight " + a + ": 1:1:1 not 9:1:1"}},
		{"one finding a priority", []string{a + " w1 p0", b + " w1 p0", c + " w1 p1", d + " w1 p1"}, []string{a + " w1 p0", b + " w2 p0", c + " w1 p1", d + " w3 p1"}, 0,
			[]string{"differs weight " + b + ": 1:2 not 1:1", "differs weight " + d + ": 1:3 not 1:1"}},
		{"priorities have scales of their own", []string{a + " w1 p0", b + " w1 p0", c + " w1 p1", d + " w1 p1"}, []string{a + " w5 p0", b + " w5 p0", c + " w7 p1", d + " w7 p1"}, 0, nil},
		{"one member alone has any scale", []string{a + " w1"}, []string{a + " w7"}, 0, nil},
		{"0 against something", []string{a + " w1", b + " w0"}, []string{a + " w1", b + " w1"}, 0, []string{"differs weight " + b + ": 1:1 not 1:0"}},
		{"0 on both sides fits", []string{a + " w3", b + " w0", c + " w3"}, []string{a + " w1", b + " w0", c + " w1"}, 0, nil},
		{"all 0 on one side", []string{a + " w1", b + " w1"}, []string{a + " w0", b + " w0"}, 0, []string{"differs weight " + a + ": 0:0 not 1:1"}},
		{"all 0 on both sides", []string{a + " w0", b + " w0"}, []string{a + " w0", b + " w0"}, 0, nil},
		{"weights that the copy does not write", []string{a + " w2", b + " w1"}, []string{a + " w2", b}, 0, nil},
		{"weights that the truth does not write", []string{a, b}, []string{a + " w2", b + " w1"}, 0, nil},
		{"weights that the engine fills in", []string{a, b}, []string{a + " w2", b + " w1"}, 1, []string{"differs weight " + b + ": 2:1 not 1:1"}},
		{"weights that equal what the engine fills in", []string{a, b}, []string{a + " w5", b + " w5"}, 1, nil},
		{"the engine's default beside a written weight", []string{a + " w2", b}, []string{a + " w2", b + " w1"}, 1, nil},
		{"the engine's default differs", []string{a + " w2", b}, []string{a + " w2", b + " w2"}, 1, []string{"differs weight " + b + ": 1:1 not 2:1"}},
		{"members of one side do not count", []string{a + " w2", b + " w1", c + " w9"}, []string{a + " w2", b + " w1"}, 0, []string{"missing " + c}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			truth := NewView(list(t, tt.truth...))
			truth.Profile = profile.Profile{Traits: profile.Traits{DefaultWeight: tt.def}}
			got := words(MembersOf(truth, list(t, tt.copy...), nil))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
