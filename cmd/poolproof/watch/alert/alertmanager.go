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
		events := standing(b.latest())
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

// standing leaves out the end of what lasts again: for Alertmanager both are one alert, and the end would be its last word.
// Drift that lasts comes first in the list.
func standing(events []Event) []Event {
	lasting := map[string]bool{}
	list := make([]Event, 0, len(events))
	for i := range events {
		e := &events[i]
		labels, _ := json.Marshal(labelsOf(e)) // of strings, which cannot fail
		switch {
		case !e.Resolved():
			lasting[string(labels)] = true
		case lasting[string(labels)]:
			continue
		}
		list = append(list, *e)
	}
	return list
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
	p := posted{StartsAt: e.Since.UTC(), EndsAt: b.Now.Add(lives * resend).UTC(), GeneratorURL: link, Labels: labelsOf(e), Annotations: map[string]string{}}
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
	put(p.Annotations, "summary", plain(in(e.Message, lang)))
	put(p.Annotations, "description", plain(in(e.Hint, lang)))
	put(p.Annotations, "place", e.Place)
	put(p.Annotations, "got", plain(e.Got))
	put(p.Annotations, "want", plain(e.Want))
	return p
}

// labelsOf returns what tells a drift from others: the same labels are the same alert.
func labelsOf(e *Event) map[string]string {
	labels := map[string]string{"alertname": "PoolproofDrift"}
	put(labels, "rule", e.Rule)
	put(labels, "severity", e.Severity.String())
	put(labels, "pool", e.Pool)
	put(labels, "env", e.Env)
	put(labels, "item", e.Item)
	put(labels, "field", e.Field)
	put(labels, "member", e.Member)
	put(labels, "side", string(e.Side))
	if e.Side == "live" {
		put(labels, "gateway", e.Place) // two gateways may drift alike
	} else {
		put(labels, "file", e.File) // as may two files; the line moves, and is no label
	}
	return labels
}

func put(to map[string]string, name, value string) {
	if value != "" {
		to[name] = strings.ToValidUTF8(value, "\ufffd")
	}
}
