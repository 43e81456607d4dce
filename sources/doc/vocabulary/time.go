package vocabulary

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// ErrNoTime is what Time returns for texts that are no moment.
var ErrNoTime = errors.New("not a time")

// Time reads a moment as documents write it: "2026-11-01T02:00:00+08:00", "2026-11-01 02:00 +08:00", "2026/11/01",
// "2026年11月1日 02:00（北京时间）". A date alone is its first moment; without a zone the text is read as UTC. A note
// behind the time does not count. The error wraps ErrNoTime.
func (l *Lexicon) Time(text string) (time.Time, error) {
	folded, _ := schema.Fold(text)
	p := timeParser{s: strings.TrimSpace(folded)}
	date := p.date()
	clock := p.clock()
	p.space()
	zone, ok := p.zone(l)
	if !date || !ok {
		return time.Time{}, fmt.Errorf("%.60q: %w", text, ErrNoTime)
	}
	t := time.Date(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.second, p.nano, zone)
	if t.Year() != p.year || int(t.Month()) != p.month || t.Day() != p.day || clock && (p.hour > 23 || p.minute > 59 || p.second > 59) {
		return time.Time{}, fmt.Errorf("%.60q: %w: no such day or hour", text, ErrNoTime)
	}
	return t, nil
}

type timeParser struct {
	s                                            string
	year, month, day, hour, minute, second, nano int
}

func (p *timeParser) space() { p.s = strings.TrimLeft(p.s, " \t\u00a0") }

// number takes up to most digits.
func (p *timeParser) number(most int, to *int) bool {
	n := 0
	for n < len(p.s) && n < most && isDigit(p.s[n]) {
		*to = *to*10 + int(p.s[n]-'0')
		n++
	}
	p.s = p.s[n:]
	return n > 0
}

// mark takes one of the given texts.
func (p *timeParser) mark(texts ...string) bool {
	for _, t := range texts {
		if rest, ok := strings.CutPrefix(p.s, t); ok {
			p.s = rest
			return true
		}
	}
	return false
}

func (p *timeParser) date() bool {
	if !p.number(4, &p.year) || p.year < 1000 {
		return false
	}
	if p.mark("年") {
		p.space()
		ok := p.number(2, &p.month) && p.mark("月")
		p.space()
		return ok && p.number(2, &p.day) && p.mark("日", "号")
	}
	for _, sep := range []string{"-", "/", "."} {
		if p.mark(sep) {
			return p.number(2, &p.month) && p.mark(sep) && p.number(2, &p.day)
		}
	}
	return false
}

// clock takes the time of day if there is one.
func (p *timeParser) clock() bool {
	before := *p
	if !p.mark("T", "t") {
		p.space()
	}
	if !p.number(2, &p.hour) {
		*p = before
		return false
	}
	if p.mark("时", "点") {
		if p.number(2, &p.minute) {
			p.mark("分")
		} else {
			p.mark("整")
		}
		return true
	}
	if !p.mark(":") || !p.number(2, &p.minute) {
		*p = before
		return false
	}
	if p.mark(":") {
		if !p.number(2, &p.second) {
			*p = before
			return false
		}
		if p.mark(".") {
			digits := len(p.s)
			p.number(9, &p.nano)
			for digits -= len(p.s); digits < 9; digits++ {
				p.nano *= 10
			}
		}
	}
	return true
}

// zone reads what stands behind the time: nothing, a zone, or a note. Letters that name no known zone are refused,
// because reading "CST" as UTC would be a guess.
func (p *timeParser) zone(l *Lexicon) (*time.Location, bool) {
	if p.s == "" {
		return time.UTC, true
	}
	rest, note := strings.CutPrefix(p.s, "(")
	if note {
		rest, _, _ = strings.Cut(rest, ")")
	}
	if z, ok := offset(rest, l); ok {
		return z, true
	}
	end := 0
	for end < len(rest) && (rest[end] >= 'A' && rest[end] <= 'Z' || rest[end] == '+') {
		end++
	}
	abbreviation := end >= 2 && end <= 5 && (end == len(rest) || strings.IndexByte(" .,;)", rest[end]) >= 0)
	return time.UTC, (note || strings.IndexByte(".,;-", p.s[0]) >= 0 || p.s[0] >= 0x80 || p.s[0] >= 'A') && !abbreviation
}

// offset reads "+08:00", "+0800", "UTC+8", "Z" or the name of a zone, and whatever follows it after a separator.
func offset(s string, l *Lexicon) (*time.Location, bool) {
	for _, lead := range []string{"UTC", "GMT"} { // "UTC +8" is one name
		if rest, ok := strings.CutPrefix(s, lead); ok && strings.HasPrefix(strings.TrimLeft(rest, " "), "+") {
			s = strings.TrimLeft(rest, " ")
		}
	}
	name := s
	if i := strings.IndexAny(s, " ,;.)("); i >= 0 {
		name = s[:i]
	}
	if meaning := l.first(zones, Normal(name)); meaning != "" && strings.IndexAny(name, "+-") < 0 {
		name = meaning
	}
	for _, lead := range []string{"UTC", "GMT", "Z"} {
		name = strings.TrimPrefix(name, lead)
	}
	if len(name) < 2 || name[0] != '+' && name[0] != '-' {
		return nil, false
	}
	p, hours, minutes := timeParser{s: name[1:]}, 0, 0
	if !p.number(2, &hours) {
		return nil, false
	}
	p.mark(":")
	p.number(2, &minutes)
	if p.s != "" || hours > 14 || minutes > 59 {
		return nil, false
	}
	seconds := hours*3600 + minutes*60
	if name[0] == '-' {
		seconds = -seconds
	}
	if seconds == 0 {
		return time.UTC, true
	}
	return time.FixedZone("", seconds), true
}
