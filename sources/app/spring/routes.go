package spring

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// gateways are the names under which versions of Spring Cloud Gateway keep their settings, below spring.cloud.gateway.
var gateways = [][]string{{"server", "webflux"}, {"server", "webmvc"}, {}, {"mvc"}}

// routes reads the routes of Spring Cloud Gateway: one pool a route, called after it, with its target as the member.
// Routes that share traffic by weight give one more pool, named by their group.
func (r *reader) routes() {
	for _, names := range gateways {
		gateway := r.root.get("spring", "cloud", "gateway").get(names...)
		var groups groups
		for _, list := range []string{"routes-map", "routes"} {
			routes := gateway.child(list)
			for _, route := range routes.entries() {
				r.route(gateway, routes, route, &groups)
			}
		}
		for _, g := range groups.pools {
			r.addGroup(g)
		}
	}
}

// addGroup keeps the pool of a group, or gives its members to a breaker of that name.
func (r *reader) addGroup(g *schema.Copy) {
	known := r.byName[relaxed(g.Pool)]
	switch {
	case known == nil:
		r.add(g)
	case known.States(schema.Members):
		r.copies = append(r.copies, g)
	default:
		known.Members, known.Complete, known.ItemAt[schema.Members] = g.Members, g.Complete, g.ItemAt[schema.Members]
		known.Unresolved = append(known.Unresolved, g.Unresolved...)
		known.Problems = append(known.Problems, g.Problems...)
	}
}

// route reads one route.
func (r *reader) route(gateway, routes, route *prop, groups *groups) {
	uri := route.child("uri")
	if uri == nil {
		return
	}
	name, at := r.routeName(routes, route)
	c := r.newRoute(name, at)
	b := r.binder(c)
	r.target(b, c, uri)
	off := schema.Span{}
	if v := route.child("enabled"); v != nil {
		if on, ok := b.boolean("enabled", v, springGateway, "enabled"); ok {
			c.Set("enabled", schema.BoolOf(on), v.valueAt)
			if !on {
				off = v.valueAt
			}
		}
	}
	r.routeTimeouts(b, gateway, route)
	r.filters(b, gateway.child("default-filters"))
	r.filters(b, route.child("filters"))
	for _, p := range route.child("predicates").entries() {
		if f := parseFilter(p); relaxed(f.name) == "weight" {
			groups.weigh(r, c, f, off)
		}
	}
	r.copies = append(r.copies, c)
}

func (r *reader) newRoute(name string, at schema.Span) *schema.Copy {
	return &schema.Copy{
		Side: r.in.Source.Side, Format: "spring", Profile: r.in.Source.Profile, Env: r.in.Source.Env, Files: r.files,
		Pool: "route:" + name, Owned: true, PoolAt: at,
	}
}

// routeName is the route's id, else its key in a map of routes, else the first path that it matches, else its number.
func (r *reader) routeName(routes, route *prop) (string, schema.Span) {
	if s, ok := route.child("id").scalar(); ok {
		if text, ok := r.expand(s.Text); ok && strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text), s.At
		}
	}
	if !routes.list {
		return route.name, route.at
	}
	for _, p := range route.child("predicates").entries() {
		if f := parseFilter(p); relaxed(f.name) == "path" {
			if v := f.value(0, "pattern", "patterns"); v != "" && !r.routed[v] {
				r.routed[v] = true // routes by weight share their paths
				return v, f.at
			}
		}
	}
	return "routes[" + route.name + "]", route.place()
}

// target reads where a route leads: an address is the member, lb:// is discovery, forward: and no: lead nowhere.
func (r *reader) target(b *binder, c *schema.Copy, uri *prop) {
	s, ok := uri.scalar()
	if !ok {
		return
	}
	text, ok := b.address("members[0]", s)
	if !ok {
		c.Complete = true
		c.Touch(schema.Members, s.At)
		return
	}
	if text == "" {
		return
	}
	c.Set("uri", schema.TextOf(bind.HideUser(text)), s.At)
	scheme, _, _ := strings.Cut(text, ":")
	switch strings.ToLower(scheme) {
	case "lb":
		c.Touch(schema.Members, s.At)
		return
	case "http", "https", "ws", "wss":
	default:
		return
	}
	c.Touch(schema.Members, s.At)
	c.Complete = true
	m := schema.Member{At: s.At}
	if b.endpoint(&m, "members[0]", text, s) {
		c.Members = append(c.Members, m)
	}
}

// groups are the pools of routes that share traffic by weight, in the order in which they appear.
type groups struct {
	pools  []*schema.Copy
	byName map[string]*schema.Copy
}

// weigh adds the route's target to its group: Weight=group, 8. off is where the route is switched off, if it is: on its
// own that is nothing to judge, but the group loses its share.
func (g *groups) weigh(r *reader, route *schema.Copy, f filter, off schema.Span) {
	name, weight := f.value(0, "group"), f.value(1, "weight")
	name, ok := r.expand(name)
	if !ok || name == "" {
		return
	}
	c := g.byName[name]
	if c == nil {
		c = r.newRoute(name, f.at)
		c.Pool, c.Owned, c.Complete = name, false, true
		if g.byName == nil {
			g.byName = map[string]*schema.Copy{}
		}
		g.byName[name] = c
		g.pools = append(g.pools, c)
	}
	c.Touch(schema.Members, route.ItemAt[schema.Members])
	c.Touch(schema.Members, f.at)
	c.Complete = c.Complete && route.Complete
	path := schema.Path("members[" + strconv.Itoa(len(c.Members)+len(c.Unresolved)) + "]")
	if len(route.Members) == 0 {
		if u := route.Unresolved; len(u) > 0 {
			c.Unresolved = append(c.Unresolved, schema.Unresolved{Path: path, Raw: u[0].Raw, At: u[0].At, Quiet: true})
		}
		return
	}
	m := route.Members[0]
	b := r.binder(c)
	if w, ok := b.integer(path+".weight", f.prop(1, "weight", weight), springGateway, "Weight", 0, 1<<31-1); ok {
		m.Weight, m.HasWeight, m.WeightAt = w, true, f.at
	}
	if off.Known() {
		m.State, m.StateAt = schema.Disabled, off
	}
	m.At = schema.Join(m.At, f.at)
	c.Members = append(c.Members, m)
}
