package evidence

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
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
func (c *change) pay(d *debt, item schema.Item, side schema.Side) *claim {
	var said, by *claim
	best, why := none, schema.Text{}
	for _, i := range c.orders.of(c, item) {
		a, ok := i.Aligned[side]
		switch {
		case !ok:
		case a.ThisChange:
			if i.order.comes {
				said = i
			}
		default:
			v, text := c.look(i, item, side)
			if v > best && (i.order.comes || v == verified) { // a record of an earlier change is no evidence for this one
				best, why, by = v, text, i
			}
		}
	}
	if by != nil {
		c.settle(d, item, side, by, best, why)
	}
	return said
}

// settle pays a debt by what an order names, or makes the finding that it does not.
func (c *change) settle(d *debt, item schema.Item, side schema.Side, by *claim, v verdict, why schema.Text) {
	a := by.Aligned[side]
	d.Ref = strings.TrimSpace(by.order.ID + " " + bare(a.Repo) + "@" + short(a.Commit))
	f := c.finding("", item, by.place(c.judge, a.At))
	switch v {
	case verified:
		d.PaidBy = "order"
	case stale:
		by.told = true
		f.Rule, f.Got = "evidence/stale", or(a.Commit, a.Digest)
		f.Message = schema.Textf("the change order %s says that the %s side is aligned in %s, and that does not hold: %s", "变更单 %s 称%s方已在 %s 对齐，但与事实不符：%s", by.order.ID, rules.SideName(side), bare(a.Repo), why)
		f.Hint = schema.Textf("align %s there, and name that commit and the digest of its %s (poolproof inspect shows it)", "在该处对齐 %s，并写明该提交与其%s的摘要（poolproof inspect 可显示）", a.File, rules.ItemName(item))
		f.Related = c.relatedTruth(item)
		d.finding = &f
	case unverified:
		f.Rule, f.Got = "evidence/unverified", bare(a.Repo)
		f.Message = schema.Textf("the change order %s says that the %s side is aligned in %s, and nobody could look: %s", "变更单 %s 称%s方已在 %s 对齐，但无法查证：%s", by.order.ID, rules.SideName(side), bare(a.Repo), why)
		f.Hint = schema.Textf("name the repository as a source of the %s side in the manifest (repo, ref) and make it reachable; evidence: attested accepts what cannot be opened", "在清单中将该仓库写为 %s 方的来源（repo、ref）并保证可访问；evidence: attested 接受无法打开的仓库", string(side))
		d.unverified(c, f)
	}
}

// lookup is one piece of evidence: what an order says of a side and an item.
type lookup struct {
	claim *claim
	item  schema.Item
	side  schema.Side
}

type looked struct {
	verdict verdict
	why     schema.Text
}

// maxLookups is how many pieces of evidence of a change are looked up in other repositories. An honest order has a few for
// each pool.
const maxLookups = 1000

// look judges what an order names, once.
func (c *change) look(i *claim, item schema.Item, side schema.Side) (verdict, schema.Text) {
	key := lookup{i, item, side}
	if l, ok := c.seen[key]; ok {
		return l.verdict, l.why
	}
	var l looked
	a := i.Aligned[side]
	switch ok, off := i.covers(c, item); {
	case !ok:
		l = looked{stale, off}
	case c.judge.lookups == maxLookups:
		l = looked{unverified, schema.Textf("the change names more than %d pieces of evidence", "本次变更所列证据超过 %d 条", maxLookups)}
	default:
		c.judge.lookups++
		l.verdict, l.why = c.verify(item, side, &a)
	}
	c.seen[key] = l
	return l.verdict, l.why
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
	if c.report.first {
		return nil // the operator of the base named none
	}
	list := c.options.Union.Base.Sources
	for i := range list {
		if s := &list[i]; s.Side == side && s.Repo != "" && sameRepo(s.Repo, repo) && !slices.Contains(c.options.Union.added, i) {
			out = append(out, s)
		}
	}
	return out
}

// sameRepo compares repositories as people write them: with or without the end .git, and whoever logs in.
func sameRepo(a, b string) bool {
	end := func(s string) string { return strings.TrimSuffix(strings.TrimSuffix(bare(s), "/"), ".git") }
	return end(a) == end(b)
}

// bare takes what may be a secret out of a repository's address: the name and password before the host of a URL.
func bare(repo string) string {
	scheme, rest, ok := strings.Cut(repo, "://")
	if !ok {
		return repo
	}
	host, path, slash := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if slash {
		host += "/"
	}
	return scheme + "://" + host + path
}
