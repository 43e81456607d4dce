package all_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/all"
)

// A reader is opened for an entry of the manifest and asked as often as one likes.
func Example() {
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-API-KEY") != "k" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch r.URL.Path {
		case "/apisix/admin/upstreams":
			fmt.Fprint(w, `{"total":1,"list":[{"key":"/apisix/upstreams/1","value":{"id":"1","nodes":{"10.0.0.1:80":1}}}]}`)
		default:
			fmt.Fprint(w, `{"total":0,"list":[]}`)
		}
	}))
	defer gateway.Close()

	entry := schema.LiveGateway{Gateway: "apisix", Address: gateway.URL, TokenFile: "env:POOLPROOF_APISIX_KEY"}
	reader, err := live.New(all.Kinds(), entry, live.Options{Env: func(string) (string, bool) { return "k", true }})
	if err != nil {
		fmt.Println(err)
		return
	}
	copies, err := reader.Read(context.Background())
	if err != nil {
		fmt.Println(err) // *live.Unreachable: unknown since, and why
		return
	}
	for i := range copies {
		fmt.Println(copies[i].Side, copies[i].Pool, copies[i].Members[0].ID())
	}
	// Output: live 1 10.0.0.1:80
}
