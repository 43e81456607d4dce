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
	// Alerts are all, unless a template words the message: then they are the first ones, and Omitted counts the others.
	Alerts  []line `json:"alerts"`
	Omitted int    `json:"omitted"`
}

const (
	webhookSchema = "poolproof/alerts/v1"
	// maxAlerts is how many alerts a template sees, maxPosted how many a message without one holds at most.
	maxAlerts = 100
	maxPosted = 500
	maxBody   = 1 << 20
)

// openWebhook posts JSON of its own, or what a template of Go (text/template) makes of it. JSON of its own is read by
// programs: it omits nothing, and takes several messages where there is much. A template makes one message. In templates, "json" writes a
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
		var bodies [][]byte
		if form == nil {
			bodies, err = posts(&b, b.latest(), lang, s.config.Link)
		} else {
			var body []byte
			events := b.latest()
			n := min(len(events), maxAlerts)
			for body, err = execute(form, viewFirst(&b, events, n, lang, s.config.Link)); errors.Is(err, errTooLarge) && n > 0; {
				n /= 2
				body, err = execute(form, viewFirst(&b, events, n, lang, s.config.Link))
			}
			if err == nil && isJSON && !json.Valid(body) {
				err = noJSON()
			}
			bodies = append(bodies, body)
		}
		if err != nil {
			return nil, err
		}
		var out []Request
		for _, body := range bodies {
			for _, u := range urls {
				out = append(out, Request{URL: u, Header: header, Body: body})
			}
		}
		return out, nil
	}}, nil
}

// posts words events as messages of bounded size, in their order.
func posts(b *Batch, events []Event, lang, link string) ([][]byte, error) {
	if len(events) <= maxPosted {
		body, err := json.Marshal(viewFirst(b, events, len(events), lang, link))
		if err != nil || len(body) <= maxBody || len(events) <= 1 {
			return [][]byte{body}, err
		}
	}
	n := min(maxPosted, (len(events)+1)/2)
	first, err := posts(b, events[:n], lang, link)
	if err != nil {
		return nil, err
	}
	rest, err := posts(b, events[n:], lang, link)
	return append(first, rest...), err
}

// viewFirst shows the first n of some events.
func viewFirst(b *Batch, events []Event, n int, lang, link string) view {
	c := count(events)
	v := view{Schema: webhookSchema, Title: title(b, c, lang), Sample: b.Sample, Now: b.Now.UTC(), Link: link, Counts: c, Alerts: []line{}, Omitted: len(events) - n}
	for i := range events[:n] {
		v.Alerts = append(v.Alerts, lineOf(&events[i], lang, b.Sample))
	}
	return v
}
