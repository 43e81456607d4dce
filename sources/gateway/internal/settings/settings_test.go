package settings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

func TestFlatten(t *testing.T) {
	var c schema.Copy
	b := bind.Binder{Copy: &c, Vars: map[string]string{"A": "filled"}, Syntax: bind.Common}
	text := "a: {b: 1, c: [x, {d: true}], e: {}, f: [], g: 1.5, n: null}\nv: ${A}\nw: ${B}\napiToken: hidden\nauth: {header: hidden}\nargs: [{name: api-token, value: hidden}]\n"
	Flatten(&b, "p", data.YAML([]byte(text)).Documents[0].Root)
	var got []string
	for _, f := range c.Fields {
		got = append(got, fmt.Sprintf("%s=%s", f.Path, f.Value))
		if at := text[f.At.Start:f.At.End]; at == "" {
			t.Errorf("%s has no place", f.Path)
		}
	}
	for _, u := range c.Unresolved {
		got = append(got, fmt.Sprintf("%s?%s", u.Path, u.Raw))
	}
	want := []string{"p.a.b=1", "p.a.c[0]=x", "p.a.c[1].d=true", "p.a.e={}", "p.a.f=[]", "p.a.g=1.5", "p.v=filled", "p.args[0].name=api-token", "p.w?${B}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFlattenIsBounded(t *testing.T) {
	var c schema.Copy
	list := "[" + strings.Repeat("1,", 5000) + "1]"
	Flatten(&bind.Binder{Copy: &c}, "p", data.YAML([]byte(list)).Documents[0].Root)
	if len(c.Fields) != maxValues {
		t.Errorf("%d values, want %d", len(c.Fields), maxValues)
	}
}
