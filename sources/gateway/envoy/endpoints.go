package envoy

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// placeAssignments gives endpoints that stand on their own (EDS files, the endpoints of a dump) to the clusters that
// discover them by that name. Where the file has no such cluster they are a pool of their own; where the cluster has
// its list already, the dump only repeats it.
func (r *reader) placeAssignments() {
	if len(r.assignments) == 0 {
		return
	}
	byService := make(map[string]int, len(r.out.Copies))
	for i := range r.out.Copies {
		c := &r.out.Copies[i]
		name := c.Pool
		if f, ok := c.Get("eds_cluster_config.service_name"); ok {
			name = f.Value.Text()
		}
		if _, taken := byService[name]; !taken {
			byService[name] = i
		}
	}
	for _, n := range r.assignments {
		r.placeAssignment(n, byService)
	}
}

func (r *reader) placeAssignment(n *data.Node, byService map[string]int) {
	name := get(n, "cluster_name", "clusterName")
	if i, ok := byService[text(name)]; ok && text(name) != "" {
		if r.open(i); r.copy.Complete || len(r.copy.Members) > 0 {
			return
		}
		r.loadAssignment(n)
		return
	}
	if r.nameless(name) {
		return
	}
	r.begin()
	r.name(n, &parts{name: name})
	byService[r.copy.Pool] = len(r.out.Copies) - 1
	r.loadAssignment(n)
	if !r.copy.States(schema.Members) {
		r.copy.ItemAt[schema.Members] = n.Place()
	}
}
