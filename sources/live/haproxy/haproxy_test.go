package haproxy

import (
	"bufio"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

const (
	info     = "Name: HAProxy\nVersion: 2.6.12-1+deb12u4\nPid: 7\n\n"
	backends = "# name\norders\nempty\n<HTTPCLIENT>\nMASTER\n\n"
	header   = "1\n# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_iweight srv_time_since_last_change srv_check_status srv_check_result srv_check_health srv_check_state srv_agent_state bk_f_forced_id srv_f_forced_id srv_fqdn srv_port srvrecord srv_use_ssl srv_check_port srv_check_addr srv_agent_addr srv_agent_port\n"
	servers  = header +
		"3 orders 1 a1 10.0.0.1 0 0 100 100 1 8 2 0 6 0 0 0 - 8080 - 0 0 - - 0\n" +
		"3 orders 2 a2 10.0.0.2 0 1 50 50 1 8 2 0 6 0 0 0 API.example.com. 8080 - 0 0 - - 0\n" +
		"3 orders 3 a3 ::1 2 12 7 7 1 8 2 0 6 0 0 0 - 0 - 0 0 - - 0\n" +
		"3 orders 4 a4 - 2 32 1 1 1 8 2 0 6 0 0 0 - 0 - 0 0 - - 0\n" +
		"9 <HTTPCLIENT> 1 s - 2 0 1 1 1 1 0 3 0 0 0 0 - 0 - 0 0 - - 0\n\n"
	columns = "# pxname,svname,status,weight,bck,throttle,type,agent_status,check_rise,check_fall,addr,uweight,check_desc,\n"
	stats   = columns +
		"page,FRONTEND,OPEN,,,,0,,,,,,,\n" +
		"orders,a1,DOWN,100,0,,2,,2,3,10.0.0.1:8080,100,\"no, \"\"really\"\"\",\n" +
		"orders,a2,MAINT,50,0,,2,,,,10.0.0.2:8080,50,,\n" +
		"orders,a3,DRAIN,7,1,,2,L7OK,2,3,[::1]:0,7,,\n" +
		"orders,a4,MAINT (resolution),1,0,,2,,,,unix,1,,\n" +
		"orders,BACKEND,UP,9,,,1,,,,,9,,\n" +
		"empty,BACKEND,UP,0,,,1,,,,,0,,\n\n"
)

// fake answers commands at a TCP port, each with the next of its texts.
func fake(t *testing.T, answers map[string][]string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			command, _ := bufio.NewReader(conn).ReadString('\n')
			command = strings.TrimSpace(command)
			list := answers[command]
			if len(list) > 0 {
				fmt.Fprint(conn, list[0])
			}
			if len(list) > 1 {
				answers[command] = list[1:]
			}
			conn.Close()
		}
	}()
	return "tcp:" + l.Addr().String()
}

func whole4(state string) map[string][]string {
	return map[string][]string{"show info": {info}, "show backend": {backends}, "show servers state": {state}, "show stat": {stats}}
}

func TestSocket(t *testing.T) {
	copies, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: fake(t, whole4(servers))}, live.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"orders haproxy-2.6 complete=true", "a1 10.0.0.1:8080 active 100 no", "a2 api.example.com:8080 disabled 50 no", "a3 [::1]:client drain 7 yes agent", "a4  active 1 no",
		"probe.rise 2", "probe.fall 3", "empty haproxy-2.6 complete=true",
	}
	if got := lines(copies); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
}

// TestPage reads the same from the statistics alone.
func TestPage(t *testing.T) {
	s := livetest.Serve(t, livetest.Answers{"/stats;csv": strings.TrimSuffix(stats, "\n")}, nil)
	for _, address := range []string{s.URL + "/stats", s.URL + "/stats;csv"} {
		copies, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: address}, live.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"orders haproxy complete=true", "a1 10.0.0.1:8080 active 100 no", "a2 10.0.0.2:8080 disabled 50 no", "a3 [::1]:client drain 7 yes agent", "a4  active 1 no",
			"probe.rise 2", "probe.fall 3", "empty haproxy complete=true",
		}
		if got := lines(copies); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got:\n%s", strings.Join(got, "\n"))
		}
	}
}

// TestPageRamp holds that a weight which slow start holds back is no weight that anybody set.
func TestPageRamp(t *testing.T) {
	rows, err := parseStat([]byte("# pxname,svname,status,weight,throttle,type,\no,a,UP,30,30%,2,\no,b,UP,100,,2,\no,c,DRAIN,0,,2,\no,BACKEND,UP,9,,1,\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := fromPage(rows)[0].Members
	if m[0].HasWeight || !m[1].HasWeight || m[2].State != schema.Active || m[2].Weight != 0 || !m[2].HasWeight {
		t.Errorf("%+v", m)
	}
}

func lines(copies []schema.Copy) []string {
	var out []string
	for _, c := range copies {
		out = append(out, fmt.Sprintf("%s %s complete=%v", c.Pool, c.Profile, c.Complete))
		for i := range c.Members {
			m := &c.Members[i]
			name, _ := m.Get("name")
			line := fmt.Sprintf("%s %s %s %d %s", name.Value, m.ID(), m.State, m.Weight, map[schema.Tri]string{schema.Yes: "yes", schema.No: "no"}[m.Backup])
			if f, ok := m.Get("agent-check"); ok && f.Value.Bool() {
				line += " agent"
			}
			out = append(out, line)
		}
		for _, f := range c.Fields {
			out = append(out, string(f.Path)+" "+f.Value.String())
		}
	}
	return out
}

// TestSocketUnknown plays answers that are none.
func TestSocketUnknown(t *testing.T) {
	for _, tt := range []struct {
		name, command, want string
		answers             []string
	}{
		{"level", "show servers state", "level operator", []string{"Permission denied\n\n"}},
		{"command", "show backend", "does not know the command", []string{"Unknown command, but maybe one of these\n\n"}},
		{"cut off", "show servers state", "cut off", []string{servers[:len(servers)-40]}},
		{"silent", "show stat", "cut off", []string{""}},
		{"another program", "show info", "does not answer like HAProxy", []string{"+OK\n\n"}},
		{"format", "show servers state", "another form", []string{"2\n# be_id\n\n"}},
		{"columns", "show servers state", "another form", []string{header + "3 orders 1 a1 10.0.0.1 0 0 100\n\n"}},
		{"numbers", "show servers state", "another form", []string{strings.Replace(servers, " 0 0 100 100", " 0 x 100 100", 1)}},
		{"statistics", "show stat", "break off", []string{columns + "orders,a1,UP,1,0\n\n"}},
		{"statistics without an end", "show stat", "break off", []string{columns + "orders,a1,DOWN,100,0,,2,,2,3,,100,,\n\n"}},
		{"huge", "show servers state", "larger than", []string{strings.Repeat("x", 70<<10)}},
		{"changing", "show info", "again and again", []string{info, strings.Replace(info, "Pid: 7", "Pid: 8", 1), info, strings.Replace(info, "Pid: 7", "Pid: 8", 1), info, strings.Replace(info, "Pid: 7", "Pid: 8", 1)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answers := whole4(servers)
			answers[tt.command] = tt.answers
			_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: fake(t, answers)}, live.Options{MaxBytes: 64 << 10})
			livetest.Unknown(t, err, tt.want, "")
		})
	}
	for address, want := range map[string]string{"unix:" + filepath.Join(t.TempDir(), "none"): "cannot be reached", "tcp:127.0.0.1:1": "cannot be reached"} {
		_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: address}, live.Options{})
		livetest.Unknown(t, err, want, "")
	}
	s := livetest.Serve(t, livetest.Answers{"/stats;csv": "<html>"}, nil)
	_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL + "/stats"}, live.Options{})
	livetest.Unknown(t, err, "no CSV", "")
}

// TestReloaded holds that answers of two processes are read anew, once the second one answers alone.
func TestReloaded(t *testing.T) {
	answers := whole4(servers)
	answers["show info"] = []string{info, strings.Replace(info, "Pid: 7", "Pid: 8", 1)}
	copies, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: fake(t, answers)}, live.Options{})
	if err != nil || len(copies) != 2 {
		t.Errorf("%v, %d copies", err, len(copies))
	}
}

func TestProfile(t *testing.T) {
	for version, want := range map[string]string{"2.6.12-1+deb12u4": "haproxy-2.6", "3.4-dev1": "haproxy-3.4", "": "haproxy", "x.1": "haproxy", "123456.1234": "haproxy"} {
		if got := profile(version); got != want {
			t.Errorf("%q: %s", version, got)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(servers), []byte(stats), []byte(backends))
	f.Add([]byte(header), []byte(columns), []byte(""))
	f.Add([]byte("1\n# be_name srv_name\nx y\n"), []byte("# pxname,svname,type,\na,b,2,\na,c,1,\n"), []byte("x\n"))
	f.Fuzz(func(t *testing.T, state, stat, names []byte) {
		rows, err := parseStat(stat)
		if err != nil {
			rows = nil
		}
		all := fromPage(rows)
		if servers, err := parseState(state); err == nil {
			if copies, ok := build(parseBackends(names), servers, rows); ok {
				all = append(all, copies...)
			}
		}
		for i := range all {
			all[i].Side, all[i].Format, all[i].Files = schema.Live, "haproxy", []string{"x"}
			livetest.Check(t, &all[i])
		}
	})
}
