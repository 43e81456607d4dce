package live

import (
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	gateway "github.com/poolproof/poolproof/sources/live"
)

// running is a gateway as a place to point at.
func running(a *gateway.Answer) *schema.Copy {
	return &schema.Copy{Side: schema.Live, Files: []string{a.Name}, PoolAt: gateway.Somewhere()}
}

// unknown reports a gateway that could not be asked, once for all its pools.
func (j *judge) unknown(a *gateway.Answer) {
	u := a.Unreachable
	since := u.Since
	if j.in.Since != nil {
		if t, ok := j.in.Since(a.Name); ok && t.Before(since) {
			since = t
		}
	}
	h := rules.Hit{Copy: running(a), Field: "answer",
		Text: schema.Text{
			En: "what " + a.Name + " runs is unknown since " + since.UTC().Format(time.RFC3339) + ": " + u.Reason.En,
			Zh: "自 " + since.UTC().Format(time.RFC3339) + " 起无法得知 " + a.Name + " 的运行状态：" + u.Reason.In("zh"),
		},
		Hint: schema.Textf("until it answers, poolproof sees no drift there: see that it is up, and that address, token and certificates in the manifest are right",
			"在它应答之前，poolproof 看不到那里的漂移：请确认它在运行，且清单中的地址、令牌和证书正确"),
	}
	j.hit("live/unknown", nil, h)
}

// foreign reports pools that a gateway runs and no file has. They are told only of a gateway whose file is known, by
// another pool of it: of others, the files are simply not in the manifest.
func (j *judge) foreign(a *gateway.Answer, list []*schema.Copy) {
	if j.in.Unread || a.Kind.Shared || !j.whole[a.Name] {
		return
	}
	for _, c := range list {
		if _, dynamic := c.Get("added_via_api"); dynamic || len(c.Members) == 0 || !wanted(a, c.Pool) {
			continue
		}
		j.hit("live/only-running", nil, rules.Hit{Copy: c, Severity: schema.Warning, Got: c.Pool,
			Text: schema.Textf("%s runs the pool %s, and no file has it; a reload would lose it", "%s 正在运行池 %s，而没有文件包含它；重新加载后会丢失", a.Name, c.Pool),
			Hint: schema.Textf("reload the gateway if the pool was removed, or add its file to the sources of the manifest", "若该池已删除，请重新加载网关；否则把它的文件加入清单的 sources"),
		})
	}
}

// nowhere reports pools of files that a gateway should run and does not: those that the manifest names for it, and those
// of a file of which it runs other pools. A pool of a file that no gateway seems to run is told of the only gateway of
// its kind.
func (j *judge) nowhere() {
	for i := range j.in.Answers {
		a := &j.in.Answers[i]
		if a.Unreachable != nil {
			continue
		}
		for _, f := range j.files.all {
			switch {
			case j.runs[f.copy][a.Name] || f.copy.Format != a.Kind.Format && !f.named(a):
			case !f.wanted(a) || !j.visible(a, f) || j.twin(a, f):
			case f.named(a), j.known[a.Name][f.copy.File()], len(j.known[a.Name]) == 0 && j.only(a):
				j.absent(a, f)
			}
		}
		j.mistaken(a)
	}
}

// twin reports whether the gateway runs a copy of the same pool from another file or environment.
func (j *judge) twin(a *gateway.Answer, f candidate) bool {
	for _, other := range j.files.byName[reconcile.Key(f.copy.Pool)] {
		if j.runs[other.copy][a.Name] {
			return true
		}
	}
	return false
}

// only reports whether a gateway is the only one of its kind in the manifest.
func (j *judge) only(a *gateway.Answer) bool {
	n := 0
	for i := range j.in.Answers {
		if j.in.Answers[i].Kind.Name == a.Kind.Name {
			n++
		}
	}
	return n == 1
}

// visible reports whether a pool would be seen if the gateway ran it.
func (j *judge) visible(a *gateway.Answer, f candidate) bool {
	c := j.view(f.copy).Copy
	if !slices.ContainsFunc(a.Kind.Shows, c.States) {
		return false
	}
	switch a.Kind.Name {
	case "nginx-plus": // shows only what has a zone
		_, zone := c.Get("zone")
		return zone
	case "haproxy": // the page may be limited to some backends
		return !strings.HasPrefix(a.Gateway.Address, "http")
	case "argo-rollouts":
		_, scope, limited := strings.Cut(a.Gateway.Address, "/namespaces/")
		if !limited {
			_, scope, limited = strings.Cut(a.Gateway.Address, "in-cluster:")
		}
		namespace, said := c.Get("namespace")
		return !limited || said && namespace.Value.Text() == scope
	}
	return true
}

func (j *judge) absent(a *gateway.Answer, f candidate) {
	c := f.copy
	j.hit("live/not-applied", f.group, rules.Hit{Copy: running(a), Want: c.Pool,
		Text: schema.Textf("%s does not run the pool %s, which %s has", "%s 没有运行 %[3]s 中的池 %[2]s", a.Name, c.Pool, c.File()),
		Hint: schema.Textf("reload the gateway, or remove the pool from %s", "请重新加载网关，或从 %s 中删除该池", c.File()),
		Related: []rules.Relative{{Copy: c, At: c.PoolAt, Value: c.Pool, Truth: true,
			Label: schema.Textf("the file has it", "文件中有该池")}},
	})
}

// mistaken reports names that the manifest lists for a gateway and nobody has.
func (j *judge) mistaken(a *gateway.Answer) {
	for _, name := range a.Gateway.Pools {
		k := reconcile.Key(name)
		if slices.ContainsFunc(j.files.all, func(f candidate) bool { return reconcile.Key(f.group.Pool) == k || reconcile.Key(f.copy.Pool) == k }) ||
			slices.ContainsFunc(a.Copies, func(c schema.Copy) bool { return reconcile.Key(c.Pool) == k }) {
			continue
		}
		j.hit("live/unknown", nil, rules.Hit{Copy: &schema.Copy{Side: schema.Live, Files: []string{a.Name}, Pool: name, PoolAt: gateway.Somewhere()}, Field: "pools", Got: name,
			Text: schema.Textf("the manifest asks %s for the pool %s, and neither the gateway nor any file has it", "清单向 %s 询问池 %s，而网关和文件中都没有", a.Name, name),
			Hint: schema.Textf("correct the name in the manifest, under live", "请更正清单 live 中的名称"),
		})
	}
}
