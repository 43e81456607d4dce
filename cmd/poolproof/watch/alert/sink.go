package alert

import (
	"net/http"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Sink is one place that alerts go to.
type Sink struct {
	// Name tells the sinks of a manifest apart: the kind, with a number from the second one on. It is no secret.
	Name string
	// Encode turns a batch into requests, few and bounded. It may read secrets, which only the requests then hold.
	Encode func(b Batch) ([]Request, error)
	// Accepts judges an answer with status 200 to 299: some receivers refuse in the body. nil: every such answer is fine.
	Accepts func(body []byte) error
	// Resend is how often drift that lasts is told again, to receivers that forget it otherwise; 0: never.
	Resend time.Duration
	// AtOnce: each event is a message of its own, so that nothing is gained by waiting for more.
	AtOnce bool
	// torn: what was last written to standard output ended within a line.
	torn bool
}

// Request is one message. An empty URL is the standard output.
type Request struct {
	URL    string // a secret
	Header http.Header
	Body   []byte
}

// Config is what all sinks of a manifest share.
type Config struct {
	// Lang is "en" or "zh".
	Lang string
	// Link is the status page; empty: none.
	Link string
	// Root is the watched tree, which holds no secrets.
	Root string
	// Env looks up variables of the environment.
	Env func(name string) (string, bool)
}

// kind makes the sinks of one kind. settings are those that it knows.
type kind struct {
	name     string
	settings []string
	open     func(s *settings) (Sink, error)
}

// kinds lists the sinks. Adding one is one line here and one file.
func kinds() []kind {
	return []kind{
		{"stdout", nil, openStdout},
		{"alertmanager", []string{"url", "urlFile", "resend", "tokenFile"}, openAlertmanager},
		{"webhook", []string{"url", "urlFile", "template", "templateFile", "contentType", "tokenFile"}, openWebhook},
		{"slack", []string{"urlFile"}, openSlack},
		{"feishu", []string{"urlFile", "secretFile"}, openFeishu},
		{"dingtalk", []string{"urlFile", "secretFile"}, openDingTalk},
		{"wecom", []string{"urlFile"}, openWeCom},
	}
}

// languageOf returns the language of a sink: its own, else that of all, else English.
func languageOf(s *settings) string {
	for _, lang := range []string{s.text("lang"), s.config.Lang} {
		if lang == "zh" || lang == "en" {
			return lang
		}
	}
	return "en"
}

func jsonHeader() http.Header {
	return http.Header{"Content-Type": {"application/json; charset=utf-8"}}
}

// severityName is a severity in the language of a message.
func severityName(s schema.Severity, lang string) string {
	if lang != "zh" {
		return s.String()
	}
	switch s {
	case schema.Error:
		return "错误"
	case schema.Warning:
		return "警告"
	}
	return "提示"
}
