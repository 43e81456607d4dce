package report

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

var extensions = map[string]string{"console": "txt", "json": "json", "sarif": "sarif.json", "github": "github.txt",
	"gitlab": "gitlab.json", "junit": "junit.xml", "markdown": "md", "html": "html"}

func TestGolden(t *testing.T) {
	for _, format := range Formats() {
		t.Run(format, func(t *testing.T) {
			golden(t, "findings."+extensions[format], render(t, format, fixture(), Options{}))
			golden(t, "clean."+extensions[format], render(t, format, clean(), Options{}))
		})
	}
}

func TestGoldenVariants(t *testing.T) {
	zh := fixture()
	zh.Lang = "zh"
	for _, c := range []struct {
		file, format string
		run          *Run
		opts         Options
	}{
		{"zh.txt", "console", zh, Options{}},
		{"zh.md", "markdown", zh, Options{}},
		{"verbose.txt", "console", fixture(), Options{Verbose: true}},
		{"color.txt", "console", fixture(), Options{Color: true, Width: 60}},
		{"quiet.txt", "console", fixture(), Options{Quiet: true}},
		{"prefix.github.txt", "github", fixture(), Options{Prefix: "deploy/prod"}},
		{"prefix.gitlab.json", "gitlab", fixture(), Options{Prefix: "deploy/prod"}},
	} {
		t.Run(c.file, func(t *testing.T) { golden(t, c.file, render(t, c.format, c.run, c.opts)) })
	}
}

// The same run renders to the same bytes, also in another language for the formats that machines read.
func TestMachineFormatsAreEnglish(t *testing.T) {
	for _, format := range []string{"json", "sarif", "github", "gitlab", "junit"} {
		zh := fixture()
		zh.Lang = "zh"
		if en := render(t, format, fixture(), Options{}); !bytes.Equal(en, render(t, format, zh, Options{})) {
			t.Errorf("%s depends on the language", format)
		}
	}
}

func TestQuietCleanRunPrintsNothing(t *testing.T) {
	if got := render(t, "console", clean(), Options{Quiet: true}); len(got) != 0 {
		t.Errorf("got %q", got)
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Render(&bytes.Buffer{}, "pdf", clean(), Options{})
	if err == nil || !strings.Contains(err.Error(), `unknown format "pdf"`) || !strings.Contains(err.Error(), "sarif") {
		t.Errorf("got %v", err)
	}
	for _, name := range Formats() {
		if _, err := FormatOf(name); err != nil {
			t.Error(err)
		}
	}
	if !slices.Contains(Formats(), "html") {
		t.Error("html is not listed")
	}
}

var errFull = errors.New("disk full")

// full accepts a number of bytes and then fails.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrorsAreReported(t *testing.T) {
	for _, format := range Formats() {
		for _, left := range []int{0, 70 << 10} {
			run := many(1000)
			if err := Render(&full{left}, format, run, Options{}); !errors.Is(err, errFull) {
				t.Errorf("%s after %d bytes: %v", format, left, err)
			}
		}
	}
}

// A run that has nothing set must not crash any renderer.
func TestEmptyRun(t *testing.T) {
	for _, format := range Formats() {
		if len(render(t, format, &Run{}, Options{})) == 0 {
			t.Errorf("%s wrote nothing", format)
		}
	}
}
