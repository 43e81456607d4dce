package argorollouts

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

const list = `{"kind":"RolloutList","metadata":{},"items":[{"metadata":{"name":"orders","namespace":"shop"},"spec":{"strategy":{"canary":{"steps":[{"setWeight":5},{"pause":{"duration":60}}]}}},"status":{"currentStepIndex":1}}]}`

// TestPages holds that all pages are read, with the credentials, from the namespace of the address.
func TestPages(t *testing.T) {
	s := livetest.Serve(t, nil, func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/proxy/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts" || r.Header.Get("Authorization") != "Bearer t" || r.URL.Query().Get("limit") == "" {
			return true // 404
		}
		next := map[string]string{"": "two", "two": "three", "three": ""}[r.URL.Query().Get("continue")]
		fmt.Fprintf(w, `{"kind":"RolloutList","metadata":{"continue":%q},"items":[{"metadata":{"name":"r%s"},"spec":{"strategy":{"canary":{"steps":[{"setWeight":5}]}}}}]}`, next, next)
		return false
	})
	o := live.Options{Env: func(string) (string, bool) { return "t", true }}
	copies, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL + "/proxy/namespaces/shop", TokenFile: "env:POOLPROOF_K8S"}, o)
	if err != nil || len(copies) != 3 || copies[2].Pool != "r" {
		t.Fatalf("%v, %+v", err, copies)
	}
	for i := range copies {
		if !copies[i].States(schema.Ramp) || copies[i].Batches[0].Share != 5 {
			t.Errorf("%+v", copies[i])
		}
	}
	_, err = livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL, TokenFile: "env:POOLPROOF_K8S"}, o)
	livetest.Unknown(t, err, "HTTP 404", "") // Argo Rollouts is not installed
}

func TestUnknown(t *testing.T) {
	for _, body := range []string{`{"kind":"Status","code":200}`, `{"kind":"RolloutList"}`, `{"kind":"RolloutList","items":[3]}`, `{"kind":"RolloutList","items":[null]}`, `[]`} {
		s := livetest.Serve(t, livetest.Answers{"/apis/argoproj.io/v1alpha1/rollouts": body}, nil)
		_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL}, live.Options{})
		livetest.Unknown(t, err, "no list of rollouts", "")
	}
	s := livetest.Serve(t, livetest.Answers{"/apis/argoproj.io/v1alpha1/rollouts": `{"kind":"RolloutList","metadata":{"continue":"again"},"items":[]}`}, nil)
	_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL}, live.Options{})
	livetest.Unknown(t, err, "does not end", "")
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(list))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		items, _, err := parsePage(text)
		if err != nil {
			return
		}
		copies, err := build(items)
		if err != nil {
			return
		}
		for i := range copies {
			copies[i].Side, copies[i].Files = schema.Live, []string{"x"}
			if copies[i].Pool != "" {
				livetest.Check(t, &copies[i])
			}
		}
	})
}
