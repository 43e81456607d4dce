package haproxy

import (
	"slices"
	"strings"
	"testing"
)

func TestProbe(t *testing.T) {
	const servers = " server a 10.0.0.1:80 check\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"check alone states a probe", "backend b\n" + servers, []string{"item probe (2:23 \"check\")", "!  probe.", "effective probe.interval = 2s", "effective probe.rise = 2", "effective probe.fall = 3"}},
		{"no check, no probe", "backend b\n server a 10.0.0.1:80\n", []string{"!probe", "!problem"}},
		{"httpchk uri", "backend b\n option httpchk /ping\n" + servers, []string{"probe.path = /ping", "!  probe.method", "effective probe.method = OPTIONS", "effective probe.expect.statuses = [200-399]"}},
		{"httpchk with a host", "backend b\n option httpchk GET /ping HTTP/1.1 www.example.com\n" + servers, []string{"probe.host = www.example.com", "probe.method = GET"}},
		{"host hidden in the version", "backend b\n option httpchk GET /ping HTTP/1.0\\r\\nHost:\\ www.example.com\\r\\nA:\\ b\n" + servers, []string{"probe.host = www.example.com ("}},
		{"send replaces parts of httpchk", "backend b\n option httpchk GET /one\n http-check send uri /two\n" + servers, []string{"probe.method = GET", "probe.path = /two"}},
		{"httpchk after send replaces parts of it", "backend b\n http-check send meth PUT uri /two hdr Host www\n option httpchk /one\n" + servers, []string{"probe.method = PUT", "probe.path = /one", "probe.host = www"}},
		{"the last httpchk counts whole", "backend b\n option httpchk GET /one\n option httpchk /two\n" + servers, []string{"probe.path = /two", "!  probe.method"}},
		{"own httpchk drops the rules of defaults", "defaults\n option httpchk GET /d\n http-check expect status 204\nbackend b\n option httpchk /own\n" + servers, []string{"probe.path = /own", "!  probe.expect.statuses", "!  probe.method"}},
		{"own rules lose the request of defaults", "defaults\n option httpchk GET /d\nbackend b\n http-check expect status 204\n" + servers, []string{"[204]", "!/d (", "problem probe/never-runs warning", "send nothing"}},
		{"own send keeps a request", "defaults\n option httpchk GET /d\nbackend b\n http-check send uri /own\n" + servers, []string{"probe.path = /own", "!problem"}},
		{"a computed path is unknown", "backend b\n option httpchk\n http-check send meth GET uri-lf /x/%[srv_name]\n" + servers, []string{"unresolved probe.path", "!effective probe.path"}},
		{"several steps", "backend b\n option httpchk\n http-check connect\n http-check send uri /1\n http-check expect status 200\n http-check connect\n http-check send uri /2\n http-check expect status 201\n" + servers,
			[]string{"probe.path = /1", "[200]", "![201]", "check steps = 2"}},
		{"connect port and tls", "backend b\n option httpchk\n http-check connect port 8443 ssl sni www\n http-check send uri /1\n server a 10.0.0.1:80 check port 9\n", []string{"probe.port = 8443", "probe.protocol = https"}},
		{"tls like the traffic", "backend b\n option httpchk\n server a 10.0.0.1:443 check ssl verify none\n", []string{"probe.protocol = https"}},
		{"plain on another port", "backend b\n option httpchk\n server a 10.0.0.1:443 check ssl verify none port 80\n", []string{"probe.protocol = http (", "probe.port = 80"}},
		{"plain by order", "backend b\n option httpchk\n server a 10.0.0.1:443 check ssl no-check-ssl\n", []string{"probe.protocol = http ("}},
		{"other checks", "backend b\n option mysql-check user haproxy\n" + servers + "backend c\n option redis-check\n" + servers + "backend d\n option tcp-check\n" + servers, []string{"probe.protocol = mysql", "probe.protocol = redis", "probe.protocol = tcp", "!= haproxy"}},
		{"the last option wins", "defaults\n option httpchk GET /d\nbackend b\n option tcp-check\n" + servers, []string{"probe.protocol = tcp", "!/d"}},
		{"statuses", "backend b\n option httpchk\n http-check expect status 301-303,200\n http-check expect ! status 500\n http-check expect string ok\n http-check expect rstring x.*\n" + servers,
			[]string{"probe.expect.statuses = [200, 301-303]", "probe.badStatuses = [500]", "probe.expect.body = ok", "http-check expect = rstring x.*"}},
		{"timeout check", "backend b\n timeout check 3s\n" + servers + "backend c\n timeout check 0\n" + servers + "backend d\n timeout check 3s\n server a 10.0.0.1:80\n",
			[]string{"probe.timeout = 3s", "timeout check = 0s", "timeout check = 3s"}},
		{"times", "backend b\n server a 10.0.0.1:80 check inter 1500 fastinter 1m downinter 1500us\n", []string{"probe.interval = 1.5s", "probe.intervals.fast = 1m", "effective probe.intervals.down = 2ms clamped=true"}},
		{"the default-server speaks for the pool", "backend b\n default-server check inter 2s\n server a 10.0.0.1:80\n server c 10.0.0.2:80 inter 5s\n server d 10.0.0.3:80 inter 5000\n", []string{"probe.interval = 2s", "server.c.inter = 5s", "server.d.inter = 5s"}},
		{"else the most frequent value", "backend b\n default-server check\n server a 10.0.0.1:80 inter 1s\n server c 10.0.0.2:80 inter 5s\n server d 10.0.0.3:80 inter 5000\n", []string{"probe.interval = 5s (4:29 \"5s\")", "server.a.inter = 1s", "!server.d.inter"}},
		{"be it none", "backend b\n default-server check\n server a 10.0.0.1:80 fall 9\n server c 10.0.0.2:80\n server d 10.0.0.3:80\n", []string{"server.a.fall = 9", "!  probe.fall", "effective probe.fall = 3"}},
		{"unchecked servers do not count", "backend b\n server a 10.0.0.1:80 fall 9 check\n server c 10.0.0.2:80 fall 1\n server d 10.0.0.3:80 fall 1\n", []string{"probe.fall = 9", "!fall = 1"}},
		{"observation", "backend b\n default-server check observe layer4\n" + servers, []string{"item decision", "observe = layer4", "effective decision.consecutive = 10", "effective decision.counts = [connect]"}},
		{"error-limit without observe counts nothing", "backend b\n default-server check error-limit 3\n" + servers, []string{"error-limit = 3", "!item decision"}},
		{"slowstart", "backend b\n balance source\n default-server slowstart 30s\n" + servers + "backend c\n default-server slowstart 0\n" + servers + "backend d\n default-server slowstart 30500\n" + servers,
			[]string{"ramp.window = 30s", "cannot change weights at run time", "  slowstart = 0s", "effective ramp.window = 31s clamped=true"}},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, dump(c.text, "haproxy-2.6"), c.want...) })
	}
}

func TestNeverRuns(t *testing.T) {
	const unchecked = " server a 10.0.0.1:80\n"
	const found = "problem probe/never-runs  field=\"off\""
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"httpchk of the section", "backend b\n option httpchk GET /\n" + unchecked, []string{found, `got="option httpchk"`, "(2:2 \"option httpchk GET /\")", "probe.off = ", "!effective probe", "!probe.path"}},
		{"tcp-check of the section", "backend b\n option tcp-check\n" + unchecked, []string{found}},
		{"inter of default-server", "backend b\n default-server inter 2s fall 3\n" + unchecked, []string{found, "(2:17 \"inter 2s\")"}},
		{"rise of a server", "backend b\n server a 10.0.0.1:80 weight 3 rise 2\n", []string{found, "(2:32 \"rise 2\")"}},
		{"http-check of the section", "backend b\n http-check expect status 200\n" + unchecked, []string{found}},
		{"undone checks", "backend b\n option httpchk\n default-server check\n server a 10.0.0.1:80 no-check\n", []string{found}},
		{"a server-template", "backend b\n option httpchk\n server-template w 3 w.example.com:80\n", []string{found}},
		{"observation only", "backend b\n default-server observe layer7\n" + unchecked, []string{"problem probe/never-runs warning"}},
		{"tracked servers", "backend b\n option httpchk\n server a 10.0.0.1:80 track c/a\nbackend c\n server a 10.0.0.1:80 check\n", []string{"problem probe/never-runs warning"}},
		{"httpchk of defaults", "defaults\n option httpchk GET /\n http-check expect status 200\nbackend b\n" + unchecked, []string{"!problem", "!probe"}},
		{"default-server of defaults", "defaults\n default-server inter 2s fall 3 observe layer4\nbackend b\n" + unchecked, []string{"!problem", "!probe"}},
		{"named defaults", "defaults d\n option httpchk\nbackend b from d\n" + unchecked, []string{"!problem", "!probe"}},
		{"timeout check", "backend b\n timeout check 1s\n" + unchecked, []string{"!problem", "!probe"}},
		{"one checked server is enough", "backend b\n option httpchk\n" + unchecked + " server c 10.0.0.2:80 check\n", []string{"!problem", "probe.protocol = http"}},
		{"check of default-server", "backend b\n option httpchk\n default-server check\n" + unchecked, []string{"!problem", "probe.protocol = http"}},
		{"check of defaults", "defaults\n default-server check\nbackend b\n option httpchk\n" + unchecked, []string{"!problem", "probe.protocol = http"}},
		{"a template may hold check", "backend b\n option httpchk GET /x\n server a 10.0.0.1:80 {{ opts }}\n", []string{"!problem", "unresolved probe "}},
		{"a template line may hold servers", "backend b\n option httpchk GET /x\n{{ more }}\n" + unchecked, []string{"!problem", "unresolved probe "}},
		{"check under a condition", "backend b\n option httpchk GET /x\n server a 10.0.0.1:80 {% if c %}check{% endif %}\n", []string{"!problem", "unresolved probe "}},
		{"under .if", "backend b\n option httpchk GET /x\n.if defined(X)\n default-server check\n.endif\n" + unchecked, []string{"!problem", "unresolved probe "}},
		{"an unrelated template is no probe", "backend b\n server a 10.0.0.1:80 {{ opts }}\n", []string{"!problem", "!probe"}},
		{"a section without servers", "backend b\n option httpchk\n", []string{"!problem", "!copy"}},
		{"rules without httpchk", "defaults\n mode http\nbackend b\n http-check expect status 200\n server a 10.0.0.1:80 check\n", []string{"problem probe/never-runs warning", "ignores http-check"}},
		{"rules whose httpchk may stand elsewhere", "backend b\n http-check expect status 200\n server a 10.0.0.1:80 check\n", []string{"!problem"}},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, dump(c.text, "haproxy-2.6"), c.want...) })
	}
}

// TestPortless: what HAProxy 2.6 said to each of these.
func TestPortless(t *testing.T) {
	const refused = "neither the server nor its check has a port"
	for text, want := range map[string]string{
		"backend b\n server s 127.0.0.1 check\n":                                                            refused,
		"backend b\n server s [::1]: check\n":                                                               refused,
		"listen b\n bind :80\n server s 127.0.0.1:+1 check\n":                                               refused,
		"backend b\n server s 127.0.0.1 check addr 127.0.0.2\n":                                             refused,
		"backend b\n option tcp-check\n tcp-check connect\n server s 127.0.0.1 check\n":                     refused,
		"backend b\n option httpchk\n server s 127.0.0.1 check disabled\n":                                  refused,
		"backend b\n server s 127.0.0.1\n":                                                                  "",
		"backend b\n server s 127.0.0.1:80 check\n":                                                         "",
		"backend b\n server s 127.0.0.1 check port 80\n":                                                    "",
		"backend b\n default-server port 80\n server s 127.0.0.1 check\n":                                   "",
		"backend b\n server s 127.0.0.1 check addr 127.0.0.2:80\n":                                          "",
		"backend b\n server s 127.0.0.1 check addr unix@/x\n":                                               "",
		"backend b\n option tcp-check\n tcp-check connect port 80\n server s 127.0.0.1 check\n":             "",
		"backend b\n server s unix@/x check\n server t abns@x check\n":                                      "",
		"backend b\n server s localhost check\n":                                                            "",
		"backend b\n server-template s 2 x.example check\n server t _http._tcp.x.example check\n":           "",
		"backend b\n default-server check\n server s 127.0.0.1 no-check\n server t 127.0.0.1:80\n":          "",
		"backend b\n disabled\n server s 127.0.0.1 check\n":                                                 "",
		"backend b\n server s 127.0.0.1 agent-check agent-port 80\n":                                        "",
		"backend b\n server s {{ ip }} check\n server t 127.0.0.1 {{ opts }} check\n":                       "",
		"backend b\n server s 127.0.0.1 {% if c %}check{% endif %}\n":                                       "",
		"backend b\n default-server check\n server s 127.0.0.1\n server t 127.0.0.2\n server u localhost\n": refused,
	} {
		got := dump(text, "haproxy-2.6")
		if strings.Contains(got, refused) != (want != "") {
			t.Errorf("%q\n%s", text, got)
		}
		if strings.Contains(dump(text, "haproxy-1.8"), refused) {
			t.Errorf("%q: old versions take it", text)
		}
	}
}

func TestStatusClasses(t *testing.T) {
	for re, want := range map[string]string{
		"^2": "200-299", "^[23]": "200-299 300-399", "^(2|3)[0-9][0-9]$": "200-299 300-399", "2..": "200-299", "^[2-4]..$": "200-299 300-399 400-499",
		"200|204": "200 204", "^(200|301)$": "200 301", "^200$": "200", `^5\d{2}`: "500-599", "^2.*": "200-299",
		"2": "", "^2$": "", "2.*": "", "^[^2]": "", "^20": "", "": "", "^": "", "(": "", "[": "", "^(2|3": "", "x": "", "^[a-z]": "", "6..": "",
	} {
		if got := strings.Join(statusClasses(re), " "); got != want {
			t.Errorf("%q: %q instead of %q", re, got, want)
		}
	}
}

func TestStatusList(t *testing.T) {
	for text, want := range map[string][]string{"200": {"200"}, "301-303,200,200": {"200", "301-303"}, "": nil, "2xx": nil, "400-300": nil, "20": nil, "200,": nil} {
		if got := statusList(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v instead of %v", text, got, want)
		}
	}
}
