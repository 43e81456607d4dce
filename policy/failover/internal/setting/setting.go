// Package setting reads the settings of a copy for the makers of engines: a value that is written, else the default of
// the engine.
package setting

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Reader reads the settings of one copy.
type Reader struct {
	Copy *schema.Copy
	// Assumed collects what had to be taken for granted.
	Assumed []schema.Text
}

// Assume notes something that the copy leaves open.
func (r *Reader) Assume(t schema.Text) { r.Assumed = append(r.Assumed, t) }

// Value returns the first of several settings that is written.
func (r *Reader) Value(paths ...schema.Path) (schema.Value, bool) {
	for _, p := range paths {
		if f, ok := r.Copy.Get(p); ok {
			return f.Value, true
		}
	}
	return schema.Value{}, false
}

// Duration returns a length of time, def where none is written.
func (r *Reader) Duration(p schema.Path, def time.Duration) time.Duration {
	if v, ok := r.Value(p); ok {
		return AsDuration(v, def)
	}
	return def
}

// Int returns a whole number, def where none is written.
func (r *Reader) Int(p schema.Path, def int) int {
	if v, ok := r.Value(p); ok && v.Kind() == schema.Int {
		return Clamp(v.Int())
	}
	return def
}

// Text returns a text, def where none is written.
func (r *Reader) Text(p schema.Path, def string) string {
	if v, ok := r.Value(p); ok && v.Kind() == schema.TextKind {
		return v.Text()
	}
	return def
}

// Flag reports whether a flag is set.
func (r *Reader) Flag(p schema.Path) bool {
	v, ok := r.Value(p)
	return ok && (v.Bool() || v.Kind() == schema.Int && v.Int() != 0)
}

// List returns the entries of a list; ok is false where it is not written.
func (r *Reader) List(p schema.Path) (list []string, ok bool) {
	v, ok := r.Value(p)
	if !ok {
		return nil, false
	}
	if v.Kind() == schema.TextKind {
		return strings.Fields(v.Text()), true
	}
	return v.List(), true
}

// Member returns what is written of one member: among its own values under extra, or under "server.NAME.extra", else
// the pool's under path.
func (r *Reader) Member(m *schema.Member, extra, path schema.Path) (schema.Value, bool) {
	if f, ok := m.Get(extra); ok {
		return f.Value, true
	}
	name := m.ID()
	if f, ok := m.Get("name"); ok {
		name = f.Value.Text()
	}
	if v, ok := r.Value(schema.Path("server." + name + "." + string(extra))); ok {
		return v, true
	}
	if path == "" {
		return schema.Value{}, false
	}
	return r.Value(path)
}

// MemberDuration is Member for a length of time.
func (r *Reader) MemberDuration(m *schema.Member, extra, path schema.Path, def time.Duration) time.Duration {
	if v, ok := r.Member(m, extra, path); ok {
		return AsDuration(v, def)
	}
	return def
}

// MemberInt is Member for a whole number.
func (r *Reader) MemberInt(m *schema.Member, extra, path schema.Path, def int) int {
	if v, ok := r.Member(m, extra, path); ok && v.Kind() == schema.Int {
		return Clamp(v.Int())
	}
	return def
}

// MemberText is Member for a text.
func (r *Reader) MemberText(m *schema.Member, extra, path schema.Path, def string) string {
	if v, ok := r.Member(m, extra, path); ok && v.Kind() == schema.TextKind {
		return v.Text()
	}
	return def
}

// AsDuration returns a length of time, def for values of other kinds.
func AsDuration(v schema.Value, def time.Duration) time.Duration {
	if v.Kind() == schema.Duration {
		return v.Duration()
	}
	return def
}

// maxInt bounds counts, so that sums of them stay far from overflow.
const maxInt = 1 << 31

// Clamp brings a count into the range that engines reckon with.
func Clamp(i int64) int { return int(max(-maxInt, min(i, maxInt))) }
