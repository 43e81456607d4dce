package rules

import (
	"strings"
	"sync"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// everywhere finds the groups of one pool in all environments. It is made when first asked for.
type everywhere struct {
	once   sync.Once
	groups map[string][]*reconcile.Group
}

func (e *everywhere) of(run *Run, pool string) []*reconcile.Group {
	e.once.Do(func() {
		e.groups = map[string][]*reconcile.Group{}
		for _, g := range run.Pairing.Groups {
			if g.Env != "" {
				e.groups[g.Pool] = append(e.groups[g.Pool], g)
			}
		}
	})
	return e.groups[pool]
}

// belongs returns the other environments in which a member of a copy is right, where the copy itself names no
// environment and so is compared in each. It is empty for every other copy.
func (p *Pool) belongs(c, truth *schema.Copy, member string) []string {
	if c.Env != "" || p.Group.Env == "" {
		return nil
	}
	var envs []string
	for _, g := range p.Run.everywhere.of(p.Run, p.Group.Pool) {
		if g.Env == p.Group.Env {
			continue
		}
		for _, other := range g.Copies {
			if other.Side == truth.Side && other.Env == g.Env && lists(p.Run, other, member) {
				envs = append(envs, g.Env)
				break
			}
		}
	}
	return envs
}

func lists(run *Run, c *schema.Copy, member string) bool {
	if run.Loaded != nil {
		c = run.Loaded.Whole(c)
	}
	for i := range c.Members {
		if c.Members[i].ID() == member {
			return true
		}
	}
	return false
}

// apart says how a copy that names no environment is told that it is about some of them.
func apart(c *schema.Copy, member string, envs []string) schema.Text {
	list := strings.Join(envs, ", ")
	if c.Side == schema.Doc {
		return schema.Textf("%s is a member in %s: if the table is about that environment, write <!-- poolproof: env=%s --> above it", "%s 在 %s 中是成员：若该表只描述该环境，请在其上写 <!-- poolproof: env=%s -->", member, list, envs[0])
	}
	return schema.Textf("%s is a member in %s: if the file is about that environment, write env: %s at its source in the manifest", "%s 在 %s 中是成员：若该文件只描述该环境，请在清单中其来源处写 env: %s", member, list, envs[0])
}
