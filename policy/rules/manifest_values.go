package rules

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// schemaInvalid gives its weight to what readers report, and adds what only the whole tree tells: files and hosts that
// the manifest names and that are not there.
func schemaInvalid() Rule {
	return Rule{
		ID: "schema/invalid", Severity: schema.Error,
		Title: schema.Text{En: "a value breaks the schema, or the engine refuses it", Zh: "取值违反模式，或被引擎拒绝"},
		Run: func(run *Run, r *Reporter) {
			if !run.Whole {
				return
			}
			misnamedTruths(run, r)
			misnamedAliases(run, r)
		},
	}
}

// misnamedTruths reports rows of the source-of-truth table that name a file which holds no copy that could decide.
func misnamedTruths(run *Run, r *Reporter) {
	table := &truth.Table{Manifest: run.Manifest, Orders: run.Orders, Now: run.Now}
	entries := []*schema.PoolEntry{&run.Manifest.Defaults}
	for i := range run.Manifest.Pools {
		entries = append(entries, &run.Manifest.Pools[i])
	}
	for _, e := range entries {
		for _, item := range schema.Reconciled() {
			row, ok := e.Truth[item]
			if !ok || row.Copy == "" {
				continue
			}
			side, files := deciders(run, table, e, item)
			if files == nil {
				continue
			}
			slices.Sort(files)
			f := schema.Finding{Item: item, Field: "truth." + item.String() + ".copy", Got: row.Copy,
				Message: schema.Textf("truth: %q holds no %s copy that states %s, so this row decides nothing", "truth：%q 中没有写明%[3]s的%[2]s副本，该行不起作用", row.Copy, SideName(side), itemName(item))}
			files = slices.Compact(files)
			if near := reconcile.Nearest(row.Copy, files); len(near) > 0 {
				f.Hint = schema.Textf("did you mean %s?", "是否为 %s？", near[0])
			} else {
				f.Hint = schema.Textf("it may be one of: %s", "可选：%s", strings.Join(files[:min(3, len(files))], ", "))
			}
			r.Add(manifestFinding(run, "", row.CopyAt, e.Name, f))
		}
	}
}

// deciders returns the side that decides an item of an entry's pools and the files of its copies, nil where the named
// copy is among them in some environment, or nobody states the item.
func deciders(run *Run, table *truth.Table, e *schema.PoolEntry, item schema.Item) (side schema.Side, files []string) {
	for _, g := range run.Pairing.Groups {
		own := g.Entry == e
		if e == &run.Manifest.Defaults {
			own = true
			if g.Entry != nil {
				_, other := g.Entry.Truth[item]
				own = !other
			}
		}
		if !own {
			continue
		}
		row := table.Of(run.whole(g), item)
		if row.Chosen {
			return "", nil
		}
		for _, c := range row.All {
			side = row.Side
			files = append(files, c.File())
		}
	}
	return side, files
}

// whole returns a group whose copies hold everything that they say.
func (run *Run) whole(g *reconcile.Group) *reconcile.Group {
	if run.Loaded == nil {
		return g
	}
	w := *g
	w.Copies = make([]*schema.Copy, len(g.Copies))
	for i, c := range g.Copies {
		w.Copies[i] = run.Loaded.Whole(c)
	}
	return &w
}

// misnamedAliases reports aliases of host names that no copy lists: a warning where one that is listed has nearly the
// same name, since then the alias joins nothing.
func misnamedAliases(run *Run, r *Reporter) {
	if len(run.Manifest.AliasesAt) == 0 || len(run.Pairing.Groups) == 0 || len(unreadSides(run)) > 0 {
		return
	}
	hosts := map[string]bool{}
	for _, g := range run.Pairing.Groups {
		for _, c := range run.whole(g).Copies {
			for i := range c.Members {
				hosts[c.Members[i].Host] = true
			}
		}
	}
	var others []string
	for host := range hosts {
		if _, alias := run.Manifest.Aliases[host]; !alias && host != "" && !schema.IsAddress(host) {
			others = append(others, host)
		}
	}
	slices.Sort(others)
	names := reconcile.NewNames(others)
	for _, a := range run.Manifest.AliasesAt {
		if hosts[a.Text] {
			continue
		}
		f := schema.Finding{Severity: schema.Info, Field: "aliases", Got: a.Text,
			Message: schema.Textf("aliases: no copy lists the host %s", "aliases：没有副本列出主机 %s", a.Text),
			Hint:    schema.Textf("remove it if the host is gone", "主机已不再使用则删除")}
		if near := names.Nearest(a.Text); len(near) > 0 {
			f.Severity = schema.Warning
			f.Hint = schema.Textf("did you mean %s?", "是否为 %s？", strings.Join(near, ", "))
		}
		r.Add(manifestFinding(run, "", a.At, "", f))
	}
}
