package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// unmatchedNames reports what the manifest calls by a name that nothing in the tree has: names of pools on a side, and
// pools of which there is no copy at all. Sides of which something could not be read are passed over, since the name may
// stand there.
func unmatchedNames(run *Run, r *Reporter) {
	if len(run.Pairing.Groups) == 0 {
		return
	}
	unread := unreadSides(run)
	free := map[schema.Side]*reconcile.Names{}
	told := map[*schema.PoolEntry]bool{}
	for _, u := range run.Pairing.Unused {
		side := u.Name.Side
		if side != schema.App && side != schema.Gateway && side != schema.Doc || unread[side] || !run.Sides[side] {
			continue
		}
		if free[side] == nil {
			free[side] = reconcile.NewNames(unclaimed(run, side))
		}
		told[u.Entry] = true
		f := schema.Finding{Field: "names." + string(side), Got: u.Name.Text,
			Message: schema.Textf("names: no %s copy is called %q", "names：没有名为 %[2]q 的%[1]s副本", SideName(side), u.Name.Text),
			Hint: schema.Textf("write the name as it stands in the file (poolproof inspect shows the names that were read), or remove it",
				"请按文件中的写法填写（poolproof inspect 显示读到的名称），或删除它")}
		if near := free[side].Nearest(u.Name.Text); len(near) > 0 {
			f.Hint = schema.Textf("did you mean %s?", "是否为 %s？", strings.Join(near, ", "))
		}
		r.Add(manifestFinding(run, "", u.Name.At, u.Entry.Name, f))
	}
	if len(unread) == 0 {
		unmatchedEntries(run, r, told)
	}
}

// unmatchedEntries reports pools of the manifest that have no copy, except those of which a name is reported already.
func unmatchedEntries(run *Run, r *Reporter, told map[*schema.PoolEntry]bool) {
	has := map[*schema.PoolEntry]bool{}
	for _, g := range run.Pairing.Groups {
		has[g.Entry] = true
	}
	names := sync.OnceValue(func() *reconcile.Names {
		var others []string
		for _, g := range run.Pairing.Groups {
			if g.Entry == nil {
				others = append(others, g.Pool)
			}
		}
		return reconcile.NewNames(others)
	})
	owners := sync.OnceValue(func() map[string]string { // of the names that the manifest gives pools
		owners := map[string]string{}
		for i := range run.Manifest.Pools {
			for _, n := range run.Manifest.Pools[i].NamesAt {
				owners[reconcile.Key(n.Text)] = run.Manifest.Pools[i].Name
			}
		}
		return owners
	})
	for i := range run.Manifest.Pools {
		e := &run.Manifest.Pools[i]
		if has[e] || told[e] {
			continue
		}
		f := schema.Finding{Field: "pools", Got: e.Name,
			Message: schema.Textf("the manifest speaks of this pool, and no copy of it was found", "清单写有该池，但没有找到它的任何副本"),
			Hint: schema.Textf("correct its name, say under names what it is called on each side, or remove it",
				"请更正池名，在 names 中写明各方的名称，或删除该项")}
		if owner := owners()[reconcile.Key(e.Name)]; owner != "" {
			f.Hint = schema.Textf("names gives the copies of that name to the pool %s: remove this entry", "names 已将该名称的副本归入池 %s：请删除该项", owner)
		} else if near := names().Nearest(e.Name); len(near) > 0 {
			f.Hint = schema.Textf("did you mean %s?", "是否为 %s？", strings.Join(near, ", "))
		}
		r.Add(manifestFinding(run, "", e.NameAt, e.Name, f))
	}
}

// unclaimed returns the names on a side that no pool of the manifest has, with the headings above tables that no pool
// claims.
func unclaimed(run *Run, side schema.Side) []string {
	var names []string
	for _, g := range run.Pairing.Groups {
		if g.Entry != nil && slices.ContainsFunc(g.Copies, func(c *schema.Copy) bool { return c.Side != side }) {
			continue
		}
		for _, c := range g.Copies {
			if c.Side == side {
				names = append(names, c.Pool)
			}
		}
	}
	for _, c := range run.Pairing.Unbound {
		if c.Side == side {
			for _, n := range c.Candidates {
				names = append(names, n.Text)
			}
		}
	}
	return names
}

// unreadSides returns the sides of which there is no file, or of which something could not be read: a file that is
// broken or a template, or another repository.
func unreadSides(run *Run) map[schema.Side]bool {
	unread, read := map[schema.Side]bool{}, map[int]bool{}
	if run.Loaded != nil {
		for _, f := range run.Loaded.Files {
			read[f.Source] = true
			for _, p := range f.Result.Problems {
				switch p.Rule {
				case "source/syntax", "source/unreadable", "source/unresolved", "source/undetected":
					unread[run.Manifest.Sources[f.Source].Side] = true
				}
			}
		}
	}
	for i := range run.Manifest.Sources {
		if !read[i] {
			unread[run.Manifest.Sources[i].Side] = true
		}
	}
	return unread
}
