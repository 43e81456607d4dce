package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
)

// receivers are the other ends of sinks, told apart by their host.
type receivers struct {
	mu       sync.Mutex
	start    time.Time
	requests []request
	answer   func(host string) *http.Response // nil: all is fine; a nil answer is a connection refused
	stdout   bytes.Buffer
}

type request struct {
	host string
	at   time.Duration
	code int // 0: refused
	body []byte
}

// hooked is one alert of a webhook.
type hooked struct {
	Key, Status, Pool, Rule string
	Since, Ended            time.Time
	at                      time.Duration // when it arrived
}

func (r *receivers) RoundTrip(q *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(q.Body)
	host := q.URL.Hostname()
	r.mu.Lock()
	defer r.mu.Unlock()
	response := reply(200)
	if r.answer != nil {
		response = r.answer(host)
	}
	one := request{host: host, at: time.Since(r.start), body: body}
	if response != nil {
		one.code = response.StatusCode
	}
	r.requests = append(r.requests, one)
	if response == nil {
		return nil, errors.New("connection refused")
	}
	return response, nil
}

// reply is one that chats and programs take for a yes where the code is 200.
func reply(code int, headers ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(`{"code":0,"errcode":0}`))}
}

func (r *receivers) answers(f func(host string) *http.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

// of returns the requests to a host.
func (r *receivers) of(host string) []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []request
	for _, q := range r.requests {
		if q.host == host {
			list = append(list, q)
		}
	}
	return list
}

// alerts returns what a webhook was told, in order.
func (r *receivers) alerts(host string) []hooked {
	var list []hooked
	for _, q := range r.of(host) {
		var v struct{ Alerts []hooked }
		if q.code != 200 || json.Unmarshal(q.body, &v) != nil {
			continue
		}
		for _, a := range v.Alerts {
			a.at = q.at
			list = append(list, a)
		}
	}
	return list
}

// told words what a webhook was told: "a began@1m0s" without fractions of seconds.
func (r *receivers) told(host string) string {
	var list []string
	for _, a := range r.alerts(host) {
		word := "began"
		if a.Status == "resolved" {
			word = "ended"
		}
		list = append(list, fmt.Sprintf("%s %s@%s", a.Pool, word, a.at.Truncate(time.Second)))
	}
	return strings.Join(list, ", ")
}

// moody is a disk that can be full.
type moody struct {
	mu   sync.Mutex
	full bool
}

func (m *moody) set(full bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.full = full
}

func (m *moody) refuses(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full {
		return fmt.Errorf("write %s: %w", path, syscall.ENOSPC)
	}
	return nil
}

func (m *moody) Replace(path string, text []byte) error {
	if err := m.refuses(path); err != nil {
		return err
	}
	return disk.Real().Replace(path, text)
}

func (m *moody) Open(path string) (disk.File, error) {
	f, err := disk.Real().Open(path)
	return moodyFile{f, m, path}, err
}

type moodyFile struct {
	disk.File
	disk *moody
	path string
}

// WriteAt writes what there is room for, as a full disk does.
func (f moodyFile) WriteAt(p []byte, at int64) (int, error) {
	if err := f.disk.refuses(f.path); err != nil {
		n, _ := f.File.WriteAt(p[:len(p)/2], at)
		return n, err
	}
	return f.File.WriteAt(p, at)
}
