package alert

import (
	"encoding/json"
	"strings"
)

// openSlack posts to an incoming webhook of Slack, in its mrkdwn. What Slack takes for mentions and links, channel-wide
// ones before all, is written out.
func openSlack(s *settings) (Sink, error) {
	address, err := s.secretAddress()
	if err != nil {
		return Sink{}, err
	}
	w := writer{lang: languageOf(s), link: s.config.Link, limit: 12000, gap: "\n\n",
		escape: slackEscape, bold: func(t string) string { return "*" + t + "*" }}
	return Sink{Encode: func(b Batch) ([]Request, error) {
		u, err := address()
		if err != nil {
			return nil, err
		}
		_, text := w.message(&b)
		body, err := json.Marshal(map[string]any{"text": text, "unfurl_links": false, "unfurl_media": false})
		return []Request{{URL: u, Header: jsonHeader(), Body: body}}, err
	}}, nil
}

// slackEscape writes out &, < and > as Slack wants it, and takes the marks of mrkdwn their meaning.
func slackEscape(t string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "∗", "`", "ˋ", "~", "∼").Replace(t)
}
