//go:build linux

package real

import (
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
	"strings"
)

// place is where a play takes place: the scenario's 10.9.0.N:80 becomes 127.A.B.N with a port that is free now. Plays
// at the same time, also those of other processes, have places of their own.
type place struct {
	prefix string // "127.A.B."
	port   int
}

// front is the last octet of the program's own address.
const front = 254

// findPlace looks for a place that nobody uses.
func findPlace() (place, error) {
	var err error
	for range 20 {
		p := place{prefix: fmt.Sprintf("127.%d.%d.", 16+rand.IntN(200), rand.IntN(256))}
		var l net.Listener
		if l, err = net.Listen("tcp", p.prefix+strconv.Itoa(front)+":0"); err != nil {
			continue
		}
		p.port = l.Addr().(*net.TCPAddr).Port
		l.Close()
		return p, nil
	}
	return place{}, fmt.Errorf("looking for a free port on loopback: %w", err)
}

// of moves the addresses in a text to the place.
func (p place) of(text string) string {
	return written.ReplaceAllString(text, fmt.Sprintf("%s$1:%d", p.prefix, p.port))
}

// back is the name of a member as the scenario writes it.
func (p place) back(id string) string {
	rest, ok := strings.CutPrefix(id, p.prefix)
	octet, _, _ := strings.Cut(rest, ":")
	if !ok {
		return id
	}
	return "10.9.0." + octet + ":80"
}

func (p place) front() string { return fmt.Sprintf("%s%d:%d", p.prefix, front, p.port) }

var written = regexp.MustCompile(`\b10\.9\.0\.(\d+):80\b`)
