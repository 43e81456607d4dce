package nginx

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/sources"
)

// detectLimit bounds how much of a file detection looks at.
const detectLimit = 64 << 10

// foreign lists the extensions of files that may quote NGINX configuration but are none.
var foreign = []string{".md", ".markdown", ".mdx", ".adoc", ".asciidoc", ".rst", ".html", ".htm", ".yaml", ".yml", ".json", ".jsonc", ".json5", ".toml", ".xml", ".properties",
	".ini", ".cue", ".hcl", ".tf", ".nomad", ".go", ".lua", ".py", ".rb", ".js", ".ts", ".tsx", ".jsx", ".java", ".kt", ".kts", ".scala", ".groovy", ".gradle", ".c", ".h", ".cc", ".cpp",
	".hpp", ".cs", ".rs", ".php", ".pl", ".pm", ".sh", ".bash", ".css", ".scss", ".sql", ".diff", ".patch", ".csv", ".tsv", ".svg", ".proto", ".vcl", ".caddyfile", ".hocon"}

// wrappers lists the extensions that stand behind the real one.
var wrappers = []string{".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".gotmpl", ".ctmpl", ".template", ".erb", ".epp", ".mustache", ".hbs", ".in", ".dist", ".example", ".sample", ".bak", ".orig"}

// top lists what can stand at the top of a main file or fragment; inside, what shows that a block is NGINX's.
var (
	top = []string{"http", "stream", "mail", "events", "upstream", "server", "location", "include", "map", "geo", "split_clients", "match", "types", "user", "worker_processes",
		"worker_rlimit_nofile", "worker_shutdown_timeout", "worker_cpu_affinity", "worker_priority", "master_process", "daemon", "error_log", "access_log", "pid", "load_module", "env", "pcre_jit",
		"thread_pool", "timer_resolution", "log_format", "limit_req_zone", "limit_conn_zone", "proxy_cache_path", "resolver", "resolver_timeout", "set", "if", "default_type", "sendfile", "tcp_nopush",
		"tcp_nodelay", "keepalive_timeout", "keepalive_requests", "gzip", "server_tokens", "client_max_body_size", "add_header", "proxy_pass", "proxy_set_header", "proxy_http_version",
		"proxy_next_upstream", "proxy_connect_timeout", "proxy_read_timeout", "proxy_send_timeout", "proxy_buffering", "root", "index", "ssl_protocols", "ssl_ciphers", "ssl_certificate",
		"ssl_certificate_key", "upstream_conf", "lua_package_path", "lua_shared_dict", "init_by_lua_block", "init_worker_by_lua_block", "js_import", "charset", "return", "rewrite"}
	inside = []string{"listen", "server_name", "location", "server", "upstream", "proxy_pass", "root", "return", "include", "worker_connections", "use", "multi_accept", "access_log", "default_type",
		"sendfile", "log_format", "resolver", "map", "keepalive_timeout", "gzip", "ssl_certificate", "fastcgi_pass", "grpc_pass", "uwsgi_pass", "try_files", "rewrite", "tcp_nopush", "zone",
		"server_tokens", "proxy_set_header", "proxy_timeout", "ssl_preread", "client_max_body_size", "error_page", "lua_package_path"}
)

// detect is the adapter's Detect. A file is certain where a block of NGINX holds what only NGINX has in it.
func detect(name string, data []byte) sources.Confidence {
	if slices.Contains(foreign, extension(name)) {
		return sources.Unlikely
	}
	data = data[:min(len(data), detectLimit)]
	if !bytes.ContainsAny(data, "{;") {
		return byName(name, data)
	}
	if !bytes.Contains(data, []byte("server")) && !bytes.Contains(data, []byte("http")) && !bytes.Contains(data, []byte("events")) && !bytes.Contains(data, []byte("upstream")) {
		return sources.Unlikely
	}
	root, _ := parse(string(data))
	good, bad, proof, block := 0, 0, false, false
	for i := range root {
		d := &root[i]
		switch {
		case d.loose || d.name.template:
		case assigns(d):
			return sources.Unlikely
		case slices.Contains(top, d.name.text) && d.ended:
			good++
			block = block || d.block
			proof = proof || proves(d)
		case d.block && isLua(d.name.text):
			good++
		default:
			bad++
		}
	}
	switch {
	case bad > good/4:
		return sources.Unlikely
	case proof:
		return sources.Certain
	case block && strings.Contains(strings.ToLower(name), "nginx"):
		return sources.Likely
	case good > 0:
		return sources.Possible
	}
	return byName(name, data)
}

// extension returns the extension in lower case, without the one that marks a template or a copy.
func extension(name string) string {
	name = strings.ToLower(name)
	for {
		ext := path.Ext(name)
		if ext == "" || !slices.Contains(wrappers, ext) {
			return ext
		}
		name = strings.TrimSuffix(name, ext)
	}
}

// byName judges a file that says nothing: it may be an nginx.conf without a line in it yet.
func byName(name string, data []byte) sources.Confidence {
	if strings.HasPrefix(path.Base(name), "nginx.conf") && len(bytes.TrimSpace(data)) == 0 {
		return sources.Possible
	}
	return sources.Unlikely
}

// assigns reports whether a line of the block reads "name = value", as in HCL and HOCON.
func assigns(d *directive) bool {
	return slices.ContainsFunc(d.body, func(in directive) bool {
		return len(in.args) > 0 && in.args[0].text == "=" && !in.args[0].quoted && in.name.text != "location"
	})
}

// proves reports whether a block at the top is NGINX's beyond doubt.
func proves(d *directive) bool {
	if !d.block {
		return false
	}
	switch d.name.text {
	case "upstream":
		return len(d.args) == 1 && slices.ContainsFunc(d.body, func(in directive) bool {
			return in.loose || in.name.text == "server" && len(in.args) > 0 && in.ended && !in.block
		})
	case "http", "stream", "events", "server":
		return len(d.args) == 0 && slices.ContainsFunc(d.body, func(in directive) bool {
			return slices.Contains(inside, in.name.text) && in.ended
		})
	case "location":
		return len(d.args) > 0 && slices.ContainsFunc(d.body, func(in directive) bool {
			return (in.name.text == "proxy_pass" || in.name.text == "root" || in.name.text == "return") && in.ended
		})
	}
	return false
}
