package load

import (
	"bytes"
	"regexp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// steering matches the template tags that open, part and close blocks: {% if %} of Jinja, {{ range }} of Go and Helm.
var steering = regexp.MustCompile(`\{%[-+~]?\s*(if|for|macro|call|endif|endfor|endmacro|endcall)\b[^%]*%\}|\{\{[-~]?\s*(if|range|with|define|block|end)\b[^}]*\}\}`)

// blocksOf returns the insides of the conditions and loops of a template, outermost ones included.
func blocksOf(data []byte) []schema.Span {
	if !bytes.Contains(data, []byte("{%")) && !bytes.Contains(data, []byte("{{")) {
		return nil
	}
	type tag struct {
		end  int
		name string
	}
	var open []tag
	var out []schema.Span
	for _, m := range steering.FindAllSubmatchIndex(data, maxTags) {
		word := m[2:4]
		if word[0] < 0 {
			word = m[4:6]
		}
		name := string(data[word[0]:word[1]])
		if name != "end" && !bytes.HasPrefix([]byte(name), []byte("end")) {
			open = append(open, tag{m[1], name})
			continue
		}
		if len(open) == 0 {
			continue
		}
		last := open[len(open)-1]
		open = open[:len(open)-1]
		if last.name != "define" && last.name != "block" {
			out = append(out, schema.At(last.end, m[0]))
		}
	}
	return out
}

// maxTags bounds the tags of one file that are looked at.
const maxTags = 10000

// conditional marks the members that stand in a condition or loop of a template inside their list: they may not be
// there, or be there more than once, so that nobody lacks them and the list is not complete. A block around a whole
// pool changes nothing about what the pool says. Adapters of formats that are often templates do the same themselves.
func conditional(result *sources.Result, data []byte) {
	var blocks []schema.Span
	for i := range result.Copies {
		c := &result.Copies[i]
		if len(c.Members) == 0 {
			continue
		}
		if blocks == nil {
			if blocks = blocksOf(data); len(blocks) == 0 {
				return
			}
		}
		list := c.ItemAt[schema.Members]
		for j := range c.Members {
			m := &c.Members[j]
			for _, b := range blocks {
				if m.At.File == 0 && m.Origin == schema.Static && inside(m.At, b) && (!inside(list, b) || c.PoolAt.Known() && c.PoolAt.End <= b.Start) {
					m.Origin, c.Complete = schema.FromTemplate, false
				}
			}
		}
	}
}

func inside(a, b schema.Span) bool { return a.Start >= b.Start && a.End <= b.End }
