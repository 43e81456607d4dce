package nginx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/sources"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             sources.Confidence
	}{
		{"upstream file without extension", "upstreams", "include x;\nupstream a { server 10.0.0.1:80; }", sources.Certain},
		{"fragment", "conf.d/app.conf", "server { listen 80; location / { proxy_pass http://a; } }", sources.Certain},
		{"main file", "etc/main", "user x;\nevents { worker_connections 1; }\nhttp { include y; }", sources.Certain},
		{"location fragment", "loc.inc", "location / { proxy_pass http://a; }", sources.Certain},
		{"template", "nginx.conf.j2", "{% if x %}\nupstream a {\n{% for h in hs %}\n server {{ h }};\n{% endfor %}\n}\n{% endif %}", sources.Certain},
		{"upstream of a template alone", "a.conf.tmpl", "upstream a {\n{{ servers }}\n}", sources.Certain},
		{"cut off or broken", "a.conf", "upstream a {\n server b;\n server c\n}\nserver { listen 80;", sources.Certain},
		{"byte-order mark and CRLF", "a.conf", "\xef\xbb\xbfupstream a {\r\n server b;\r\n}\r\n", sources.Certain},
		{"empty block, by name", "nginx/http.conf", "http { }", sources.Likely},
		{"empty block", "http.conf", "http { }", sources.Possible},
		{"exact location", "a.conf", "server { location = / { return 204; } }", sources.Certain},
		{"settings alone", "proxy.conf", "proxy_set_header Host $host;\n# server", sources.Possible},
		{"empty nginx.conf", "nginx.conf", "", sources.Possible},
		{"empty", "a.conf", "", sources.Unlikely},
		{"binary", "a", "\x7fELF\x00\x01{;server\x00\xff\xfe", sources.Unlikely},

		{"quoted in a document", "README.md", "upstream a { server 10.0.0.1:80; }", sources.Unlikely},
		{"quoted in a document without extension", "README", "Write this:\n\nupstream a { server 10.0.0.1:80; }", sources.Unlikely},
		{"inside YAML", "configmap.yaml", "data:\n  nginx.conf: |\n    server { listen 80; }", sources.Unlikely},
		{"a YAML template", "values.yaml.j2", "server { listen 80; }", sources.Unlikely},
		{"inside a shell script", "entry", "#!/bin/sh\ncat > /etc/nginx.conf <<END\nserver { listen 80; }\nEND\n", sources.Unlikely},
		{"Dockerfile", "Dockerfile", "FROM nginx\nRUN echo 'server { listen 80; }' > /etc/nginx/conf.d/a.conf\n", sources.Unlikely},
		{"haproxy", "haproxy.cfg", "backend a\n  server s1 10.0.0.1:80 check\n", sources.Unlikely},
		{"haproxy template", "haproxy.cfg.j2", "backend a\n{% for h in hs %}\n  server {{ h }} {{ h }}:80 check; \n{% endfor %}\n", sources.Unlikely},
		{"Caddyfile", "Caddyfile", "example.com {\n  reverse_proxy a:80 b:80 {\n    lb_policy first\n  }\n}", sources.Unlikely},
		{"HOCON", "application.conf", "server {\n  listen = 8080\n  location = \"/\"\n}\nhttp { server = a }", sources.Unlikely},
		{"HCL without extension", "agent", "server {\n  enabled = true\n}\nupstream \"a\" {\n  server = \"b\"\n}", sources.Unlikely},
		{"BIND", "named.conf", "options { listen-on { any; }; };\nserver 10.0.0.1 { keys k; };\nzone \"a\" { type master; };", sources.Unlikely},
		{"C", "server", "struct server { int listen; };\nint main() { return 0; }", sources.Unlikely},
		{"CSS", "a", "server { color: red; }\n.upstream { width: 1px; }", sources.Unlikely},
		{"Envoy", "envoy.yaml", "static_resources: {clusters: [{name: server, load_assignment: {}}]}", sources.Unlikely},
		{"native", "pools", "pools: {orders: {members: [{address: server, port: 80}]}}; ", sources.Unlikely},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := detect(test.path, []byte(test.text)); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestDetectSamples(t *testing.T) {
	for _, name := range samples {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if got := detect(name, text); got != sources.Certain {
			t.Errorf("%s: %d", name, got)
		}
	}
}
