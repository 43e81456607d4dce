package spring

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// ribbonKeys are the settings of the legacy Ribbon client that concern failover. Source: DefaultClientConfigImpl.
var ribbonKeys = []key{
	{name: "MaxAutoRetries", kind: integerKey, hi: math.MaxInt32},
	{name: "MaxAutoRetriesNextServer", kind: integerKey, hi: math.MaxInt32},
	{name: "OkToRetryOnAllOperations", kind: booleanKey},
	{name: "ConnectTimeout", kind: integerKey, hi: math.MaxInt32},
	{name: "ReadTimeout", kind: integerKey, hi: math.MaxInt32},
	{name: "MaxConnectionsPerHost", kind: integerKey, lo: 1, hi: math.MaxInt32},
	{name: "NFLoadBalancerRuleClassName", kind: textKey},
	{name: "NFLoadBalancerPingClassName", kind: textKey},
}

// ribbon reads <client>.ribbon.listOfServers: one pool a client.
func (r *reader) ribbon() {
	for _, client := range r.root.kids {
		block := client.child("ribbon")
		servers := block.child("listOfServers")
		if servers == nil || servers.node == nil && !servers.list {
			continue
		}
		c := r.newCopy(client.name, client.at)
		c.Complete = true
		c.Touch(schema.Members, servers.valueAt)
		b := r.binder(c)
		r.servers(b, servers)
		for _, k := range ribbonKeys {
			v := block.child(k.name)
			p := schema.Path("ribbon." + k.name)
			switch {
			case v == nil || v.node == nil:
			case strings.HasSuffix(k.name, "Timeout"): // whole milliseconds
				if n, ok := b.integer(p, v, "Ribbon", k.name, int64(k.lo), int64(k.hi)); ok {
					c.Set(p, schema.DurationOf(time.Duration(n)*time.Millisecond), v.valueAt)
				}
			default:
				r.setting(b, "ribbon.", v, k)
			}
		}
		r.add(c)
	}
}

// servers reads a comma-separated list of host:port.
func (r *reader) servers(b *binder, list *prop) {
	values := list.kids
	if list.node != nil {
		values = []*prop{list}
	}
	n := 0
	for _, v := range values {
		s, ok := v.scalar()
		if !ok {
			continue
		}
		if list.node != nil && bind.WholePlaceholder(s.Text) {
			text, ok := r.expand(s.Text)
			if !ok { // it stands for the whole list
				b.Copy.Unresolve("members", s.Text, s.At)
				b.Copy.Complete = false
				return
			}
			s.Text = text
		}
		for _, piece := range bind.Entries(r.src(s.At), s) {
			path := schema.Path("members[" + strconv.Itoa(n) + "]")
			n++
			resolved, ok := b.address(path, piece)
			if !ok {
				continue
			}
			m := schema.Member{At: piece.At}
			if b.endpoint(&m, path, resolved, piece) {
				b.Copy.Members = append(b.Copy.Members, m)
			}
		}
	}
}
