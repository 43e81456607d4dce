package index

import (
	"encoding/binary"
	"errors"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// errDamaged says that bytes are not what Append wrote.
var errDamaged = errors.New("not an index")

// Append writes the index behind b, in a form that Decode reads. The order is not fixed.
func (x *Index) Append(b []byte) []byte {
	w := writer{b: b, at: map[string]int{}}
	w.number(len(x.entries))
	for _, e := range x.entries {
		w.text(e.Path)
		w.number(e.Source)
		w.text(e.Env)
		w.text(e.Content)
		w.text(e.Format)
		w.flag(e.Detected)
		w.b = append(w.b, e.Sum[:]...)
		w.number(len(e.Markers))
		for _, m := range e.Markers {
			w.number(int(m.At.Start))
			w.number(int(m.At.End))
			w.text(m.Text)
		}
		w.number(e.Copies)
		w.number(len(e.Sections))
		for _, s := range e.Sections {
			w.text(s.Env)
			w.flag(s.Bound)
			w.texts(s.Keys)
		}
		w.texts(e.Keys)
		w.texts(e.Names)
		w.texts(e.Beside)
	}
	return w.b
}

// Decode reads what Append wrote, for trees that the same manifest describes.
func Decode(b []byte, m *schema.Manifest) (*Index, error) {
	x := New(m)
	r := reader{b: b}
	entries := make([]Entry, r.count(40))
	x.entries = make(map[ID]*Entry, len(entries))
	for i := range entries {
		e := &entries[i]
		e.ID, e.Content, e.Known = ID{r.text(), r.number(), r.text()}, r.text(), r.known()
		e.Copies, e.Sections, e.Keys, e.Names, e.Beside = r.number(), r.sections(), r.texts(), r.texts(), r.texts()
		if r.bad || e.Source >= len(m.Sources) {
			return nil, errDamaged
		}
		x.Put(e)
	}
	if r.bad || len(r.b) > 0 {
		return nil, errDamaged
	}
	return x, nil
}

// writer writes each text once; later ones refer to it.
type writer struct {
	b  []byte
	at map[string]int
}

func (w *writer) number(n int) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *writer) flag(set bool) {
	w.number(flag(set))
}

func (w *writer) text(s string) {
	if n, ok := w.at[s]; ok {
		w.number(n + 1)
		return
	}
	w.at[s] = len(w.at)
	w.number(0)
	w.number(len(s))
	w.b = append(w.b, s...)
}

func (w *writer) texts(list []string) {
	w.number(len(list))
	for _, s := range list {
		w.text(s)
	}
}

// reader makes short lists out of long ones, which is less work than many of their own.
type reader struct {
	b       []byte
	seen    []string
	bad     bool
	room    []string
	further []Section
}

// cut takes n elements off the room that is left, or off a new one.
func cut[T any](room *[]T, n int) []T {
	if n > len(*room) {
		*room = make([]T, max(n, 1024))
	}
	list := (*room)[:n:n]
	*room = (*room)[n:]
	return list
}

func (r *reader) number() int {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > 1<<40 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

// count reads a number of things that take at least size bytes each.
func (r *reader) count(size int) int {
	n := r.number()
	if n > len(r.b)/size {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) text() string {
	if n := r.number(); n > 0 {
		if n > len(r.seen) {
			r.bad = true
			return ""
		}
		return r.seen[n-1]
	}
	n := r.number()
	if n > len(r.b) {
		r.bad = true
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	r.seen = append(r.seen, s)
	return s
}

func (r *reader) known() (k load.Known) {
	k.Format, k.Detected = r.text(), r.number() == 1
	if len(r.b) < len(k.Sum) {
		r.bad = true
		return k
	}
	r.b = r.b[copy(k.Sum[:], r.b):]
	n := r.count(3)
	for range n {
		k.Markers = append(k.Markers, load.Marker{At: schema.At(r.number(), r.number()), Text: r.text()})
	}
	return k
}

func (r *reader) sections() []Section {
	n := r.count(3)
	if n == 0 {
		return nil
	}
	list := cut(&r.further, n)
	for i := range list {
		list[i] = Section{r.text(), r.number() == 1, r.texts()}
	}
	return list
}

func (r *reader) texts() []string {
	n := r.count(1)
	if n == 0 {
		return nil
	}
	list := cut(&r.room, n)
	for i := range list {
		list[i] = r.text()
	}
	return list
}
