package alert

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// posted is an alert of Alertmanager's API v2. Its labels are its identity: two poolproofs that see the same drift send
// the same ones, and Alertmanager tells it once.
type posted struct {
	Labels       map[string]string `json:"labels"`
	Annotations  map[string]string `json:"annotations"`
	StartsAt     time.Time         `json:"startsAt"`
	EndsAt       time.Time         `json:"endsAt"`
	GeneratorURL string            `json:"generatorURL,omitempty"`
}

const (
	// alertsPerRequest bounds one request; Alertmanager groups them by itself.
	alertsPerRequest = 1000
	defaultResend    = time.Minute
	// lives is how many intervals an alert lives without being sent again, as with Prometheus: a poolproof that dies does
	// not leave its alerts behind for ever.
	lives = 4
)

// openAlertmanager posts to every Alertmanager of a cluster, as each of them wants it.
func openAlertmanager(s *settings) (Sink, error) {
	address, err := s.address()
	if err != nil {
		return Sink{}, err
	}
	token, err := s.secret("tokenFile")
	if err != nil {
		return Sink{}, err
	}
	resend, err := s.duration("resend", defaultResend)
	if err != nil {
		return Sink{}, err
	}
	lang := languageOf(s)
	return Sink{Resend: resend, Encode: func(b Batch) ([]Request, error) {
		urls, err := address()
		if err != nil {
			return nil, err
		}
		header, err := authorized(token)
		if err != nil {
			return nil, err
		}
		events := b.latest()
		var out []Request
		for len(events) > 0 {
			n := min(len(events), alertsPerRequest)
			list := make([]posted, 0, n)
			for i := range events[:n] {
				list = append(list, postedOf(&events[i], &b, lang, resend, s.config.Link))
			}
			events = events[n:]
			body, err := json.Marshal(list)
			if err != nil {
				return nil, err
			}
			for _, u := range urls {
				out = append(out, Request{URL: alertsPath(u), Header: header, Body: body})
			}
		}
		return out, nil
	}}, nil
}

func alertsPath(address string) string {
	if strings.HasSuffix(address, "/alerts") {
		return address
	}
	return strings.TrimRight(address, "/") + "/api/v2/alerts"
}

func authorized(token func() (string, error)) (http.Header, error) {
	header := jsonHeader()
	if token == nil {
		return header, nil
	}
	text, err := token()
	if err != nil {
		return nil, err
	}
	header.Set("Authorization", "Bearer "+text)
	return header, nil
}

func postedOf(e *Event, b *Batch, lang string, resend time.Duration, link string) posted {
	p := posted{StartsAt: e.Since.UTC(), EndsAt: b.Now.Add(lives * resend).UTC(), GeneratorURL: link, Labels: map[string]string{"alertname": "PoolproofDrift"}}
	if e.Resolved() {
		p.EndsAt = e.Ended.UTC()
	}
	if b.Sample {
		p.Labels["alertname"] = "PoolproofTest"
		p.EndsAt = b.Now.Add(resend).UTC()
	}
	if p.StartsAt.After(p.EndsAt) { // the clock went back; Alertmanager refuses such
		p.StartsAt = p.EndsAt
	}
	put := func(to map[string]string, name, value string) {
		if value != "" {
			to[name] = strings.ToValidUTF8(value, "\ufffd")
		}
	}
	put(p.Labels, "rule", e.Rule)
	put(p.Labels, "severity", e.Severity.String())
	put(p.Labels, "pool", e.Pool)
	put(p.Labels, "env", e.Env)
	put(p.Labels, "item", e.Item)
	put(p.Labels, "field", e.Field)
	put(p.Labels, "member", e.Member)
	put(p.Labels, "side", string(e.Side))
	if e.Side == "live" {
		put(p.Labels, "gateway", e.Place) // two gateways may drift alike
	}
	p.Annotations = map[string]string{}
	put(p.Annotations, "summary", plain(in(e.Message, lang)))
	put(p.Annotations, "description", plain(in(e.Hint, lang)))
	put(p.Annotations, "place", e.Place)
	put(p.Annotations, "got", plain(e.Got))
	put(p.Annotations, "want", plain(e.Want))
	return p
}
