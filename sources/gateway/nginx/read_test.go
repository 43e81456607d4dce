package nginx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func readText(t *testing.T, text string) sources.Result {
	t.Helper()
	return sourcetest.Check(t, Adapter(), "nginx.conf", []byte(text))
}

// rules lists the rules of all problems, those of the copies first.
func rules(r sources.Result) []string {
	var out []string
	add := func(ps []schema.Problem) {
		for _, p := range ps {
			out = append(out, p.Rule)
		}
	}
	for i := range r.Copies {
		add(r.Copies[i].Problems)
	}
	add(r.Problems)
	return out
}

// TestSilent: what is right, or only unusual, gives no problem.
func TestSilent(t *testing.T) {
	for name, text := range map[string]string{
		"fragment":                       "upstream a { server 10.0.0.1; }\nserver { location / { proxy_pass http://a; } }",
		"name with a dot, used":          "upstream api.example.com { server 10.0.0.1; } server { location / { proxy_pass https://api.example.com/x; } }",
		"same name in http and stream":   "http { upstream a { server 10.0.0.1; } } stream { upstream a { server 10.0.0.1:80; } }",
		"port by variable":               "upstream a { server 10.0.0.1; } server { location / { proxy_pass http://a:$arg_p; } }",
		"least_conn with backup":         "upstream a { least_conn; server 10.0.0.1; server 10.0.0.2 backup; }",
		"hash with weights":              "upstream a { hash $uri; server 10.0.0.1 weight=2; server 10.0.0.2 down; }",
		"modules of others":              "upstream a { server 10.0.0.1; fair; jvm_route $cookie; upsync 10.0.0.9:8500/kv upsync_type=consul; my_balance on; }",
		"server blocks are no members":   "server { listen 80; server_name a; } server { listen 81; }",
		"one backup behind a template":   "upstream a { server ${A}; server 10.0.0.2 backup; }",
		"backups behind an include":      "upstream a { include x; server 10.0.0.2 backup; }",
		"stream without ports by socket": "stream { upstream a { server unix:/x; } }",
		"a fastcgi pool":                 "upstream php { server unix:/run/php.sock; } server { location ~ \\.php$ { fastcgi_pass php; fastcgi_next_upstream error timeout invalid_header; } }",
		"off beside others":              "upstream a { server 10.0.0.1; } server { location / { proxy_pass http://a; proxy_next_upstream error off; } }",
		"lua in a server":                "server { access_by_lua_block { local upstream = { server = {} } } }",
		"templated blocks":               "{% if a %}upstream x { server {{ a }}; }{% else %}upstream x { server b; }{% endif %}",
		"zone behind an include":         "upstream a { include zone.conf; server 10.0.0.1; } server { location / { proxy_pass http://a; health_check; } }",
		"zone behind a template":         "upstream a { {% if z %}zone a 64k;{% endif %} server 10.0.0.1; } server { location / { proxy_pass http://a; health_check; } }",
		"check that a template decides":  "server { location / { {% if a %}health_check;{% endif %} } }",
	} {
		t.Run(name, func(t *testing.T) {
			if got := rules(readText(t, text)); got != nil {
				t.Errorf("problems %v", got)
			}
		})
	}
}

// TestTwice: what NGINX refuses to see twice in one block, and what it joins.
func TestTwice(t *testing.T) {
	for body, want := range map[string]string{
		"proxy_read_timeout 5s; proxy_read_timeout 5s;":                               "[source/duplicate-key]",
		"proxy_next_upstream_tries 2; proxy_next_upstream_tries 3;":                   "[source/duplicate-key]",
		"grpc_connect_timeout 1s; grpc_connect_timeout 2s; proxy_connect_timeout 1s;": "[source/duplicate-key]",
		"proxy_next_upstream error; proxy_next_upstream timeout;":                     "[]",
		"proxy_read_timeout 5s; location /b { proxy_read_timeout 6s; }":               "[]",
		"{% if a %}proxy_read_timeout 5s;{% else %}proxy_read_timeout 6s;{% endif %}": "[]",
		"include a; include b;": "[]",
	} {
		if got := fmt.Sprint(rules(readText(t, "upstream a { server 10.0.0.1; server 10.0.0.2; } server { location / { proxy_pass http://a; "+body+" } }"))); got != want {
			t.Errorf("%q: %s, want %s", body, got, want)
		}
	}
}

// TestBackups: the methods that take no backups.
func TestBackups(t *testing.T) {
	for method, want := range map[string]string{
		"hash $uri consistent;": "[schema/invalid]", "ip_hash;": "[schema/invalid]", "random two;": "[schema/invalid]",
		"": "[]", "least_conn;": "[]", "least_time header;": "[]", "sticky cookie a;": "[]",
	} {
		if got := fmt.Sprint(rules(readText(t, "upstream a { "+method+" server 10.0.0.1; server 10.0.0.2 backup; }"))); got != want {
			t.Errorf("%q: %s, want %s", method, got, want)
		}
	}
}

// TestDeepNesting: what lies too deep is not read, and the rest is.
func TestDeepNesting(t *testing.T) {
	const depth = 500
	r := readText(t, strings.Repeat("location / { ", depth)+"upstream deep { server 10.0.0.1; }"+strings.Repeat("}", depth)+" upstream after { server 10.0.0.2; }")
	if got := fmt.Sprint(len(r.Copies), r.Copies[0].Pool, rules(r)); got != "1after[source/syntax]" {
		t.Errorf("got %s", got)
	}
}

// TestImplicitPools: which places become pools of their own.
func TestImplicitPools(t *testing.T) {
	const retries = "proxy_next_upstream error timeout;"
	tests := []struct{ name, text, want string }{
		{"plain reverse proxy", "server { location / { proxy_pass http://10.0.0.1:80; } }", ""},
		{"with retries", "server { server_name example.com; location / { proxy_pass http://10.0.0.1:80; " + retries + " } }", "server:example.com/location:/ 10.0.0.1:80"},
		{"retries of the server", "server { " + retries + " location / { proxy_pass http://10.0.0.1:80; } }", ""},
		{"retries of the location around", "server { listen 81; location /a { " + retries + " location /a/b { proxy_pass http://10.0.0.1:80; } } }", "server:81/location:/a/b 10.0.0.1:80"},
		{"inside if", "server { location /a { " + retries + " if ($x) { proxy_pass http://10.0.0.1:80; } } }", "server:_/location:/a/if 10.0.0.1:80"},
		{"address without port", "server { location / { proxy_pass https://10.0.0.1; " + retries + " } }", "server:_/location:/ 10.0.0.1:443"},
		{"bare name may be an upstream elsewhere", "server { location / { proxy_pass http://app; " + retries + " } }", ""},
		{"name with a port is none", "server { location / { proxy_pass http://App:8080/x; " + retries + " } }", "server:_/location:/ app:8080"},
		{"socket", "server { location / { proxy_pass http://unix:/run/a.sock:/; " + retries + " } }", "server:_/location:/ unix:/run/a.sock"},
		{"variable", "server { location / { proxy_pass http://$x:80; " + retries + " } location /b { proxy_pass http://10.0.0.1:$p; " + retries + " } }", ""},
		{"template", "server { location / { proxy_pass http://{{ x }}:80; " + retries + " } location /b { proxy_pass http://${X}:80; " + retries + " } }", ""},
		{"v6", "server { location / { grpc_pass grpcs://[2001:DB8::1]:50051; grpc_next_upstream error; } }", "server:_/location:/ [2001:db8::1]:50051"},
		{"regular expression", `server { server_name _ a; location ~ \.php$ { fastcgi_pass 127.0.0.1:9000; fastcgi_next_upstream_tries 2; } }`, `server:a/location:~ \.php$ 127.0.0.1:9000`},
		{"two servers of one name, alike", strings.Repeat("server { server_name a; location / { proxy_pass http://10.0.0.1:80; "+retries+" } }", 2), "server:a/location:/ 10.0.0.1:80"},
		{"two servers of one name, not alike", "server { server_name a; location / { proxy_pass http://10.0.0.1:80; " + retries + " } } server { server_name a; location / { proxy_pass http://10.0.0.2:80; " + retries + " } }",
			"server:a/location:/ 10.0.0.1:80, server:a/location:/#2 10.0.0.2:80"},
		{"an upstream of the file", "upstream app { server 10.0.0.1; } server { location / { proxy_pass http://APP; " + retries + " } }", "app 10.0.0.1:80"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			r := readText(t, test.text)
			for i := range r.Copies {
				c := &r.Copies[i]
				if c.Owned == (c.Pool == "app") || !c.Complete {
					t.Errorf("%s: owned %v, complete %v", c.Pool, c.Owned, c.Complete)
				}
				for j := range c.Members {
					got = append(got, c.Pool+" "+c.Members[j].ID())
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEdition: what only NGINX Plus has is refused where the profile names an open source version, and silent elsewhere.
func TestEdition(t *testing.T) {
	const text = "upstream a { zone a 64k; server 10.0.0.1 slow_start=5s; server 10.0.0.2; } server { location / { proxy_pass http://a; health_check; } }"
	for profile, want := range map[string]string{
		"":              "nginx-plus []",
		"nginx":         "nginx-plus []",
		"nginx-1.22":    "nginx-1.22 [schema/invalid schema/invalid]",
		"nginx-plus":    "nginx-plus []",
		"nginx-plus-33": "nginx-plus-33 []",
	} {
		r := read(sources.Input{Path: "a.conf", Data: []byte(text), Source: &schema.Source{Profile: profile}})
		if got := fmt.Sprint(r.Copies[0].Profile, " ", rules(r)); got != want {
			t.Errorf("profile %q: %s, want %s", profile, got, want)
		}
	}
}

// TestVars: the manifest's values fill placeholders in.
func TestVars(t *testing.T) {
	text := "upstream ${POOL} { server ${HOST}:8080 weight=${W} fail_timeout=${FT:-20}; server ${OTHER}:80; }"
	r := read(sources.Input{Path: "a.conf", Data: []byte(text), Source: &schema.Source{}, Vars: map[string]string{"POOL": "orders", "HOST": "Api.Example.com", "W": "3"}})
	if len(r.Copies) != 1 {
		t.Fatalf("%d copies", len(r.Copies))
	}
	c := &r.Copies[0]
	f, _ := c.Get("cooldown.duration")
	got := fmt.Sprint(c.Pool, len(c.Members), c.Members[0].ID(), c.Members[0].Weight, f.Value, c.UnresolvedMembers(), c.Complete)
	if want := "orders1api.example.com:8080320s1true"; strings.ReplaceAll(got, " ", "") != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestLinks: settings of the places that use a pool are the pool's where all agree.
func TestLinks(t *testing.T) {
	get := func(text string) string {
		r := readText(t, "upstream a { server 10.0.0.1; server 10.0.0.2; } "+text)
		var out []string
		for _, f := range r.Copies[0].Fields {
			out = append(out, string(f.Path)+"="+f.Value.String())
		}
		return strings.Join(out, " ")
	}
	for text, want := range map[string]string{
		"": "",
		"proxy_next_upstream_tries 2; server { location / { proxy_pass http://a; } }":                                                       "retry.attempts=1",
		"server { proxy_next_upstream_tries 2; location / { proxy_pass http://a; proxy_next_upstream_tries 3; } }":                          "retry.attempts=2",
		"server { location / { proxy_pass http://a; proxy_read_timeout 5s; } location /b { proxy_pass http://a; proxy_read_timeout 5s; } }": "proxy_read_timeout=5s",
		"server { location / { proxy_pass http://a; proxy_read_timeout 5s; } location /b { proxy_pass http://a; } }":                        "proxy_read_timeout@server:_/location:/=5s",
		"server { location / { proxy_pass http://a; proxy_next_upstream error; proxy_next_upstream http_500; } }":                           "retry.on=[error, http_500]",
		"server { location / { proxy_pass http://a; proxy_next_upstream http_500 off; } }":                                                  "retry.on=[]",
		"server { location / { proxy_pass http://a$request_uri; proxy_next_upstream_timeout 0; } }":                                         "proxy_next_upstream_timeout=0s",
		"server { location / { proxy_pass http://ab; proxy_next_upstream error; } }":                                                        "",
		"server { listen 1; proxy_pass a; proxy_next_upstream off; }":                                                                       "context=stream retry.on=[]",
		"server { location / { grpc_pass grpc://a; grpc_next_upstream error; proxy_next_upstream timeout; } }":                              "pass=grpc_pass retry.on=[error]",
		"server { location / { proxy_pass http://a; proxy_next_upstream error; } location /g { grpc_pass a; grpc_next_upstream error; } }":  "pass=proxy_pass grpc_pass retry.on=[error]",
		"server { location / { proxy_pass http://a; if ($x) { proxy_pass http://a; } proxy_next_upstream error non_idempotent; } }":         "retry.nonIdempotent=true retry.on=[error]",
		"server { location / { proxy_pass http://a; {% if x %}proxy_next_upstream error;{% endif %} proxy_connect_timeout {{ t }}; } } ":    "",
		"server { location / { proxy_pass $scheme://a; proxy_connect_timeout 1s; } }":                                                       "proxy_connect_timeout=1s",
		"worker_processes auto; server { location / { proxy_pass http://b; proxy_connect_timeout 1s; } }":                                   "worker_processes=auto",
	} {
		if got := get(text); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// TestPerServer: values that NGINX keeps for each server become the pool's by majority.
func TestPerServer(t *testing.T) {
	get := func(servers string) string {
		c := &readText(t, "upstream a { "+servers+" }").Copies[0]
		var out []string
		for _, f := range c.Fields {
			out = append(out, string(f.Path)+"="+f.Value.String())
		}
		for _, u := range c.Unresolved {
			out = append(out, "?"+string(u.Path))
		}
		return strings.Join(out, " ")
	}
	for servers, want := range map[string]string{
		"server b; server c;": "",
		"server b max_fails=2; server c max_fails=3; server d max_fails=3;":         "decision.consecutive=3 server.b:80.max_fails=2",
		"server b max_fails=2; server c max_fails=3;":                               "decision.consecutive=2 server.c:80.max_fails=3",
		"server b max_fails=0; server c max_fails=0 fail_timeout=5;":                "max_fails=0 cooldown.duration=5s",
		"server b max_fails=3; server c max_fails=0;":                               "decision.consecutive=3 server.c:80.max_fails=0",
		"server b fail_timeout=60; server c fail_timeout=1m;":                       "cooldown.duration=1m",
		"server b fail_timeout=${FT}; server c fail_timeout=${FT};":                 "?cooldown.duration",
		"server b fail_timeout=${FT}; server c fail_timeout=5s;":                    "cooldown.duration=5s ?fail_timeout",
		"server b fail_timeout=5ms; server c fail_timeout=5s;":                      "cooldown.duration=5s",
		"{% for h in x %}server {{ h }} max_fails=4;{% endfor %}":                   "decision.consecutive=4 ?members[0]",
		"{% if h %}server b max_fails=4;{% else %}server b max_fails=5;{% endif %}": "?members[0] ?members[1] ?decision.consecutive",
		"{% if h %}server b max_fails=4;{% endif %} server c max_fails=5;":          "decision.consecutive=5 ?members[0]",
		"server ${B}:80 max_fails=4;":                                               "decision.consecutive=4 ?members[0]",
		"server b slow_start=30s; server c slow_start=30s;":                         "ramp.window=30s",
	} {
		if got := get(servers); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", servers, got, want)
		}
	}
}
