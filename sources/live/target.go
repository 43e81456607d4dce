package live

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Target is a gateway that is about to be read: its address, and the means to reach it.
type Target struct {
	// Address is the manifest's, as written.
	Address string

	gateway schema.LiveGateway
	options Options
	// what the address says, where the entry does not
	tokenFile, caFile string
}

// Env looks up a variable of the environment.
func (t *Target) Env(name string) (string, bool) { return t.options.Env(name) }

// Credentials names files that hold token and certificates where the manifest names none: those that a platform puts
// into every container.
func (t *Target) Credentials(tokenFile, caFile string) { t.tokenFile, t.caFile = tokenFile, caFile }

// HTTP returns a client for an address of the form http://host[:port][/path] or https://.... path is used where the
// address has none.
func (t *Target) HTTP(address, path string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return nil, errors.New("the address is no URL of the form http://host:port or https://host:port")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("the address holds a user or password; write them into a tokenFile outside the watched tree")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the address holds a query or fragment; write scheme, host, port and path alone")
	}
	if u.Path = strings.TrimRight(u.Path, "/"); u.Path == "" {
		u.Path = path
	}
	u.RawPath = ""
	return newClient(t, u)
}

// Socket returns the network and address of unix:/path or tcp:host:port.
func (t *Target) Socket() (network, address string, err error) {
	if path, ok := strings.CutPrefix(t.Address, "unix:"); ok {
		if path = strings.TrimPrefix(path, "//"); !strings.HasPrefix(path, "/") {
			return "", "", errors.New("the address of a socket is unix:/absolute/path")
		}
		return "unix", path, nil
	}
	if hostport, ok := strings.CutPrefix(t.Address, "tcp:"); ok {
		hostport = strings.TrimPrefix(hostport, "//")
		if host, port, err := net.SplitHostPort(hostport); err != nil || host == "" || port == "" {
			return "", "", errors.New("the address of a TCP port is tcp:host:port")
		}
		return "tcp", hostport, nil
	}
	return "", "", fmt.Errorf("the address has none of the forms that this gateway answers at")
}

// shown returns an address as messages may show it: without user, password, query and fragment, whatever it is.
func shown(address string) string {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if path != "" {
		host += "/" + path
	}
	return scheme + "://" + host
}
