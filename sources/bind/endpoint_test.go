package bind

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func TestEndpointPlaces(t *testing.T) {
	for _, c := range []struct{ src, text, host, port string }{
		{`"10.0.0.1:8080"`, "10.0.0.1:8080", "10.0.0.1", "8080"},
		{`http://user:pw@api.example.com:81/x`, "http://user:pw@api.example.com:81/x", "api.example.com", "81"},
		{`'[2001:db8::1]:80'`, "[2001:db8::1]:80", "[2001:db8::1]", "80"},
		{`2001:db8::1`, "2001:db8::1", "2001:db8::1", ""},
		{`https://api.example.com`, "https://api.example.com", "api.example.com", ""},
		{`"10.0.0.1\x3a80"`, "10.0.0.1:80", "", ""},
	} {
		e, ok := schema.SplitEndpoint(c.text)
		if !ok {
			t.Fatalf("%q is no endpoint", c.text)
		}
		const before = 7
		host, port := EndpointPlaces([]byte(c.src), schema.At(before, before+len(c.src)), c.text, e)
		part := func(s schema.Span) string {
			if !s.Known() {
				return ""
			}
			return c.src[s.Start-before : s.End-before]
		}
		if part(host) != c.host || part(port) != c.port {
			t.Errorf("%s: host %q, port %q; want %q, %q", c.src, part(host), part(port), c.host, c.port)
		}
	}
}

func TestHideUser(t *testing.T) {
	for text, want := range map[string]string{
		"http://u:secret@h:1/p": "http://***@h:1/p", "http://h:1/p@q": "http://h:1/p@q", "u@h": "u@h", "": "",
		"redis://:p@ss@h": "redis://***@h",
	} {
		if got := HideUser(text); got != want {
			t.Errorf("HideUser(%q) = %q, want %q", text, got, want)
		}
	}
}
