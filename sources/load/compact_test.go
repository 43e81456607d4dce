package load

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// TestCompact fills every text of a result with a part of one large text, and requires that none is left in it.
func TestCompact(t *testing.T) {
	file := strings.Repeat("abcdefghij", 1000)
	n := 0
	part := func() string {
		n++
		return file[n%5000 : n%5000+3+n%7]
	}
	fresh := func() sources.Result {
		n = 0
		var r sources.Result
		walk(reflect.ValueOf(&r).Elem(), func(string, string) string { return part() })
		return r
	}
	var c compactor
	for range 2 { // used twice
		r, want := fresh(), fresh()
		c.compact(&r)
		if diff := cmp.Diff(want, r, cmp.AllowUnexported(schema.Value{})); diff != "" {
			t.Fatalf("a text changed (-want +got):\n%s", diff)
		}
		low := uintptr(unsafe.Pointer(unsafe.StringData(file)))
		left := map[string]bool{}
		walk(reflect.ValueOf(&r).Elem(), func(name, s string) string {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); at >= low && at < low+uintptr(len(file)) {
				left[name] = true
			}
			return s
		})
		// Adapters do not cut these out of a file.
		for _, own := range []string{
			"Copy.Side", "Copy.Format", "Copy.Files", "Copy.Revision", "ChangeOrder.Revision", "Problem.Rule", "Text.En", "Text.Zh",
		} {
			delete(left, own)
		}
		if len(left) > 0 {
			t.Errorf("these keep the file: %v", left)
		}
	}
}

// walk passes every text below v through f; it makes lists of two elements where there are none.
func walk(v reflect.Value, f func(name, s string) string) { walkNamed("", v, f) }

func walkNamed(name string, v reflect.Value, f func(name, s string) string) {
	switch x := v.Addr().Interface().(type) {
	case *schema.Value:
		if !x.Said() {
			*x = schema.TextOf("x")
		}
		*x = x.Map(func(s string) string { return f(name, s) })
		return
	case *time.Time:
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f(name, v.String()))
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		walkNamed(name, v.Elem(), f)
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			walkNamed(name, v.Index(i), f)
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			walkNamed(name+" key", key, f)
			walkNamed(name, value, f)
			v.SetMapIndex(key, value)
			return
		}
		for _, key := range v.MapKeys() {
			k, value := reflect.New(key.Type()).Elem(), reflect.New(v.Type().Elem()).Elem()
			k.Set(key)
			value.Set(v.MapIndex(key))
			walkNamed(name+" key", k, f)
			walkNamed(name, value, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walkNamed(fmt.Sprintf("%s.%s", v.Type().Name(), v.Type().Field(i).Name), v.Field(i), f)
		}
	}
}
