package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// history makes commits at random: files of all sides come, go, move and change, and so does the manifest.
type history struct {
	*gittest.Repo
	t *testing.T
	r *rand.Rand
}

func (h *history) one(of ...string) string { return of[h.r.IntN(len(of))] }

func (h *history) pool() string {
	return h.one("orders", "cart", "be_orders", "Orders pool", "user-api", "网关")
}

func (h *history) list(before, entry, after string) string {
	var b strings.Builder
	for range 1 + h.r.IntN(3) {
		fmt.Fprintf(&b, entry, h.r.IntN(2), 1+h.r.IntN(4))
	}
	return before + b.String() + after
}

// file returns a path and a text for it.
func (h *history) file() (name, text string) {
	native := h.list(fmt.Sprintf("pools:\n  %q:\n    members:\n", h.pool()), "      - {address: 10.0.%d.%d, port: 80}\n", h.one("", "    cooldown: {duration: 30s}\n", "    probe: {interval: 2s, timeout: 1s}\n", "    ramp: {by: ratio, batches: [{share: 5, dwell: 10m}, {share: 100}]}\n"))
	switch h.r.IntN(8) {
	case 0:
		return "app/" + h.one("a", "b", "sub/c") + ".yaml", native
	case 1:
		return "gateway/" + h.one("a", "b") + ".yaml", native
	case 2:
		return "envs/" + h.one("prod", "test") + "/" + h.one("a", "b") + ".cfg", h.list("backend "+h.one("orders", "cart", "be_orders", "user_api")+"\n", "    server s%d-%d 10.0.0.1:80\n", "")
	case 3:
		return "docs/" + h.one("a", "文") + ".md", h.list("# "+h.pool()+"\n\nEffective: "+h.one("2026-01-01", "2026-02-01")+"\n\n| Address | Port |\n|---|---|\n", "| 10.0.%d.%d | 80 |\n", "\n## "+h.pool()+"\n\n| Parameter | Value |\n|---|---|\n| Cooldown | 30s |\n")
	case 4:
		return "changes/" + h.one("1", "2") + ".md", fmt.Sprintf("---\npoolproof: change-order/v1\nid: CHG-%s\npools: [orders]\ninitiator: a\neffective: %s-01-01T00:00:00Z\nitems: [{pool: orders, item: %s}]\nramp: {orders: {by: ratio, batches: [{share: 100}]}}\n---\n", h.one("1", "2"), h.one("2020", "2099"), h.one("members", "ramp", "pool"))
	case 5:
		return "svc/application" + h.one("", "-prod") + ".yml", h.list("spring:\n  cloud:\n    discovery:\n      client:\n        simple:\n          instances:\n            "+h.one("orders", "cart")+":\n", "              - uri: http://10.0.%d.%d:80\n", "")
	case 6:
		pointer, _ := lfs(h.Repo, native)
		return h.one("app/a.yaml", "gateway/a.yaml", "svc/application-prod.yml"), h.one(pointer, "pools: [\n", "", "{{ x }}\n")
	}
	return "poolproof.yaml", `sources:
  - {side: gateway, format: poolproof, files: ["gateway/*.yaml"]}
  - {side: gateway, files: ["envs/{env}/*.cfg"]}
  - {side: app, format: poolproof, files: ["app/**/*.yaml"]` + h.one("", ", env: prod", ", exclude: [app/b.yaml]") + `}
  - {side: app, format: spring, files: ["svc/application.yml"], profiles: [prod]}
  - {side: doc, format: markdown, files: ["docs/*.md"]}
  - {side: order, files: ["changes/*.md"]}
pools: {orders: {names: {gateway: ` + h.one("be_orders", `"be_orders_{env}"`, "cart") + `, doc: "Orders pool"}}}
` + h.one("", "severity: {\"members/*\": info}\n", "vars: {X: 5s}\n")
}

func (h *history) step() {
	list := strings.Fields(h.Git("-c", "core.quotePath=false", "ls-files"))
	switch old := list[h.r.IntN(len(list))]; {
	case old == "poolproof.yaml" || h.r.IntN(10) < 6:
		name, text := h.file()
		if info, err := os.Lstat(h.Path(name)); err == nil && !info.Mode().IsRegular() {
			h.Git("rm", "-q", "-f", name)
		}
		h.Write(name, text)
	case h.r.IntN(3) == 0:
		h.Git("rm", "-q", "-f", old)
	case h.r.IntN(2) == 0:
		if to := filepath.Dir(old) + "/" + h.one("b", "x") + filepath.Ext(old); to != old {
			h.Git("mv", "-f", old, to)
		}
	default:
		h.Git("rm", "-q", "-f", old)
		h.Link(h.one("../app/a.yaml", "a.yaml", "nothing", "../.."), old)
	}
	h.Git("add", "-A")
}

// TestSameWithAndWithoutCache goes back and forth in random histories, with check and check --staged in between: what ci says
// with what earlier runs kept is what it says without.
func TestSameWithAndWithoutCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for seed := range uint64(3) {
		h := &history{gittest.New(t), t, rand.New(rand.NewPCG(seed, 1))}
		name, text := "", ""
		for name != "poolproof.yaml" {
			name, text = h.file()
		}
		h.Write(name, text)
		for range 8 {
			h.Write(h.file())
		}
		commits := []string{h.Commit("0")}
		same := func(args ...string) {
			t.Helper()
			args = append(args, "--format", "json")
			code, out, errs := invoke(t, nil, args...)
			if code2, out2, errs2 := invoke(t, nil, append(args, "--no-cache")...); code != code2 || out != out2 || errs != errs2 || code == exitInternal {
				t.Fatalf("seed %d, %v: exit code %d, %d without a cache\n%s%s\nwithout:\n%s%s", seed, args, code, code2, out, errs, out2, errs2)
			}
		}
		for i := range 25 {
			if h.r.IntN(4) == 0 {
				h.Git("checkout", "-q", "-f", commits[h.r.IntN(len(commits))])
			}
			for range 1 + h.r.IntN(3) {
				h.step()
			}
			switch h.r.IntN(4) {
			case 0:
				same("check", h.Dir)
			case 1:
				same("check", "--staged", h.Dir)
			}
			commits = append(commits, h.Commit(fmt.Sprint(i)))
			for range 2 {
				same("ci", h.Dir, "--no-dryrun", "--base", commits[h.r.IntN(len(commits))], "--head", commits[h.r.IntN(len(commits))])
			}
		}
	}
}
