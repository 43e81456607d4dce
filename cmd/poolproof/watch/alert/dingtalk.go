package alert

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// openDingTalk posts Markdown to a custom robot of DingTalk, signed where it has a secret.
func openDingTalk(s *settings) (Sink, error) {
	address, err := s.secretAddress()
	if err != nil {
		return Sink{}, err
	}
	key, err := s.secret("secretFile")
	if err != nil {
		return Sink{}, err
	}
	w := writer{lang: languageOf(s), link: s.config.Link, limit: 15000, gap: "\n\n", escape: markdownEscape, bold: func(t string) string { return "**" + t + "**" }}
	return Sink{
		Encode: func(b Batch) ([]Request, error) {
			u, err := address()
			if err != nil {
				return nil, err
			}
			if key != nil {
				secret, err := key()
				if err != nil {
					return nil, err
				}
				if u, err = dingTalkSigned(u, b.Now, secret); err != nil {
					return nil, err
				}
			}
			head, text := w.message(&b)
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\n\n", "\x00"), "\n", "  \n")
			body, err := json.Marshal(map[string]any{"msgtype": "markdown", "markdown": map[string]string{"title": head, "text": strings.ReplaceAll(text, "\x00", "\n\n")}})
			return []Request{{URL: u, Header: jsonHeader(), Body: body}}, err
		},
		Accepts: refusal("errcode", []int64{0}, map[int64]bool{130101: true, 410100: true}),
	}, nil
}

// dingTalkSigned adds the time and a signature of "milliseconds\nsecret" to the address.
func dingTalkSigned(address string, now time.Time, secret string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("urlFile: it holds no address")
	}
	stamp := strconv.FormatInt(now.UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "\n" + secret))
	q := u.Query()
	q.Set("timestamp", stamp)
	q.Set("sign", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// markdownEscape takes from a text what Markdown reads as form, links, pictures and mentions.
func markdownEscape(t string) string {
	return strings.NewReplacer("\\", "＼", "*", "∗", "_", "＿", "`", "ˋ", "[", "［", "]", "］", "<", "＜", ">", "＞", "#", "＃", "!", "！", "~", "∼", "@", "＠").Replace(t)
}
