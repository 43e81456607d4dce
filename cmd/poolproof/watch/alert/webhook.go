package alert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/template"
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
		if err == nil && strings.Contains(kind, "json") && !json.Valid(body) {
			err = errors.New("the template writes no valid JSON; write values as {{json .Title}}")
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

// template reads the sink's template; nil where there is none.
func (s *settings) template() (*template.Template, error) {
	text := s.text("template")
	if path := s.text("templateFile"); path != "" {
		file, err := s.file(path)
		if err != nil {
			return nil, fmt.Errorf("templateFile: %w", err)
		}
		text = string(file)
	}
	if text == "" {
		return nil, nil
	}
	t, err := template.New("webhook").Option("missingkey=error").Funcs(template.FuncMap{"json": toJSON}).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	// What is wrong shows now, not when it matters.
	if _, err := execute(t, view{Alerts: []line{{}}}); err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	return t, nil
}

func toJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

func execute(t *template.Template, v view) ([]byte, error) {
	var b bytes.Buffer
	if err := t.Execute(&bounded{w: &b, left: maxBody}, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// bounded ends templates that do not end.
type bounded struct {
	w    io.Writer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, fmt.Errorf("the message is larger than %d bytes", maxBody)
	}
	return b.w.Write(p)
}
