package data

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func TestHazard(t *testing.T) {
	for value, says := range map[string]string{
		"010": "octal, 8,", "08": "leading zero", "0100": "octal, 64,", "00": "leading zero", "-010": "octal, -8,", "0001": "leading zero",
		"1_000": "number 1000", "1_000.5": "number 1000.5",
		"22:22": "base-60 number 1342", "2122:22": "base-60 number 127342", "1:30:00": "base-60 number 5400", "00:30": "base-60", "1:30.5": "base-60",
		"yes": "boolean true", "No": "boolean false", "NO": "boolean false", "on": "boolean true", "OFF": "boolean false", "y": "boolean true", "N": "boolean false",
		"5e3": "a number to YAML 1.2", "5.0e3": "a number to YAML 1.2", "1E5": "a number",
		"0x1F": "hexadecimal number 31", "0o17": "octal number 15", "0b101": "binary number 5",
	} {
		n := YAML([]byte("a: " + value + "\n")).Documents[0].Root.Get("a")
		p, bad := Hazard(n)
		if !bad || !strings.Contains(p.Text.En, says) {
			t.Errorf("%s: %v %q", value, bad, p.Text.En)
			continue
		}
		if p.Rule != "source/scalar-hazard" || p.Severity != schema.Error || p.At != n.At || p.Got != value || p.Hint.En == "" || strings.Contains(p.Text.En+p.Text.Zh+p.Hint.Zh, "%!") {
			t.Errorf("%s: %+v", value, p)
		}
	}
}

func TestNoHazard(t *testing.T) {
	for _, value := range []string{
		"0", "1", "-1", "+1", "10", "0.5", "10.0", ".5", "1.5e+3", "true", "false", "True", "FALSE", "null", "~", "500ms", "1m30s", "0s", "10%",
		"10.0.0.1", "10.0.0.1:8080", "localhost:80", "a:22", "8080:80", "22:", ":22", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "22:61", "2026-01-02",
		"none", "north", "one", "yess", "o", "onn", "no-op", "\"010\"", "'no'", "!!str no", "_1", "1-0", "0x", "0xZZ", "0-800", "5e", "e3", "1.2.3", "--1", "-", "[no]",
	} {
		f := YAML([]byte("a: " + value + "\n"))
		if len(f.Documents) == 0 {
			continue
		}
		if p, bad := Hazard(f.Documents[0].Root.Get("a")); bad {
			t.Errorf("%s: %s", value, p.Text.En)
		}
	}
	for name, f := range map[string]File{
		"json":       JSON([]byte(`{"a": 5e3}`)),
		"toml":       TOML([]byte("a = 1_000\n")),
		"toml time":  TOML([]byte("a = 07:32:00\n")),
		"properties": Properties([]byte("a=010\n")),
	} {
		if p, bad := Hazard(f.Documents[0].Root.Get("a")); bad {
			t.Errorf("%s: %s", name, p.Text.En)
		}
	}
	if _, bad := Hazard(nil); bad {
		t.Error("a missing value is a hazard")
	}
}
