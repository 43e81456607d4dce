package changeorder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func digestOf(t *testing.T, front string) string {
	t.Helper()
	r := sourcetest.Read(Adapter(), "a.md", []byte("---\n"+front+"---\n# A\n"), schema.Source{})
	if len(r.Orders) != 1 {
		t.Fatalf("%d orders in %q", len(r.Orders), front)
	}
	return r.Orders[0].Digest
}

const signed = `poolproof: change-order/v1
id: CHG-1
pools: [orders]
initiator: a
effective: 2026-10-20T02:00:00+08:00
items: [{pool: orders, item: ramp}]
ramp: {orders: {batches: [{share: 5, dwell: 10m}, {share: 100}]}}
`

// TestDigest holds what an approval is bound to, and what it is not.
func TestDigest(t *testing.T) {
	want := digestOf(t, signed)
	for name, front := range map[string]string{
		"approvals":         signed + "approvals: [{by: b, at: 2026-10-19T02:00:00Z}]\n",
		"a drill":           signed + "drill: {command: x}\n",
		"comments":          "# hello\n" + signed,
		"quotes":            strings.Replace(signed, "id: CHG-1", `"id": 'CHG-1'`, 1),
		"numbers":           strings.Replace(signed, "share: 5,", "share: 5.0,", 1),
		"the order of keys": strings.Replace(signed, "id: CHG-1\npools: [orders]\n", "pools: [orders]\nid: CHG-1\n", 1),
		"block style":       strings.Replace(signed, "pools: [orders]", "pools:\n  - orders", 1),
		"CRLF":              strings.ReplaceAll(signed, "\n", "\r\n"),
	} {
		if got := digestOf(t, front); got != want {
			t.Errorf("%s changes the digest", name)
		}
	}
	for name, front := range map[string]string{
		"an id":           strings.Replace(signed, "CHG-1", "CHG-2", 1),
		"a share":         strings.Replace(signed, "share: 5,", "share: 6,", 1),
		"another time":    strings.Replace(signed, "+08:00", "+09:00", 1),
		"a batch":         strings.Replace(signed, "{share: 5, dwell: 10m}, ", "", 1),
		"an exception":    signed + "exceptions: []\n",
		"an unknown key":  signed + "note: x\n",
		"a text a number": strings.Replace(signed, "share: 5,", `share: "5",`, 1),
	} {
		if digestOf(t, front) == want {
			t.Errorf("%s does not change the digest", name)
		}
	}
}

// TestDigestIsCanonical compares the digest with what another reader of YAML and another writer of canonical JSON make of
// the front matter.
func TestDigestIsCanonical(t *testing.T) {
	for _, front := range []string{
		signed,
		"poolproof: change-order/v1\nid: \"tab\\t\\u0001 \\\\ é \\U0001F600\"\nitems: []\n\"\\uE000\": 1\n\"\\U00010000\": 2\npools: []\n",
		"poolproof: change-order/v1\nid: x\nitems: []\nn: [1, -0, 0.1, 1e3, 1e21, 0x1f, 123456789012345678, true, null, ~, ~x, 'null']\nempty: {}\nnothing:\n",
	} {
		var v any
		if err := yaml.Unmarshal([]byte(strings.Replace(front, "effective: 2026-10-20T02:00:00+08:00", "effective: \"2026-10-20T02:00:00+08:00\"", 1)), &v); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = jcs.Transform(text); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		if want := "sha256:" + hex.EncodeToString(sum[:]); digestOf(t, front) != want {
			t.Errorf("the digest is not that of %s", text)
		}
	}
}
