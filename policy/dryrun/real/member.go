package real

import (
	"bufio"
	"fmt"
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
	id, address string
	behaviour   dryrun.Behaviour
	probePath   string

	mu       sync.Mutex
	listener net.Listener
	faults   []*dryrun.Fault
	conns    map[net.Conn]bool
	probes   int
	closed   bool
}

func (m *member) open() error {
	l, err := net.Listen("tcp", m.address)
	if err != nil {
		return fmt.Errorf("opening %s: %w", m.address, err)
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

// begin and end put a fault into force and take it back.
func (m *member) begin(f *dryrun.Fault) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults = append(m.faults, f)
	if f.Down == dryrun.DownRefuse || f.Down == dryrun.DownRefuseNew {
		m.shut()
		if f.Down == dryrun.DownRefuse {
			for c := range m.conns {
				reset(c)
			}
		}
	}
	return nil
}

func (m *member) end(f *dryrun.Fault) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(m.faults, f); i >= 0 {
		m.faults = slices.Delete(m.faults, i, i+1)
	}
	for _, f := range m.faults {
		if f.Down == dryrun.DownRefuse || f.Down == dryrun.DownRefuseNew {
			return nil
		}
	}
	if m.listener == nil && !m.closed {
		return m.open()
	}
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

func (m *member) drop(c net.Conn) {
	c.Close()
	m.mu.Lock()
	delete(m.conns, c)
	m.mu.Unlock()
}

// serve answers one request.
func (m *member) serve(c net.Conn) {
	defer m.drop(c)
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	isProbe := m.probePath != "" && r.URL.Path == m.probePath
	status, wait := 200, m.latency()
	if rand.Float64() < m.behaviour.Errors {
		status = 500
	}
	m.mu.Lock()
	if isProbe {
		m.probes++
	}
	hang, gone := false, false
	for _, f := range m.faults {
		if isProbe && f.BusinessOnly || !isProbe && f.ProbesOnly || len(f.Interfaces) > 0 && !slices.Contains(f.Interfaces, r.URL.Path) {
			continue
		}
		hang = hang || f.Hang
		gone = gone || f.Down == dryrun.DownReset
		wait += f.SlowBy
		if f.Errors > 0 && rand.Float64() < f.Errors {
			status = int(f.Status)
		}
	}
	m.mu.Unlock()
	if gone {
		reset(c)
		return
	}
	if hang {
		var b [1]byte
		c.Read(b[:]) // until the other side gives up
		return
	}
	time.Sleep(wait)
	fmt.Fprintf(c, "HTTP/1.1 %d X\r\nX-Member: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status, m.id)
}

func (m *member) latency() time.Duration {
	p50, p99 := m.behaviour.P50, m.behaviour.P99
	if p50 <= 0 || p99 <= p50 {
		return p50
	}
	return time.Duration(float64(p50) * math.Exp(math.Log(float64(p99)/float64(p50))/2.326*rand.NormFloat64()))
}
