package haproxy

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// dump reads a text and returns what was understood, one value a line. "|" at the start of a line stands for nothing.
func dump(text, profile string) string {
	return sourcetest.Dump(sourcetest.Read(Adapter(), "haproxy.cfg", []byte(text), schema.Source{Profile: profile}), []byte(text))
}

// expect holds a dump to lines that must be in it and, after "!", to words that must not.
func expect(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if no, ok := strings.CutPrefix(w, "!"); ok {
			if strings.Contains(got, no) {
				t.Errorf("%q must not be in\n%s", no, got)
			}
		} else if !strings.Contains(got, w) {
			t.Errorf("%q is missing in\n%s", w, got)
		}
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text, profile string
		want                []string
	}{
		{"sections without servers are no pools", "frontend f\n bind :80\nlisten stats\n stats enable\nbackend b\n option httpchk\npeers p\n server x 10.0.0.1:1\nring r\n server y 10.0.0.1:1\n", "",
			[]string{"!copy", "!problem"}},
		{"defaults count as written where they stand", "defaults\n retries 1\n timeout connect 4s\nbackend b\n server a 10.0.0.1:80\n", "",
			[]string{"retry.attempts = 1 (2:10 \"1\")", "timeout connect = 4s (3:18 \"4s\")"}},
		{"a defaults section starts from nothing", "defaults\n retries 1\ndefaults\n timeout connect 4s\nbackend b\n server a 10.0.0.1:80\n", "",
			[]string{"timeout connect", "!retry.attempts = 1"}},
		{"named defaults", "defaults one\n retries 1\ndefaults two from one\n timeout connect 4s\ndefaults three\n retries 9\nbackend b from two\n server a 10.0.0.1:80\nbackend c\n server a 10.0.0.1:80\n", "",
			[]string{"retry.attempts = 1 (2:10 \"1\")", "retry.attempts = 9 (6:10 \"9\")", "timeout connect = 4s"}},
		{"default-server applies to later servers only", "backend b\n server a 10.0.0.1:80 check\n default-server weight 7 check\n server c 10.0.0.2:80\n", "",
			[]string{"member 10.0.0.1:80 name=a", "member 10.0.0.2:80 weight=7"}},
		{"from none forgets", "backend b\n default-server weight 7 check\n server a 10.0.0.1:80 from none\n", "",
			[]string{"member 10.0.0.1:80 name=a (", "!item probe"}},
		{"no- forms", "backend b\n default-server backup disabled check ssl\n server a 10.0.0.1:80 no-backup enabled no-check no-ssl\n", "",
			[]string{"backup=false", "state=active", "ssl=false", "!item probe"}},
		{"unknown keywords are skipped", "backend b\n server a 10.0.0.1:80 brand-new 7 check sni str(check) weight 5 ca-file weight verify none\n", "",
			[]string{"weight=5", "item probe", "!problem"}},
		{"misspelt keywords are named", "backend b\n server a 10.0.0.1:80 chek weigth 10 inter 2s {{ more }} fal 3\n", "",
			[]string{`problem schema/unknown-key warning field="chek" got="chek" want="check"`, `got="weigth" want="weight"`, "!got=\"10\"", "!got=\"fal\""}},
		{"arguments are never keywords", "backend b\n server a 10.0.0.1:80 cookie check source 10.0.0.9 interface weight usesrc client id 3\n", "",
			[]string{"!item probe", "!weight=", "cookie=check", "source=10.0.0.9 interface weight usesrc client", "id=3"}},
		{"static names with resolvers", "backend b\n server a api.example.com:80 resolvers dns init-addr none\n", "",
			[]string{"complete=true", "member api.example.com:80 name=a resolvers=dns"}},
		{"discovered", "backend b\n server a _http._tcp.example.com resolvers dns\n server-template w 2-4 x.example.com:80\n", "",
			[]string{"complete=false", "from=srv", "from=dns name=w count=3"}},
		{"several backups have ranks", "backend b\n server a 10.0.0.1:80\n server c 10.0.0.2:80 backup\n server d 10.0.0.3:80 backup\n", "",
			[]string{"10.0.0.2:80 priority=1 backup=true", "10.0.0.3:80 priority=2 backup=true"}},
		{"unless all backups serve", "defaults\n option allbackups\nbackend b\n server c 10.0.0.2:80 backup\n server d 10.0.0.3:80 backup\n", "", []string{"!priority="}},
		{"one backup needs no rank", "backend b\n server a 10.0.0.1:80\n server c 10.0.0.2:80 backup\n", "", []string{"!priority="}},
		{"old keywords", "listen l\n contimeout 3000\n srvtimeout 4000\n redispatch\n server a 10.0.0.1:80\n", "",
			[]string{"timeout connect = 3s", "timeout server = 4s", "option redispatch = true"}},
		{"twice with two values", "backend b\n timeout server 2s\n timeout server 3s\n server a 10.0.0.1:80 weight 1 weight 2\n", "",
			[]string{"timeout server = 3s", "weight=2", "problem source/duplicate-key  field=\"timeout server\"", "problem source/duplicate-key  field=\"weight\""}},
		{"twice in defaults", "defaults\n timeout server 2s\n timeout server 3s\nbackend b\n server a 10.0.0.1:80\n", "", []string{"\nproblem source/duplicate-key  field=\"timeout server\""}},
		{"twice alike is harmless", "backend b\n balance roundrobin\n balance roundrobin\n default-server weight 1\n server a 10.0.0.1:80 weight 2\n", "", []string{"!problem"}},
		{"a mistake in defaults is reported once", "defaults\n timeout server 15min\nbackend b\n server a 10.0.0.1:80\nbackend c\n server a 10.0.0.1:80\n", "",
			[]string{"problem schema/invalid  field=\"timeout server\""}},
		{"default option", "defaults\n option redispatch\nbackend b\n default option redispatch\n server a 10.0.0.1:80\n", "", []string{"!option redispatch = true"}},
		{"retry-on", "backend b\n retry-on 503 conn-failure 503\n server a 10.0.0.1:80\nbackend c\n retry-on 5xx\n server a 10.0.0.1:80\n", "",
			[]string{"retry.on = [503, conn-failure]", `no retry-on condition "5xx"`}},
		{"init-state", "backend b\n server a 10.0.0.1:80 init-state down\n server c 10.0.0.2:80 init-state sideways\n", "haproxy-3.2",
			[]string{"init-state=down", `no init-state "sideways"`, "!since HAProxy 3.1"}},
		{"words that HAProxy refuses", "backend b\n default-server check observe layer5 on-error explode\n server a 10.0.0.1:80 on-marked-down ${WHAT}\n server c 10.0.0.2:80 on-marked-up shutdown-sessions\n", "",
			[]string{`no observe "layer5"`, `no on-error "explode"`, `no on-marked-up "shutdown-sessions"`, `!no on-marked-down`}},
		{"words that HAProxy knows", "backend b\n server a 10.0.0.1:80 check observe layer4 on-error sudden-death on-marked-down shutdown-sessions on-marked-up shutdown-backup-sessions\n", "", []string{"!problem"}},
		{"a server without an address", "backend b\n server a\n server c 10.0.0.1:80 weight\n", "",
			[]string{"a server line needs a name and an address", `"weight" needs a value`}},
		{"outside of sections", "server a 10.0.0.1:80\nbackend b\n server a 10.0.0.1:80\n", "", []string{"problem source/syntax", "expects a section", "copy gateway"}},
		{"a healthcheck section", "backend b\n option httpchk GET /old\n server a 10.0.0.1:80 check healthcheck h\nhealthcheck h\n type httpchk GET /new\n http-check expect status 204\n", "haproxy-3.4",
			[]string{"probe.path = /new", "[204]", "!/old ("}},
		{"secrets are not echoed", "backend b\n option httpchk GET /\n http-check send hdr Authorization \"Basic c2Vr\"\n tcp-check send AUTH\\ c2Vr\n server a 10.0.0.1:6379 check agent-check agent-send c2Vr\n", "", []string{"!= c2Vr", "!Basic c2Vr"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			profile := c.profile
			if profile == "" {
				profile = "haproxy-2.6"
			}
			expect(t, dump(c.text, profile), c.want...)
		})
	}
}

func TestMistakeInDefaultsOnce(t *testing.T) {
	got := dump("defaults\n timeout server 15min\nbackend b\n server a 10.0.0.1:80\nbackend c\n server a 10.0.0.1:80\n", "haproxy")
	if n := strings.Count(got, "problem schema/invalid"); n != 1 {
		t.Errorf("reported %d times:\n%s", n, got)
	}
}

func TestOneMistakeOfDefaultServerOnce(t *testing.T) {
	got := dump("backend b\n default-server weight 999 check inter 0\n server a 10.0.0.1:80\n server c 10.0.0.2:80\n", "haproxy")
	if n := strings.Count(got, "problem"); n != 2 {
		t.Errorf("%d problems instead of 2:\n%s", n, got)
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.1:80": "10.0.0.1:80", "10.0.0.1": "10.0.0.1:client", "10.0.0.1:": "10.0.0.1:client", "10.0.0.1:0": "10.0.0.1:client",
		"10.0.0.1:+0": "10.0.0.1:client", "10.0.0.1:+010": "10.0.0.1:+10", "10.0.0.1:-5": "10.0.0.1:-5", "Api.Example.COM.:80": "api.example.com:80",
		"1::1:80": "[1::1]:80", "[1::1]:80": "[1::1]:80", "[1::1]": "[1::1]:client", "1::1:": "[1::1]:client", ":::80": "[::]:80", "::1:80": "[::1]:80",
		":80": "0.0.0.0:80", "*:80": "0.0.0.0:80", "ipv6@*:80": "[::]:80", "ipv4@10.0.0.1:80": "10.0.0.1:80", "tcp6@[::1]:80": "[::1]:80",
		"[::ffff:10.0.0.1]:80": "10.0.0.1:80", "/run/x.sock": "unix:/run/x.sock", "unix@/run/x.sock": "unix:/run/x.sock", "unix@rel": "unix:rel",
		"abns@name": "unix:abns@name", "fd@3": "unix:fd@3", "quic4@10.0.0.1:443": "10.0.0.1:443", "stream+ipv4@10.0.0.1:80": "10.0.0.1:80",
		"::1": "", "1::1": "", "10.0.0.256:80": "", "10.0.0.1:70000": "", "10.0.0.1:80-81": "", "10.0.0.1:http": "", "a b:80": "", "unix@": "", "[::1]x:80": "",
	} {
		a, problem := parseAddress(text)
		got := ""
		if problem.En == "" {
			m := schema.Member{Host: a.host, Port: uint16(a.port), PortText: a.portText, Socket: a.socket}
			got = m.ID()
		}
		if got != want {
			t.Errorf("%q: %q instead of %q", text, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := "backend b\n server a ipv4@10.0.0.1:8080 weight 5\n server c \"10.0.0.2\":80\n"
	r := sourcetest.Read(Adapter(), "x.cfg", []byte(text), schema.Source{})
	at := func(s schema.Span) string { return text[s.Start:s.End] }
	m := r.Copies[0].Members
	for i, got := range []string{at(m[0].HostAt), at(m[0].PortAt), at(m[0].WeightAt), at(m[1].HostAt), at(m[1].PortAt)} {
		if want := []string{"10.0.0.1", "8080", "5", `"10.0.0.2":80`, `"10.0.0.2":80`}[i]; got != want {
			t.Errorf("place %d: %q instead of %q", i, got, want)
		}
	}
}

// TestEnvironment: a file may set the variables that it uses.
func TestEnvironment(t *testing.T) {
	const global = "global\n setenv HOST 10.0.0.1\n presetenv PORT 8080\n presetenv HOST 10.9.9.9\n setenv ADDR \"$HOST:${PORT}\"\n setenv LATER \"$NOBODY\"\n setenv GONE x\n unsetenv GONE\n"
	for _, c := range []struct {
		name, text string
		vars       map[string]string
		want       []string
	}{
		{"set", global + "backend b\n server a \"$ADDR\"\n server c $HOST:81\n", nil, []string{"member 10.0.0.1:8080", "member 10.0.0.1:81", "!unresolved"}},
		{"what the manifest says comes first", global + "backend b\n server a \"$ADDR\"\n", map[string]string{"HOST": "10.0.0.7", "PORT": "81"}, []string{"member 10.0.0.7:81"}},
		{"unknown ones stay unknown", global + "backend b\n server a \"$LATER:80\"\n server c \"$GONE:80\"\n", nil, []string{"unresolved members[0]", "unresolved members[1]"}},
		{"under a condition", "global\n.if defined(X)\n setenv HOST 10.0.0.1\n.endif\nbackend b\n server a \"$HOST:80\"\n", nil, []string{"unresolved members[0]"}},
		{"of another section", "userlist u\n setenv HOST 10.0.0.1\nbackend b\n server a \"$HOST:80\"\n", nil, []string{"unresolved members[0]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := sources.Input{Path: "x.cfg", Data: []byte(c.text), Source: &schema.Source{Side: schema.Gateway}, Vars: c.vars}
			before := len(c.vars)
			expect(t, sourcetest.Dump(Adapter().Read(in), in.Data), c.want...)
			if len(c.vars) != before {
				t.Error("the values of the manifest were changed")
			}
		})
	}
}

func TestVars(t *testing.T) {
	in := sources.Input{Path: "x.cfg", Data: []byte("backend be_$X\n server a \"$HOST:80\"\n server c $OTHER:80 weight ${W}\nbackend \"be_${X}\"\n server a 10.0.0.1:80\n"),
		Source: &schema.Source{Side: schema.Gateway}, Vars: map[string]string{"HOST": "10.0.0.7", "W": "30", "X": "orders"}}
	r := Adapter().Read(in)
	if len(r.Copies) != 1 || r.Copies[0].Pool != "be_orders" {
		t.Fatalf("%s", sourcetest.Dump(r, in.Data))
	}
	in.Data = []byte("backend b\n server a \"$HOST:80\"\n server c $OTHER:80\n server d $HOST:81 weight ${W}\n")
	r = Adapter().Read(in)
	expect(t, sourcetest.Dump(r, in.Data), "member 10.0.0.7:80", "unresolved members[1] quiet=false \"$OTHER:80\"", "member 10.0.0.7:81 weight=30", "complete=true")
}
