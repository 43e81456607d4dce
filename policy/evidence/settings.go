package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Settings returns the digest of the settings that a drill of these pools is played with, for drill.config of a change
// order: "sha256:" and the hexadecimal SHA-256 of the canonical JSON (RFC 8785)
//
//	{"ENV/POOL": {"members": DIGEST, "probe": DIGEST, "decision": DIGEST, "cooldown": DIGEST, "ramp": DIGEST, ...}, ...}
//
// of every pool, in every environment, that one of the names means. Each digest is that of the copy that counts for the
// item, by the source-of-truth table; of items that the table does not decide, the first copy that states it, gateway
// before app. file names the change order whose own ramp counts, in force or not; empty for none. Items that nobody
// states are left out.
func Settings(t Tree, m *schema.Manifest, now time.Time, names []string, file string) string {
	e := newEnd(t, m, now, nil)
	all := map[string]map[string]string{}
	for _, g := range t.Audit.Groups {
		if !slices.ContainsFunc(names, func(n string) bool { return reconcile.Key(n) == reconcile.Key(g.Pool) || ordered(g, n) }) {
			continue
		}
		all[g.Env+"/"+g.Pool] = digests(e.build(g), file)
	}
	text, err := json.Marshal(all)
	if err == nil {
		text, err = jcs.Transform(text)
	}
	if err != nil {
		return "" // texts and maps of texts have a canonical form
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// ordered reports whether a name is what change orders call a pool.
func ordered(g *reconcile.Group, name string) bool {
	return g.Entry != nil && slices.ContainsFunc(g.Entry.Names[schema.Order], func(n string) bool {
		return reconcile.Key(strings.ReplaceAll(n, "{env}", g.Env)) == reconcile.Key(name)
	})
}

// digests are those of the copies that count, by item.
func digests(p *rules.Pool, file string) map[string]string {
	out := map[string]string{}
	for item := schema.Members; item < schema.Items; item++ {
		counts := p.Rows[item].Copy
		for _, x := range p.Group.Copies {
			switch {
			case item == schema.Ramp && x.Side == schema.Order && x.File() == file && x.States(item):
				counts = x
			case counts == nil && x.Side != schema.Doc && x.Side != schema.Order && x.States(item):
				counts = x
			}
		}
		if counts != nil {
			out[item.String()] = schema.Digest(counts, item)
		}
	}
	return out
}

// settings are what the drill of an order should have been played with.
func (j *judge) settings(o *order) string {
	file := o.File
	if o.text {
		file = ""
	}
	return Settings(j.head.Tree, j.head.manifest, j.head.now, o.Pools, file)
}

// fromHere reports whether a drill was played with the settings of head: its config is the digest of the settings of the
// order's pools, or of one of the items that the order changes.
func (j *judge) fromHere(o *order) bool {
	if o.Drill.Config == j.settings(o) {
		return true
	}
	for _, g := range j.head.Audit.Groups {
		if slices.ContainsFunc(o.Pools, func(n string) bool { return reconcile.Key(n) == reconcile.Key(g.Pool) || ordered(g, n) }) {
			for _, digest := range digests(j.head.build(g), o.File) {
				if digest == o.Drill.Config {
					return true
				}
			}
		}
	}
	return false
}
