package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/gateway/internal/spelling"
)

// tallies reads the parameters that count for the whole pool from a server that is known by a template only.
func (p *pool) tallies(d *directive) {
	for _, a := range d.args[min(1, len(d.args)):] {
		switch key, v, set := a.value(); {
		case set && (key == "max_fails" || key == "fail_timeout" || key == "slow_start"):
			m := schema.Member{Host: strings.Clone(d.args[0].text)}
			p.perServer(&m, key, v, d.maybe)
		}
	}
}

// parameterNames are those that NGINX, NGINX Plus and widespread modules know on a server line.
var parameterNames = []string{"weight", "max_conns", "max_fails", "fail_timeout", "slow_start", "backup", "down", "drain", "resolve", "service", "route", "id", "srun_id", "sid"}

// parameters reads what follows the address.
func (p *pool) parameters(m *schema.Member, path schema.Path, args []word) {
	seen := map[string]int{}
	unknown := 0
	for _, a := range args {
		key, v, set := a.value()
		if bind.HasTemplate(key, syntax) || placeholder(key) {
			p.c.Unresolve("", strings.Clone(a.text), a.span())
			continue
		}
		if seen[key]++; seen[key] == 2 {
			p.c.Report(schema.Problem{
				Rule: "source/duplicate-key", At: a.span(), Item: schema.Members, Field: strings.Clone(key), Member: m.ID(),
				Text: schema.Textf("%s stands twice on the line; NGINX uses the last one", "%s 在该行出现两次；NGINX 采用最后一个", key),
				Hint: schema.Textf("keep one of them", "只保留一个"),
			})
		}
		if !p.parameter(m, path, a, key, v, set) && seen[key] == 1 {
			if unknown++; unknown <= maxUnknown {
				p.unknownParameter(m, a, key)
			}
		}
	}
}

// maxUnknown bounds the complaints about one line; more unknown words mean that it is no server line at all.
const maxUnknown = 4

// parameter reads one parameter and reports whether NGINX knows it.
func (p *pool) parameter(m *schema.Member, path schema.Path, a word, key string, v bind.Scalar, set bool) bool {
	extra := func(name schema.Path, value schema.Value) {
		m.Extra = append(m.Extra, schema.Field{Path: name, Value: value, At: v.At})
	}
	switch {
	case key == "weight" && set:
		if n, ok := p.natural(path+".weight", key, v, 1); ok {
			m.HasWeight, m.Weight, m.WeightAt = true, n, v.At
		}
	case key == "max_conns" && set:
		if n, ok := p.natural(path+".maxConnections", key, v, 0); ok {
			extra("maxConnections", schema.IntOf(n))
		}
	case (key == "max_fails" || key == "fail_timeout" || key == "slow_start") && set:
		p.perServer(m, key, v, false)
	case key == "backup" && !set:
		m.Backup, m.BackupAt = schema.Yes, a.span()
		p.backups = append(p.backups, a)
		if !p.takesBackup() {
			p.refuseBackup(a, schema.DefaultSeverity)
		}
	case key == "down" && !set:
		m.State, m.StateAt = schema.Disabled, a.span()
	case key == "drain" && !set:
		if m.State != schema.Disabled {
			m.State, m.StateAt = schema.Drain, a.span()
		}
	case key == "resolve" && !set:
		if m.Origin == schema.Static {
			m.Origin = schema.FromDNS
		}
		extra("resolve", schema.BoolOf(true))
	case key == "service" && set:
		m.Origin = schema.FromSRV
		extra("service", schema.TextOf(v.Text))
	case (key == "route" || key == "id" || key == "srun_id" || key == "sid") && set:
		extra(schema.Path(strings.Clone(key)), schema.TextOf(v.Text))
	default:
		return false
	}
	return true
}

// perServer reads a setting that NGINX keeps for each server and the model for the pool.
func (p *pool) perServer(m *schema.Member, key string, v bind.Scalar, maybe bool) {
	var t *tally
	var value schema.Value
	var ok bool
	switch key {
	case "max_fails":
		t = &p.fails
		value, ok = p.counted(t, key, v)
	case "fail_timeout":
		t = &p.timeouts
		value, ok = p.timed(t, key, v, parseSeconds)
	case "slow_start":
		t = &p.ramps
		if p.edition == openSource {
			p.refuse(t, v, schema.Textf("only NGINX Plus takes slow_start; open source NGINX refuses the file", "只有 NGINX Plus 支持 slow_start；开源 NGINX 会拒绝该文件"),
				schema.Textf("take it away, or name the profile nginx-plus", "去掉它，或将 profile 设为 nginx-plus"))
			return
		}
		value, ok = p.timed(t, key, v, parseAny)
	}
	if ok {
		m.Extra = append(m.Extra, schema.Field{Path: schema.Path(strings.Clone(key)), Value: value, At: v.At})
		t.add(value, v.At, m.ID(), maybe)
	}
}

func (p *pool) unknownParameter(m *schema.Member, a word, key string) {
	problem := schema.Problem{
		Rule: "schema/unknown-key", Severity: schema.Warning, At: a.span(), Item: schema.Members, Field: strings.Clone(key), Member: m.ID(), Got: strings.Clone(key),
		Text: schema.Textf("NGINX knows no %q on a server line and refuses the file", "NGINX 的 server 行没有 %q，会拒绝该文件", clip(key)),
		Hint: schema.Textf("parameters are weight=, max_fails=, fail_timeout=, max_conns=, backup and down", "可用参数有 weight=、max_fails=、fail_timeout=、max_conns=、backup 和 down"),
	}
	if near := spelling.Nearest(key, parameterNames); near != "" && near != key {
		problem.Want = near
		problem.Hint = schema.Textf("is %s meant?", "是否应为 %s？", near)
	}
	p.c.Report(problem)
}
