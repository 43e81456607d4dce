package evidence

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// orders are the change orders of head and of the pull request's text that the grammar accepts.
type orders struct {
	list []*order
	// byPool finds the claims about a pool by the keys of the names that orders use for it.
	byPool map[string][]*claim
	// files are the change orders that come with the change, by file, and refused those of head that the grammar rejects.
	files, refused map[string]bool
}

// order is one change order. It comes with the change if the change adds it, edits it, or holds it in its text; of other
// orders only what they prove for the very settings of head counts.
type order struct {
	*schema.ChangeOrder
	env         string
	comes, text bool
	items       []*claim
}

// claim is one item of an order.
type claim struct {
	*schema.OrderItem
	order *order
	// checked: the item changes somewhere; fits: what the order says of it is what head has, in some environment; told: a
	// finding speaks of it already. off says which digest is not that of the trees.
	checked, fits, told bool
	off                 schema.Text
	pool                *change
}

func newOrders(o *Options) *orders {
	s := &orders{byPool: map[string][]*claim{}, files: map[string]bool{}, refused: map[string]bool{}}
	old := map[string][]*schema.ChangeOrder{}
	for _, f := range o.Base.Loaded.Files {
		for i := range f.Result.Orders {
			b := &f.Result.Orders[i]
			old[b.ID] = append(old[b.ID], b)
		}
	}
	for _, f := range o.Head.Loaded.Files {
		for i := range f.Result.Orders {
			h := &f.Result.Orders[i]
			known := slices.ContainsFunc(old[h.ID], func(b *schema.ChangeOrder) bool { return sameOrder(b, h) })
			s.add(h, f.Env, !known, false)
		}
	}
	if o.PullRequest != nil {
		for i := range o.PullRequest.Orders {
			s.add(&o.PullRequest.Orders[i], "", true, true)
		}
	}
	return s
}

func (s *orders) add(o *schema.ChangeOrder, env string, comes, text bool) {
	if comes && !text {
		s.files[o.File] = true
	}
	if !o.Valid {
		s.refused[o.File] = s.refused[o.File] || !text
		return
	}
	own := &order{ChangeOrder: o, env: env, comes: comes, text: text}
	for i := range o.Items {
		one := &claim{OrderItem: &o.Items[i], order: own}
		own.items = append(own.items, one)
		key := reconcile.Key(one.Pool)
		s.byPool[key] = append(s.byPool[key], one)
	}
	s.list = append(s.list, own)
}

// sameOrder reports whether two orders say the same, whatever file they stand in.
func sameOrder(a, b *schema.ChangeOrder) bool {
	if a.Digest != b.Digest || a.Valid != b.Valid || len(a.Approvals) != len(b.Approvals) || (a.Drill == nil) != (b.Drill == nil) {
		return false
	}
	for i := range a.Approvals {
		if x, y := a.Approvals[i], b.Approvals[i]; x.By != y.By || x.Digest != y.Digest || !x.Time.Equal(y.Time) {
			return false
		}
	}
	if a.Drill == nil {
		return true
	}
	x, y := a.Drill, b.Drill
	return x.Command == y.Command && x.Tool == y.Tool && x.Config == y.Config && x.Seeds == y.Seeds &&
		slices.EqualFunc(x.Results, y.Results, func(r, s schema.DrillResult) bool {
			return r.ID == s.ID && r.Pass == s.Pass && r.Observed == s.Observed
		})
}

// edited reports whether a change order file comes with the change.
func (s *orders) edited(file string) bool { return s.files[file] }

// named returns the order of a file of head that the grammar accepts, nil if there is none.
func (s *orders) named(file string) *schema.ChangeOrder {
	for _, o := range s.list {
		if o.File == file && !o.text {
			return o.ChangeOrder
		}
	}
	return nil
}

// invalid reports whether the grammar rejects an order of a file of head.
func (s *orders) invalid(file string) bool { return s.refused[file] }

// of lists the claims about an item of a pool: those of the item, and those of the pool as a whole where one end has none.
func (s *orders) of(c *change, item schema.Item) []*claim {
	var out []*claim
	for _, key := range c.keys() {
		for _, i := range s.byPool[key] {
			if o := i.order; o.env != "" && c.pool.env != "" && o.env != c.pool.env {
				continue
			}
			if i.Item == item.String() || i.Item == "pool" && (c.base == nil || c.head == nil) {
				out = append(out, i)
			}
		}
	}
	return out
}

// keys are those of the names by which orders may call the pool, each once.
func (c *change) keys() []string {
	keys := []string{reconcile.Key(c.pool.name)}
	add := func(name string) {
		if k := reconcile.Key(name); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, g := range []*reconcile.Group{c.pool.base, c.pool.head} {
		if g == nil {
			continue
		}
		add(g.Pool)
		if g.Entry != nil {
			for _, n := range g.Entry.Names[schema.Order] {
				add(strings.ReplaceAll(n, "{env}", c.pool.env))
			}
		}
	}
	return keys
}

// named reports whether an order's name of a pool means this one.
func (c *change) named(name string) bool { return slices.Contains(c.keys(), reconcile.Key(name)) }

// covers reports whether what a claim says of before and after is what the trees have, and if not, what is off. An order
// that does not come with the change has to name the digest.
func (i *claim) covers(c *change, item schema.Item) (ok bool, off schema.Text) {
	if i.After == "" && !i.order.comes {
		return false, schema.Text{}
	}
	if i.Item == "pool" {
		if (i.After == "absent") != (c.head == nil) && i.After != "" {
			return false, schema.Textf("after is %s, and the change does otherwise", "after 为 %s，与变更不符", i.After)
		}
		return true, schema.Text{}
	}
	if i.After != "" {
		now := i.now(c, item)
		if i.After != now {
			return false, schema.Textf("after is %s, head has %s", "after 为 %s，而变更后为 %s", i.After, now)
		}
	}
	if !i.order.comes {
		return true, schema.Text{}
	}
	for _, side := range owing() {
		want := i.Before[side]
		if want == "" || c.base == nil {
			continue
		}
		var had []string
		for _, x := range c.base.Group.Of(side) {
			if x.States(item) {
				had = append(had, c.digest(x, item))
			}
		}
		if had == nil && (want == "absent" || c.foreignSide(side)) || slices.Contains(had, want) {
			continue
		}
		return false, schema.Textf("before.%s is %s, base has %s", "before.%s 为 %s，而变更前为 %s", side, want, or(strings.Join(had, ", "), "absent"))
	}
	return true, schema.Text{}
}

// now is the digest that a claim's after should be: of the truth in head or, for a ramp that the order freezes, of that.
func (i *claim) now(c *change, item schema.Item) string {
	if item == schema.Ramp && c.head != nil {
		for _, x := range c.head.Group.Of(schema.Order) {
			if x.File() == i.order.File && x.States(item) {
				return c.digest(x, item)
			}
		}
	}
	if t := truthOf(c.head, item); t != nil {
		return c.digest(t, item)
	}
	if c.head != nil {
		for _, x := range c.head.Group.Copies {
			if x.Side != schema.Order && x.States(item) {
				return c.digest(x, item)
			}
		}
	}
	return "absent"
}

// foreignSide reports whether copies of a side stand in another repository, so that this one cannot tell what they were.
func (c *change) foreignSide(side schema.Side) bool {
	return slices.ContainsFunc(c.options.Union.Base.Sources, func(s schema.Source) bool { return s.Side == side && s.Repo != "" })
}

// check compares the claims about an item that changes with the trees.
func (s *orders) check(c *change, item schema.Item) {
	for _, i := range s.of(c, item) {
		ok, off := i.covers(c, item)
		i.checked, i.fits = true, i.fits || ok
		if i.pool == nil {
			i.pool, i.off = c, off
		}
	}
}

// covering returns an order that speaks of the change of an item.
func (s *orders) covering(c *change, item schema.Item) *order {
	for _, i := range s.of(c, item) {
		if ok, _ := i.covers(c, item); ok {
			return i.order
		}
	}
	return nil
}

// dropping returns an order that says that all of these items are gone.
func (s *orders) dropping(c *change, items []schema.Item) *order {
	var found *order
	for _, item := range items {
		at := slices.IndexFunc(s.of(c, item), func(i *claim) bool {
			return i.order.comes && i.Item != "pool" && i.After == "absent" && i.now(c, item) == "absent"
		})
		if at < 0 {
			return nil
		}
		found = s.of(c, item)[at].order
	}
	return found
}

// twoOrders says that a cooldown changes under two orders.
func (c *change) twoOrders() {
	if len(c.changed(schema.Cooldown)) == 0 {
		return
	}
	var first *claim
	for _, i := range c.orders.of(c, schema.Cooldown) {
		switch {
		case !i.order.comes || i.Item == "pool":
		case first == nil:
			first = i
		case i.order != first.order:
			f := c.finding("evidence/not-together", schema.Cooldown, i.place(c.judge, i.At))
			f.Related = []schema.Related{{Place: first.place(c.judge, first.At), Label: schema.Textf("the other order", "另一份变更单")}}
			f.Message = schema.Textf("the cooldown changes under two orders, %s and %s", "冷却在 %s 与 %s 两份变更单下变更", first.order.ID, i.order.ID)
			f.Hint = schema.Textf("both sides change under one order: name them in the same item", "双方须在同一变更单下变更：写在同一条目中")
			c.tell(f)
			return
		}
	}
}

// place is a span of the order. An order in the text of a pull request has no file.
func (i *claim) place(j *judge, at schema.Span) schema.Place { return i.order.place(j, at) }

func (o *order) place(j *judge, at schema.Span) schema.Place {
	if o.text {
		return schema.Place{Side: schema.Order}
	}
	if !at.Known() {
		at = o.At
	}
	return schema.Place{Side: schema.Order, File: o.File, Revision: or(o.Revision, j.head.Revision), Span: at}
}
