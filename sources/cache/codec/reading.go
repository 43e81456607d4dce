package codec

import (
	"crypto/sha256"
	"math"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// How many bytes an element of a list takes at the least, which a test holds against the descriptions below.
const (
	leastCopy    = 18
	leastOrder   = 10
	leastMember  = 4
	leastField   = 3
	leastBatch   = 7
	leastProblem = 7
	leastOther   = 2
)

func (c *coder) reading(r *load.Reading) {
	list(c, &r.Siblings, leastOther, (*coder).sibling)
	c.copies(&r.Result.Copies)
	c.section(func() bool { return true }, func() { list(c, &r.Result.Orders, leastOrder, (*coder).order) })
	c.problems(&r.Result.Problems)
	left := int64(r.Result.LeftOut)
	signed(c, &left)
	r.Result.LeftOut = int(left)
}

func (c *coder) sibling(s *load.Sibling) {
	c.string(&s.Name)
	exists := s.Sum != [sha256.Size]byte{}
	c.flags(&exists)
	if !exists {
		return
	}
	if c.writing {
		c.body = append(c.body, s.Sum[:]...)
		return
	}
	if len(c.body)-c.at < sha256.Size {
		c.fail()
		return
	}
	c.at += copy(s.Sum[:], c.body[c.at:])
}

// copies codes the copies of a reading, of which the reader leaves out those that are not to be kept.
func (c *coder) copies(s *[]schema.Copy) {
	if c.writing || c.keep == nil {
		list(c, s, leastCopy, func(c *coder, x *schema.Copy) { c.copy(x) })
		return
	}
	n, none := c.length(0, true, leastCopy)
	if none {
		return
	}
	*s = []schema.Copy{}
	var x schema.Copy
	for range n {
		if c.copy(&x) {
			*s = append(*s, x)
		}
		x = schema.Copy{}
	}
}

// copy codes a copy, and reports whether it was read.
func (c *coder) copy(x *schema.Copy) bool {
	text(c, &x.Side)
	c.strings(&x.Env, &x.Pool)
	list(c, &x.Candidates, leastOther, (*coder).name)
	return c.section(func() bool { return c.keep == nil || c.keep(x) }, func() { c.rest(x) })
}

// rest codes all of a copy but what names its pool.
func (c *coder) rest(x *schema.Copy) {
	c.strings(&x.Format, &x.Profile, &x.Engine, &x.Revision)
	c.flags(&x.Owned, &x.Strict, &x.Complete)
	c.stringList(&x.Files)
	var places [2 + int(schema.Items)]*schema.Span
	places[0], places[1] = &x.PoolAt, &x.EffectiveAt
	for i := range x.ItemAt {
		places[2+i] = &x.ItemAt[i]
	}
	c.spans(places[:]...)
	slabList(c, &x.Members, &c.slabs.members, &c.need.members, (*coder).member)
	slabList(c, &x.Batches, &c.slabs.batches, &c.need.batches, (*coder).batch)
	list(c, &x.Stops, leastOther, (*coder).stop)
	c.fieldList(&x.Fields)
	c.time(&x.Effective)
	list(c, &x.Unresolved, leastOther, (*coder).unresolved)
	c.problems(&x.Problems)
}

func (c *coder) name(n *schema.Name) {
	c.string(&n.Text)
	c.spans(&n.At)
}

func (c *coder) member(m *schema.Member) {
	c.strings(&m.Host, &m.PortText, &m.Socket, &m.Provider, &m.Model)
	small(c, &m.Port, 1<<16-1)
	weighs, ranks, more := m.Weight != 0, m.Priority != 0, m.Origin != 0 || m.State != 0 || m.Backup != 0 || m.Extra != nil
	c.flags(&m.HasWeight, &m.HasPriority, &m.PortImplied, &weighs, &ranks, &more)
	if weighs {
		signed(c, &m.Weight)
	}
	if ranks {
		signed(c, &m.Priority)
	}
	if more {
		small(c, &m.Origin, schema.FromTemplate)
		small(c, &m.State, schema.Disabled)
		small(c, &m.Backup, schema.Yes)
		c.fieldList(&m.Extra)
	}
	c.spans(&m.At, &m.HostAt, &m.PortAt, &m.WeightAt, &m.PriorityAt, &m.BackupAt, &m.StateAt)
}

func (c *coder) fieldList(s *[]schema.Field) {
	slabList(c, s, &c.slabs.fields, &c.need.fields, (*coder).field)
}

func (c *coder) field(f *schema.Field) {
	c.path(&f.Path)
	c.value(&f.Value)
	c.spans(&f.At)
}

func (c *coder) value(v *schema.Value) {
	kind, num, s := v.Raw()
	small(c, &kind, schema.List)
	switch kind {
	case schema.None:
	case schema.TextKind, schema.List:
		c.string(&s)
	case schema.Number:
		f := math.Float64frombits(num)
		c.float(&f)
		num = math.Float64bits(f)
	default:
		i := int64(num)
		signed(c, &i)
		num = uint64(i)
	}
	if c.writing {
		return
	}
	var ok bool
	if *v, ok = schema.FromRaw(kind, num, s); !ok {
		c.fail()
	}
}

func (c *coder) batch(b *schema.Batch) {
	c.flags(&b.HasShare, &b.HasDwell, &b.Manual, &b.Implied)
	c.float(&b.Share)
	signed(c, &b.Dwell)
	signed(c, &b.MinSamples)
	c.stringList(&b.Regions)
	c.stringList(&b.Priorities)
	c.spans(&b.At, &b.ShareAt, &b.DwellAt, &b.SamplesAt)
}

func (c *coder) stop(s *schema.Stop) {
	c.flags(&s.HasAbove, &s.HasBelow)
	c.strings(&s.Metric, &s.Against)
	c.float(&s.Above)
	c.float(&s.Below)
	c.spans(&s.At)
}

func (c *coder) unresolved(u *schema.Unresolved) {
	c.path(&u.Path)
	c.string(&u.Raw)
	c.spans(&u.At)
	c.flags(&u.Quiet)
}

func (c *coder) problems(s *[]schema.Problem) { list(c, s, leastProblem, (*coder).problem) }

func (c *coder) problem(p *schema.Problem) {
	c.strings(&p.Rule, &p.Pool, &p.Field, &p.Member, &p.Got, &p.Want)
	c.spans(&p.At)
	small(c, &p.Severity, schema.Error)
	small(c, &p.Item, schema.Items-1)
	c.both(&p.Text)
	c.both(&p.Hint)
	list(c, &p.Related, leastOther, (*coder).note)
}

func (c *coder) note(n *schema.Note) {
	c.spans(&n.At)
	c.both(&n.Label)
}
