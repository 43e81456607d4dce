// Package evidence answers what a change owes and whether it paid. It looks at two trees, the one that the change starts
// from and the one that it arrives at, and at nothing in between: commits, moves and renames take no part.
//
// A pool is the same pool at both ends where environment and name are, whatever files its copies stand in. What a side
// says about an item is compared by digest. Where the truth of an item changes, every other side that states the item owes
// that it follows; where another side changes and moves away from the truth, that is the finding. An obligation is paid by
// the tree itself, by a change order that names where else the side was aligned, or by an exception that the base already
// had. A change does not rewrite the rules that it is judged by (see Union).
//
// How the words of the table are read here:
//
//   - A copy compares clean where it has no divergence from the truth that a rule would report: members/missing,
//     members/extra, */differs, probe/editable-copy. What the base's severities switch off or its exceptions excuse does not
//     count. Unresolved entries excuse as many missing members as they do everywhere. Names against addresses
//     (members/cannot-compare) prove nothing and accuse nobody: the obligation is evidence/unverified.
//   - wrong-side: the truth stands as it was, and an edited copy has more divergences than before, or as many and others.
//   - cooldown: where only one side changed, those that stayed behind are evidence/not-together; where several did, the one
//     that is left behind is evidence/missing.
//   - A copy or item that is removed while others still state it is owed at the place where the base has it. An item that
//     two sides or more dropped together, and all that had it, is dropped in step and owes nothing; so does an editable
//     copy of the probe. A file that head breaks is a broken file, not a removal.
//   - A change order comes with the change if its content is not in the base, whatever file it stands in. What it says has
//     to hold even where nothing needs it: before and after are the digests of the trees, and each commit that it names is
//     looked up. Of an order that the base has, only what it proves for the very digest of head counts.
//   - aligned: this-change is the tree's to show. Where the tree does not, the copy is evidence/missing, and the finding
//     names the order that says otherwise.
//   - Where the truth's side is silent at both ends, the copies owe it to each other, as a warning (cooldown: an error).
package evidence

import (
	"context"
	"time"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// Tree is one end of a change.
type Tree struct {
	// Revision names the end in places; empty for the working tree or the index.
	Revision string
	// Loaded was read with the manifest of the union, and settled, before Audit judged it with the same manifest. Audit
	// may be limited to the pools that the change touches.
	Loaded *load.Loaded
	Audit  *audit.Result
}

// Options are what Judge looks at.
type Options struct {
	Union      *Union
	Base, Head Tree
	// Rules are all rules; they give the findings their severity.
	Rules []rules.Rule
	Now   time.Time
	// Changed are the files that differ between the trees, by path at either end. Pools without a copy in one of them are
	// passed over. Nil: every pool is looked at.
	Changed map[string]bool
	// Entire: both trees were read whole. A pool is also looked at then if it consists of other copies than before, or of
	// such that say something else though their files are the same.
	Entire bool
	// PullRequest is what the text of the pull request holds; nil for nothing. Its orders may pay and never freeze.
	PullRequest *PullRequest
	// Repositories opens the other repositories that the base manifest names. Nil: none can be opened.
	Repositories Repositories
	// Pools, RuleNames and Env limit what is reported, as in an audit.
	Pools     []string
	RuleNames []string
	Env       string
}

// Report is what a change owes.
type Report struct {
	// Findings are of the rules evidence/*; they are weighed, and neither sorted nor located. A place of the base has its
	// revision.
	Findings []schema.Finding
	// Obligations are all that the change owes, paid or not, by pool, environment, item and side.
	Obligations []Obligation
	// Touched are the pools that the change touches, by name and environment.
	Touched []Pool

	renamed map[Pool]Pool   // name in head: name in base
	gone    map[string]bool // files of the base that head does not have
	ahead   map[place]*schema.ChangeOrder
	first   bool
}

// Pool names a pool of an environment.
type Pool struct{ Env, Name string }

// Obligation is one thing that a change owes.
type Obligation struct {
	Pool, Env string
	// Item is an item's name; "pool" for a copy that is gone as a whole, "effective" for the effective time of a document.
	Item string
	// Changed is the side that changed, Owes the side that owes; Owes is the change order where only an order can pay.
	Changed, Owes schema.Side
	// File is the owing copy's own, of head or, if it is gone, of base.
	File string
	// PaidBy is "tree", "order", "exception", or empty for what is unpaid.
	PaidBy string
	// Ref says what paid: a file, an order with the commit that it names, or who granted the exception until when.
	Ref string
}

// Judge finds out what a change owes. The error is that of the context.
func Judge(ctx context.Context, o Options) (*Report, error) {
	j := newJudge(ctx, &o)
	j.manifest()
	j.said()
	var wanted []*pair
	for _, p := range j.pairs() {
		if j.wants(p) {
			wanted = append(wanted, p)
			j.report.Touched = append(j.report.Touched, Pool{p.env, p.name})
		}
	}
	for c := range j.ahead(wanted) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		j.pair(c)
	}
	j.orders.judge(j)
	return j.done(), ctx.Err()
}
