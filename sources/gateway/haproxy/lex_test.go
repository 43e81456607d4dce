package haproxy

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// split returns the words of all lines, lines apart by "/".
func split(text string) (words []string, faults int) {
	s := scanner{text: text, fault: func(schema.Span, schema.Text, schema.Text) { faults++ }}
	for l := (line{}); s.next(&l); {
		if len(words) > 0 {
			words = append(words, "/")
		}
		for _, w := range l.words {
			words = append(words, w.text)
			if w.exact && w.text != text[w.at.Start:w.at.End] {
				words = append(words, "NOT EXACT")
			}
		}
	}
	return words, faults
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text   string
		want   []string
		faults int
	}{
		{"a b\tc\v d", []string{"a", "b", "c", "d"}, 0},
		{"a # b\n#c\nd#e", []string{"a", "/", "d"}, 0},
		{`a "b c" 'd e' f\ g`, []string{"a", "b c", "d e", "f g"}, 0},
		{`"a'b" 'a"b' a"b c"d`, []string{"a'b", `a"b`, "ab cd"}, 0},
		{`"" ''`, []string{"", ""}, 0},
		{`\"a \'b \#c \\d \e "\$x" '\x41' \x41`, []string{`"a`, "'b", "#c", `\d`, `\e`, "$x", `\x41`, "A"}, 0},
		{`a\r\nb \t`, []string{"a\r\nb", "\t"}, 0},
		{"\"$A\" \"${B}\" \"${C-d e}\" $E '$F' \"x$A.y\"", []string{"${A}", "${B}", "${C-d e}", "$E", "$F", "x${A}.y"}, 0},
		{"a \"b c\nd", []string{"a", "b c", "/", "d"}, 1},
		{"a \"b$\"", []string{"a", "b$"}, 1},
		{`a "$1"`, []string{"a", "$1"}, 1},
		{`a \xZZ`, []string{"a", `\xZZ`}, 1},
		{`a \x`, []string{"a", `\x`}, 1},
		{`a \`, []string{"a", `\`}, 0},
		{"a b\r\nc d\r\n", []string{"a", "b", "/", "c", "d"}, 0},
		{"a b\rc\nd", []string{"a", "b", "/", "d"}, 0},
		{"a b\x00c\nd", []string{"a", "b", "/", "d"}, 1},
		{"a {{ b c # d }}:{{e}} f", []string{"a", "{{ b c # d }}:{{e}}", "f"}, 0},
		{"a {{b\n  c}} d", []string{"a", "{{b\n  c}}", "d"}, 0},
		{"a {{ b", []string{"a", "{{", "b"}, 0},
		{"{# x\ny #}a\n{% set x = 1 %}\n<%# c %>b <%= d %>", []string{"a", "/", "b", "<%= d %>"}, 0},
		{"a ${ b.c }:80 ${d(\"e\", f)} $ g", []string{"a", "${ b.c }:80", "${d(\"e\", f)}", "$", "g"}, 0},
		{"%{ for a in b ~}\nc ${a}\n%{ endfor ~}\n% if x:\nd\n% endif\n%else\ne", []string{"c", "${a}", "/", "d", "/", "e"}, 0},
		{"<#if x??>a</#if> b<#list c as d> ${d}</#list>", []string{"a", "b", "${d}"}, 0},
		{"log-format {%ci} %{+Q}o", []string{"log-format", "{%ci}", "%{+Q}o"}, 0},
		{"a b{% if x %}c{% endif %}", []string{"a", "bc"}, 0},
		{"a {{$x := 1}}b{{/* c */}}", []string{"a", "b"}, 0},
		{"全角 “引号” # 注释", []string{"全角", "“引号”"}, 0},
		{"\xff\xfe a", []string{"\xff\xfe", "a"}, 0},
	} {
		got, faults := split(c.text)
		if !slices.Equal(got, c.want) || faults != c.faults {
			t.Errorf("%q: %q, %d faults, instead of %q, %d", c.text, got, faults, c.want, c.faults)
		}
	}
}

func TestDirectives(t *testing.T) {
	for text, want := range map[string]string{
		".if 0\na\n.else\nb\n.endif\nc":             "b/c",
		".if 1\na\n.else\nb\n.endif":                "a",
		".if !0\na\n.endif":                         "a",
		".if 0\na\n.elif 1\nb\n.else\nc\n.endif":    "b",
		".if x\na\n.else\nb\n.endif":                "a/b",
		".if 0\n.if 1\na\n.endif\n.else\nb\n.endif": "b",
		".if 1\na\n.elif y\nb\n.endif":              "a",
		".endif\na\n.else\nb\n.elif\nc":             "a/b/c",
		".notice hi\na":                             "a",
		".other a":                                  ".other a",
	} {
		got, _ := split(text)
		if strings.Join(got, " ") != strings.ReplaceAll(want, "/", " / ") {
			t.Errorf("%q: %q instead of %q", text, got, want)
		}
	}
}

func TestConditions(t *testing.T) {
	const server = " server a 10.0.0.1:80\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"members inside", "backend b\n" + server + ".if x\n server c 10.0.0.2:80\n.endif\n", []string{"complete=false", "10.0.0.1:80", "10.0.0.2:80"}},
		{"a whole section", "{{ if .X }}\nbackend b\n" + server + "{{ end }}\nbackend c\n" + server, []string{"pool=\"b\" owned=false profile=\"haproxy\" complete=false", "pool=\"c\" owned=false profile=\"haproxy\" complete=true"}},
		{"one section in two branches is one pool", ".if x\nbackend b\n balance source\n" + server + ".else\nbackend b\n server c 10.0.0.2:80\n.endif\n", []string{"complete=false", "10.0.0.2:80", "unresolved balance", "!balance = source"}},
		{"settings inside", "backend b\n timeout server 1s\n{% if x %}\n timeout server 2s\n{% endif %}\n" + server, []string{"unresolved timeout server", "!timeout server = ", "!problem"}},
		{"settings after it are sure", "backend b\n{% if x %}\n timeout server 2s\n{% endif %}\n timeout server 1s\n" + server, []string{"timeout server = 1s", "!unresolved"}},
		{"the check under a condition", "backend b\n{% if x %}\n option httpchk GET /\n{% endif %}\n server a 10.0.0.1:80 check\n", []string{"unresolved probe.protocol", "!probe.path"}},
		{"conditional defaults", ".if x\ndefaults\n retries 7\n.endif\nbackend b\n" + server, []string{"unresolved retry.attempts", "!retry.attempts = 7"}},
		{"conditional words", "backend b\n server a 10.0.0.1:80 {% if x %}backup disabled{% endif %} weight {% if y %}1{% else %}2{% endif %}\n", []string{"unresolved server.a.backup", "unresolved server.a.disabled", "!backup=", "!state="}},
		{"loops", "backend b\n{% for s in servers %}\n server {{ s }} {{ s }}:80 check\n{% endfor %}\n" + server, []string{"complete=false", "unresolved members[0]", "member 10.0.0.1:80"}},
		{"commented marks", "backend b\n#{% if x %}\n server c 10.0.0.2:80\n#{% endif %}\n" + server, []string{"complete=false"}},
		{"one placeholder is one member", "backend b\n server a ${HOST}:80\n server c <IP>:80\n server d @HOST@:80\n server e __HOST__:80\n server f 10.0.0.1:80\n", []string{"complete=true", "unresolved members[0]", "unresolved members[1]", "unresolved members[2]", "unresolved members[3]", "!problem"}},
		{"EJS", "backend b\n<% servers.forEach(function(s) { %>\n server <%= s.name %> <%= s.ip %>:80\n<% }) %>\n" + server, []string{"complete=false", "unresolved members[0]", "10.0.0.1:80"}},
		{"ERB", "backend b\n<% @servers.each do |s| -%>\n server <%= s %> <%= s %>:80\n<% end -%>\n" + server, []string{"complete=false", "unresolved members[0]"}},
		{"Handlebars", "backend b\n{{#each servers}}\n server {{name}} {{ip}}:80\n{{/each}}\n" + server, []string{"complete=false", "unresolved members[0]"}},
		{"a template is not what HAProxy reads", "{{ header }}\nbackend b\n server a \"10.0.0.1:80\n server c 10.0.0.2:80", []string{"!problem source/syntax"}},
		{"Terraform", "backend b\n%{ for ip in ips ~}\n server s${ip} ${ip}:80 check\n%{ endfor ~}\n" + server, []string{"complete=false", "unresolved members[0]", "10.0.0.1:80"}},
		{"Mako", "backend b\n % for i in x:\n server ${ i.id } ${ i.dns }:80 cookie ${ i.id }\n % endfor\n" + server, []string{"complete=false", "unresolved members[0] quiet=false \"${ i.dns }:80\"", "10.0.0.1:80"}},
		{"FreeMarker", "backend b\n<#list x as s>\n server ${s.n} ${s.ip}:80 check<#if s.i??> inter ${s.i}</#if>\n</#list>\n" + server, []string{"complete=false", "unresolved members[0]", "unresolved probe.interval", "!problem"}},
		{"marks of its own", "backend b\n option httpchk GET /\n {%more%}\n server a {%ip%}:80\n", []string{"unresolved members[0]", "!problem"}},
		{"a server from one template", "listen b\n{% for s in x %}\n server {{ s }}\n{% endfor %}\nlisten c\n server {{ include \"x\" . }}\n server-template ${all}\n", []string{"pool=\"b\"", "pool=\"c\"", "complete=false", "unresolved members[0] quiet=false \"{{ s }}\"", "unresolved members[1] quiet=false \"${all}\"", "!problem"}},
		{"server lines as one value", "backend b\n ${SERVERS}\n", []string{"complete=false", "unresolved members[0]"}},
		{"includes", "backend b\n{% include 'servers.j2' %}\n", []string{"complete=false", "unresolved members[0]"}},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, dump(c.text, "haproxy"), c.want...) })
	}
}

func TestTime(t *testing.T) {
	for text, want := range map[string]time.Duration{"0": 0, "1500": 1500 * time.Millisecond, "5ms": 5 * time.Millisecond, "7us": 7 * time.Microsecond, "2s": 2 * time.Second,
		"3m": 3 * time.Minute, "4h": 4 * time.Hour, "24d": 24 * 24 * time.Hour, "2147483647": maxTime, "007s": 7 * time.Second} {
		if got, err := parseTime(text); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]error{"": errNoTime, "-5": errNoTime, "s": errNoTime, "1.5s": errTimeUnit, "15min": errTimeUnit, "5S": errTimeUnit, "1m30s": errTimeUnit,
		"2147483648": errTimeLong, "25d": errTimeLong, "99999999999999999999s": errTimeLong} {
		if _, err := parseTime(text); !errors.Is(err, want) {
			t.Errorf("%q: %v instead of %v", text, err, want)
		}
	}
	for text, want := range map[string]string{"15min": "15m", "1m30s": "90s", "1.5s": "1500ms", "5S": "5s", "2sec": "2s", "3秒": "3s", "x": "", "-5s": "", "5x": "", "1h30m": "90m"} {
		if got := suggestTime(text); got != want {
			t.Errorf("%q: %q instead of %q", text, got, want)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       sources.Confidence
	}{
		{"haproxy.cfg", "global\n daemon\ndefaults\n mode http\n", sources.Certain},
		{"x.conf", "# comment\n\nbackend b\n server a 10.0.0.1:80\n", sources.Certain},
		{"x.j2", "{# c #}\n{% if x %}\nlisten b\n bind :80\n{% endif %}\n", sources.Certain},
		{"x", "\xef\xbb\xbfbackend b\r\n  balance roundrobin\r\n", sources.Certain},
		{"x", ".if 1\nbackend b\n timeout server 3s\n.endif\n", sources.Certain},
		{"haproxy.cfg", "global\n", sources.Possible},
		{"x.cfg", "global\n", sources.Unlikely},
		{"x.md", "backend b\n server a 10.0.0.1:80\n", sources.Unlikely},
		{"x.yaml", "global:\n  x: 1\n", sources.Unlikely},
		{"x.conf", "upstream b {\n server 10.0.0.1:80;\n}\n", sources.Unlikely},
		{"x", "backend default {\n  .host = \"a\";\n}\n", sources.Unlikely},
		{"x", "listen carefully\nto what the server says\n", sources.Unlikely},
		{"x", "Text with a line\nbackend b\n server a 10.0.0.1:80\n", sources.Unlikely},
		{"x", "", sources.Unlikely},
	} {
		if got := detect(c.name, []byte(c.text)); got != c.want {
			t.Errorf("%s %q: %d instead of %d", c.name, c.text, got, c.want)
		}
	}
}

// TestHostile holds reading to bounded time on input made to be slow.
func TestHostile(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"open marks":     strings.Repeat("{{", n),
		"open comments":  strings.Repeat("{# ", n),
		"nested blocks":  "backend b\n" + strings.Repeat("{% if x %}\n", n) + " server a 10.0.0.1:80\n" + strings.Repeat("{% endif %}\n", n),
		"nested .if":     "backend b\n" + strings.Repeat(".if x\n server a 10.0.0.1:80\n", n/10),
		"a long line":    "backend b\n server a 10.0.0.1:80 " + strings.Repeat("inter 5s weight 3 ", n),
		"many servers":   "backend b\n default-server check inter 1s\n" + strings.Repeat(" server a 10.0.0.1:80 inter 2s fall 3\n", n/10),
		"many rules":     "defaults\n option httpchk\n" + strings.Repeat(" http-check expect status 200\n", n/100) + strings.Repeat("backend b\n server a 10.0.0.1:80 check\n", n/100),
		"quotes":         strings.Repeat("\"", n),
		"many faults":    "defaults\n" + strings.Repeat(" timeout server 1x\n timeout client 2x\n", n/10) + strings.Repeat("backend b\n server a 10.0.0.1:80\n", n/10),
		"long defaults":  "defaults\n default-server " + strings.Repeat("check ", n) + "\n" + strings.Repeat("backend b\n server a 10.0.0.1:80\n", n/10),
		"regex statuses": "backend b\n option httpchk\n http-check expect rstatus " + strings.Repeat("200|", n) + "\n server a 10.0.0.1:80 check\n",
	} {
		start := time.Now()
		sourcetest.Read(Adapter(), "x.cfg", []byte(text), schema.Source{})
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%s: %v", name, d)
		} else {
			t.Logf("%s: %v", name, d)
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, text := range []string{"backend b\n option httpchk GET /x\n http-check expect ! rstatus ^5\n default-server check inter 2s {% if x %}backup{% endif %}\n server a \"${X-10.0.0.1}\":80 source :1-2 usesrc client weight １０\n server-template w 1-3 _s._tcp.x:{{ p }}\n"} {
		sourcetest.Corpus(t, Adapter(), "x.cfg", []byte(text))
	}
}

func FuzzHAProxy(f *testing.F) {
	f.Add([]byte("global\n maxconn 10\ndefaults d\n mode http\n timeout check 3s\n retries 2\nlisten l from d\n bind :80\n option httpchk GET / HTTP/1.1\\r\\nHost:\\ x\n server a 10.0.0.1:80 check inter 15min\n"))
	f.Add([]byte("backend b\n{% for s in x %}\n server {{ s }} {{ s.ip }}:80 check{% if y %} backup{% endif %}\n{% endfor %}\n.if 0\n server c [::1]:80\n.else\n server-template d 1-3 _x._tcp.y:80 \"$A\"\n.endif\n"))
	f.Add([]byte("backend \"b\\x41\"\r\n default-server name n from srv:x check\r\n server \xef\xbc\x91 1::1:+5 source 1.1.1.1 interface e weight 256\x00\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		sourcetest.Check(t, Adapter(), "fuzz.cfg", text)
		detect("fuzz.cfg", text)
	})
}
