package haproxy

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Errors of parseTime.
var (
	errNoTime   = errors.New("not a number with a unit")
	errTimeUnit = errors.New("unknown unit")
	errTimeLong = errors.New("above 2147483647 ms")
)

// maxTime is the longest time that HAProxy can hold.
const maxTime = 2147483647 * time.Millisecond

// parseTime reads a time as HAProxy writes it: a whole number and one of us, ms, s, m, h, d; without a unit,
// milliseconds. Older versions ignore what follows the unit ("15min") and newer ones warn; here it is an error.
func parseTime(text string) (time.Duration, error) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n == 0 {
		return 0, errNoTime
	}
	unit := time.Millisecond
	switch text[n:] {
	case "", "ms":
	case "us":
		unit = time.Microsecond
	case "s":
		unit = time.Second
	case "m":
		unit = time.Minute
	case "h":
		unit = time.Hour
	case "d":
		unit = 24 * time.Hour
	default:
		return 0, errTimeUnit
	}
	v, err := strconv.ParseUint(text[:n], 10, 63)
	if err != nil || v > uint64(maxTime/unit) {
		return 0, errTimeLong
	}
	return time.Duration(v) * unit, nil
}

// otherUnits maps units that people write to those of HAProxy.
var otherUnits = map[string]string{
	"min": "m", "mins": "m", "minute": "m", "minutes": "m", "mn": "m", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d", "msec": "ms", "msecs": "ms", "millis": "ms",
	"usec": "us", "µs": "us", "s": "s", "m": "m", "h": "h", "d": "d", "ms": "ms", "us": "us", "毫秒": "ms", "秒": "s", "分": "m", "分钟": "m",
}

// suggestTime returns how HAProxy wants a refused time to be written, empty where nobody knows.
func suggestTime(text string) string {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ毫秒分钟")
	if unit, ok := otherUnits[strings.ToLower(text[len(number):])]; ok && number != "" && strings.Trim(number, "0123456789") == "" {
		return number + unit
	}
	if d, err := schema.ParseDuration(strings.ToLower(text)); err == nil {
		for _, u := range []struct {
			name   string
			length time.Duration
		}{{"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}} {
			if d%u.length == 0 {
				return strconv.FormatInt(int64(d/u.length), 10) + u.name
			}
		}
	}
	return ""
}
