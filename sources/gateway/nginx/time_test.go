package nginx

import (
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// TestTimes holds the grammar to what NGINX 1.22 accepts and refuses (checked with nginx -t).
func TestTimes(t *testing.T) {
	const day = 24 * time.Hour
	tests := []struct {
		text            string
		seconds, millis time.Duration // -1: refused
	}{
		{"10", 10 * time.Second, 10 * time.Second},
		{"0", 0, 0},
		{"30s", 30 * time.Second, 30 * time.Second},
		{"500ms", -1, 500 * time.Millisecond},
		{"1m30s", 90 * time.Second, 90 * time.Second},
		{"1m30", 90 * time.Second, 90 * time.Second},
		{"1m 30", 90 * time.Second, 90 * time.Second},
		{"1h 30m", 90 * time.Minute, 90 * time.Minute},
		{"1s500ms", -1, 1500 * time.Millisecond},
		{"2d", 2 * day, 2 * day},
		{"1w", 7 * day, 7 * day},
		{"1M", 30 * day, -1},
		{"1y1M", 395 * day, -1},
		{"1y", 365 * day, -1},
		{"30s1m", -1, -1},
		{"1s1s", -1, -1},
		{"1.5s", -1, -1},
		{"-1", -1, -1},
		{"", -1, -1},
		{"s", -1, -1},
		{"10sec", -1, -1},
		{"10 s", -1, -1},
		{"999999999999999999999s", -1, -1},
		{"1000000y", -1, -1},
	}
	for _, test := range tests {
		check := func(kind string, want, got time.Duration, err error) {
			if refused := want < 0; refused != (err != nil) || !refused && got != want {
				t.Errorf("%s %q: got %v, %v, want %v", kind, test.text, got, err, want)
			}
		}
		got, err := parseSeconds(test.text)
		check("seconds", test.seconds, got, err)
		got, err = parseMillis(test.text)
		check("millis", test.millis, got, err)
		if _, err := parseAny(test.text); (err == nil) != (test.seconds >= 0 || test.millis >= 0) {
			t.Errorf("any %q: %v", test.text, err)
		}
	}
	if _, err := parseSeconds("500ms"); !errors.Is(err, errWholeSeconds) {
		t.Errorf("500ms in seconds: %v", err)
	}
	if _, err := parseSeconds("300y"); !errors.Is(err, schema.ErrTooLong) {
		t.Errorf("300y: %v", err)
	}
}
