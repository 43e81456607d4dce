package change

import (
	"strings"
	"unicode"

	"github.com/poolproof/poolproof/cmd/poolproof/yamltext"
)

// digestScalar writes a digest, or "absent", as it is; what is neither is quoted.
func digestScalar(s string) string {
	hex, ok := strings.CutPrefix(s, "sha256:")
	if ok && strings.Trim(hex, "0123456789abcdef") == "" {
		return s
	}
	return yamltext.Scalar(s)
}

// list writes texts as a flow sequence.
func list(texts []string) string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = yamltext.Scalar(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// remark writes a comment. It may name what files hold.
func remark(s string) string {
	return "# " + strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, strings.NewReplacer("{{", "{ {", "{%", "{ %", "<%", "< %", "${", "$ {").Replace(strings.ToValidUTF8(s, "\uFFFD")))
}
