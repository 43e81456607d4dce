package codec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/load"
)

// filler fills every exported field of a value. A field of a kind that it does not know fails the test, so that a new
// one is thought of.
type filler struct {
	t *testing.T
	*rand.Rand
	n int
	// sparse leaves out about half of everything; otherwise no field is zero, and texts and wide numbers are distinct.
	sparse bool
}

func (f *filler) leave() bool { return f.sparse && f.IntN(2) == 0 }

func (f *filler) fill(v reflect.Value) {
	if f.leave() {
		return
	}
	f.n++
	switch x := v.Addr().Interface().(type) {
	case *schema.Value:
		*x = f.value()
		return
	case *time.Time:
		*x = f.time()
		return
	case *schema.Origin:
		*x = schema.Origin(1 + f.IntN(int(schema.FromTemplate)))
		return
	case *schema.State:
		*x = schema.State(1 + f.IntN(int(schema.Disabled)))
		return
	case *schema.Tri:
		*x = schema.Tri(1 + f.IntN(int(schema.Yes)))
		return
	case *schema.Severity:
		*x = schema.Severity(1 + f.IntN(int(schema.Error)))
		return
	case *schema.Item:
		*x = schema.Item(1 + f.IntN(int(schema.Items)-1))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", f.n))
		if f.IntN(4) == 0 {
			m := schema.Model()
			v.SetString(string(m[f.IntN(len(m))].Path))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{int64(f.n), -int64(f.n), int64(f.Uint64() | 1)}[f.IntN(3)])
	case reflect.Uint8:
		v.SetUint(1 + f.Uint64N(255))
	case reflect.Uint16:
		v.SetUint(1 + f.Uint64N(1<<16-1))
	case reflect.Uint32:
		v.SetUint([]uint64{uint64(f.n), 1 + f.Uint64N(1<<32-1)}[f.IntN(2)])
	case reflect.Float64:
		v.SetFloat([]float64{float64(f.n), -1 / float64(f.n)}[f.IntN(2)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Slice:
		n := 2
		if f.sparse {
			n = f.IntN(4)
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key)
			f.fill(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				f.t.Fatalf("%s has unexported fields, which the codec cannot see", v.Type())
			}
			f.fill(v.Field(i))
		}
	default:
		f.t.Fatalf("no way to fill a %s; does the codec know it?", v.Type())
	}
}

func (f *filler) value() schema.Value {
	switch schema.Kind(1 + f.IntN(int(schema.List))) {
	case schema.TextKind:
		return schema.TextOf(fmt.Sprintf("value %d", f.n))
	case schema.Bool:
		return schema.BoolOf(f.IntN(2) == 0)
	case schema.Int:
		return schema.IntOf(int64(f.Uint64()))
	case schema.Number:
		return schema.NumberOf(float64(f.n) / 7)
	case schema.Duration:
		return schema.DurationOf(time.Duration(f.Uint64()))
	case schema.List:
		return schema.ListOf([]string{"a", "", fmt.Sprint(f.n)}[:f.IntN(4)]...)
	case schema.None: // says nothing
	}
	f.t.Fatal("a kind without a sample")
	return schema.Value{}
}

func (f *filler) time() time.Time {
	at := time.Unix(int64(f.n)-int64(f.Uint64N(1<<34)), int64(f.IntN(2))*int64(f.IntN(1e9)))
	switch f.IntN(3) {
	case 0:
		return at.UTC()
	case 1:
		return at.In(time.FixedZone("", f.IntN(1e5)-5e4))
	}
	return at.In(time.FixedZone(fmt.Sprintf("zone %d", f.n), f.IntN(1e5)-5e4))
}

// same compares times by how they are shown, too.
var same = cmp.Options{
	cmp.Comparer(func(a, b schema.Value) bool { return a == b }),
	cmp.Comparer(func(a, b time.Time) bool {
		const shown = "2006-01-02T15:04:05.999999999-07:00:00 MST"
		return a.Equal(b) && a.Format(shown) == b.Format(shown)
	}),
}

func roundTrip(t *testing.T, e *Encoder, d *Decoder, want *load.Reading) {
	t.Helper()
	data := bytes.Clone(e.Encode(want))
	got, err := d.Decode(data, nil)
	if err != nil {
		t.Fatalf("%v: %+v", err, want)
	}
	clear(data) // which the reading must not refer to
	if diff := cmp.Diff(*want, got, same); diff != "" {
		t.Fatalf("decoded is not what was encoded (-want +got):\n%s", diff)
	}
}

// TestComplete holds the codec against the types: whatever field a reading has, it survives.
func TestComplete(t *testing.T) {
	var e Encoder
	var d Decoder
	for seed := range uint64(20) {
		var r load.Reading
		f := filler{t: t, Rand: rand.New(rand.NewPCG(seed, 1))}
		f.fill(reflect.ValueOf(&r).Elem())
		roundTrip(t, &e, &d, &r)
	}
}

// TestSparse tells fields apart that TestComplete could mistake for each other, flags above all.
func TestSparse(t *testing.T) {
	var e Encoder
	var d Decoder
	for seed := range uint64(500) {
		var r load.Reading
		f := filler{t: t, Rand: rand.New(rand.NewPCG(seed, 2)), sparse: true}
		f.fill(reflect.ValueOf(&r).Elem())
		roundTrip(t, &e, &d, &r)
	}
}

func TestEmpty(t *testing.T) {
	var e Encoder
	var d Decoder
	for _, r := range []load.Reading{
		{},
		{Result: sources.Result{Copies: []schema.Copy{}}},
		{Result: sources.Result{Copies: []schema.Copy{{}, {Files: []string{}, Members: []schema.Member{{}}}}}},
		{Result: sources.Result{Orders: []schema.ChangeOrder{{Items: []schema.OrderItem{{Before: map[schema.Side]string{}}}}}}},
	} {
		roundTrip(t, &e, &d, &r)
	}
}

// TestSame: equal readings give equal bytes, whatever was encoded before.
func TestSame(t *testing.T) {
	var r load.Reading
	f := filler{t: t, Rand: rand.New(rand.NewPCG(1, 3))}
	f.fill(reflect.ValueOf(&r).Elem())
	var fresh, e Encoder
	want := bytes.Clone(fresh.Encode(&r))
	e.Encode(&load.Reading{Result: sources.Result{Problems: []schema.Problem{{Rule: "text 7"}}}})
	for range 10 { // the order of maps changes
		if !bytes.Equal(e.Encode(&r), want) {
			t.Fatal("the same reading has two encodings")
		}
	}
}

// TestLeast holds the least sizes, which bound what a decoder allocates, against what zero elements take.
func TestLeast(t *testing.T) {
	measure := func(n int, set func(r *load.Reading, n int)) int {
		var e Encoder
		r := load.Reading{Result: sources.Result{Copies: make([]schema.Copy, 1), Orders: make([]schema.ChangeOrder, 1)}}
		r.Result.Orders[0].Drill = &schema.Drill{}
		set(&r, n)
		e.Encode(&r)
		return len(e.c.body)
	}
	for name, c := range map[string]struct {
		least int
		set   func(r *load.Reading, n int)
	}{
		"siblings":   {leastOther, func(r *load.Reading, n int) { r.Siblings = make([]load.Sibling, n) }},
		"copies":     {leastCopy, func(r *load.Reading, n int) { r.Result.Copies = make([]schema.Copy, n) }},
		"orders":     {leastOrder, func(r *load.Reading, n int) { r.Result.Orders = make([]schema.ChangeOrder, n) }},
		"problems":   {leastProblem, func(r *load.Reading, n int) { r.Result.Problems = make([]schema.Problem, n) }},
		"candidates": {leastOther, func(r *load.Reading, n int) { r.Result.Copies[0].Candidates = make([]schema.Name, n) }},
		"members":    {leastMember, func(r *load.Reading, n int) { r.Result.Copies[0].Members = make([]schema.Member, n) }},
		"fields":     {leastField, func(r *load.Reading, n int) { r.Result.Copies[0].Fields = make([]schema.Field, n) }},
		"batches":    {leastBatch, func(r *load.Reading, n int) { r.Result.Copies[0].Batches = make([]schema.Batch, n) }},
		"stops":      {leastOther, func(r *load.Reading, n int) { r.Result.Copies[0].Stops = make([]schema.Stop, n) }},
		"unresolved": {leastOther, func(r *load.Reading, n int) { r.Result.Copies[0].Unresolved = make([]schema.Unresolved, n) }},
		"items":      {leastOther, func(r *load.Reading, n int) { r.Result.Orders[0].Items = make([]schema.OrderItem, n) }},
		"approvals":  {leastOther, func(r *load.Reading, n int) { r.Result.Orders[0].Approvals = make([]schema.Approval, n) }},
		"exceptions": {leastOther, func(r *load.Reading, n int) { r.Result.Orders[0].Exceptions = make([]schema.Exception, n) }},
		"drill":      {leastOther, func(r *load.Reading, n int) { r.Result.Orders[0].Drill.Results = make([]schema.DrillResult, n) }},
		"notes": {leastOther, func(r *load.Reading, n int) {
			r.Result.Problems = []schema.Problem{{Related: make([]schema.Note, n)}}
		}},
	} {
		if took := measure(9, c.set) - measure(8, c.set); took < c.least {
			t.Errorf("an element of %s takes %d bytes, the decoder counts on %d", name, took, c.least)
		}
	}
}

// TestDamaged: no record that lacks or has bytes is taken for a whole one, and none makes the decoder panic.
func TestDamaged(t *testing.T) {
	var r load.Reading
	f := filler{t: t, Rand: rand.New(rand.NewPCG(1, 4))}
	f.fill(reflect.ValueOf(&r).Elem())
	var e Encoder
	var d Decoder
	data := e.Encode(&r)
	for n := range data {
		if _, err := d.Decode(data[:n], nil); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", n, len(data))
		}
	}
	if _, err := d.Decode(append(bytes.Clone(data), 0), nil); err == nil {
		t.Error("an added byte was accepted")
	}
	for i := range data {
		damaged := bytes.Clone(data)
		damaged[i] ^= 1 << (i % 8)
		check(t, damaged)
	}
	roundTrip(t, &e, &d, &r) // as good as new after failures
}

// check decodes any bytes, and requires of what is accepted that it can be encoded and shown.
func check(t *testing.T, data []byte) {
	t.Helper()
	var d Decoder
	all, err := d.Decode(data, nil)
	// Whoever wants a part sees no more than that, and no fault in what is passed over.
	n := 0
	if some, err := d.Decode(data, func(*schema.Copy) bool { n++; return n%2 == 0 }); err == nil {
		_ = fmt.Sprintf("%+v", some)
	}
	r := all
	if err != nil {
		return
	}
	_ = fmt.Sprintf("%+v", r) // enumerations are in range
	var e Encoder
	want := bytes.Clone(e.Encode(&r))
	again, err := d.Decode(want, nil)
	if err != nil {
		t.Fatalf("what was decoded from %.200x cannot be decoded once more: %v", data, err)
	}
	if !bytes.Equal(e.Encode(&again), want) {
		t.Fatalf("what was decoded from %.200x changes when it is decoded once more", data)
	}
}

func FuzzDecode(f *testing.F) {
	var e Encoder
	for seed := range uint64(40) {
		var r load.Reading
		fill := filler{t: new(testing.T), Rand: rand.New(rand.NewPCG(seed, 5)), sparse: true}
		fill.fill(reflect.ValueOf(&r).Elem())
		if data := e.Encode(&r); len(data) < 500 { // large ones take the fuzzer long to minimise
			f.Add(bytes.Clone(data))
		}
	}
	f.Fuzz(check)
}

// TestBounded: a short record that claims to hold much gets no room for it.
func TestBounded(t *testing.T) {
	for _, data := range [][]byte{
		{5, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0},
		{5, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0},
		{5, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0},
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := new(Decoder).Decode(data, nil)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%x was accepted", data)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<16 {
			t.Errorf("%x made the decoder allocate %d bytes", data, n)
		}
	}
}
