package evidence

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// verdict is what became of one piece of evidence, from the weakest.
type verdict int

const (
	none verdict = iota
	stale
	unverified
	verified
)

// pay lets change orders pay what the tree does not show. It settles the debt, with a finding if what the orders name does
// not hold, or leaves it alone; then it returns a claim that says that this change aligned the side, if there is one.
func (c *change) pay(d *debt, item schema.Item, owing schema.Place) *claim {
	var said *claim
	best, why, by := none, schema.Text{}, (*claim)(nil)
	for _, i := range c.orders.of(c, item) {
		a, ok := i.Aligned[owing.Side]
		switch {
		case !ok:
			continue
		case a.ThisChange:
			if i.order.comes {
				said = i
			}
			continue
		}
		v, text := c.claimed(i, item, &a)
		if !i.order.comes && v != verified {
			continue // a record of an earlier change is no evidence for this one
		}
		if v > best {
			best, why, by = v, text, i
		}
	}
	if best == none {
		return said
	}
	a := by.Aligned[owing.Side]
	d.Ref = strings.TrimSpace(by.order.ID + " " + a.Repo + "@" + short(a.Commit))
	place := by.place(c.judge, a.At)
	switch best {
	case verified:
		d.PaidBy = "order"
	case stale:
		by.told = true
		f := c.finding("evidence/stale", item, place)
		f.Got = or(a.Commit, a.Digest)
		f.Message = textf("the change order %s says that the %s side is aligned in %s, and that does not hold: %s", "变更单 %s 称%s方已在 %s 对齐，但与事实不符：%s", by.order.ID, sideName(owing.Side), a.Repo, why)
		f.Hint = textf("align %s there, and name the commit and the digest of %s", "在该处对齐 %s，并写明提交与%s的摘要", a.File, item.String())
		f.Related = c.relatedTruth(item)
		d.finding = &f
	case unverified:
		f := c.finding("evidence/unverified", item, place)
		f.Got = a.Repo
		f.Message = textf("the change order %s says that the %s side is aligned in %s, and nobody could look: %s", "变更单 %s 称%s方已在 %s 对齐，但无法查证：%s", by.order.ID, sideName(owing.Side), a.Repo, why)
		f.Hint = textf("name the repository as a source of the %s side in the manifest (repo, ref) and make it reachable; evidence: attested accepts what cannot be opened", "在清单中将该仓库写为 %s 方的来源（repo、ref）并保证可访问；evidence: attested 接受无法打开的仓库", string(owing.Side))
		d.unverified(c, f)
	}
	return said
}

// claimed judges what an order names: repository, commit, file and digest.
func (c *change) claimed(i *claim, item schema.Item, a *schema.Aligned) (verdict, schema.Text) {
	if ok, off := i.covers(c, item); !ok {
		return stale, off
	}
	var side schema.Side
	for s, x := range i.Aligned {
		if x == *a {
			side = s
		}
	}
	return c.verify(item, side, a)
}

func short(commit string) string {
	if len(commit) > 12 {
		return commit[:12]
	}
	return commit
}

// sourcesOf are the base's sources of a side in a repository.
func (c *change) sourcesOf(side schema.Side, repo string) []*schema.Source {
	var out []*schema.Source
	list := c.options.Union.Base.Sources
	for i := range list {
		if s := &list[i]; s.Side == side && s.Repo != "" && sameRepo(s.Repo, repo) && !slices.Contains(c.options.Union.added, i) {
			out = append(out, s)
		}
	}
	return out
}

func sameRepo(a, b string) bool {
	bare := func(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "/"), ".git") }
	return bare(a) == bare(b)
}
