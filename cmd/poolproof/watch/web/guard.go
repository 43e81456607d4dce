package web

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
)

// policy lets a page load only what this server ships.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard refuses what no reader needs, and sets the headers that all answers share. A nil set of hosts allows any.
func guard(next http.Handler, hosts map[string]bool, tell func(string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case hosts != nil && !hosts[strings.ToLower(r.Host)]:
			// A site whose name was made to point at this machine would come with its own name.
			http.Error(w, "This server listens on loopback and answers to names of this machine, and to the host of alerts.link in the manifest.",
				http.StatusMisdirectedRequest)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "This server only shows: GET and HEAD.", http.StatusMethodNotAllowed)
			return
		}
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p) // net/http's own way to cut a connection
			default:
				if tell != nil {
					tell(report.ShownText(fmt.Sprintf("a defect while answering %s: %v", r.URL.Path, p)))
				}
				http.Error(w, "A defect of poolproof; its log says more.", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// loopback reports whether only this machine reaches an address.
func loopback(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// hosts returns the names that a server on loopback answers to, nil for any on other addresses, where the network decides
// who may come.
func hosts(at net.Addr, link string) map[string]bool {
	if !loopback(at) {
		return nil
	}
	tcp := at.(*net.TCPAddr)
	_, port, err := net.SplitHostPort(tcp.String())
	if err != nil {
		return map[string]bool{}
	}
	allowed := map[string]bool{strings.ToLower(tcp.String()): true}
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
		allowed[host+":"+port] = true
		if port == "80" { // which clients leave out
			allowed[host] = true
		}
	}
	if u, err := url.Parse(link); err == nil && u.Host != "" {
		allowed[strings.ToLower(u.Host)] = true
	}
	return allowed
}
