package profile

import "github.com/poolproof/poolproof/schema"

// completion gathers what an engine really uses for one copy.
type completion struct {
	c   *schema.Copy
	out []schema.Effective
}

// note says something about a value without changing it: the written one, if there is one.
func (k *completion) note(p schema.Path, why schema.Text) {
	if f, ok := k.c.Get(p); ok {
		k.out = append(k.out, schema.Effective{Path: p, Value: f.Value, Why: why})
	}
}

// fill adds a default for a path that the copy neither writes nor holds as a template or refused value.
func (k *completion) fill(p schema.Path, v schema.Value, why schema.Text) {
	if _, written := k.c.Get(p); !written && !k.unread(p) {
		k.out = append(k.out, schema.Effective{Path: p, Value: v, Why: why})
	}
}

// change says that the engine uses another value than the written one.
func (k *completion) change(p schema.Path, v schema.Value, why schema.Text) {
	k.out = append(k.out, schema.Effective{Path: p, Value: v, Why: why, Clamped: true})
}

func (k *completion) unread(p schema.Path) bool {
	for i := range k.c.Unresolved {
		if k.c.Unresolved[i].Path == p {
			return true
		}
	}
	return false
}

// has reports whether the copy writes a path.
func (k *completion) has(p schema.Path) bool {
	_, ok := k.c.Get(p)
	return ok
}

// says reports whether the copy writes that text at a path.
func (k *completion) says(p schema.Path, text string) bool {
	f, ok := k.c.Get(p)
	return ok && f.Value.Text() == text
}

// yes reports whether the copy writes true at a path.
func (k *completion) yes(p schema.Path) bool {
	f, _ := k.c.Get(p)
	return f.Value.Bool()
}

// no reports whether the copy writes false at a path.
func (k *completion) no(p schema.Path) bool {
	f, ok := k.c.Get(p)
	return ok && f.Value.Kind() == schema.Bool && !f.Value.Bool()
}
