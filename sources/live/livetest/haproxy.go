package livetest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// HAProxy is a real HAProxy that runs while a test does.
type HAProxy struct {
	// Config is what its file says, File the file.
	Config, File string
	// Socket is the path of its statistics socket, of level admin; Page the URL of its statistics page.
	Socket, Page string
	// Ports are ports at which nobody listens: the page's, then those of the backends.
	Ports []int

	t       *testing.T
	program string
	cmd     *exec.Cmd
}

// StartHAProxy starts one with the backends of a test, in which %[1]d to %[7]d are ports at which nobody answers. A
// machine without HAProxy fails the test.
func StartHAProxy(t *testing.T, backends string) *HAProxy {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/haproxy") // where Debian keeps it, which is not in everybody's path
	}
	if err != nil {
		t.Fatal("this test plays against the real HAProxy: apt-get install -y --no-install-recommends haproxy (make tools does it)")
	}
	dir, err := os.MkdirTemp("", "pp") // t.TempDir is too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := &HAProxy{t: t, program: program, File: filepath.Join(dir, "haproxy.cfg"), Socket: filepath.Join(dir, "s"), Ports: FreePorts(t, 8)}
	for i, port := range p.Ports[1:] {
		backends = strings.ReplaceAll(backends, fmt.Sprintf("%%[%d]d", i+1), strconv.Itoa(port))
	}
	p.Page = fmt.Sprintf("http://127.0.0.1:%d/stats", p.Ports[0])
	p.Config = fmt.Sprintf(`global
    stats socket %s level admin
defaults
    mode http
    timeout connect 1s
    timeout client 1s
    timeout server 1s
listen page
    bind 127.0.0.1:%d
    stats enable
    stats uri /stats
`, p.Socket, p.Ports[0]) + backends
	if err := os.WriteFile(p.File, []byte(p.Config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	p.Start()
	return p
}

// FreePorts returns ports of the loopback at which nobody listens.
func FreePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// Start starts it (again), and waits until it answers.
func (p *HAProxy) Start() {
	p.t.Helper()
	var log bytes.Buffer
	p.cmd = exec.Command(p.program, "-db", "-f", p.File)
	p.cmd.Stderr, p.cmd.Stdout = &log, &log
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	for range 500 {
		if conn, err := net.Dial("unix", p.Socket); err == nil {
			conn.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.Stop()
	p.t.Fatalf("HAProxy did not start: %s", log.String())
}

// Stop kills it, which leaves its socket behind without anybody who answers.
func (p *HAProxy) Stop() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		p.cmd = nil
	}
}

// Do sends orders to the socket, separated by ";". One that is refused fails the test.
func (p *HAProxy) Do(orders string) {
	p.t.Helper()
	for order := range strings.SplitSeq(orders, ";") {
		conn, err := net.Dial("unix", p.Socket)
		if err != nil {
			p.t.Fatal(err)
		}
		fmt.Fprintln(conn, strings.TrimSpace(order))
		answer, err := io.ReadAll(conn)
		conn.Close()
		if err != nil {
			p.t.Fatal(err)
		}
		if text := strings.TrimSpace(string(answer)); text != "" && !strings.Contains(text, "changed from") && !strings.Contains(text, "New server") && !strings.Contains(text, "deleted") {
			p.t.Fatalf("%s: %s", order, text)
		}
	}
}
