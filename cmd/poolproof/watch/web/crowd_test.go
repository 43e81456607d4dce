package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
)

// TestManyConnections: connections that are held, idle or with half a request, are bounded, and others are answered still.
func TestManyConnections(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Listen(ctx, "127.0.0.1:0", Options{Source: func() *status.Snapshot { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	address := s.Address().String()
	for name, request := range map[string]string{"idle": fmt.Sprintf("GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", address), "half": "GET / HTTP/1.1\r\n", "silent": ""} {
		var held []net.Conn
		for range 2 * maxConnections {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			held = append(held, conn)
			if _, err := io.WriteString(conn, request); err == nil && name == "idle" {
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil || answer.StatusCode != http.StatusOK {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 2 * time.Second}
		answer, err := client.Get("http://" + address + "/healthz")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		answer.Body.Close()
		ended := 0
		for _, conn := range held[:maxConnections] { // the older ones
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
			if _, err := io.Copy(io.Discard, conn); err == nil || !isTimeout(err) {
				ended++
			}
		}
		if ended < maxConnections-5 { // a few may have been at a request when it was their turn
			t.Errorf("%s: of %d connections, %d were ended", name, 2*maxConnections, ended)
		}
		c := s.listener.(*crowd)
		c.mu.Lock()
		if n := len(c.conns); n > maxConnections {
			t.Errorf("%s: %d connections at a time", name, n)
		}
		c.mu.Unlock()
	}
}

func isTimeout(err error) bool {
	n, ok := err.(net.Error)
	return ok && n.Timeout()
}

// TestCrowd: connections at a request are ended last.
func TestCrowd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := newCrowd(l, 3)
	defer c.Close()
	var accepted []net.Conn
	for range 5 {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		served, err := c.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer served.Close()
		accepted = append(accepted, served)
		if len(accepted) == 1 {
			c.state(served, http.StateActive)
		}
	}
	for i, want := range []bool{true, false, false, true, true} {
		if _, open := c.conns[accepted[i]]; open != want {
			t.Errorf("connection %d is open: %v", i, open)
		}
	}
	c.state(accepted[1], http.StateClosed) // which is known
	if c.state(accepted[0], http.StateClosed); len(c.conns) != 2 {
		t.Errorf("%d connections are left", len(c.conns))
	}
}
