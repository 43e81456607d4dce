package data

import (
	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/schema"
)

// alias returns a copy of what an alias stands for.
func (d *decoding) alias(y *yaml.Node, start int) (*Node, int) {
	end := min(start+1+len(y.Value), len(d.text))
	at := d.at(start, end)
	target := d.anchors[y.Alias]
	switch {
	case target == nil || d.open[y.Alias]:
		d.problems.add(schema.Problem{
			Rule: "source/syntax", At: at,
			Text: schema.Textf("this alias stands inside the value that it names", "此别名出现在它所指的值之内"),
			Hint: schema.Textf("write the value out, or name another anchor", "请写出具体值，或引用其他锚点"),
		})
		return &Node{At: at}, end
	case d.bomb:
		return &Node{At: at}, end
	}
	n := d.copy(target, at)
	if n == nil {
		d.bomb = true
		d.problems.add(schema.Problem{
			Rule: "source/syntax", At: at,
			Text: expandedTooFar(d.aliased > maxAliased),
			Hint: schema.Textf("write the values out where they are used", "请在使用处写出具体值"),
		})
		return &Node{At: at}, end
	}
	return n, end
}

func expandedTooFar(long bool) schema.Text {
	if long {
		return schema.Textf("aliases expand to more than %d bytes; the rest is not read", "别名展开后超过 %d 字节；其余部分未读取", maxAliased)
	}
	return schema.Textf("aliases expand to more than %d values; the rest is not read", "别名展开后超过 %d 个值；其余部分未读取", maxExpanded)
}

// copy clones a value for its use at a place, nil where that would be too much.
func (d *decoding) copy(n *Node, at schema.Span) *Node {
	if d.expanded++; d.expanded > maxExpanded {
		return nil
	}
	// The copies share their text here, but whoever reads the values may well hold each on its own.
	if d.aliased += len(n.Text); d.aliased > maxAliased {
		return nil
	}
	c := *n
	c.Alias = at
	if len(n.Pairs) > 0 {
		c.Pairs = make([]Pair, len(n.Pairs))
		for i, p := range n.Pairs {
			if p.Value = d.copy(p.Value, at); p.Value == nil {
				return nil
			}
			c.Pairs[i] = p
		}
	}
	if len(n.Items) > 0 {
		c.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			if c.Items[i] = d.copy(item, at); c.Items[i] == nil {
				return nil
			}
		}
	}
	return &c
}

// merge adds the entries of a merge key. Explicit keys win wherever they stand, of several sources the earlier one.
func (d *decoding) merge(n *Node, m Pair, keys *keySet) {
	sources := []*Node{m.Value}
	if m.Value.Kind == List {
		sources = m.Value.Items
	}
	explicit := len(n.Pairs)
	for _, source := range sources {
		if source.Kind != Map {
			d.problems.add(schema.Problem{
				Rule: "source/merge", Severity: schema.Error, At: source.Place(),
				Text: schema.Textf("a merge key takes a mapping or a list of mappings", "合并键的值必须是映射或映射列表"),
				Hint: schema.Textf("name an anchor of a mapping: <<: *defaults", "请引用映射的锚点：<<: *defaults"),
			})
			continue
		}
		for _, p := range source.Pairs {
			p.Merged = true
			i := keys.find(n, p.Key)
			if i < 0 {
				keys.add(n, p)
				continue
			}
			if i >= explicit && !equal(n.Pairs[i].Value, p.Value) {
				d.problems.add(mergeClash(m, n.Pairs[i], p))
			}
		}
	}
}

func mergeClash(m, wins, loses Pair) schema.Problem {
	return schema.Problem{
		Rule: "source/merge", At: m.Value.Place(), Field: clip(wins.Key),
		Text: schema.Textf("two merge sources give %q different values; the earlier source counts, but some readers take the later one", "两个合并来源给 %q 的值不同；以先写的来源为准，但有的读取程序取后者", clip(wins.Key)),
		Hint: schema.Textf("write %s in this mapping itself", "请在本映射中直接写出 %s", clip(wins.Key)),
		Related: []schema.Note{
			{At: wins.KeyAt, Label: schema.Textf("this one counts", "以此为准")},
			{At: loses.KeyAt, Label: schema.Textf("this one is dropped", "此处被舍弃")},
		},
	}
}

// equal compares values without their places.
func equal(a, b *Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Pairs) != len(b.Pairs) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Pairs {
		if a.Pairs[i].Key != b.Pairs[i].Key || !equal(a.Pairs[i].Value, b.Pairs[i].Value) {
			return false
		}
	}
	for i := range a.Items {
		if !equal(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}
