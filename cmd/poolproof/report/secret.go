package report

import (
	"bytes"
	"slices"
	"strings"
)

// mask replaces a secret in a source line. It does not tell how long the secret is.
const mask = "***"

// The settings whose values must not leave a file when one of its lines is shown, in lower case. Where bare is set, the
// value may follow without a sign between, as in the formats of servers.
var secretNames = []struct {
	name string
	bare bool
}{
	{"password", true}, {"passwd", true}, {"authorization", true}, {"passphrase", false}, {"secret", false}, {"token", false},
	{"apikey", false}, {"api_key", false}, {"api-key", false}, {"accesskey", false}, {"access_key", false},
	{"access-key", false}, {"secretkey", false}, {"secret_key", false}, {"secret-key", false}, {"private_key", false},
	{"private-key", false}, {"credential", false}, {"credentials", false},
}

// The beginnings of well-known keys, and how long such a key is at least.
var secretPrefixes = []struct {
	prefix string
	least  int
}{{"sk-", 12}, {"ghp_", 20}, {"gho_", 20}, {"ghs_", 20}, {"ghu_", 20}, {"glpat-", 20}, {"AKIA", 16}, {"xoxb-", 16}, {"xoxp-", 16}, {"eyJ", 24}}

// byteRange is a range [start, end) of a line.
type byteRange struct{ start, end int }

// secrets returns the ranges of a source line that look like secrets, in order and without overlap. It runs on every
// line that is shown, so it looks for words first and parses only around them.
func secrets(line []byte) []byteRange { return secretsIn(line, true) }

// secretsIn does the same for a text of any kind: in a sentence a value does not follow its name without a sign.
func secretsIn(line []byte, bare bool) []byteRange {
	var found []byteRange
	for i := range each(line, "://") {
		if n := userinfo(line[i+3:]); n > 0 {
			found = append(found, byteRange{i + 3, i + 3 + n})
		}
	}
	for i := range each(line, "@") {
		if start := login(line, i); start < i {
			found = append(found, byteRange{start, i})
		}
	}
	lower := lowerASCII(line)
	for _, s := range secretNames {
		for i := range each(lower, s.name) {
			if start, end := secretValue(lower, i+len(s.name), s.bare && bare); start < end {
				found = append(found, byteRange{start, end})
			}
		}
	}
	for i := range each(lower, "bearer ") {
		n := len(line[i+7:]) - len(bytes.TrimLeft(line[i+7:], keyBytes+"+/="))
		if n >= 12 && bytes.ContainsAny(line[i+7:i+7+n], "0123456789=") {
			found = append(found, byteRange{i + 7, i + 7 + n})
		}
	}
	for _, s := range secretPrefixes {
		for i := range each(line, s.prefix) {
			n := len(line[i:]) - len(bytes.TrimLeft(line[i:], keyBytes))
			if n >= s.least && (i == 0 || !wordByte(line[i-1])) {
				found = append(found, byteRange{i, i + n})
			}
		}
	}
	if found == nil {
		return nil
	}
	slices.SortFunc(found, func(a, b byteRange) int { return a.start - b.start })
	merged := found[:0]
	for _, r := range found {
		if n := len(merged); n > 0 && r.start <= merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, r.end)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

const keyBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

// each yields the offsets at which a word stands in a line.
func each(line []byte, word string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := bytes.Index(line[at:], []byte(word))
			if i < 0 || !yield(at+i) {
				return
			}
			at += i + len(word)
		}
	}
}

// lowerASCII returns a line with its ASCII letters in lower case and all offsets as they were.
func lowerASCII(line []byte) []byte {
	lower := make([]byte, len(line))
	for i, c := range line {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return lower
}

// secretValue returns where the value of a secret setting stands whose name ends at i; an empty range if there is none.
// The line is in lower case.
func secretValue(line []byte, i int, bare bool) (start, end int) {
	skip := func(set string) bool {
		from := i
		for i < len(line) && strings.IndexByte(set, line[i]) >= 0 {
			i++
		}
		return i > from
	}
	if i < len(line) && (line[i] == '"' || line[i] == '\'') {
		i++
	}
	spaced := skip(" \t")
	if !skip(":=>") && !(bare && spaced) {
		return 0, 0
	}
	skip(" \t")
	if i < len(line) && line[i] == '\\' && i+1 < len(line) && line[i+1] == '"' {
		i++ // a quote inside a quoted text
	}
	stop := " \t,;&}]\"'|\r\n"
	if i < len(line) && (line[i] == '"' || line[i] == '\'') {
		stop = string(line[i : i+1])
		i++
	}
	for _, scheme := range []string{"bearer ", "basic "} {
		if bytes.HasPrefix(line[i:], []byte(scheme)) {
			i += len(scheme)
		}
	}
	start = i
	for i < len(line) && strings.IndexByte(stop, line[i]) < 0 {
		i++
	}
	return start, i
}

// userinfo returns the length of the user and password at the start of what follows :// in an address, without the @;
// 0 if there is none.
func userinfo[T string | []byte](s T) int {
	n := 0
	for i := 0; i < len(s) && i < maxShort; i++ {
		switch s[i] {
		case '@':
			n = i
		case '/', ' ', '\t', '"', '\'', '<', '>', '\n', '\r':
			return n
		}
	}
	return n
}

// login returns where user and password before the @ at i start, as in user:secret@host without a scheme; i if there are
// none. Digests of images (app:1@sha256:...) look alike.
func login(line []byte, i int) int {
	start, colon := i, -1
	for start > 0 && i-start < maxShort && strings.IndexByte(" \t\"'`<>()[]{},;=/|\r\n", line[start-1]) < 0 {
		start--
		if line[start] == ':' {
			colon = start
		}
	}
	if colon <= start || colon+1 >= i || bytes.HasPrefix(line[i:], []byte("@sha256:")) {
		return i
	}
	return start
}

// maskSecrets hides what looks like a secret in the part of a text that will be shown.
func maskSecrets(s string, shown int) string {
	head := s[:min(len(s), 2*shown)]
	if !strings.ContainsAny(head, "@=:>-_") {
		return s // every secret has a name and a sign, or one of the well-known beginnings
	}
	found := secretsIn([]byte(head), false)
	if found == nil {
		return s
	}
	var b strings.Builder
	at := 0
	for _, r := range found {
		b.WriteString(s[at:r.start] + mask)
		at = r.end
	}
	return b.String() + s[at:]
}
