package nginx

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// errWholeSeconds is the error for milliseconds where NGINX counts in whole seconds.
var errWholeSeconds = errors.New("milliseconds where NGINX counts whole seconds")

// The steps of a time, from the longest unit: each unit may stand once, and only after longer ones.
const (
	stepStart = iota
	stepYear
	stepMonth
	stepWeek
	stepDay
	stepHour
	stepMinute
	stepSecond
	stepMilli
	stepLast
)

// parseSeconds reads a time that NGINX keeps in whole seconds (fail_timeout): y M w d h m s, each once and in that
// order, a number without a unit at the end being seconds.
func parseSeconds(text string) (time.Duration, error) { return parseTime(text, true) }

// parseMillis reads a time that NGINX keeps in milliseconds (proxy_connect_timeout): w d h m s ms, each once and in that
// order, a number without a unit at the end being seconds.
func parseMillis(text string) (time.Duration, error) { return parseTime(text, false) }

// parseAny reads a time of NGINX Plus, whose source is not public: everything that either kind allows.
func parseAny(text string) (time.Duration, error) {
	d, err := parseTime(text, false)
	if err != nil {
		if s, serr := parseTime(text, true); serr == nil {
			return s, nil
		}
	}
	return d, err
}

// parseTime is ngx_parse_time of src/core/ngx_parse.c.
func parseTime(text string, seconds bool) (time.Duration, error) {
	fail := func(err error) (time.Duration, error) { return 0, fmt.Errorf("%q: %w", text, err) }
	step := stepMonth
	if seconds {
		step = stepStart
	}
	var total, value int64
	valid := false
	for i := 0; i < len(text); {
		if c := text[i]; c >= '0' && c <= '9' {
			if value > (math.MaxInt64-9)/10 {
				return fail(schema.ErrTooLong)
			}
			value = value*10 + int64(c-'0')
			valid = true
			i++
			continue
		}
		unit, next := time.Duration(0), stepStart
		switch c := text[i]; c {
		case 'y':
			unit, next = 365*24*time.Hour, stepYear
		case 'M':
			unit, next = 30*24*time.Hour, stepMonth
		case 'w':
			unit, next = 7*24*time.Hour, stepWeek
		case 'd':
			unit, next = 24*time.Hour, stepDay
		case 'h':
			unit, next = time.Hour, stepHour
		case 'm':
			unit, next = time.Minute, stepMinute
			if i+1 < len(text) && text[i+1] == 's' {
				if seconds {
					return fail(errWholeSeconds)
				}
				unit, next = time.Millisecond, stepMilli
				i++
			}
		case 's':
			unit, next = time.Second, stepSecond
		case ' ':
			unit, next = time.Second, stepLast
			if step >= stepSecond {
				return fail(schema.ErrNoDuration)
			}
		default:
			return fail(schema.ErrNoDuration)
		}
		if step >= next {
			return fail(schema.ErrNoDuration)
		}
		step = next
		if value > (math.MaxInt64-total)/int64(unit) {
			return fail(schema.ErrTooLong)
		}
		total += value * int64(unit)
		value = 0
		for i++; i < len(text) && text[i] == ' '; i++ {
		}
	}
	if !valid {
		return fail(schema.ErrNoDuration)
	}
	if value > (math.MaxInt64-total)/int64(time.Second) {
		return fail(schema.ErrTooLong)
	}
	return time.Duration(total + value*int64(time.Second)), nil
}
