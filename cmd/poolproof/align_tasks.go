package main

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/reconcile/align"
	"github.com/poolproof/poolproof/schema"
)

// key tells a copy apart from all others of the tree by where it stands. What is read by two names of a file, or for two
// environments, is one.
func (r *readers) key(c *schema.Copy) string {
	files := make([]string, len(c.Files))
	for i, f := range c.Files {
		files[i] = r.real(f)
	}
	return fmt.Sprintf("%q %q %q %v %v", c.Side, files, c.Pool, c.PoolAt, c.ItemAt)
}

// divergenceKey names what differs, whatever the values are.
func divergenceKey(d *reconcile.Divergence) string {
	kind := "value"
	if d.Kind == reconcile.Missing || d.Kind == reconcile.Extra {
		kind = fmt.Sprint("member", d.Kind)
	}
	return fmt.Sprintf("%s %v %q %q", kind, d.Item, d.Field, d.Member)
}

// job is what is to be settled in one file.
type job struct {
	path        string
	differences *audit.Differences
	// groups are the pools that differ in it, and keys the copies that are to change; others are the pools of such copies
	// that have an environment.
	groups []*reconcile.Group
	keys   map[string]bool
	others map[string][]*reconcile.Group

	readers *readers
	diffs   []*difference
	// pools are those of each copy: one that belongs to no environment is in that of every one.
	pools map[string][]*audit.Differing
	left  []leftOver
}

// difference is a divergence of a pool's copy that counts.
type difference struct {
	*reconcile.Divergence
	in *audit.Differing
}

// open builds the pools.
func (j *job) open(a *aligner) {
	j.readers, j.pools = a.readers, map[string][]*audit.Differing{}
	seen := map[*reconcile.Group]bool{}
	add := func(g *reconcile.Group) {
		if seen[g] {
			return
		}
		seen[g] = true
		d := j.differences.Of(g)
		for i := range d.Open {
			x := &d.Open[i].Divergence
			if path, why, ok := a.target(x); ok && why == nil && path == j.path {
				j.diffs = append(j.diffs, &difference{x, &d})
			}
		}
		listed := map[string]bool{}
		for _, c := range d.Pool.Copies {
			if k := j.readers.key(c.Copy); j.keys[k] && !listed[k] {
				listed[k] = true
				j.pools[k] = append(j.pools[k], &d)
			}
		}
	}
	for _, g := range j.groups {
		add(g)
	}
	for _, k := range sortedKeys(j.keys) {
		for _, g := range j.others[k] {
			add(g)
		}
	}
}

// leave records a divergence that is not edited.
func (j *job) leave(x *difference, why schema.Text) {
	j.left = append(j.left, leftOf(x.Divergence, x.in.Pool.Group.Pool, x.in.Pool.Group.Env, why))
}

func (j *job) leaveAll(why schema.Text) {
	for _, x := range j.diffs {
		j.leave(x, why)
	}
}

// tasks makes the tasks of the file; copies are those that reading it again gives, with their keys.
func (j *job) tasks(copies []schema.Copy, keys []string) []align.Task {
	var order []string
	open := map[string][]*difference{}
	for _, x := range j.diffs {
		k := j.readers.key(x.Copy)
		if open[k] == nil {
			order = append(order, k)
		}
		open[k] = append(open[k], x)
	}
	at := map[string]int{}
	for i := len(keys) - 1; i >= 0; i-- {
		at[keys[i]] = i
	}
	var out []align.Task
	for _, k := range order {
		c := open[k][0].Copy
		if len(c.Files) > 1 { // as it is seen from this file
			i, ok := at[k]
			if !ok {
				for _, x := range open[k] {
					j.leave(x, schema.Textf("the file could not be read again as it was read first", "该文件无法按首次读取的方式重新读取"))
				}
				continue
			}
			c = &copies[i]
		}
		if wanted := j.agreed(open[k], j.pools[k]); len(wanted) > 0 {
			out = append(out, task(c, open[k][0].in, j.pools[k], wanted))
		}
	}
	return out
}

// agreed returns what is to be settled of one copy. Where the copy stands for several environments that do not want the
// same of it, it is left.
func (j *job) agreed(open []*difference, in []*audit.Differing) map[string]bool {
	wanted := map[string]bool{}
	wants := make([]map[string]string, len(in))
	if len(in) > 1 {
		for i, d := range in {
			wants[i] = map[string]string{}
			for _, y := range d.Pool.Against(open[0].Copy) {
				wants[i][divergenceKey(&y)] = y.Want
			}
		}
	}
	for _, x := range open {
		k := divergenceKey(x.Divergence)
		other := -1
		for i, d := range in {
			want, differs := wants[i][k]
			if d != x.in && d.Pool.Truth(x.Item) != nil && (!differs || want != x.Want) {
				other = i
				break
			}
		}
		if other < 0 {
			wanted[k] = true
			continue
		}
		j.leave(x, schema.Textf("this copy stands for the environments %s and %s, which do not want the same of it", "此副本同时代表环境 %s 与 %s，而两者要求不同",
			x.in.Pool.Group.Env, in[other].Pool.Group.Env))
	}
	return wanted
}

// task compares a copy with the truths of all environments that it stands for. What differs from the start and is not
// wanted here stays out of it: an exception lets it pass, environments do not agree, or it stands in another file that the
// copy is merged from.
func task(c *schema.Copy, first *audit.Differing, in []*audit.Differing, wanted map[string]bool) align.Task {
	t := align.Task{Pool: first.Pool.Group.Pool, Env: first.Pool.Group.Env, Copy: c}
	if len(in) > 1 {
		t.Env = c.Env
	}
	passed := map[string]bool{}
	for _, d := range in {
		for _, x := range d.Pool.Against(c) {
			if k := divergenceKey(&x); !wanted[k] {
				passed[k] = true
			}
		}
	}
	t.Compare = func(c *schema.Copy) []reconcile.Divergence {
		var out []reconcile.Divergence
		seen := map[string]bool{}
		for _, d := range in {
			for _, x := range d.Pool.Against(c) {
				k := divergenceKey(&x)
				if full := strings.Join([]string{k, x.Want, x.Got}, "\x00"); !passed[k] && !seen[full] {
					seen[full] = true
					out = append(out, x)
				}
			}
		}
		return out
	}
	return t
}
