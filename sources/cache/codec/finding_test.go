package codec

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

// TestFindings holds the description of findings complete: every field that is left out comes back different.
func TestFindings(t *testing.T) {
	var f schema.Finding
	r := rand.New(rand.NewPCG(1, 2))
	(&filler{t: t, Rand: r}).fill(reflect.ValueOf(&f).Elem())
	f.Severity, f.Item = schema.Error, schema.Ramp
	want := []schema.Finding{f, {}, f}
	var e Encoder
	var d Decoder
	got, err := d.DecodeFindings(e.EncodeFindings(want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a finding does not come back as it was:\n%s", diff)
	}
	data := append([]byte(nil), e.EncodeFindings(want)...)
	for i := range data {
		damaged := append([]byte(nil), data...)
		damaged[i] ^= 0x41
		_, _ = d.DecodeFindings(damaged) // must not panic; the cache's checksum tells damage
		if _, err := d.DecodeFindings(data[:i]); err == nil {
			t.Fatalf("a record cut at byte %d was taken", i)
		}
	}
}
