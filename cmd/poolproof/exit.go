package main

import (
	"errors"
	"fmt"

	"github.com/poolproof/poolproof/schema"
)

// Exit codes, the same for every command and every output format.
const (
	exitClean       = 0   // nothing at or above --fail-on
	exitFindings    = 1   // findings at or above --fail-on, or edits pending
	exitUsage       = 2   // wrong usage or manifest
	exitNotChecked  = 3   // nothing could be judged, or git, the base or another repository failed
	exitInternal    = 4   // a defect of poolproof
	exitInterrupted = 130 // stopped by a signal
)

// exitError carries an exit code through the command tree. A nil cause means that everything was already reported.
type exitError struct {
	code  int
	cause error
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.cause.Error()
}

func (e *exitError) Unwrap() error { return e.cause }

// usage marks an error as the user's: wrong flags, arguments or manifest.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, &message{format, args}}
}

// notChecked marks an error that kept the run from judging anything.
func notChecked(format string, args ...any) error {
	return &exitError{exitNotChecked, &message{format, args}}
}

// codeOf returns the exit code of a command's error. Errors that nobody marked come from the command line's parser.
func codeOf(err error) int {
	var e *exitError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &e):
		return e.code
	}
	return exitUsage
}

// verdict decides the exit code of a judging command from its findings, after all reports are written. judged says that
// something was judged, and that it is all that was asked for.
func verdict(findings []schema.Finding, judged bool, failOn schema.Severity, allowEmpty bool) int {
	for i := range findings {
		if fails(&findings[i], failOn) {
			return exitFindings
		}
	}
	if !judged && !allowEmpty {
		return exitNotChecked
	}
	return exitClean
}

// fails reports whether a finding makes the run fail.
func fails(f *schema.Finding, failOn schema.Severity) bool {
	return f.Status == schema.New && f.Severity >= failOn
}
