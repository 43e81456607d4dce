package align

import (
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// unit is a word for a length of time.
type unit struct {
	word string
	of   time.Duration
}

const day = 24 * time.Hour

// families are the words for units that go together, the longest unit first.
func families() [][]unit {
	return [][]unit{
		{{"d", day}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}, {"ns", 1}},
		{{"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}},
		{{"hours", time.Hour}, {"minutes", time.Minute}, {"seconds", time.Second}, {"milliseconds", time.Millisecond}},
		{{"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}, {"millisecond", time.Millisecond}},
		{{"hrs", time.Hour}, {"mins", time.Minute}, {"secs", time.Second}, {"ms", time.Millisecond}},
		{{"hr", time.Hour}, {"min", time.Minute}, {"sec", time.Second}, {"ms", time.Millisecond}},
		{{"天", day}, {"小时", time.Hour}, {"分钟", time.Minute}, {"秒", time.Second}, {"毫秒", time.Millisecond}},
		{{"日", day}, {"时", time.Hour}, {"分", time.Minute}, {"秒", time.Second}, {"毫秒", time.Millisecond}},
	}
}

// spellDuration returns the ways to write a length of time where old stands, the nearest to its notation first. bare says
// that a number without a unit may have a fraction: people read it, no program.
func spellDuration(old string, was, want time.Duration, bare bool) []string {
	if inner := bareText(old); bind.IsISO(inner) {
		return []string{requote(old, isoDuration(want, inner[0] == 'p'), false)}
	}
	found := numbersIn(old)
	if len(found) == 0 {
		if placeholder(old) {
			return nil
		}
		return []string{requote(old, schema.FormatDuration(want), false)}
	}
	n := found[len(found)-1] // of a placeholder with a default, what stands last
	word, wordStart := wordBehind(old, n.end)
	if len(found) > 1 && placeholder(old) || len(found) == 1 || word != "" && oneWord(old, found) {
		return oneNumber(old, n, word, wordStart, was, want, bare)
	}
	return compound(old, found, want)
}

// oneWord reports whether only the last number has a unit behind it: "1 s (2 of 3)" is not read so, "v1 5s" is.
func oneWord(old string, found []number) bool {
	for _, n := range found[:len(found)-1] {
		if w, _ := wordBehind(old, n.end); w != "" {
			return false
		}
	}
	return false
}

// oneNumber replaces a number, and its unit where it has to.
func oneNumber(old string, n number, word string, wordStart int, was, want time.Duration, bare bool) []string {
	var same, other []string
	tail := old[wordStart+len(word):]
	own := time.Duration(0)
	if n.value > 0 {
		own = time.Duration(math.Round(float64(was) / n.value))
	}
	if own > 0 && want%own == 0 {
		same = append(same, old[:n.start]+plainNumber(float64(want/own))+old[n.end:])
	}
	for _, family := range families() {
		if !hasUnit(family, word, own) {
			continue
		}
		for _, u := range family {
			if want%u.of == 0 && (want >= u.of || u.of == time.Second) {
				other = append(other, old[:n.start]+plainNumber(float64(want/u.of))+old[n.end:wordStart]+sameCase(u.word, word)+tail)
				break
			}
		}
	}
	out := append(same, other...)
	const many = 1000
	if own > 0 && want/own >= many && n.value < many { // what was 500ms is 2s, not 2000ms
		out = append(other, same...)
	}
	if own > 0 && (bare || word != "" || n.fraction) {
		if f := float64(want) / float64(own); plainNumber(f*1000) == plainNumber(math.Round(f*1000)) {
			out = append(out, old[:n.start]+plainNumber(f)+old[n.end:])
		}
	}
	if word != "" {
		out = append(out, old[:n.start]+schema.FormatDuration(want)+tail)
	}
	return out
}

// compound replaces several numbers with units: 1m30s, 1 分 30 秒.
func compound(old string, found []number, want time.Duration) []string {
	last := found[len(found)-1]
	word, start := wordBehind(old, last.end)
	head, tail := old[:found[0].start], old[start+len(word):]
	first, _ := wordBehind(old, found[0].end)
	out := []string{}
	for _, family := range families() {
		if first != "" && hasUnit(family, first, 0) {
			out = append(out, head+inUnits(family, want, old[found[0].end:])+tail)
		}
	}
	return append(out, head+schema.FormatDuration(want)+tail)
}

// inUnits writes a length of time in some units; like is the text behind a number, which says whether they stand apart.
func inUnits(family []unit, want time.Duration, like string) string {
	gap := like[:len(like)-len(strings.TrimLeft(like, " \u00a0"))]
	var parts []string
	for _, u := range family {
		if n := want / u.of; n > 0 {
			parts = append(parts, plainNumber(float64(n))+gap+u.word)
			want -= n * u.of
		}
	}
	if len(parts) == 0 {
		return schema.FormatDuration(want)
	}
	return strings.Join(parts, gap)
}

// hasUnit reports whether a word is one of a family's, and of that length where it is known.
func hasUnit(family []unit, word string, of time.Duration) bool {
	for _, u := range family {
		if strings.EqualFold(u.word, word) && (of == 0 || u.of == of) {
			return true
		}
	}
	return false
}

func sameCase(word, like string) string {
	if like != "" && like == strings.ToUpper(like) && like != strings.ToLower(like) {
		return strings.ToUpper(word)
	}
	return word
}

// wordBehind returns the letters behind a number, and where they start.
func wordBehind(s string, at int) (word string, start int) {
	start = at + len(s[at:]) - len(strings.TrimLeft(s[at:], " \u00a0"))
	end := start
	for i, r := range s[start:] {
		if !unicode.IsLetter(r) {
			break
		}
		end = start + i + len(string(r))
	}
	if end == start {
		return "", at
	}
	return s[start:end], start
}

// isoDuration writes a length of time as ISO-8601 has it: PT1M30S, PT0.5S.
func isoDuration(d time.Duration, lower bool) string {
	var b strings.Builder
	b.WriteString("PT")
	for _, u := range []unit{{"H", time.Hour}, {"M", time.Minute}} {
		if n := d / u.of; n > 0 {
			b.WriteString(plainNumber(float64(n)) + u.word)
			d -= n * u.of
		}
	}
	if d > 0 || b.Len() == 2 {
		b.WriteString(plainNumber(d.Seconds()) + "S")
	}
	if lower {
		return strings.ToLower(b.String())
	}
	return b.String()
}
