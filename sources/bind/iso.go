package bind

import (
	"fmt"
	"regexp"
	"time"

	"github.com/poolproof/poolproof/schema"
)

var iso = regexp.MustCompile(`^(?i)P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+(?:[.,][0-9]{1,9})?)S)?)?$`)

// ISODuration reads an ISO-8601 duration of days, hours, minutes and seconds ("PT30S", "P1DT2H", "pt0.5s"), as Java
// does: letters in any case, fractions only of seconds. Signs, weeks, months and years are refused. The error wraps
// schema.ErrNoDuration or schema.ErrTooLong.
func ISODuration(text string) (time.Duration, error) {
	m := iso.FindStringSubmatch(text)
	if m == nil || m[1]+m[2]+m[3]+m[4] == "" {
		return 0, fmt.Errorf("%q: %w", text, schema.ErrNoDuration)
	}
	var total time.Duration
	for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second} {
		number := []byte(m[i+1])
		if len(number) == 0 {
			continue
		}
		for j, c := range number {
			if c == ',' {
				number[j] = '.'
			}
		}
		d, err := schema.DurationIn(string(number), unit)
		if err != nil {
			return 0, err
		}
		if total += d; total < 0 {
			return 0, fmt.Errorf("%q: %w", text, schema.ErrTooLong)
		}
	}
	return total, nil
}

// IsISO reports whether a text is meant as an ISO-8601 duration: it starts with P or p and goes on with a digit or T.
func IsISO(text string) bool {
	return len(text) > 1 && text[0]|0x20 == 'p' && (text[1]|0x20 == 't' || text[1] >= '0' && text[1] <= '9')
}
