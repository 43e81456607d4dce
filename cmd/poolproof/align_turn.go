package main

import "github.com/poolproof/poolproof/schema"

// turn makes another of the files that a copy is merged from its own one, and its own one that other. Turned twice it is as
// it was.
func turn(c *schema.Copy, file int) {
	if file <= 0 || file >= len(c.Files) {
		return
	}
	c.Files[0], c.Files[file] = c.Files[file], c.Files[0]
	spans(c, func(s *schema.Span) {
		switch int(s.File) {
		case 0:
			if s.Known() {
				s.File = uint16(file)
			}
		case file:
			s.File = 0
		}
	})
}

// spans passes every place of a copy to f.
func spans(c *schema.Copy, f func(*schema.Span)) {
	each := func(list ...*schema.Span) {
		for _, s := range list {
			f(s)
		}
	}
	fields := func(list []schema.Field) {
		for i := range list {
			f(&list[i].At)
		}
	}
	each(&c.PoolAt, &c.EffectiveAt)
	for i := range c.Candidates {
		f(&c.Candidates[i].At)
	}
	for i := range c.ItemAt {
		f(&c.ItemAt[i])
	}
	for i := range c.Members {
		m := &c.Members[i]
		each(&m.At, &m.HostAt, &m.PortAt, &m.WeightAt, &m.PriorityAt, &m.BackupAt, &m.StateAt)
		fields(m.Extra)
	}
	for i := range c.Batches {
		b := &c.Batches[i]
		each(&b.At, &b.ShareAt, &b.DwellAt, &b.SamplesAt)
	}
	for i := range c.Stops {
		f(&c.Stops[i].At)
	}
	fields(c.Fields)
	for i := range c.Unresolved {
		f(&c.Unresolved[i].At)
	}
	for i := range c.Problems {
		f(&c.Problems[i].At)
		for j := range c.Problems[i].Related {
			f(&c.Problems[i].Related[j].At)
		}
	}
}
