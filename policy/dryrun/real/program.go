package real

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is a gateway under test.
type program struct {
	haproxy bool
	dir     string
	config  string
	process *exec.Cmd
	log     bytes.Buffer
}

var written = regexp.MustCompile(`10\.9\.0\.(\d+):80\b`)

// placed moves the addresses of a scenario to a net of their own on loopback.
func placed(text string, net int) string {
	return written.ReplaceAllString(text, fmt.Sprintf("127.77.%d.$1:18080", net))
}

func (p *program) start() error {
	var args []string
	if p.haproxy {
		args = []string{"haproxy", "-db", "-f", p.config}
		if p.process != nil {
			args = append(args, "-sf", fmt.Sprint(p.process.Process.Pid))
		}
	} else {
		if p.process != nil {
			return p.process.Process.Signal(syscall.SIGHUP)
		}
		args = []string{"nginx", "-p", p.dir, "-c", p.config, "-e", filepath.Join(p.dir, "error.log"), "-g", "daemon off; pid " + filepath.Join(p.dir, "pid") + ";"}
	}
	c := exec.Command(args[0], args[1:]...)
	c.Stdout, c.Stderr = &p.log, &p.log
	if err := c.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", args[0], err)
	}
	go c.Wait()
	p.process = c
	return nil
}

func (p *program) stop() {
	if p.process != nil {
		p.process.Process.Signal(syscall.SIGTERM)
	}
}

// write puts the configuration into place, with a stats socket for HAProxy.
func (p *program) write(text string) error {
	if p.haproxy {
		text = strings.Replace(text, "global\n", "global\n    stats socket "+p.socket()+" level admin\n", 1)
	} else {
		text = strings.Replace(text, "http {\n", "http {\n    access_log off;\n    client_body_temp_path "+p.dir+"/b;\n    proxy_temp_path "+p.dir+"/p;\n    fastcgi_temp_path "+p.dir+"/f;\n    uwsgi_temp_path "+p.dir+"/u;\n    scgi_temp_path "+p.dir+"/s;\n", 1)
		text = "user root;\n" + text
	}
	return os.WriteFile(p.config, []byte(text), 0o644)
}

func (p *program) socket() string { return filepath.Join(p.dir, "stats") }

// ask sends a command to HAProxy's socket.
func (p *program) ask(command string) (string, error) {
	c, err := net.DialTimeout("unix", p.socket(), time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	fmt.Fprintf(c, "%s\n", command)
	var b bytes.Buffer
	_, err = bufio.NewReader(c).WriteTo(&b)
	return b.String(), err
}

// states returns the state of each server by name, from "show servers state".
func (p *program) states(pool string) map[string]string {
	text, err := p.ask("show servers state " + pool)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) < 7 || f[0] == "#" {
			continue
		}
		name, operational, admin := f[3], f[5], f[6]
		maint, err := strconv.Atoi(admin)
		switch {
		case err == nil && maint&(0x01|0x02|0x20|0x40) != 0: // forced, inherited, by name resolution
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
