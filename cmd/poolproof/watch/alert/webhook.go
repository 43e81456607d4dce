package alert

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// view is what a template sees.
type view struct {
	Schema string `json:"schema"`
	// Title says in one line what the batch holds.
	Title  string    `json:"title"`
	Sample bool      `json:"sample,omitempty"`
	Now    time.Time `json:"now"`
	Link   string    `json:"link,omitempty"`
	Counts Counts    `json:"counts"`
	// Alerts are the first ones, as many as fit into a message; Omitted counts the others.
	Alerts  []line `json:"alerts"`
	Omitted int    `json:"omitted"`
}

const (
	webhookSchema = "poolproof/alerts/v1"
	maxAlerts     = 100
	maxBody       = 1 << 20
)

// openWebhook posts JSON of its own, or what a template of Go (text/template) makes of it. In templates, "json" writes a
// value so that it can stand in JSON: {"text": {{json .Title}}}. Where the content type is JSON, what the template writes
// must be.
func openWebhook(s *settings) (Sink, error) {
	address, err := s.address()
	if err != nil {
		return Sink{}, err
	}
	token, err := s.secret("tokenFile")
	if err != nil {
		return Sink{}, err
	}
	form, err := s.template()
	if err != nil {
		return Sink{}, err
	}
	kind := s.text("contentType")
	if kind == "" {
		kind = "application/json; charset=utf-8"
	}
	if strings.ContainsAny(kind, "\r\n") {
		return Sink{}, errors.New("contentType holds a line break")
	}
	isJSON := strings.Contains(kind, "json")
	if form != nil {
		if err := try(form, isJSON); err != nil {
			return Sink{}, err
		}
	}
	lang := languageOf(s)
	return Sink{Encode: func(b Batch) ([]Request, error) {
		urls, err := address()
		if err != nil {
			return nil, err
		}
		header, err := authorized(token)
		if err != nil {
			return nil, err
		}
		header.Set("Content-Type", kind)
		v := viewOf(&b, lang, s.config.Link)
		body, err := json.Marshal(v)
		if form != nil {
			body, err = execute(form, v)
		}
		if err == nil && isJSON && !json.Valid(body) {
			err = noJSON()
		}
		if err != nil {
			return nil, err
		}
		var out []Request
		for _, u := range urls {
			out = append(out, Request{URL: u, Header: header, Body: body})
		}
		return out, nil
	}}, nil
}

func viewOf(b *Batch, lang, link string) view {
	events := b.latest()
	c := count(events)
	v := view{Schema: webhookSchema, Title: title(b, c, lang), Sample: b.Sample, Now: b.Now.UTC(), Link: link, Counts: c, Alerts: []line{}}
	for i := range events[:min(len(events), maxAlerts)] {
		v.Alerts = append(v.Alerts, lineOf(&events[i], lang, b.Sample))
	}
	v.Omitted = len(events) - len(v.Alerts)
	return v
}
