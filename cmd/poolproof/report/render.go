package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Format writes a run in one format.
type Format func(w io.Writer, run *Run, opts Options) error

// The names of the formats, in the order in which help texts list them.
const formatNames = "console json sarif github gitlab junit markdown html"

// Formats returns the names that Render knows.
func Formats() []string { return strings.Fields(formatNames) }

// FormatOf returns the format of that name.
func FormatOf(name string) (Format, error) {
	switch name {
	case "console":
		return console, nil
	case "json":
		return jsonReport, nil
	case "sarif":
		return sarif, nil
	case "github":
		return github, nil
	case "gitlab":
		return gitlab, nil
	case "junit":
		return junit, nil
	case "markdown":
		return markdown, nil
	case "html":
		return htmlReport, nil
	}
	return nil, fmt.Errorf("unknown format %q: one of %s", name, strings.Join(Formats(), ", "))
}

// Render writes a run in the format of that name. The writer is buffered here.
func Render(w io.Writer, name string, run *Run, opts Options) error {
	format, err := FormatOf(name)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 64<<10)
	if err := format(b, run, opts); err != nil {
		return fmt.Errorf("writing the %s report: %w", name, err)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the %s report: %w", name, err)
	}
	return nil
}
