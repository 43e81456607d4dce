package alert

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// openFeishu posts a text to a custom bot of Feishu (Lark), signed where it has a secret.
func openFeishu(s *settings) (Sink, error) {
	address, err := s.secretAddress()
	if err != nil {
		return Sink{}, err
	}
	key, err := s.secret("secretFile")
	if err != nil {
		return Sink{}, err
	}
	w := writer{lang: languageOf(s), link: s.config.Link, limit: 15000, gap: "\n\n", escape: noTags, bold: func(t string) string { return t }}
	return Sink{
		Encode: func(b Batch) ([]Request, error) {
			u, err := address()
			if err != nil {
				return nil, err
			}
			_, text := w.message(&b)
			message := map[string]any{"msg_type": "text", "content": map[string]string{"text": text}}
			if key != nil {
				secret, err := key()
				if err != nil {
					return nil, err
				}
				message["timestamp"] = strconv.FormatInt(b.Now.Unix(), 10)
				message["sign"] = feishuSign(b.Now, secret)
			}
			body, err := json.Marshal(message)
			return []Request{{URL: u, Header: jsonHeader(), Body: body}}, err
		},
		Accepts: refusal("code", []int64{0}, map[int64]bool{9499: true, 11232: true}),
	}, nil
}

// feishuSign signs nothing with the key "seconds\nsecret".
func feishuSign(now time.Time, secret string) string {
	return base64.StdEncoding.EncodeToString(hmac.New(sha256.New, []byte(fmt.Sprintf("%d\n%s", now.Unix(), secret))).Sum(nil))
}

// noTags takes from a text what chats read as tags, which mention everybody or hide links.
func noTags(t string) string { return strings.NewReplacer("<", "＜", ">", "＞").Replace(t) }

// refusal judges answers that hold a number: fine means taken, busy that it comes too often.
func refusal(field string, fine []int64, busy map[int64]bool) func([]byte) error {
	return func(body []byte) error {
		var answer map[string]json.RawMessage
		if err := json.Unmarshal(body, &answer); err != nil {
			return fmt.Errorf("the answer is no JSON")
		}
		text, ok := answer[field]
		if !ok { // an older form
			text, ok = answer["StatusCode"]
		}
		var code int64
		if !ok || json.Unmarshal(text, &code) != nil {
			return fmt.Errorf("the answer holds no %s", field)
		}
		for _, f := range fine {
			if code == f {
				return nil
			}
		}
		if busy[code] {
			return &Later{After: time.Minute, Err: fmt.Errorf("%s %d: too many messages", field, code)}
		}
		return fmt.Errorf("it refuses the message with %s %d", field, code)
	}
}
