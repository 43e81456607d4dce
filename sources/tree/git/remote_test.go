package git_test

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// serve serves the folder that a repository is in, as a host does, and returns its address and certificate.
func serve(t *testing.T, r *gittest.Repo, around func(http.Handler) http.Handler) (string, []byte) {
	t.Helper()
	backend := &cgi.Handler{
		Path:   filepath.Join(gittest.Run(t, r.Dir, "--exec-path"), "git-http-backend"),
		Env:    append(gittest.Env(0), "GIT_PROJECT_ROOT="+filepath.Dir(r.Dir), "GIT_HTTP_EXPORT_ALL=1"),
		Stderr: io.Discard,
	}
	var h http.Handler = backend
	if around != nil {
		h = around(h)
	}
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL + "/repo", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

func TestFetching(t *testing.T) {
	r := gittest.New(t)
	first := r.Save("f", "1")
	second := r.Save("f", "2")
	r.Git("tag", "-a", "-m", "x", "v1")
	r.Git("checkout", "-q", "-b", "other/branch")
	other := r.Save("f", "3")
	r.Git("checkout", "-q", "main")
	url, roots := serve(t, r, nil)
	how := git.Fetch{Roots: roots, Dir: t.TempDir()}

	g, err := git.OpenURL(t.Context(), url, how)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "HEAD", resolve(t, g, "HEAD"), second)
	same(t, "content", listing(t, at(t, g, "HEAD~1", "."), "."), "[f 1]")
	if ok, err := g.Contains("HEAD", resolve(t, g, first)); !ok || err != nil {
		t.Error(ok, err)
	}
	if _, err := g.Resolve(other); err == nil {
		t.Error("more was fetched than asked for")
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}

	g, err = git.OpenURL(t.Context(), url, how, "main", "other/branch", "v1", "refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "branch", resolve(t, g, "other/branch"), other)
	same(t, "tag", resolve(t, g, "v1"), second)
	g.Close()

	shallow := how
	shallow.Depth = 1
	g, err = git.OpenURL(t.Context(), url, shallow, "other/branch")
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Resolve("other/branch~1")
	wantTrouble(t, err, git.Shallow, "git fetch --unshallow")
	g.Close()

	_, err = git.OpenURL(t.Context(), url, how, "none")
	wantTrouble(t, err, git.UnknownRevision, "")
	_, err = git.OpenURL(t.Context(), url+"x", how)
	wantTrouble(t, err, git.Remote, "git ls-remote "+url+"x")
	_, err = git.OpenURL(t.Context(), url, git.Fetch{Dir: how.Dir})
	wantTrouble(t, err, git.Remote, "git ls-remote "+url) // a certificate nobody vouches for
	small := how
	small.Limit = 100
	_, err = git.OpenURL(t.Context(), url, small)
	wantTrouble(t, err, git.Remote, "git ls-remote "+url)
	if left, err := os.ReadDir(how.Dir); err != nil || len(left) != 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestHostileServers(t *testing.T) {
	r := gittest.New(t)
	r.Save("f", "1")
	asked := false
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer plain.Close()
	elsewhere, _ := serve(t, r, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true })
	})
	stop := make(chan struct{})
	defer close(stop)
	for name, h := range map[string]http.HandlerFunc{
		"another scheme": func(w http.ResponseWriter, q *http.Request) { http.Redirect(w, q, plain.URL+q.URL.String(), 302) },
		"another host":   func(w http.ResponseWriter, q *http.Request) { http.Redirect(w, q, elsewhere+"/info/refs", 302) },
		"in a ring":      func(w http.ResponseWriter, q *http.Request) { http.Redirect(w, q, q.URL.String(), 302) },
		"a page":         func(w http.ResponseWriter, q *http.Request) { fmt.Fprint(w, "<html>\x1b[31m") },
		"nothing":        func(w http.ResponseWriter, q *http.Request) {},
		"a login":        func(w http.ResponseWriter, q *http.Request) { w.WriteHeader(401) },
		"never": func(w http.ResponseWriter, q *http.Request) {
			select {
			case <-stop:
			case <-q.Context().Done():
			}
		},
		"without end": func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			fmt.Fprint(w, "001e# service=git-upload-pack\n0000")
			for i := range 200_000 {
				if _, err := fmt.Fprintf(w, "003f%040x refs/heads/branch-%05d\n", i+1, i%100_000); err != nil {
					return
				}
			}
		},
	} {
		url, roots := serve(t, r, func(http.Handler) http.Handler { return h })
		_, err := git.OpenURL(t.Context(), url, git.Fetch{Roots: roots, Timeout: 2 * time.Second, Limit: 1 << 20, Dir: t.TempDir(), Token: "t0p-secret"})
		var tr *git.Trouble
		if !errors.As(err, &tr) || tr.Kind != git.Remote {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), "t0p-secret") || strings.ContainsRune(err.Error(), 0x1b) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if asked {
		t.Error("another server was asked")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	url, roots := serve(t, r, nil)
	if _, err := git.OpenURL(ctx, url, git.Fetch{Roots: roots}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTokens(t *testing.T) {
	r := gittest.New(t)
	head := r.Save("f", "1")
	url, roots := serve(t, r, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if user, token, _ := q.BasicAuth(); user != "x-access-token" || token != "secret" {
				w.WriteHeader(401)
				return
			}
			next.ServeHTTP(w, q)
		})
	})
	how := git.Fetch{Roots: roots, Token: "secret"}
	g, err := git.OpenURL(t.Context(), url, how)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "head", resolve(t, g, "HEAD"), head)
	g.Close()
	how.Token = "wrong"
	_, err = git.OpenURL(t.Context(), url, how)
	wantTrouble(t, err, git.Remote, "git ls-remote "+url)
}

func TestAddresses(t *testing.T) {
	r := gittest.New(t)
	head := r.Save("f", "1")
	for _, address := range []string{r.Dir, r.URL(), r.Path(".git"), "file://localhost" + r.Dir} {
		g, err := git.OpenURL(t.Context(), address, git.Fetch{})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		same(t, address, resolve(t, g, "HEAD"), head)
		g.Close()
	}
	for _, address := range []string{
		"", "-oProxyCommand=x", "--upload-pack=x", "ext::sh -c x", "fd::17", "transport::address", "http://example.org/x", "HTTP://example.org/x", "git://example.org/x", "ftp://example.org/x", "rsync://x/y",
		"file://host/share", "https://user:secret@example.org/x", "https:///x", "https://", "ssh://-oProxyCommand=x/y", "-x@host:path", "https://example.org/\nx", "\x1b[31m",
	} {
		_, err := git.OpenURL(t.Context(), address, git.Fetch{Timeout: time.Second})
		tr := wantTrouble(t, err, git.Remote, "")
		if text := tr.What.En + tr.What.Zh; strings.Contains(text, "secret") || strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("%q: %s", address, text)
		}
	}
	_, err := git.OpenURL(t.Context(), filepath.Join(r.Dir, "none"), git.Fetch{})
	wantTrouble(t, err, git.NotRepository, "")
}
