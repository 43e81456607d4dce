package apisix

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

const upstreams = `{"total":1,"list":[{"key":"/apisix/upstreams/5f","value":{"id":"5f","name":"orders","nodes":{"10.0.0.1:80":1},"type":"roundrobin"}}]}`

func answers() livetest.Answers {
	return livetest.Answers{"/apisix/admin/upstreams": upstreams, "/apisix/admin/services": `{"total":0,"list":{}}`, "/apisix/admin/routes": `{"total":0,"list":[]}`}
}

func TestRead(t *testing.T) {
	const key = "edd1c9f034335f136f87ad84b625c8f1"
	s := livetest.Serve(t, answers(), func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("X-API-KEY") == key && r.Header.Get("Authorization") == "" {
			return true
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"description":"wrong apikey ` + r.Header.Get("X-API-KEY") + `"}`))
		return false
	})
	env := func(value string) live.Options {
		return live.Options{Env: func(string) (string, bool) { return value, true }}
	}
	g := schema.LiveGateway{Address: s.URL, TokenFile: "env:POOLPROOF_APISIX"}
	copies, err := livetest.Read(t, Kind(), g, env(key))
	if err != nil || len(copies) != 1 {
		t.Fatalf("%v, %d copies", err, len(copies))
	}
	c := &copies[0]
	if name, _ := c.Get("name"); c.Pool != "5f" || name.Value.Text() != "orders" || !c.Complete || c.Members[0].ID() != "10.0.0.1:80" {
		t.Errorf("%+v", c)
	}
	_, err = livetest.Read(t, Kind(), g, env("another-key"))
	livetest.Unknown(t, err, "HTTP 401", "another-key")
}

// TestControl reads the bare lists of the Control API.
func TestControl(t *testing.T) {
	s := livetest.Serve(t, livetest.Answers{
		"/v1/upstreams": `[{"key":"/apisix/upstreams/1","value":{"nodes":[{"host":"h","port":1,"weight":1}]},"clean_handlers":{}}]`, "/v1/services": `[]`, "/v1/routes": `{}`,
	}, nil)
	copies, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL + "/v1"}, live.Options{})
	if err != nil || len(copies) != 1 || copies[0].Pool != "1" {
		t.Errorf("%v, %+v", err, copies)
	}
}

func TestUnknown(t *testing.T) {
	for _, tt := range []struct{ name, path, body, want string }{
		{"a page of a list", "/apisix/admin/upstreams", `{"total":7,"list":[{"key":"/apisix/upstreams/1","value":{}}]}`, "holds 1 of 7"},
		{"another shape", "/apisix/admin/routes", `{"node":{"nodes":[]}}`, "form that poolproof does not know"},
		{"entries of another kind", "/apisix/admin/routes", `{"total":1,"list":[{"value":{}}]}`, "form that poolproof does not know"},
		{"a number", "/apisix/admin/services", `3`, "form that poolproof does not know"},
	} {
		a := answers()
		a[tt.path] = tt.body
		_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: livetest.Serve(t, a, nil).URL}, live.Options{})
		livetest.Unknown(t, err, tt.want, "")
	}
	a := answers()
	delete(a, "/apisix/admin/routes")
	_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: livetest.Serve(t, a, nil).URL}, live.Options{})
	livetest.Unknown(t, err, "HTTP 404", "")
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(upstreams))
	f.Add([]byte(`[{"key":"/apisix/routes/1","value":{"upstream":{"nodes":{}}}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		list, err := parseList(text, "/upstreams")
		if err != nil {
			return
		}
		copies, err := build(list)
		if err != nil {
			return
		}
		for i := range copies {
			copies[i].Side, copies[i].Files = schema.Live, []string{"x"}
			livetest.Check(t, &copies[i])
		}
	})
}
