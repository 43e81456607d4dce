package envoy

import (
	"strconv"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// plugin is the configuration of an LLM proxy (Higress ai-proxy) that a filter carries as JSON inside a text.
type plugin struct {
	root *data.Node
	at   schema.Span // of the text; places inside it cannot be told apart once YAML has unfolded it
}

// maxPlugin bounds the texts that are looked into.
const maxPlugin = 1 << 20

// maxProviders bounds how many providers of a file are looked up among its members.
const maxProviders = 64

// plugin sets aside a filter's configuration if it lists providers.
func (r *reader) plugin(n *data.Node) {
	value := n
	if n != nil && n.Kind == data.Map {
		value = get(n, "value", "value")
	}
	if value == nil {
		return
	}
	root := value
	if value.Scalar() {
		if len(value.Text) > maxPlugin || len(value.Text) < 2 || value.Text[0] != '{' {
			return
		}
		file := data.JSON([]byte(value.Text))
		if len(file.Documents) == 0 {
			return
		}
		root = file.Documents[0].Root
	}
	if root != nil && len(items(root.Get("providers"))) > 0 {
		r.plugins = append(r.plugins, plugin{root: root, at: value.Place()})
	}
}

// placePlugins records each provider's settings at the cluster that serves it: one with a member at the provider's
// domain, else one called after it. Tokens are counted, never shown.
func (r *reader) placePlugins() {
	left := maxProviders
	for _, p := range r.plugins {
		for i, provider := range items(p.root.Get("providers")) {
			if left--; left < 0 {
				return
			}
			if c := r.servedBy(provider); c != nil {
				recordProvider(c, provider, "ai-proxy.providers["+strconv.Itoa(i)+"].", p.at)
			}
		}
	}
}

func (r *reader) servedBy(provider *data.Node) *schema.Copy {
	domain, _ := schema.NormalHost(text(provider.Get("domain")))
	for i := range r.out.Copies {
		for j := range r.out.Copies[i].Members {
			if domain != "" && r.out.Copies[i].Members[j].Host == domain {
				return &r.out.Copies[i]
			}
		}
	}
	for i := range r.out.Copies {
		if name := r.out.Copies[i].Pool; name == text(provider.Get("id")) || name == text(provider.Get("type")) {
			return &r.out.Copies[i]
		}
	}
	return nil
}

func recordProvider(c *schema.Copy, provider *data.Node, prefix string, at schema.Span) {
	for _, key := range [...]string{"id", "type", "domain"} {
		if value := text(provider.Get(key)); value != "" {
			c.Set(schema.Path(prefix+key), schema.TextOf(value), at)
		}
	}
	if ms, err := strconv.ParseInt(text(provider.Get("timeout")), 10, 32); err == nil {
		c.Set(schema.Path(prefix+"timeout"), schema.DurationOf(milliseconds(ms)), at)
	}
	if tokens := provider.Get("apiTokens"); tokens != nil {
		c.Set(schema.Path(prefix+"apiTokens"), schema.IntOf(int64(len(tokens.Items))), at)
	}
}

// milliseconds is the unit of a provider's timeout.
func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
