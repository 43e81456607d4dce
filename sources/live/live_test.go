package live_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/all"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

const secret = "s3cr3t-t0k3n"

// plus is the smallest gateway over HTTP: an API without upstreams.
var plus = livetest.Answers{"/api/9/": `["nginx","http"]`, "/api/9/nginx": `{"build":"nginx-plus-r31"}`, "/api/9/http/": `["upstreams"]`, "/api/9/http/upstreams": `{}`}

func kind(t *testing.T, name string) live.Kind {
	t.Helper()
	for _, k := range all.Kinds() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("there is no kind %q", name)
	return live.Kind{}
}

// TestKinds holds that every kind says how it is addressed, and opens at the addresses that it shows.
func TestKinds(t *testing.T) {
	env := func(name string) (string, bool) {
		return map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}[name], true
	}
	for _, k := range all.Kinds() {
		if len(k.Addresses) == 0 || len(k.Shows) == 0 || k.Format == "" {
			t.Errorf("%s is not whole: %+v", k.Name, k)
		}
		for _, a := range k.Addresses {
			_, err := live.New(all.Kinds(), schema.LiveGateway{Gateway: k.Name, Address: a}, live.Options{Env: env})
			if err != nil && !strings.Contains(err.Error(), "serviceaccount") { // no cluster is here
				t.Errorf("%s %s: %v", k.Name, a, err)
			}
		}
	}
}

// TestRefused holds what a manifest may not say.
func TestRefused(t *testing.T) {
	root := t.TempDir()
	outside := t.TempDir()
	inside := filepath.Join(root, "key")
	link := filepath.Join(outside, "link")
	if err := os.WriteFile(inside, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(inside, link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		g    schema.LiveGateway
		want string
	}{
		{"kind", schema.LiveGateway{Gateway: "haproxi", Address: "unix:/s"}, "there are haproxy, envoy"},
		{"password", schema.LiveGateway{Gateway: "envoy", Address: "http://u:" + secret + "@h:1"}, "holds a user"},
		{"query", schema.LiveGateway{Gateway: "envoy", Address: "http://h:1/?key=" + secret}, "holds a query"},
		{"scheme", schema.LiveGateway{Gateway: "envoy", Address: "file:///etc/passwd"}, "no URL of the form"},
		{"socket", schema.LiveGateway{Gateway: "haproxy", Address: "unix:run/s"}, "write unix:"},
		{"port", schema.LiveGateway{Gateway: "haproxy", Address: "tcp:9999"}, "write unix:"},
		{"token in the tree", schema.LiveGateway{Gateway: "envoy", Address: "http://h:1", TokenFile: inside}, "inside the watched tree"},
		{"token through a link", schema.LiveGateway{Gateway: "envoy", Address: "http://h:1", TokenFile: link}, "inside the watched tree"},
		{"token beside the manifest", schema.LiveGateway{Gateway: "envoy", Address: "http://h:1", TokenFile: "key"}, "absolute path"},
		{"any variable", schema.LiveGateway{Gateway: "envoy", Address: "http://h:1", TokenFile: "env:AWS_SECRET_ACCESS_KEY"}, "does not start with POOLPROOF_"},
		{"ca", schema.LiveGateway{Gateway: "envoy", Address: "https://h:1", CAFile: "key"}, "no certificate"},
		{"no cluster", schema.LiveGateway{Gateway: "argo-rollouts", Address: "in-cluster"}, "runs in no cluster"},
		{"namespace", schema.LiveGateway{Gateway: "argo-rollouts", Address: "https://h/namespaces/a/b"}, "ends with something else"},
	} {
		_, err := live.New(all.Kinds(), tt.g, live.Options{Root: root, Env: func(string) (string, bool) { return "", false }})
		switch {
		case err == nil:
			t.Errorf("%s: nothing is said", tt.name)
		case !strings.Contains(err.Error(), tt.want), strings.Contains(err.Error(), secret):
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestUnknown plays gateways that give no answer or half of one.
func TestUnknown(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	status := func(code int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(code)
			fmt.Fprintf(w, "no: %s", r.Header.Get("Authorization")) // some repeat the request
			return false
		}
	}
	body := func(text string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, text); return false }
	}
	for _, tt := range []struct {
		name, want string
		check      func(http.ResponseWriter, *http.Request) bool
	}{
		{"401", "HTTP 401", status(401)},
		{"403", "HTTP 403", status(403)},
		{"404", "HTTP 404", status(404)},
		{"500", "HTTP 500", status(500)},
		{"204", "HTTP 204", status(204)},
		{"redirect", "redirects", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, elsewhere.URL+"/?t="+r.Header.Get("Authorization"), http.StatusFound)
			return false
		}},
		{"html", "web page", body("<html><title>Sign in</title></html>")},
		{"cut off", "cut off or no JSON", body(`["nginx","htt`)},
		{"empty", "cut off or no JSON", body("")},
		{"huge", "larger than", func(w http.ResponseWriter, _ *http.Request) bool {
			for range 300 {
				if _, err := w.Write([]byte(strings.Repeat(" ", 1<<10))); err != nil {
					return false
				}
			}
			return false
		}},
		{"broken off", "breaks off", func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "[")
			return false
		}},
		{"slow", "in time", func(w http.ResponseWriter, r *http.Request) bool {
			select {
			case <-r.Context().Done():
			case <-time.After(3 * time.Second):
			}
			return false
		}},
		{"another shape", "form that poolproof does not know", body(`{"a": 1}`)},
		{"deep", "cut off or no JSON", body(strings.Repeat("[", 1<<17))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := livetest.Serve(t, plus, tt.check)
			token := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(token, []byte(secret+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			copies, err := livetest.Read(t, kind(t, "nginx-plus"), schema.LiveGateway{Address: s.URL, TokenFile: token},
				live.Options{MaxBytes: 256 << 10, Timeout: time.Second})
			livetest.Unknown(t, err, tt.want, secret)
			if copies != nil {
				t.Errorf("there are copies: %v", copies)
			}
		})
	}
}

// TestToken holds how tokens are sent, and that a missing one is a reason.
func TestToken(t *testing.T) {
	s := livetest.Serve(t, plus, func(w http.ResponseWriter, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		if r.Header.Get("Authorization") == "Bearer "+secret || user == "ops" && password == secret {
			return true
		}
		w.WriteHeader(http.StatusUnauthorized)
		return false
	})
	k := kind(t, "nginx-plus")
	env := func(value string) live.Options {
		return live.Options{Env: func(name string) (string, bool) { return value, name == "POOLPROOF_NGINX" && value != "" }}
	}
	g := schema.LiveGateway{Address: s.URL, TokenFile: "env:POOLPROOF_NGINX"}
	for _, good := range []string{secret, "ops:" + secret, " " + secret + "\n"} {
		if _, err := livetest.Read(t, k, g, env(good)); err != nil {
			t.Error(err)
		}
	}
	for value, want := range map[string]string{"": "is not set", "wrong": "HTTP 401", secret + "\nX: y": "single line", secret + "\u00e9": "single line"} {
		_, err := livetest.Read(t, k, g, env(value))
		livetest.Unknown(t, err, want, secret)
	}
	for file, want := range map[string]string{filepath.Join(t.TempDir(), "none"): "no such file", t.TempDir(): "no regular file"} {
		_, err := livetest.Read(t, k, schema.LiveGateway{Address: s.URL, TokenFile: file}, live.Options{})
		livetest.Unknown(t, err, want, secret)
	}
}

// TestCertificate holds that only the named authority is trusted.
func TestCertificate(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, plus[r.URL.Path])
	}))
	defer s.Close()
	s.Config.ErrorLog = nil
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	k := kind(t, "nginx-plus")
	_, err := livetest.Read(t, k, schema.LiveGateway{Address: s.URL}, live.Options{})
	livetest.Unknown(t, err, "signed by nobody that is trusted", "")
	if _, err := livetest.Read(t, k, schema.LiveGateway{Address: s.URL, CAFile: ca}, live.Options{}); err != nil {
		t.Error(err)
	}
	if _, err := livetest.Read(t, k, schema.LiveGateway{Address: s.URL, CAFile: filepath.Base(ca)}, live.Options{Root: filepath.Dir(ca)}); err != nil {
		t.Error("relative to the root:", err)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.URL, "https://"))
	_, err = livetest.Read(t, k, schema.LiveGateway{Address: "https://localhost:" + port, CAFile: ca}, live.Options{})
	livetest.Unknown(t, err, "another host name", "")
}

// TestNoProxy holds that the environment does not send questions elsewhere.
func TestNoProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	s := livetest.Serve(t, plus, nil)
	if _, err := livetest.Read(t, kind(t, "nginx-plus"), schema.LiveGateway{Address: s.URL}, live.Options{}); err != nil {
		t.Error(err)
	}
}

// TestSince holds that an outage is dated by its first failure, and forgotten after an answer.
func TestSince(t *testing.T) {
	up := false
	s := livetest.Serve(t, plus, func(w http.ResponseWriter, _ *http.Request) bool {
		if !up {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return up
	})
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	r, err := live.New(all.Kinds(), schema.LiveGateway{Gateway: "nginx-plus", Address: s.URL}, live.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	since := func() string {
		a := r.Ask(context.Background())
		if a.Unreachable == nil {
			return "up"
		}
		if a.Copies != nil {
			t.Error("an unreachable gateway has copies")
		}
		now = now.Add(time.Minute)
		return a.Unreachable.Since.Format("15:04")
	}
	var got []string
	for _, up = range []bool{false, false, true, false} {
		got = append(got, since())
	}
	if strings.Join(got, " ") != "12:00 12:00 up 12:02" {
		t.Errorf("%q", got)
	}
}

// TestName holds that a name shows no secret, whatever the address is.
func TestName(t *testing.T) {
	r, err := live.New([]live.Kind{{Name: "any", Open: func(*live.Target) (live.ReadFunc, error) { return nil, nil }}},
		schema.LiveGateway{Gateway: "any", Address: "http://u:" + secret + "@h:1/p?k=" + secret + "#" + secret}, live.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Name() != "any http://h:1/p" {
		t.Error(r.Name())
	}
}
