package real

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// Answer is one request as its client saw it.
type Answer struct {
	Sent, Took time.Duration
	Path       string
	Status     int // 0: none
	Member     string
}

// Change is a state that a member came into.
type Change struct {
	At     time.Duration
	Member string
	State  string
}

// Observed is what a play on a real program gave.
type Observed struct {
	Answers []Answer
	Changes []Change // HAProxy alone shows states
	Probes  map[string]int
}

// Play plays a scenario on the program whose configuration (haproxy.cfg or nginx.conf) is given. net, from 1 to 254,
// keeps plays at the same time apart.
func Play(s *dryrun.Scenario, c *schema.Copy, config string, haproxy bool, net int) (*Observed, error) {
	dir, err := os.MkdirTemp("", "play")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	p := &program{haproxy: haproxy, dir: dir, config: filepath.Join(dir, "config")}
	if err := p.write(placed(config, net)); err != nil {
		return nil, fmt.Errorf("writing the configuration: %w", err)
	}
	g := &game{scenario: s, copy: c, program: p, net: net, seen: &Observed{Probes: map[string]int{}}}
	return g.play()
}

type game struct {
	scenario *dryrun.Scenario
	copy     *schema.Copy
	program  *program
	net      int
	members  []*member
	names    map[string]string // server name: id
	start    time.Time
	mu       sync.Mutex
	seen     *Observed
	failed   error
}

func (g *game) play() (*Observed, error) {
	if err := g.openMembers(); err != nil {
		return nil, err
	}
	defer func() {
		for _, m := range g.members {
			m.close()
		}
	}()
	for i := range g.scenario.Events {
		if e := &g.scenario.Events[i]; e.At == 0 && e.Fault != nil {
			g.each(e.Fault, func(m *member) error { return m.begin(e.Fault) })
		}
	}
	if err := g.program.start(); err != nil {
		return nil, err
	}
	defer g.program.stop()
	front := placed("10.9.0.254:80", g.net)
	for begin := time.Now(); ; {
		c, err := net.Dial("tcp", front)
		if err == nil {
			c.Close()
			break
		}
		if time.Since(begin) > 5*time.Second {
			return nil, fmt.Errorf("%s does not answer: %s", front, g.program.log.String())
		}
		time.Sleep(2 * time.Millisecond)
	}
	g.start = time.Now()
	var wait sync.WaitGroup
	stop := make(chan bool)
	if g.program.haproxy {
		go g.watch(stop)
	}
	for i := range g.scenario.Events {
		wait.Go(func() { g.event(&g.scenario.Events[i]) })
	}
	g.traffic(front, &wait)
	wait.Wait()
	close(stop)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range g.members {
		g.seen.Probes[m.id] = m.probes
	}
	return g.seen, g.failed
}

func (g *game) openMembers() error {
	g.names = map[string]string{}
	path := ""
	if f, ok := g.copy.Get("probe.path"); ok {
		path = f.Value.Text()
	}
	for i := range g.copy.Members {
		m := &g.copy.Members[i]
		b, ok := g.scenario.Members[m.ID()]
		if !ok {
			b = g.scenario.Default
		}
		if f, ok := m.Get("name"); ok {
			g.names[f.Value.Text()] = m.ID()
		}
		x := &member{id: m.ID(), address: placed(m.ID(), g.net), behaviour: b, probePath: path, conns: map[net.Conn]bool{}}
		if err := x.open(); err != nil {
			return err
		}
		g.members = append(g.members, x)
	}
	return nil
}

func (g *game) each(f *dryrun.Fault, do func(*member) error) {
	for _, m := range g.members {
		if len(f.Members) == 0 || slices.Contains(f.Members, m.id) {
			if err := do(m); err != nil {
				g.mu.Lock()
				g.failed = err
				g.mu.Unlock()
			}
		}
	}
}

func (g *game) until(t time.Duration) { time.Sleep(time.Until(g.start.Add(t))) }

func (g *game) event(e *dryrun.Event) {
	times := max(1, e.Times)
	for k := range times {
		at := e.At + time.Duration(k)*e.Every
		if at >= g.scenario.Duration {
			return
		}
		g.until(at)
		switch {
		case e.Fault != nil:
			if at > 0 {
				g.each(e.Fault, func(m *member) error { return m.begin(e.Fault) })
			}
			if e.For > 0 {
				g.until(at + e.For)
				g.each(e.Fault, func(m *member) error { return m.end(e.Fault) })
			}
		case e.Reload:
			g.program.start()
		case e.Operator != nil:
			for name, id := range g.names {
				if id == e.Operator.Member {
					state := map[bool]string{true: "maint", false: "ready"}[e.Operator.Out]
					g.program.ask("set server " + g.copy.Pool + "/" + name + " state " + state)
				}
			}
		}
	}
}

// watch reads HAProxy's states.
func (g *game) watch(stop chan bool) {
	last := map[string]string{}
	for {
		select {
		case <-stop:
			return
		case <-time.After(25 * time.Millisecond):
		}
		now := time.Since(g.start)
		for name, state := range g.program.states(g.copy.Pool) {
			if id := g.names[name]; last[id] != state {
				last[id] = state
				g.mu.Lock()
				g.seen.Changes = append(g.seen.Changes, Change{now, id, state})
				g.mu.Unlock()
			}
		}
	}
}

// traffic sends requests, open loop.
func (g *game) traffic(front string, wait *sync.WaitGroup) {
	t := g.scenario.Traffic
	for i := 0; ; i++ {
		at := time.Duration((float64(i) + 0.5) / t.RPS * 1e9)
		if at >= g.scenario.Duration {
			return
		}
		g.until(at)
		path, method := draw(t.Interfaces, "/"), draw(t.Methods, "GET")
		wait.Go(func() {
			a := Answer{Sent: time.Since(g.start), Path: path}
			a.Status, a.Member = ask(front, method, path)
			a.Took = time.Since(g.start) - a.Sent
			g.mu.Lock()
			g.seen.Answers = append(g.seen.Answers, a)
			g.mu.Unlock()
		})
	}
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
func ask(front, method, path string) (status int, member string) {
	c, err := net.DialTimeout("tcp", front, 10*time.Second)
	if err != nil {
		return 0, ""
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(30 * time.Second))
	fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", method, path)
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, ""
	}
	defer r.Body.Close()
	return r.StatusCode, r.Header.Get("X-Member")
}
