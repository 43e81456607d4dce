//go:build linux

package real

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// member is a server that behaves as badly as a scenario says.
type member struct {
	id        string // also its address
	behaviour dryrun.Behaviour
	probePath string
	room      chan bool // as many as it serves at once, nil: any number

	mu       sync.Mutex
	listener io.Closer // nil while connections are refused
	troubles []*trouble
	conns    map[net.Conn]bool
	probes   int
	closed   bool
}

func newMember(id, probePath string, b dryrun.Behaviour) *member {
	m := &member{id: id, behaviour: b, probePath: probePath, conns: map[net.Conn]bool{}}
	if b.Capacity > 0 {
		m.room = make(chan bool, b.Capacity)
	}
	return m
}

func (m *member) open() error {
	l, err := net.Listen("tcp", m.id)
	if err != nil {
		return fmt.Errorf("opening %s: %w", m.id, err)
	}
	m.listener = l
	go m.accept(l)
	return nil
}

func (m *member) accept(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		m.mu.Lock()
		m.conns[c] = true
		m.mu.Unlock()
		go m.serve(c)
	}
}

// begin puts a fault into force.
func (m *member) begin(t *trouble) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.troubles = append(m.troubles, t)
	if t.Down == dryrun.DownRefuse {
		for c := range m.conns {
			reset(c)
		}
	}
	return m.listen()
}

// end takes a fault back.
func (m *member) end(t *trouble) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(m.troubles, t); i >= 0 {
		m.troubles = slices.Delete(m.troubles, i, i+1)
	}
	return m.listen()
}

// listen takes connections, refuses them or leaves them unanswered, as the faults say.
func (m *member) listen() error {
	i := slices.IndexFunc(m.troubles, (*trouble).refuses)
	_, deaf := m.listener.(*deaf)
	switch {
	case m.closed || i < 0 && m.listener != nil && !deaf:
		return nil
	case i < 0:
		m.shut()
		return m.open()
	}
	m.shut()
	if m.troubles[i].Down != dryrun.DownDrop {
		return nil
	}
	l, err := listenDeaf(m.id)
	if err != nil {
		return err
	}
	m.listener = l
	return nil
}

func (m *member) shut() {
	if m.listener != nil {
		m.listener.Close()
		m.listener = nil
	}
}

func (m *member) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.shut()
	for c := range m.conns {
		c.Close()
	}
}

func reset(c net.Conn) {
	if t, ok := c.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
	c.Close()
}

// serve answers the requests of a connection.
func (m *member) serve(c net.Conn) {
	defer func() {
		c.Close()
		m.mu.Lock()
		delete(m.conns, c)
		m.mu.Unlock()
	}()
	b := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(b)
		if err != nil {
			return
		}
		io.Copy(io.Discard, r.Body)
		if !m.answer(c, r) || r.Close {
			return
		}
	}
}

// answer answers one request. It returns false where the connection is not to be used again.
func (m *member) answer(c net.Conn, r *http.Request) bool {
	isProbe := m.probePath != "" && r.URL.Path == m.probePath
	status, wait := 200, m.latency()
	if !isProbe && rand.Float64() < m.behaviour.Errors {
		status = 500
	}
	hang, gone := false, false
	m.mu.Lock()
	if isProbe {
		m.probes++
	}
	for _, t := range m.troubles {
		if !t.hits(r.URL.Path, isProbe) {
			continue
		}
		hang = hang || t.Hang
		gone = gone || t.Down == dryrun.DownReset
		wait += t.SlowBy
		if t.Errors > 0 && rand.Float64() < t.Errors {
			status = int(t.Status)
		}
	}
	m.mu.Unlock()
	if m.room != nil {
		leave, there := m.enter()
		defer leave()
		switch {
		case there:
		case m.behaviour.OnOverload == dryrun.OverloadError:
			status, wait = 503, 0
		default:
			hang = true
		}
	}
	switch {
	case gone:
		reset(c)
		return false
	case hang:
		var one [1]byte
		c.Read(one[:]) // until the other side gives up
		return false
	}
	time.Sleep(wait)
	text := ""
	if r.Close {
		text = "Connection: close\r\n"
	}
	if r.Method != http.MethodHead {
		text += "Content-Length: 0\r\n"
	}
	_, err := fmt.Fprintf(c, "HTTP/1.1 %d X\r\nX-Member: %s\r\n%s\r\n", status, m.id, text)
	return err == nil
}

// enter waits for room, or returns false where there is none and the member does not let requests wait.
func (m *member) enter() (leave func(), there bool) {
	leave = func() { <-m.room }
	if m.behaviour.OnOverload == dryrun.OverloadQueue {
		m.room <- true
		return leave, true
	}
	select {
	case m.room <- true:
		return leave, true
	default:
		return func() {}, false
	}
}

// z99 is how many standard deviations the 99th percentile of a normal distribution lies above its mean.
const z99 = 2.326

func (m *member) latency() time.Duration {
	p50, p99 := m.behaviour.P50, m.behaviour.P99
	if p50 <= 0 || p99 <= p50 {
		return max(p50, 0)
	}
	return time.Duration(float64(p50) * math.Exp(math.Log(float64(p99)/float64(p50))/z99*rand.NormFloat64()))
}
