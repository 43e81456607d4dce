package git

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"golang.org/x/crypto/ssh"
)

// session begins to talk to a server. Clients are made anew each time: go-git's registry of them is shared by the program.
func (f Fetch) session(at *transport.Endpoint) (transport.UploadPackSession, error) {
	if at.Protocol == "ssh" {
		return gitssh.NewClient(&ssh.ClientConfig{Timeout: f.timeout()}).NewUploadPackSession(at, nil)
	}
	var base *http.Transport
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		base = standard.Clone()
	} else {
		base = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	base.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	base.DisableKeepAlives = true
	if len(f.Roots) > 0 {
		roots, err := x509.SystemCertPool()
		if err != nil {
			roots = x509.NewCertPool()
		}
		if !roots.AppendCertsFromPEM(f.Roots) {
			return nil, errors.New("no certificate among the roots")
		}
		base.TLSClientConfig.RootCAs = roots
	}
	client := &http.Client{
		Transport: &limited{base, f.limit()},
		CheckRedirect: func(to *http.Request, via []*http.Request) error {
			if to.URL.Scheme != "https" || to.URL.Host != via[0].URL.Host || len(via) > 5 {
				return errors.New("the server sends elsewhere, to " + to.URL.Scheme + "://" + to.URL.Host)
			}
			return nil
		},
	}
	var auth transport.AuthMethod
	if f.Token != "" {
		user := f.User
		if user == "" {
			user = "x-access-token"
		}
		auth = &githttp.BasicAuth{Username: user, Password: f.Token}
	}
	return githttp.NewClientWithOptions(client, &githttp.ClientOptions{RedirectPolicy: githttp.FollowInitialRedirects}).
		NewUploadPackSession(at, auth)
}

// limited bounds the bytes of each answer.
type limited struct {
	next  http.RoundTripper
	limit int64
}

func (l *limited) RoundTrip(q *http.Request) (*http.Response, error) {
	a, err := l.next.RoundTrip(q)
	if err == nil {
		a.Body = struct {
			io.Reader
			io.Closer
		}{&bounded{a.Body, l.limit}, a.Body}
	}
	return a, err
}
