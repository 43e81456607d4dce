package codec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// TestPart: the copies that are wanted, and everything besides copies, come back as if the others had not been there.
func TestPart(t *testing.T) {
	var e Encoder
	var d Decoder
	for seed := range uint64(20) {
		var r load.Reading
		f := filler{t: t, Rand: rand.New(rand.NewPCG(seed, 6)), sparse: seed%2 == 0}
		r.Result.Copies = make([]schema.Copy, 5)
		for i := range r.Result.Copies {
			f.fill(reflect.ValueOf(&r.Result.Copies[i]).Elem())
			r.Result.Copies[i].Pool = fmt.Sprint("pool-", i)
		}
		f.fill(reflect.ValueOf(&r.Result.Orders).Elem())
		f.fill(reflect.ValueOf(&r.Result.Problems).Elem())
		data := bytes.Clone(e.Encode(&r))
		for mask := range 1 << len(r.Result.Copies) {
			var asked []schema.Copy
			got, err := d.Decode(data, func(c *schema.Copy) bool {
				asked = append(asked, *c)
				return mask>>(len(asked)-1)&1 == 1
			})
			if err != nil {
				t.Fatal(err)
			}
			want := r
			want.Result.Copies = []schema.Copy{}
			for i, c := range r.Result.Copies {
				if mask>>i&1 == 1 {
					want.Result.Copies = append(want.Result.Copies, c)
				}
			}
			if diff := cmp.Diff(want, got, same); diff != "" {
				t.Fatalf("copies of %05b (-want +got):\n%s", mask, diff)
			}
			for i := range asked {
				c := r.Result.Copies[i]
				if diff := cmp.Diff(schema.Copy{Side: c.Side, Env: c.Env, Pool: c.Pool, Candidates: c.Candidates}, asked[i], same); diff != "" {
					t.Fatalf("what decides about a copy (-want +got):\n%s", diff)
				}
			}
		}
	}
}

// TestPartAllocates: what is passed over takes no room.
func TestPartAllocates(t *testing.T) {
	var r load.Reading
	for i := range 1000 {
		r.Result.Copies = append(r.Result.Copies, schema.Copy{Pool: fmt.Sprint("pool-", i), Members: slices.Repeat([]schema.Member{{Host: "10.0.0.1"}}, 10)})
	}
	var e Encoder
	data := bytes.Clone(e.Encode(&r))
	var d Decoder
	wanted := func(c *schema.Copy) bool { return c.Pool == "pool-500" }
	if n := testing.AllocsPerRun(10, func() {
		if got, err := d.Decode(data, wanted); err != nil || len(got.Result.Copies) != 1 {
			t.Fatal(err, len(got.Result.Copies))
		}
	}); n > 20 {
		t.Errorf("one copy of a thousand takes %v allocations", n)
	}
}
