package alert

import "encoding/json"

// openWeCom posts Markdown to a group robot of WeCom, which takes 4096 bytes.
func openWeCom(s *settings) (Sink, error) {
	address, err := s.secretAddress()
	if err != nil {
		return Sink{}, err
	}
	w := writer{lang: languageOf(s), link: s.config.Link, limit: 4000, gap: "\n\n", escape: markdownEscape, bold: func(t string) string { return "**" + t + "**" }}
	return Sink{
		Encode: func(b Batch) ([]Request, error) {
			u, err := address()
			if err != nil {
				return nil, err
			}
			_, text := w.message(&b)
			body, err := json.Marshal(map[string]any{"msgtype": "markdown", "markdown": map[string]string{"content": text}})
			return []Request{{URL: u, Header: jsonHeader(), Body: body}}, err
		},
		Accepts: refusal("errcode", []int64{0}, map[int64]bool{45009: true}),
	}, nil
}
