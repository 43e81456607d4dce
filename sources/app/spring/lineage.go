package spring

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// block is a module of resilience4j as the application sees it.
type block struct {
	module
	configs   *prop
	instances *prop
}

// moduleBlock returns a module's configs and instances. "backends" and "limiters" are older names of the same map.
func (r *reader) moduleBlock(m module) block {
	root := r.root.get("resilience4j", m.name)
	b := block{module: m, configs: root.child("configs"), instances: &prop{}}
	for _, name := range m.instances {
		if p := root.child(name); p != nil {
			b.instances.overlay(p)
		}
	}
	return b
}

// lineage is a block and those that it inherits from, the nearest first.
type lineage []*prop

// find returns the value of a key and the block that it stands in.
func (l lineage) find(name string) (value *prop, level int) {
	for i, p := range l {
		if v := p.child(name); v != nil && (v.node != nil || v.list) {
			return v, i
		}
	}
	return nil, -1
}

// maxLineage bounds chains of baseConfig; a longer one is a circle or might as well be.
const maxLineage = 32

// lineage follows baseConfig from an instance. Without one, an instance inherits the config of its own name (circuit
// breakers from 2.3 on), else the one named default (from 2.0 on); a config without one inherits default too, except
// that of a circuit breaker from 2.3 on. Source: createCircuitBreakerConfig of resilience4j 1.7, 2.0, 2.3 and 2.4. A
// problem is reported through report.
func (r *reader) lineage(b block, instance *prop, report func(schema.Problem)) lineage {
	v := r.version()
	chain := lineage{instance}
	seen := map[*prop]bool{}
	for here := instance; ; {
		var next *prop
		base := here.child("baseConfig")
		switch s, named := base.scalar(); {
		case named:
			name, ok := r.expand(s.Text)
			if !ok {
				return chain
			}
			if next = b.configs.child(strings.TrimSpace(name)); next == nil {
				if !r.partial {
					report(baseProblem(base, name, schema.Textf("%s: there is no config %q in resilience4j.%s.configs, and the application does not start", "%s：resilience4j.%[3]s.configs 中没有 %[2]q，应用无法启动", base.name, name, b.name)))
				}
				return chain
			}
		case v.Known() && v.Less(2, 0):
			return chain
		default:
			breakers := b.name == breakerModule.name && !(v.Known() && v.Less(2, 3))
			if here != instance && breakers {
				return chain
			}
			if breakers {
				next = b.configs.child(instance.name)
			}
			if next == nil {
				next = b.configs.child("default")
			}
			if next == nil || next == here || seen[next] {
				return chain
			}
		}
		if seen[next] || len(chain) > maxLineage {
			name := base.name
			report(baseProblem(base, next.name, schema.Textf("%s: the configs name each other in a circle, and the application does not start", "%s：配置互相引用成环，应用无法启动", name)))
			return chain
		}
		seen[next] = true
		chain = append(chain, next)
		here = next
	}
}

func baseProblem(base *prop, got string, text schema.Text) schema.Problem {
	return schema.Problem{
		Rule: "schema/invalid", At: base.valueAt, Field: "baseConfig", Got: got, Text: text,
		Hint: schema.Textf("name a config that does not lead back here", "请引用存在且不会绕回来的配置"),
	}
}

// version is the version of resilience4j that the manifest names.
func (r *reader) version() profile.Version {
	if text, ok := strings.CutPrefix(r.in.Source.Profile, "resilience4j-"); ok {
		v, _ := profile.ParseVersion(text)
		return v
	}
	return profile.Version{}
}
