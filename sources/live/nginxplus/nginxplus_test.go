package nginxplus

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

const peers = `{"db":{"peers":[
 {"server":"[2001:db8::1]:5432","name":"[2001:DB8::1]:5432","backup":true,"weight":5,"state":"draining"},
 {"server":"10.0.0.2:5433","name":"db.example.com","backup":false,"state":"checking"},
 {"server":"unix:/run/db","name":"unix:/run/db","state":"down"}]},"empty":{"peers":[]}}`

func answers() livetest.Answers {
	return livetest.Answers{"/api/9/": `["nginx","stream"]`, "/api/9/nginx": `{"build":"nginx-plus-r31-p1"}`, "/api/9/stream/": `["upstreams"]`, "/api/9/stream/upstreams": peers}
}

func TestRead(t *testing.T) {
	s := livetest.Serve(t, answers(), nil)
	copies, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL}, live.Options{})
	if err != nil || len(copies) != 2 {
		t.Fatalf("%v, %d copies", err, len(copies))
	}
	c := &copies[0]
	if context, _ := c.Get("context"); c.Pool != "db" || c.Profile != "nginx-plus-31" || !c.Complete || context.Value.Text() != "stream" {
		t.Errorf("%+v", c)
	}
	for i, want := range []struct {
		id     string
		state  schema.State
		backup schema.Tri
		weight int64
	}{
		{"[2001:db8::1]:5432", schema.Drain, schema.Yes, 5}, {"db.example.com:5433", schema.Active, schema.No, 0}, {"unix:/run/db", schema.Disabled, schema.No, 0},
	} {
		if m := &c.Members[i]; m.ID() != want.id || m.State != want.state || m.Backup != want.backup || m.Weight != want.weight || m.HasWeight != (want.weight > 0) {
			t.Errorf("%+v", m)
		}
	}
	if e := &copies[1]; e.Pool != "empty" || len(e.Members) != 0 || !e.States(schema.Members) || !e.Complete {
		t.Errorf("%+v", e)
	}
}

func TestUnknown(t *testing.T) {
	for _, tt := range []struct{ path, body, want string }{
		{"/api/9/", `{"error":1}`, "form that poolproof does not know"},
		{"/api/9/stream/upstreams", `[]`, "form that poolproof does not know"},
		{"/api/9/stream/upstreams", `null`, "form that poolproof does not know"},
		{"/api/9/stream/upstreams", `{"a":{}}`, "form that poolproof does not know"},
		{"/api/9/stream/upstreams", `{"a":{"peers":[{"server":"://"}]}}`, "form that poolproof does not know"},
		{"/api/9/stream/upstreams", `{"a":{"peers":[{"server":""}]}}`, "form that poolproof does not know"},
	} {
		a := answers()
		a[tt.path] = tt.body
		_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: livetest.Serve(t, a, nil).URL}, live.Options{})
		livetest.Unknown(t, err, tt.want, "")
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(peers))
	f.Add([]byte(`{"a":{"peers":[{"server":"1.2.3.4","weight":null}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		copies, err := parse(text, "http", "nginx-plus")
		if err != nil {
			return
		}
		for i := range copies {
			copies[i].Side, copies[i].Format, copies[i].Files = schema.Live, "nginx", []string{"x"}
			if copies[i].Pool != "" {
				livetest.Check(t, &copies[i])
			}
		}
	})
}
