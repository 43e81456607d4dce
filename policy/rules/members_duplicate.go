package rules

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
)

func membersDuplicate() Rule {
	return Rule{
		ID: "members/duplicate", Severity: schema.Error,
		Title: schema.Text{En: "a member stands twice in one copy", Zh: "同一副本中成员重复"},
		Copy: func(c *Copy, r *Reporter) {
			members := c.Copy.Members
			if len(members) < 2 {
				return
			}
			seen := make(map[string]*schema.Member, len(members))
			for i := range members {
				m := &members[i]
				if m.Origin != schema.Static {
					continue // one name of discovery may stand for any number of members
				}
				id := m.ID()
				first := seen[id]
				if first == nil {
					seen[id] = m
					continue
				}
				h := Hit{Copy: c.Copy, At: m.At, Item: schema.Members, Member: id, Got: id}
				if !alike(first, m) {
					h.Severity = schema.Warning
				}
				h.Text = schema.Textf("%s stands twice in the %s copy; the first entry counts", "%s 在%s副本中出现两次；以第一次为准", id, SideName(c.Copy.Side))
				h.Hint = schema.Textf("remove one of the entries; two spellings of one address are one member", "删除其中一个；同一地址的两种写法是同一个成员")
				h.Related = []Relative{{Copy: c.Copy, At: first.At, Label: schema.Textf("first stated here", "首次出现")}}
				r.Hit(h)
			}
		},
	}
}

// alike reports whether two entries of one identity agree on what makes a second entry for one address sensible.
func alike(a, b *schema.Member) bool {
	if a.Backup != b.Backup || a.State != b.State || a.HasPriority != b.HasPriority || a.Priority != b.Priority {
		return false
	}
	if a.Host == "" && a.Socket == "" && !slices.Equal(a.Extra, b.Extra) {
		return false // one model behind two accounts or quotas
	}
	for _, name := range []schema.Path{"source", "check.port", "check.address"} {
		x, _ := a.Get(name)
		y, _ := b.Get(name)
		if x.Value != y.Value {
			return false
		}
	}
	return true
}
