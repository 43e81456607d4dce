package evidence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/schema"
)

// TestPools: what a change does is said by the digests that Judge compares orders with, so that an order made of them is
// about the change.
func TestPools(t *testing.T) {
	p := grown()
	var pools []evidence.PoolChange
	p.run(t, func(o *evidence.Options) { pools = evidence.Pools(*o, "") })
	if len(pools) != 1 || len(pools[0].Items) != 1 || pools[0].Items[0].Item != schema.Members || pools[0].New || pools[0].Gone {
		t.Fatalf("%+v", pools)
	}
	x := pools[0].Items[0]
	if x.After == "absent" || x.Before[schema.Gateway] == "" || x.Before[schema.Gateway] == x.After {
		t.Errorf("%+v", x)
	}
	order := func(after string) play {
		q := grown()
		q.head["changes/a.md"] = fmt.Sprintf("---\npoolproof: change-order/v1\nid: a\npools: [%s]\ninitiator: a\neffective: 2026-01-01T00:00:00Z\nitems:\n  - {pool: %s, item: members, before: {gateway: \"%s\"}, after: \"%s\"}\n---\n",
			pools[0].Pool, pools[0].Pool, x.Before[schema.Gateway], after)
		for _, files := range []map[string]string{q.base, q.head} {
			files["poolproof.yaml"] = strings.Replace(files["poolproof.yaml"], "sources:\n", "sources:\n  - {side: order, files: [\"changes/*.md\"]}\n", 1)
		}
		return q
	}
	if got := rulesOf(order(x.After).run(t).findings); strings.Contains(got, "stale") {
		t.Errorf("an order that says so is stale: %s", got)
	}
	if got := rulesOf(order(x.Before[schema.Gateway]).run(t).findings); !strings.Contains(got, "stale") {
		t.Errorf("an order that says otherwise is not stale: %s", got)
	}
}

// TestPoolsUnmoved: a pool of a file that changes elsewhere is not part of the change.
func TestPoolsUnmoved(t *testing.T) {
	p := grown()
	for name, text := range p.base {
		p.head[name] = text
	}
	p.run(t, func(o *evidence.Options) {
		if got := evidence.Pools(*o, ""); len(got) != 0 {
			t.Errorf("%+v", got)
		}
	})
}
