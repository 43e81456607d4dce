package codec

import "github.com/poolproof/poolproof/schema"

func (c *coder) order(o *schema.ChangeOrder) {
	c.strings(&o.File, &o.Revision, &o.ID, &o.Initiator, &o.Digest)
	c.flags(&o.Valid)
	c.stringList(&o.Pools)
	c.stringList(&o.Ramps)
	c.time(&o.Effective)
	c.spans(&o.At, &o.IDAt)
	list(c, &o.Items, leastOther, (*coder).orderItem)
	list(c, &o.Approvals, leastOther, (*coder).approval)
	list(c, &o.Exceptions, leastOther, (*coder).exception)
	drilled := o.Drill != nil
	c.flags(&drilled)
	if !drilled {
		return
	}
	if !c.writing {
		o.Drill = &schema.Drill{}
	}
	c.drill(o.Drill)
}

func (c *coder) orderItem(i *schema.OrderItem) {
	c.strings(&i.Pool, &i.Item, &i.After)
	keyed(c, &i.Before, (*coder).string)
	keyed(c, &i.Aligned, (*coder).aligned)
	c.spans(&i.At)
}

func (c *coder) aligned(a *schema.Aligned) {
	c.flags(&a.ThisChange)
	c.strings(&a.Repo, &a.Commit, &a.File, &a.Digest)
	c.spans(&a.At)
}

func (c *coder) drill(d *schema.Drill) {
	c.strings(&d.Command, &d.Tool, &d.Config)
	signed(c, &d.Seeds)
	list(c, &d.Results, leastOther, (*coder).drillResult)
	c.spans(&d.At)
}

func (c *coder) drillResult(r *schema.DrillResult) {
	c.strings(&r.ID, &r.Pass, &r.Observed)
	c.spans(&r.At)
}

func (c *coder) approval(a *schema.Approval) {
	c.strings(&a.By, &a.Digest)
	c.time(&a.Time)
	c.spans(&a.At)
}

func (c *coder) exception(e *schema.Exception) {
	text(c, &e.Side)
	c.strings(&e.Rule, &e.Pool, &e.Member, &e.Field, &e.Initiator, &e.Saw, &e.Reclaim, &e.File)
	c.time(&e.Expires)
	c.spans(&e.At)
}
