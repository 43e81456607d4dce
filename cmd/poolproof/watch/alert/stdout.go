package alert

import (
	"bytes"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
)

// line is an event as programs read it, in English.
type line struct {
	Schema   string     `json:"schema"`
	Key      string     `json:"key"`
	Status   string     `json:"status"` // firing or resolved
	Sample   bool       `json:"sample,omitempty"`
	Rule     string     `json:"rule"`
	Severity string     `json:"severity"`
	Pool     string     `json:"pool,omitempty"`
	Env      string     `json:"env,omitempty"`
	Item     string     `json:"item,omitempty"`
	Field    string     `json:"field,omitempty"`
	Member   string     `json:"member,omitempty"`
	Side     string     `json:"side,omitempty"`
	Place    string     `json:"place,omitempty"`
	Got      string     `json:"got,omitempty"`
	Want     string     `json:"want,omitempty"`
	Message  string     `json:"message"`
	Hint     string     `json:"hint,omitempty"`
	Since    time.Time  `json:"since"`
	Ended    *time.Time `json:"ended,omitempty"`
}

// lineSchema names the form of a line.
const lineSchema = "poolproof/alert/v1"

func lineOf(e *Event, lang string, sample bool) line {
	l := line{
		Schema: lineSchema, Key: e.Key, Status: "firing", Sample: sample, Rule: e.Rule, Severity: e.Severity.String(), Pool: e.Pool, Env: e.Env, Item: e.Item,
		Field: e.Field, Member: e.Member, Side: string(e.Side), Place: e.Place, Got: e.Got, Want: e.Want, Message: in(e.Message, lang), Hint: in(e.Hint, lang), Since: e.Since.UTC(),
	}
	if e.Resolved() {
		ended := e.Ended.UTC()
		l.Status, l.Ended = "resolved", &ended
	}
	return l
}

// openStdout writes every event as one line of JSON.
func openStdout(*settings) (Sink, error) {
	return Sink{AtOnce: true, Encode: func(b Batch) ([]Request, error) {
		var out bytes.Buffer
		for i := range b.Events { // with everything invisible written out: it may be a terminal
			if err := report.EncodeJSON(&out, lineOf(&b.Events[i], "en", b.Sample)); err != nil {
				return nil, err
			}
		}
		return []Request{{Body: out.Bytes()}}, nil
	}}, nil
}
