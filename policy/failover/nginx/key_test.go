package nginx

import (
	"hash/crc32"
	"testing"

	"github.com/poolproof/poolproof/policy/failover"
)

// TestKeys: what a request of 127.0.0.1 for /pay is hashed by, by the key that is written.
func TestKeys(t *testing.T) {
	for written, want := range map[string]string{
		"$request_uri":                    "/pay",
		"${uri}x":                         "/payx",
		"$remote_addr":                    "127.0.0.1",
		"$binary_remote_addr":             "\x7f\x00\x00\x01",
		"$scheme$proxy_host$request_uri":  "httpup/pay",
		"a$arg_user-$cookie_b$http_x_c.d": "a-.d",
		"$arg_user":                       "",
		"$":                               "",
		"${open":                          "",
	} {
		e := &Engine{hashBy: parseKey(written, "up")}
		var r failover.Request
		r.Path, r.Client = "/pay", 127<<24|1
		if got := ^e.key(^uint32(0), &r); got != crc32.ChecksumIEEE([]byte(want)) {
			t.Errorf("%s is not hashed as %q", written, want)
		}
		if want == "" && len(e.hashBy) > 0 {
			t.Errorf("%s: %v", written, e.hashBy)
		}
	}
}

// TestNothingToHash: requests without what they are hashed by go round.
func TestNothingToHash(t *testing.T) {
	for _, balance := range []string{"hash $arg_user", "hash $http_x_user consistent"} {
		e := build(t, upstream([]string{"", "", ""}, "balance", balance))
		got := ""
		for range 6 {
			got += ask(e, 0, false, well)[:1]
		}
		if got != "123123" {
			t.Errorf("%s: %s", balance, got)
		}
	}
}

// TestRandomTwoWithoutLoad: between equally idle servers the second draw decides, so that a light one gets more than its
// weight, and where no second one is drawn in time the round robin decides.
func TestRandomTwoWithoutLoad(t *testing.T) {
	e := build(t, upstream([]string{"weight=100", ""}, "balance", "random two"))
	light := 0
	for range 10000 {
		if ask(e, 0, false, well) == "2 pass" {
			light++
		}
	}
	if light < 1500 || light > 2300 {
		t.Errorf("the light one of two answers %d of 10000", light)
	}
}
