package data

import (
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for _, unit := range []string{"", "a", "\t", "\n", "\r\n", " ", "~", "é", "键", "\U0001F600", "\u00A0"} {
		for pad := range 10 {
			text := strings.Repeat("x", pad) + unit + strings.Repeat("y", 9)
			if !clean([]byte(text)) {
				t.Errorf("%q is not clean", text)
			}
		}
	}
	for _, unit := range []string{"\x00", "\x1f", "\x7f", "\r", "\xff", "\x80", "\u0085", "\u2028", "\u2029", "\uFEFF", "\uFFFE", "\u0080", "\xe9", "\xe4\xb8"} {
		for pad := range 10 {
			for tail := range 10 {
				text := strings.Repeat("x", pad) + unit + strings.Repeat("y", tail)
				if clean([]byte(text)) {
					t.Errorf("%q is clean", text)
				}
			}
		}
	}
}
