//go:build linux

package real

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Answer is one request as its client saw it.
type Answer struct {
	// Sent is when the request was due, which it was sent at but for the lag of the machine.
	Sent, Took time.Duration
	Path       string
	Status     int // 0: none
	Member     string
}

// traffic sends the scenario's requests, open loop, and returns when the last one has gone.
func (g *game) traffic(wait *sync.WaitGroup) {
	t := g.scenario.Traffic
	clients := clientsOf(t.Tenants)
	next := 0.5 / t.RPS
	for i := 1; ; i++ {
		at := time.Duration(next * 1e9)
		if at >= g.scenario.Duration {
			return
		}
		g.until(at)
		g.noteLag(time.Since(g.start) - at)
		path, method, client := draw(t.Interfaces, "/"), draw(t.Methods, http.MethodGet), clients[draw(t.Tenants, "")]
		wait.Go(func() {
			a := Answer{Sent: at, Path: path}
			a.Status, a.Member = g.ask(client, method, path)
			a.Took = time.Since(g.start) - a.Sent
			g.mu.Lock()
			g.seen.Answers = append(g.seen.Answers, a)
			g.mu.Unlock()
		})
		if next = (float64(i) + 0.5) / t.RPS; t.Poisson {
			next = at.Seconds() + rand.ExpFloat64()/t.RPS
		}
	}
}

// clientsOf gives each tenant an address of its own, the one that the dry-run takes it to have.
func clientsOf(tenants []schema.Share) map[string]net.IP {
	list := map[string]net.IP{}
	if len(tenants) > 1 {
		for i, t := range tenants {
			list[t.Name] = net.IPv4(127, 0, byte(i), 1)
		}
	}
	return list
}

func draw(list []schema.Share, one string) string {
	sum := 0.0
	for _, s := range list {
		sum += s.Share
	}
	x := rand.Float64() * sum
	for _, s := range list {
		if x -= s.Share; x < 0 {
			return s.Name
		}
	}
	return one
}

// ask sends one request on a connection of its own.
func (g *game) ask(client net.IP, method, path string) (status int, member string) {
	d := net.Dialer{Timeout: 10 * time.Second}
	if client != nil {
		d.LocalAddr = &net.TCPAddr{IP: client}
	}
	c, err := d.Dial("tcp", g.place.front())
	if err != nil {
		return 0, ""
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(90 * time.Second))
	fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", method, path)
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, ""
	}
	defer r.Body.Close()
	return r.StatusCode, r.Header.Get("X-Member")
}
