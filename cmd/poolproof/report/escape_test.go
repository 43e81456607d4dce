package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain 10.0.0.1:8080":      "plain 10.0.0.1:8080",
		"订单 café 👩‍💻 ５秒　x":         "订单 café 👩‍💻 ５秒　x",
		"a\nb\tc\rd":               `a\nb\tc\rd`,
		"\x1b[31m\x00\x7f":         `\x1b[31m\x00\x7f`,
		"\u0085":                   `\u0085`,
		"\u202ea\u2066":            `\u202ea\u2066`,
		"a\u200bb\u200dc\ufeff":    `a\u200bb\u200dc\ufeff`,
		"订\u200d单":                 `订\u200d单`,
		"\xff\xfe":                 `\xff\xfe`,
		"\xe8\xae":                 `\xe8\xae`,
		"a\u00a0b\u00ad":           `a\u00a0b\u00ad`,
		"\u3164\u2800":             `\u3164\u2800`,
		"x\U000e0041":              `x\U000e0041`,
		"\ue000":                   `\ue000`,
		"## [a](b) #1 ##":          "## [a](b) #1 ##",
		"##[error]":                `#\x23[error]`,
		"###[error]":               `##\x23[error]`,
		"a ##vso[x] ##teamcity[y]": `a #\x23vso[x] #\x23teamcity[y]`,
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
		if twice := visible(want); twice != want {
			t.Errorf("visible(%q) = %q: shown twice", want, twice)
		}
	}
}

func TestClip(t *testing.T) {
	if got := clip("short", 10); got != "short" {
		t.Error(got)
	}
	if got := clip(strings.Repeat("订", 10), 10); got != "订订订…(21 bytes more)" {
		t.Error(got)
	}
	if got := clip("\x80\x80\x80\x80\x80\x80\x80", 5); len(got) > 40 {
		t.Error(got)
	}
}

func FuzzVisible(f *testing.F) {
	f.Add(evil[:len(evil)-1<<20])
	f.Add("👩‍💻\u200d##[x")
	f.Fuzz(func(t *testing.T, s string) {
		out := visible(s)
		if !utf8.ValidString(out) || strings.Contains(out, "##[") {
			t.Errorf("%q", out)
		}
		for _, r := range out {
			if !shown(r) && r != 0x200d {
				t.Errorf("%U is left in %q", r, out)
			}
		}
		if visible(out) != out {
			t.Errorf("%q is not final", out)
		}
		cells(out)
	})
}

func TestSecrets(t *testing.T) {
	for line, want := range map[string]string{
		"server a https://bob:hunter2@10.0.0.1:80":      "server a https://***@10.0.0.1:80",
		`{"model": "m", "api_key": "sk-abc", "w": 1}`:   `{"model": "m", "api_key": "***", "w": 1}`,
		"password: hunter2 # old":                       "password: *** # old",
		"user admin insecure-password hunter2":          "user admin insecure-password ***",
		"Authorization: Bearer abcdef0123456789":        "Authorization: Bearer ***",
		`proxy_set_header Authorization "Basic YWJj";`:  `proxy_set_header Authorization "Basic ***";`,
		"  token=abc,next":                              "  token=***,next",
		"key: ghp_0123456789abcdefghij":                 "key: ***",
		"weight: 010 # max_tokens: 4096, the token ok":  "weight: 010 # max_tokens: 4096, the token ok",
		"http://10.0.0.1:80/a@b":                        "http://10.0.0.1:80/a@b",
		"server s1 10.0.0.1:8080 check inter 2s fall 3": "server s1 10.0.0.1:8080 check inter 2s fall 3",
	} {
		d := display{secrets: secrets([]byte(line))}
		if got := d.part([]byte(line), 0, len(line)); got != want {
			t.Errorf("%q is shown as %q, want %q", line, got, want)
		}
	}
	if got := short("http://u:p@h/" + strings.Repeat("x", 5000)); !strings.HasPrefix(got, "http://***@h/xx") || len(got) > 1100 {
		t.Errorf("%d %.40s", len(got), got)
	}
}

// TestSecretsInTexts: messages and values come from the same lines as excerpts, and are masked alike; in a sentence the
// words after "password" or "token" are no secrets.
func TestSecretsInTexts(t *testing.T) {
	for in, want := range map[string]string{
		"probe.path: /h?token=abc&x=1 differs":                "probe.path: /h?token=***&x=1 differs",
		`NGINX refuses the server "bob:hunter2@h:80": a port`: `NGINX refuses the server "***@h:80": a port`,
		`unknown key "password=s3cr3t"`:                       `unknown key "password=***"`,
		"Authorization: Basic Zm9vOmJhcg==":                   "Authorization: Basic ***",
		"http://u:p@h/?access_token=abc":                      "http://***@h/?access_token=***",
		"the key sk-0123456789abcdef is no address":           "the key *** is no address",
		"the password stands in the file; the token is read":  "the password stands in the file; the token is read",
		"ipv4@10.0.0.1:80 and abns@name":                      "ipv4@10.0.0.1:80 and abns@name",
		`interval: "Bearer Zm9vOmJhcnBhc3M=" is`:              `interval: "Bearer ***" is`,
		"a bearer authentication":                             "a bearer authentication",
		"app:1.2@sha256:0123":                                 "app:1.2@sha256:0123",
		"a: b@example.com":                                    "a: b@example.com",
	} {
		if got := text(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
		if got := short(want); got != want {
			t.Errorf("%q is shown as %q", want, got)
		}
	}
}

// TestShownTextIsNoCommand: GitHub obeys a command after spaces, too.
func TestShownTextIsNoCommand(t *testing.T) {
	for in, want := range map[string]string{
		"  ::error::pwn = 1": `  \x3a:error::pwn = 1`, "::add-mask::x": `\x3a:add-mask::x`, "    ::1 weight 1": "    ::1 weight 1",
		"    ::ffff:1.2.3.4": "    ::ffff:1.2.3.4", "a ::error::x": "a ::error::x", "": "",
	} {
		if got := ShownText(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

// TestEncodeJSON: what stands in files keeps its meaning, and neither a terminal nor a build server finds anything in it.
func TestEncodeJSON(t *testing.T) {
	var b strings.Builder
	in := map[string]any{"http://u:p@h/": []string{"a\x1b[31m\u202e\u009b ##vso[task.x] \"q\" \\\\", "token=abc"}}
	if err := EncodeJSON(&b, in); err != nil {
		t.Fatal(err)
	}
	want := `{"http://***@h/":["a\u001b[31m\u202e\u009b \u0023#vso[task.x] \"q\" \\\\","token=***"]}` + "\n"
	if b.String() != want {
		t.Errorf("got  %s\nwant %s", b.String(), want)
	}
}
