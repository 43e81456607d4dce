// Package livetest helps to test readers of running gateways: servers that give recorded answers, and checks that hold
// for every copy that a reader makes.
package livetest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
)

// Answers are the bodies that a gateway gives by path, with the query where it counts ("/clusters?format=json").
type Answers map[string]string

// Serve runs a gateway that gives answers as JSON, and 404 for everything else. check, which may be nil, sees each
// request first and reports whether it is to be answered.
func Serve(t *testing.T, answers Answers, check func(http.ResponseWriter, *http.Request) bool) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if check != nil && !check(w, r) {
			return
		}
		body, ok := answers[r.URL.RequestURI()]
		if !ok {
			body, ok = answers[r.URL.Path]
		}
		if !ok || r.Method != http.MethodGet {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s
}

// Read opens a reader and asks once.
func Read(t *testing.T, kind live.Kind, g schema.LiveGateway, o live.Options) ([]schema.Copy, error) {
	t.Helper()
	g.Gateway = kind.Name
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	r, err := live.New([]live.Kind{kind}, g, o)
	if err != nil {
		t.Fatal(err)
	}
	copies, err := r.Read(context.Background())
	for i := range copies {
		Check(t, &copies[i])
	}
	return copies, err
}

// Unknown checks that an error is *live.Unreachable, dated, worded in both languages, and without a secret.
func Unknown(t *testing.T, err error, word, secret string) {
	t.Helper()
	var u *live.Unreachable
	if !errors.As(err, &u) {
		t.Fatalf("%v is no *live.Unreachable", err)
	}
	if u.Since.IsZero() || u.Reason.En == "" || u.Reason.Zh == "" || u.Gateway == "" {
		t.Errorf("it says too little: %+v", u)
	}
	if !strings.Contains(u.Error(), word) {
		t.Errorf("%q does not say %q", u.Error(), word)
	}
	if all := u.Error() + u.Reason.Zh + chain(u); secret != "" && strings.Contains(all, secret) {
		t.Errorf("the secret stands in %q", all)
	}
}

// chain joins the texts of an error and all its causes.
func chain(err error) string {
	var b strings.Builder
	for ; err != nil; err = errors.Unwrap(err) {
		b.WriteString(err.Error() + "\n")
	}
	return b.String()
}

// Check checks what holds for every copy of a running gateway.
func Check(t *testing.T, c *schema.Copy) {
	t.Helper()
	switch {
	case c.Pool == "":
		t.Errorf("a copy without a pool: %+v", c)
	case c.Side != schema.Live || c.Format == "" || len(c.Files) != 1:
		t.Errorf("%s: side %q, format %q, files %q", c.Pool, c.Side, c.Format, c.Files)
	case len(c.Members) > 0 && !c.States(schema.Members):
		t.Errorf("%s has members and does not state them", c.Pool)
	}
	for i := range c.Members {
		if m := &c.Members[i]; m.Host != "" {
			if host, ok := schema.NormalHost(m.Host); !ok || host != m.Host {
				t.Errorf("%s: %q is not in normal form", c.Pool, m.Host)
			}
		}
	}
}
