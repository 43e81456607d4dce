// Package change writes change orders: it renders what a change does as front matter in the grammar of #ChangeOrder and as
// text for people, and brings an order that people have edited up to date without touching what they wrote.
//
// Of the front matter, pools, items and drill are generated, and so is the ramp of a pool for which the order has none yet:
// what is frozen stays frozen. Everything else is people's: id, initiator, effective, aligned entries that name a commit,
// approvals, exceptions, comments. Of the text below, what stands between the lines
//
//	<!-- poolproof:begin NAME HASH -->
//	<!-- poolproof:end NAME -->
//
// is generated; HASH tells whether it is what was generated for this very change.
//
// What only people know is left as TODO, in a form that the grammar refuses: an order with open places neither pays nor
// freezes.
package change

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/poolproof/poolproof/schema"
)

// Order is what is known of a change, ready to be written. All texts in it are as files hold them; writing escapes them.
type Order struct {
	// Lang is the language of what is written for people, "en" or "zh"; empty is English.
	Lang string
	// ID names the order. Initiator and Effective are left to be filled in where they are empty; Effective is an RFC 3339
	// time.
	ID, Initiator, Effective string
	// Pools are the names of the pools that the change alters, sorted, each once.
	Pools []string
	Items []Item
	// Ramps are those to freeze, for pools of which the order freezes none yet, and those to freeze anew.
	Ramps []Ramp
	// Drill is nil where nothing of the pools is left to be played.
	Drill *schema.Drill
	// Settings are the settings that differ.
	Settings []Setting
	// Debts are what the change owes.
	Debts []Debt
}

// Item is one item of a pool that changes.
type Item struct {
	Pool, Env string
	// Item is an item's name; "pool" for a pool that is created or removed.
	Item string
	// Before holds digests by side, or "absent"; After is a digest, "absent", or empty for a pool that is created.
	Before map[schema.Side]string
	After  string
	// Aligned are the sides that follow in this change. Owed are those that do not, with the file that has to follow, if it
	// is known.
	Aligned []schema.Side
	Owed    map[schema.Side]string
}

// Ramp is the ramp of a pool that the order freezes.
type Ramp struct {
	Pool string
	// Copy states it.
	Copy *schema.Copy
	// Anew: it takes the place of the one that the order has.
	Anew bool
}

// Setting is one setting of one copy that the change alters. An empty side does not have it.
type Setting struct{ Pool, Env, Side, File, Name, Before, After string }

// Debt is what a side owes because another one changed.
type Debt struct {
	Pool, Env, Item, Side, File string
	// PaidBy is "tree", "order", "exception", or empty; Ref says what paid.
	PaidBy, Ref string
}

// facts digests what the change does, whoever fills in the order.
func (o *Order) facts() []byte {
	type item struct {
		Pool, Env, Item string
		Before          map[schema.Side]string
		After           string
	}
	var items []item
	for _, i := range o.Items {
		items = append(items, item{i.Pool, i.Env, i.Item, i.Before, i.After})
	}
	text, _ := json.Marshal([]any{o.Pools, items, o.Settings}) // texts and maps of texts always have a JSON form
	return text
}

// hash tells a section that was written for a change from any other. Its second half is that of the content alone.
func hash(facts []byte, name, content string) string {
	h := sha256.New()
	h.Write(facts)
	for _, s := range []string{name, content} {
		h.Write([]byte{0})
		h.Write([]byte(s))
	}
	return hex.EncodeToString(h.Sum(nil))[:8] + seal8(content)
}

func seal8(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])[:8]
}

// say chooses between the languages.
func (o *Order) say(en, zh string) string {
	if o.Lang == "zh" {
		return zh
	}
	return en
}
