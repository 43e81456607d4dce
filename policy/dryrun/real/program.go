//go:build linux

package real

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Install is how the programs come onto a Debian machine.
const Install = "apt-get install -y --no-install-recommends haproxy nginx (make tools does that)"

// Find returns where a program lies. Debian keeps both in a folder that is not in everybody's path.
func Find(name string) (string, error) {
	if p, err := exec.LookPath(name); err == nil {
		return p, nil
	}
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin"} {
		if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s is not there; %s", name, Install)
}

// program is a gateway under test.
type program struct {
	haproxy bool
	path    string
	dir     string // of its own, for its files
	text    string // its configuration

	mu        sync.Mutex
	processes []*exec.Cmd // several after reloads of HAProxy
	log       log
}

func (p *program) config() string { return filepath.Join(p.dir, "config") }
func (p *program) socket() string { return filepath.Join(p.dir, "stats") }

// start starts the program, or lets one that runs take its configuration anew.
func (p *program) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := os.WriteFile(p.config(), []byte(p.dressed()), 0o644); err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	args := []string{"-db", "-f", p.config()}
	switch n := len(p.processes); {
	case !p.haproxy && n > 0:
		return p.processes[0].Process.Signal(syscall.SIGHUP)
	case !p.haproxy:
		args = []string{"-p", p.dir, "-c", p.config(), "-e", filepath.Join(p.dir, "error.log"), "-g", "daemon off; pid " + filepath.Join(p.dir, "pid") + ";"}
	case n > 0:
		args = append(args, "-sf", strconv.Itoa(p.processes[n-1].Process.Pid))
	}
	c := exec.Command(p.path, args...)
	c.Stdout, c.Stderr = &p.log, &p.log
	if err := c.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", p.path, err)
	}
	p.processes = append(p.processes, c)
	return nil
}

// stop ends the processes and waits for them.
func (p *program) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.processes {
		c.Process.Signal(syscall.SIGTERM)
	}
	for _, c := range p.processes {
		late := time.AfterFunc(2*time.Second, func() { c.Process.Kill() })
		c.Wait()
		late.Stop()
	}
	p.processes = nil
}

// ready waits until the program accepts a connection.
func (p *program) ready(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer on %s: %s", p.path, address, p.log.String())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

var (
	globalSection = regexp.MustCompile(`(?m)^global\s*$`)
	httpBlock     = regexp.MustCompile(`(?m)^\s*http\s*\{`)
)

// dressed is the configuration with what a play needs: a socket to look at HAProxy's states, and for NGINX files in the
// program's own folder.
func (p *program) dressed() string {
	if p.haproxy {
		socket := "global\n    stats socket " + p.socket() + " level admin\n"
		if at := globalSection.FindStringIndex(p.text); at != nil {
			return p.text[:at[0]] + socket + p.text[at[1]:]
		}
		return socket + p.text
	}
	text := p.text
	if at := httpBlock.FindStringIndex(text); at != nil {
		files := "\n    access_log off;"
		for _, what := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
			files += fmt.Sprintf("\n    %s_temp_path %s;", what, filepath.Join(p.dir, what))
		}
		text = text[:at[1]] + files + text[at[1]:]
	}
	if os.Geteuid() == 0 {
		return "user root;\n" + text
	}
	return text
}

// ask sends a command to HAProxy's socket.
func (p *program) ask(command string) (string, error) {
	c, err := net.DialTimeout("unix", p.socket(), time.Second)
	if err != nil {
		return "", fmt.Errorf("asking HAProxy: %w", err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprintf(c, "%s\n", command)
	b, err := io.ReadAll(c)
	return string(b), err
}

// force takes a server out or puts it back: by HAProxy's socket, and in NGINX by an edit of its file and a reload.
func (p *program) force(pool, name, address string, out bool) error {
	if p.haproxy {
		state := map[bool]string{true: "maint", false: "ready"}[out]
		_, err := p.ask("set server " + pool + "/" + name + " state " + state)
		return err
	}
	line := regexp.MustCompile(`(?m)^(\s*server\s+` + regexp.QuoteMeta(address) + `)( down)?(.*)$`)
	mark := map[bool]string{true: " down", false: ""}[out]
	p.text = line.ReplaceAllString(p.text, "${1}"+mark+"${3}")
	return p.start()
}

// states returns the state of each server by name, from "show servers state".
func (p *program) states(pool string) map[string]string {
	text, err := p.ask("show servers state " + pool)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 7 || f[0] == "#" {
			continue
		}
		name, operational, admin := f[3], f[5], f[6]
		const maintenance = 0x01 | 0x02 | 0x20 | 0x40 // forced, inherited, by name resolution
		mask, err := strconv.Atoi(admin)
		switch {
		case err == nil && mask&maintenance != 0:
			out[name] = "manual"
		case operational == "0":
			out[name] = "out"
		case operational == "1":
			out[name] = "ramping"
		default:
			out[name] = "in"
		}
	}
	return out
}

// log keeps what a program says.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
