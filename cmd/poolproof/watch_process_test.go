package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/live/livetest"
)

// TestWatchRefuses starts a second watch where the first one has taken what can be had once.
func TestWatchRefuses(t *testing.T) {
	t.Parallel()
	root, kept := t.TempDir(), t.TempDir()
	drifting(t, root, "{stdout: {}}", 8080)
	w := watch(t, root, "--state", kept)
	address := strings.TrimPrefix(w.url, "http://")

	out, log, code := ended(t, nil, "watch", "--listen", address, root)
	for _, word := range []string{"the status page cannot be served", address, "address already in use", "name a free address"} {
		if !strings.Contains(log, word) {
			t.Errorf("not said: %q", word)
		}
	}
	if code != 3 || out != "" || strings.Count(log, "\n") != 1 {
		t.Errorf("exit code %d\n%s%s", code, out, log)
	}
	for _, args := range [][]string{{"watch", "--listen", "", "--state", kept, root}, {"watch", "--once", "--state", kept, root}} {
		if out, log, code := ended(t, nil, args...); code != 3 || out != "" || !strings.Contains(log, "another poolproof uses it; name another one with --state") {
			t.Errorf("%q: exit code %d\n%s%s", args, code, out, log)
		}
	}
	if out, log, code := ended(t, nil, "watch", "--listen", "nonsense", root); code != 3 || out != "" || !strings.Contains(log, "the status page cannot be served") {
		t.Errorf("exit code %d\n%s%s", code, out, log)
	}
	if !w.status().Ready || len(w.events()) > 0 {
		t.Error("the first one was disturbed")
	}
	w.kill() // leaves nothing taken behind
	again := watch(t, root, "--state", kept, "--listen", address)
	again.end()
}

// TestWatchEnds ends a watch by each signal that means it, also before it has looked.
func TestWatchEnds(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		for _, late := range []bool{false, true} {
			root, kept := t.TempDir(), t.TempDir()
			drifting(t, root, "{stdout: {}}", 8081)
			w := watch(t, root, "--state", kept)
			if late {
				w.until("told", func() bool { return len(w.events()) == 2 })
			}
			start := time.Now()
			_ = w.cmd.Process.Signal(signal)
			if err := w.cmd.Wait(); err != nil {
				t.Errorf("%s: %v", signal, err)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s: it took %s to end", signal, took)
			}
			if n := len(w.events()); n != 2 {
				t.Errorf("%s: %d events were told, of 2", signal, n)
			}
			again := watch(t, root, "--state", kept)
			again.again()
			again.end()
			if n := len(again.events()); n != 0 {
				t.Errorf("%s: told again after a restart: %q", signal, again.events())
			}
		}
	}
}

// TestWatchHangup lets SIGHUP find what nothing tells of: a template and a certificate that a manifest names and that
// lie outside of the tree, and what a gateway runs, long before it is asked by itself.
func TestWatchHangup(t *testing.T) {
	t.Parallel()
	server := new(gatewayServer)
	server.answers.Store(&livetest.Answers{"/api/9/": `["nginx","http"]`, "/api/9/nginx": `{"build":"nginx-plus-r31"}`, "/api/9/http/": `["upstreams"]`,
		"/api/9/http/upstreams": `{"orders":{"peers":[{"id":0,"server":"10.0.0.1:80","name":"10.0.0.1:80","backup":false,"weight":2,"state":"up"}],"zone":"orders"}}`})
	gateway := httptest.NewUnstartedServer(server)
	gateway.Config.ErrorLog = log.New(io.Discard, "", 0) // of the certificate that is refused
	gateway.StartTLS()
	defer gateway.Close()
	mail := newReceiver(t)
	root, beside := t.TempDir(), t.TempDir()
	put(t, beside, "form", `{"text": {{json .Title}}}`, "ca.pem", stranger(t))
	put(t, root, "nginx.conf", "http {\n  upstream orders { zone orders 64k; server 10.0.0.1:80 weight=2; }\n}\n", "poolproof.yaml", fmt.Sprintf(`
sources: [{side: gateway, format: nginx, files: [nginx.conf]}]
live: [{gateway: nginx-plus, address: "%s", every: 1h, caFile: %s}]
alerts: {webhook: {url: "%s", templateFile: %s}}
`, gateway.URL, filepath.Join(beside, "ca.pem"), mail.URL, filepath.Join(beside, "form")))
	w := watch(t, root)
	w.until("a certificate that is not trusted", func() bool { return strings.Contains(w.status().Gateways[0].Reason, "trusted") })
	w.until("told", func() bool { b, _ := mail.got(); return len(b) == 1 && strings.HasPrefix(b[0], `{"text"`) })

	put(t, beside, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: gateway.Certificate().Raw})), "form", `{"new": {{json .Title}}}`)
	w.again()
	w.until("the gateway answers", func() bool { s := w.status(); return s.Gateways[0].Unknown == "" && s.Gateways[0].Asks > 0 })
	w.until("told by the new template", func() bool { b, _ := mail.got(); return len(b) == 2 && strings.HasPrefix(b[1], `{"new"`) })

	server.change(`"up"`, `"down"`)
	w.again()
	w.until("asked at once", func() bool { return len(w.findings("live/differs")) == 1 })

	// What is wrong meanwhile keeps what was good.
	put(t, beside, "form", `{{`)
	w.again()
	w.until("the bad template named", func() bool {
		s := w.status()
		return len(s.Errors) == 1 && strings.Contains(s.Errors[0].Text, "template")
	})
	server.change(`"down"`, `"up"`)
	put(t, beside, "form", `{"last": {{json .Title}}}`)
	w.again()
	w.until("told by the last template", func() bool { b, _ := mail.got(); return strings.HasPrefix(b[len(b)-1], `{"last"`) })
	if s := w.status(); len(s.Errors) != 0 || len(s.Drifts) != 0 {
		t.Errorf("%+v", s)
	}
	w.end()
}

// stranger is the certificate of an authority that signed nobody.
func stranger(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// TestWatchSilentGateway has a gateway that takes questions and says nothing: files are judged meanwhile, the page is
// served, and the end waits for nobody.
func TestWatchSilentGateway(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	root := t.TempDir()
	put(t, root, "haproxy.cfg", "backend orders\n    server a 10.0.0.1:8080\n", "poolproof.yaml", fmt.Sprintf(
		"sources: [{side: gateway, format: haproxy, files: [haproxy.cfg]}]\nlive: [{gateway: haproxy, address: \"tcp:%s\", every: 1s}]\n", l.Addr()))
	w := watch(t, root)
	put(t, root, "haproxy.cfg", "backend orders\n    server a 10.0.0.1:8080\n    server a 10.0.0.1:8080\n")
	w.until("files judged meanwhile", func() bool { return len(w.findings("")) > 0 })
	if s := w.status(); s.Gateways[0].Asks != 0 || len(w.findings("live/")) > 0 {
		t.Errorf("a gateway that has not answered yet counts as something: %+v", s.Gateways)
	}
	start := time.Now()
	w.end()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %s to end", took)
	}
}
