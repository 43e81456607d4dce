// Package haproxy asks running HAProxy processes which servers their backends have, in which state people put them, and
// with which weights: over the stats socket (unix:/path, tcp:host:port) with "show info", "show backend", "show servers
// state" and "show stat", or from the CSV of the statistics page (http://host:port/stats).
//
// The state is what was configured or ordered: "disabled" for forced maintenance, "drain" for forced drain. A server that
// is DOWN by its checks, in maintenance because the one that it tracks is, or because its name does not resolve, is
// active. The weight is the one that was set (uweight), not the one that slow start makes of it.
//
// A server that has a host name is called by it, as the file does. HAProxy does not show the paths of UNIX sockets, and
// the page shows addresses only with "stats show-legends": such servers have no address, and are known by their names.
// The page may be limited to some backends ("stats scope"); then only those are read.
package haproxy

import (
	"context"
	"errors"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
)

// Kind returns the reader of running HAProxy processes.
func Kind() live.Kind {
	return live.Kind{
		Name: "haproxy", Format: "haproxy",
		Addresses: []string{"unix:/run/haproxy.sock", "tcp:127.0.0.1:9999", "http://127.0.0.1:8404/stats"},
		Shows:     []schema.Item{schema.Members},
		Open:      open,
	}
}

// attempts is how often it is read anew when it changes meanwhile.
const attempts = 3

func open(t *live.Target) (live.ReadFunc, error) {
	if strings.HasPrefix(t.Address, "http://") || strings.HasPrefix(t.Address, "https://") {
		return openPage(t)
	}
	line, err := t.Line()
	if err != nil {
		return nil, errors.New("write unix:/path/of/the.sock, tcp:host:port, or the http:// address of the statistics page")
	}
	return func(ctx context.Context) ([]schema.Copy, error) {
		for range attempts {
			if copies, changed, err := readSocket(ctx, line); err != nil || !changed {
				return copies, err
			}
		}
		return nil, live.Because(nil, "it changed again and again while it was being read", "读取期间它反复发生变化")
	}, nil
}

// openPage reads the statistics page as CSV.
func openPage(t *live.Target) (live.ReadFunc, error) {
	client, err := t.HTTP(strings.TrimSuffix(t.Address, ";csv"), "/")
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) ([]schema.Copy, error) {
		text, _, err := client.Get(ctx, ";csv", nil)
		if err != nil {
			return nil, err
		}
		rows, err := parseStat(text)
		if err != nil {
			return nil, err
		}
		return fromPage(rows), nil
	}, nil
}

// readSocket asks the four questions. changed says that the process did so in between, so that
// the answers do not fit together.
func readSocket(ctx context.Context, line *live.Line) (copies []schema.Copy, changed bool, err error) {
	var answers [5][]byte
	for i, command := range [...]string{"show info", "show backend", "show servers state", "show stat", "show info"} {
		if answers[i], err = line.Ask(ctx, command); err != nil {
			return nil, false, err
		}
		if err := whole(answers[i], command); err != nil {
			return nil, false, err
		}
	}
	before, after := parseInfo(answers[0]), parseInfo(answers[4])
	if before["Version"] == "" {
		return nil, false, live.Because(nil, "it does not answer like HAProxy", "应答不像 HAProxy")
	}
	servers, err := parseState(answers[2])
	if err != nil {
		return nil, false, err
	}
	rows, err := parseStat(answers[3])
	if err != nil {
		return nil, false, err
	}
	if before["Pid"] != after["Pid"] {
		return nil, true, nil
	}
	copies, ok := build(parseBackends(answers[1]), servers, rows)
	for i := range copies {
		copies[i].Profile = profile(before["Version"])
	}
	return copies, !ok, nil
}

// whole refuses answers that are cut off (HAProxy ends each with an empty line) or are no answers.
func whole(answer []byte, command string) error {
	text := string(answer[:min(len(answer), 200)])
	switch {
	case strings.Contains(text, "Permission denied"):
		return live.Because(nil, "its socket may not run %q: it needs level operator", "其套接字无权执行 %q：需要 level operator", command)
	case strings.HasPrefix(text, "Unknown command"):
		return live.Because(nil, "it does not know the command %q", "它不认识命令 %q", command)
	case !strings.HasSuffix(string(answer[max(0, len(answer)-2):]), "\n\n"):
		return live.Because(nil, "its answer to %q is cut off", "%q 的应答不完整", command)
	}
	return nil
}

// profile names the profile of a version: "2.6.12-1+deb12u4" is haproxy-2.6.
func profile(version string) string {
	major, rest, _ := strings.Cut(version, ".")
	minor := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if strings.Trim(major, "0123456789") != "" || major == "" || minor == "" || len(major)+len(minor) > 8 {
		return "haproxy"
	}
	return "haproxy-" + major + "." + minor
}
