package bind

import (
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

func TestISODuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"PT30S": 30 * time.Second, "PT5s": 5 * time.Second, "pt0.5s": 500 * time.Millisecond, "PT0,25S": 250 * time.Millisecond,
		"P1D": 24 * time.Hour, "P1DT2H3M4S": 26*time.Hour + 3*time.Minute + 4*time.Second, "PT1M": time.Minute, "PT0S": 0,
	} {
		if got, err := ISODuration(text); err != nil || got != want {
			t.Errorf("ISODuration(%q) = %v, %v; want %v", text, got, err, want)
		}
		if !IsISO(text) {
			t.Errorf("IsISO(%q) = false", text)
		}
	}
	for _, text := range []string{"", "P", "PT", "30s", "PT-5S", "-PT5S", "P1W", "P1Y", "PT1.5M", "PT5", "path", "pt"} {
		if d, err := ISODuration(text); !errors.Is(err, schema.ErrNoDuration) {
			t.Errorf("ISODuration(%q) = %v, %v; want ErrNoDuration", text, d, err)
		}
	}
	if _, err := ISODuration("P200000D"); !errors.Is(err, schema.ErrTooLong) {
		t.Errorf("200000 days: %v, want ErrTooLong", err)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"interval", "timeout", "rise", "fall"}
	for name, want := range map[string]string{"intervall": "interval", "time-out": "timeout", "Fall": "fall", "weight": "", "": ""} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
