package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mappedFile is the home-made file that the pages show, with a map that reads it.
const mappedFile = "services/orders/config.yaml"

// shown returns the blocks of a page that show a file, or the documents in it.
func (p *page) shown(info, name string) string {
	for _, b := range p.blocks {
		if b.info == info && (b.name() == name || name == "" && !strings.HasPrefix(b.text, "---\n")) {
			return b.text
		}
	}
	return ""
}

const walkedGateway = `defaults
    mode http
    timeout connect 2s
    timeout server 30s

backend be_orders
    option httpchk GET /healthz
    default-server inter 2s fall 3 rise 2
    server a 10.0.0.1:8080 check weight 2
    server b 10.0.0.2:8080 check weight 1
`

// TestReadmeMapped: the map of the pages reads the file of the pages, and a gateway that runs the health checks finds
// nothing wrong with what it reads.
func TestReadmeMapped(t *testing.T) {
	for _, file := range readmes {
		p := readPage(t, file)
		dir := t.TempDir()
		manifest := ""
		for _, b := range p.blocks {
			if b.name() == "poolproof.yaml" && strings.Contains(b.text, "format: mapped") {
				manifest = b.text
			}
		}
		writeFiles(t, dir, map[string]string{
			"poolproof.yaml": manifest + "  - {side: gateway, format: haproxy, files: [haproxy.cfg]}\npools: {orders: {names: {gateway: be_orders}, executor: gateway}}\n",
			mappedFile:       p.shown("yaml", mappedFile), "haproxy.cfg": walkedGateway,
		})
		inspected := say(t, dir, 0, "poolproof inspect --pool orders")
		for _, want := range []string{"10.0.0.2:8080", "cooldown.duration = 30000", "decision.window = 30", "decision.minSamples = 100"} {
			if !strings.Contains(inspected, want) {
				t.Errorf("%s: the map does not read %s\n%s", file, want, inspected)
			}
		}
		if out := say(t, dir, 0, "poolproof check"); strings.Contains(out, "error[") || strings.Contains(out, "source/unresolved") {
			t.Errorf("%s: %s", file, out)
		}
	}
}

// walked reports whether the commands of a block belong to the walk of a change, which TestReadmeWalk takes.
func walked(b block) bool { return strings.Contains(b.text, "git ") }

// say runs a line of a shell, which must end with an exit code, and returns what it said.
func say(t *testing.T, dir string, want int, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "XDG_CACHE_HOME="+filepath.Join(t.TempDir(), "cache"), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=alice", "GIT_AUTHOR_EMAIL=alice@example.com", "GIT_COMMITTER_NAME=alice", "GIT_COMMITTER_EMAIL=alice@example.com",
		"GIT_AUTHOR_DATE=2026-06-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-06-01T00:00:00Z")
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want {
		t.Fatalf("%s: exit code %d, want %d\n%s", line, got, want, out)
	}
	return string(out)
}

// replace changes a file of the walk.
func replace(t *testing.T, dir, name string, pairs ...string) {
	t.Helper()
	file := filepath.Join(dir, name)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(pairs...).Replace(string(text))
	if changed == string(text) {
		t.Fatalf("nothing of %q is in %s:\n%s", pairs, name, text)
	}
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeWalk walks the way of a change with the words of the pages: their files, their commands, what their comments
// say is to be edited, and the exit codes that they promise.
func TestReadmeWalk(t *testing.T) {
	exits := regexp.MustCompile(`# (?:exits|退出码) ([0-9]+)`)
	for _, file := range readmes {
		p := readPage(t, file)
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{
			"gateway/haproxy.cfg": walkedGateway, mappedFile: p.shown("yaml", mappedFile), "docs/orders.md": p.shown("markdown", ""),
		})
		// The manifest is that of init, with the source of orders that it proposes.
		say(t, dir, 0, "git init -q -b main && poolproof init")
		replace(t, dir, "poolproof.yaml", "# - {side: order,", "- {side: order,")
		say(t, dir, 0, "poolproof check && git add . && git commit -q -m base")
		edits := []func(){
			func() {
				replace(t, dir, "gateway/haproxy.cfg", "weight 1\n", "weight 1\n    server c 10.0.0.3:8080 check weight 1\n")
			},
			func() {
				replace(t, dir, mappedFile, "weight: 1}\n", "weight: 1}\n    - {host: 10.0.0.3, port: 8080, weight: 1}\n")
				replace(t, dir, "docs/orders.md", "| 10.0.0.2 | 8080 | 1      |\n", "| 10.0.0.2 | 8080 | 1      |\n| 10.0.0.3 | 8080 | 1      |\n", "2026-01-31", "2026-12-31")
			},
			func() {
				order, err := os.ReadFile(filepath.Join(dir, "changes", "CHG-1043.md"))
				if err != nil {
					t.Fatal(err)
				}
				say(t, dir, 1, "poolproof change verify changes/CHG-1043.md --base main")
				text := regexp.MustCompile(`(?m)^TODO.*$`).ReplaceAll(order, []byte("More traffic; the error rate is watched."))
				if err := os.WriteFile(filepath.Join(dir, "changes", "CHG-1043.md"), text, 0o644); err != nil {
					t.Fatal(err)
				}
			},
		}
		last := ""
		for _, b := range p.blocks {
			if b.info != "sh" || !walked(b) {
				continue
			}
			for _, line := range strings.Split(strings.TrimSpace(b.text), "\n") {
				if strings.HasPrefix(line, "#") {
					if len(edits) == 0 {
						t.Fatalf("%s:%d: nobody knows how to %s", file, b.line, line)
					}
					edits[0]()
					edits = edits[1:]
					continue
				}
				want := 0
				if m := exits.FindStringSubmatch(line); m != nil {
					want, _ = strconv.Atoi(m[1])
				}
				last = say(t, dir, want, line)
			}
		}
		if len(edits) > 0 || !strings.Contains(last, "paid by tree") || strings.Contains(last, "error[") {
			t.Errorf("%s: %d edits are not asked for; the last command said\n%s", file, len(edits), last)
		}
	}
}

// TestReadmePaths: the files that the pages name are there.
func TestReadmePaths(t *testing.T) {
	inTree := regexp.MustCompile("`((?:cmd|policy|schema|sources|reconcile|testdata)/[a-z/{}._-]*)`")
	for _, file := range readmes {
		found := 0
		for _, m := range inTree.FindAllStringSubmatch(readPage(t, file).text, -1) {
			found++
			if _, err := os.Stat(filepath.Join("..", "..", m[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		for _, folder := range []string{"prometheus/", "systemd/", "docker/", "kubernetes/"} {
			if _, err := os.Stat(filepath.Join("deploy", folder)); err != nil || !strings.Contains(readPage(t, file).text, "`"+folder+"`") {
				t.Errorf("%s: %s: %v", file, folder, err)
			}
		}
		if found < 8 {
			t.Errorf("%s names only %d places", file, found)
		}
	}
}

// watchDaemon starts the daemon as the pages do, but for the port, and ends it as a service manager does.
func watchDaemon(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("poolproof", "watch", "--listen", "127.0.0.1:0")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "XDG_CACHE_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	page := ""
	for lines := bufio.NewScanner(said); page == "" && lines.Scan(); {
		_, page, _ = strings.Cut(lines.Text(), "status page: ")
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil || page == "" {
		t.Errorf("poolproof watch: %v, status page %q", err, page)
	}
}

// addSink gives the manifest of a repository a sink.
func addSink(t *testing.T, dir string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "poolproof.yaml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("alerts: {stdout: {}}\n"); err != nil {
		t.Fatal(err)
	}
}
