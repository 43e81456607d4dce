package vocabulary

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Column is a set of meanings that the header of a table's column may have; a word such as Weight has several.
type Column uint64

// The meanings of headers. Endpoint, Address, Host and MemberName name a member, the surest first.
const (
	Endpoint Column = 1 << iota
	Address
	Host
	MemberName
	Name
	Port
	Weight
	Priority
	Backup
	Role
	State
	Enabled
	Interface
	Region
	Zone
	MaxConnections
	CheckPort
	Provider
	Model
	ContextWindow
	Features
	Pool
	Batch
	Share
	Dwell
	Length // a dwell time in a table of batches, anything elsewhere
	MinSamples
	Key
	Value
	Default
	UnitColumn
	Since // since when the row is in force
)

// columnOf maps the meanings of the section columns. Nothing writes to it after start.
var columnOf = map[string]Column{
	"endpoint": Endpoint, "address": Address, "host": Host, "member": MemberName, "name": Name, "port": Port, "weight": Weight,
	"priority": Priority, "backup": Backup, "role": Role, "state": State, "enabled": Enabled, "interface": Interface,
	"region": Region, "zone": Zone, "maxConnections": MaxConnections, "checkPort": CheckPort, "provider": Provider,
	"model": Model, "contextWindow": ContextWindow, "features": Features, "pool": Pool, "batch": Batch, "share": Share,
	"dwell": Dwell, "length": Length, "minSamples": MinSamples, "key": Key, "value": Value, "default": Default, "unit": UnitColumn,
}

// Column returns what a header may mean, and the unit that it names for the column. No meaning is 0.
func (l *Lexicon) Column(header string) (Column, Unit) {
	for _, r := range l.readings(header) {
		set := Column(0)
		for _, m := range l.find(columns, r.word) {
			set |= columnOf[m]
		}
		if l.first(effective, r.word) != "" {
			set |= Since
		}
		if set != 0 {
			return set, r.unit
		}
	}
	return 0, 0
}

// Parameter is what the name of a parameter means.
type Parameter struct {
	Path schema.Path
	// Unit is named by the parameter's own name ("探测间隔（秒）"); 0 if it names none.
	Unit Unit
	// Qualified: the name or the heading says what the parameter belongs to. "Timeout" alone does not.
	Qualified bool
	// Count: the name means this only where the value is a plain count.
	Count bool
}

// Parameter returns the model path of a parameter's name; within is the item that the heading names, or NoItem.
func (l *Lexicon) Parameter(name string, within schema.Item) (Parameter, bool) {
	if p, ok := l.plain(name, within); ok {
		return p, true
	}
	return l.phrase(name, within)
}

// plain looks a name up as it stands, and without its unit.
func (l *Lexicon) plain(name string, within schema.Item) (Parameter, bool) {
	for _, r := range l.readings(name) {
		if path, qualified := l.path(r.word, within); path != "" {
			return Parameter{Path: schema.Path(path), Unit: r.unit, Qualified: qualified}, true
		}
		if path := l.first(counts, r.word); path != "" && (within == schema.NoItem || within == schema.Probe) {
			return Parameter{Path: schema.Path(path), Qualified: true, Count: true}, true
		}
	}
	return Parameter{}, false
}

func (l *Lexicon) path(word string, within schema.Item) (path string, qualified bool) {
	if within != schema.NoItem {
		if path := l.first(section(within.String()), word); path != "" {
			return path, true
		}
	}
	if path := l.first(parameters, word); path != "" {
		return path, true
	}
	if path := l.afterItem(word); path != "" {
		return path, true
	}
	if within == schema.NoItem || within == schema.Probe {
		return l.first(unqualified, word), within == schema.Probe
	}
	return "", false
}

// afterItem reads a name that starts with a word for an item: "Health check interval".
func (l *Lexicon) afterItem(word string) string {
	for lex := l; lex != nil; lex = lex.base {
		for _, p := range lex.prefixes {
			rest, ok := strings.CutPrefix(word, p.word)
			if !ok || rest == "" {
				continue
			}
			for _, s := range []section{section(p.item.String()), unqualified, parameters} {
				for _, path := range l.find(s, rest) {
					if schema.Path(path).Item() == p.item {
						return path
					}
				}
			}
		}
	}
	return ""
}

// Outside reports whether a name is that of a setting which is no part of the model: people write such rows, and mean
// none of them to be compared.
func (l *Lexicon) Outside(name string) bool {
	for _, r := range l.readings(name) {
		if l.first(outside, r.word) != "" {
			return true
		}
	}
	return false
}

// Item returns the item that a heading names by itself ("Health check", "冷却参数"), or NoItem.
func (l *Lexicon) Item(heading string) schema.Item {
	item, _ := schema.ParseItem(l.first(items, Normal(heading)))
	return item
}

// Value returns the model's value for a word ("摘流完成" is "drained"); ok is false for unknown words.
func (l *Lexicon) Value(word string, allowed []string) (string, bool) {
	for _, v := range l.find(values, Normal(word)) {
		for _, a := range allowed {
			if v == a {
				return v, true
			}
		}
	}
	return "", false
}

// State returns a member's state.
func (l *Lexicon) State(word string) (schema.State, bool) {
	return schema.ParseState(l.first(states, Normal(word)))
}

// Flag reads yes and no; a role such as standby or primary answers whether the member is a backup.
func (l *Lexicon) Flag(word string) (value, ok bool) {
	m := l.first(flags, Normal(word))
	return m == "yes", m != ""
}

// Manual reports whether a dwell time ends with a person.
func (l *Lexicon) Manual(word string) bool { return l.first(manual, Normal(word)) != "" }

// Whole reports whether a share stands for all of the traffic: "full", "全量", also with a note in parentheses behind it.
func (l *Lexicon) Whole(word string) bool {
	word, _, _ = strings.Cut(word, "(")
	return l.first(whole, Normal(word)) != ""
}

// maxNothing bounds the texts that may say nothing.
const maxNothing = 24

// Nothing reports whether a cell says nothing: it is empty, a dash, or a word like "n/a" and 无.
func (l *Lexicon) Nothing(text string) bool {
	if text == "" {
		return true
	}
	if c := text[0]; c >= '0' && c <= '9' || len(text) > maxNothing {
		return false
	}
	if strings.Trim(text, "-–—―－…·.\"' \u00a0\u3000") == "" {
		return true
	}
	return l.first(nothing, Normal(text)) != ""
}

// Total reports whether a cell opens a row that sums up those above.
func (l *Lexicon) Total(text string) bool {
	return len(text) <= maxNothing && l.first(totals, Normal(text)) != ""
}

// Effective reports whether a word opens an effective time.
func (l *Lexicon) Effective(word string) bool { return l.first(effective, Normal(word)) != "" }

// Secret reports whether a setting of that name holds something that must not be shown.
func (l *Lexicon) Secret(name string) bool {
	word := Normal(name)
	for lex := l; lex != nil; lex = lex.base {
		for secret := range lex.sections[secrets] {
			if strings.Contains(word, secret) {
				return true
			}
		}
	}
	return false
}
