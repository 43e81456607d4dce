package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var smallRepository = map[string]string{
	"poolproof.yaml": "sources:\n  - {side: gateway, format: haproxy, files: [\"*.cfg\"]}\n  - {side: app, format: poolproof, files: [app.yaml]}\n",
	"haproxy.cfg":    "backend orders\n    mode http\n    server a 10.0.0.1:8080\n    server b 10.0.0.2:8080\n",
	"app.yaml":       "pools: {orders: {members: [{address: 10.0.0.1, port: 8080}]}}\n",
}

// TestInterrupted: a run that a signal ends exits 130, and its reports say that nothing was judged.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, smallRepository)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, command := range []string{"check", "inspect", "init"} {
		env, out, stderr := testEnvironment(t, nil)
		args := []string{command, dir}
		switch command {
		case "init":
			args = append(args, "--force")
		default:
			args = append(args, "--format", "json")
		}
		if code := run(ctx, args, env); code != exitInterrupted {
			t.Errorf("%s: exit code %d: %s", command, code, stderr)
		}
		if stderr.String() != "poolproof: interrupted\n" {
			t.Errorf("%s: standard error %q", command, stderr)
		}
		if command == "check" && !strings.Contains(out.String(), `"findings":[]`) {
			t.Errorf("%s: the report holds %s", command, out)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "poolproof.yaml")); err != nil || string(text) != smallRepository["poolproof.yaml"] {
		t.Errorf("init wrote a manifest although it was interrupted: %v, %s", err, text)
	}
}

// TestSignal ends a process that waits for standard input.
func TestSignal(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.Command("poolproof", "inspect", "-")
		input, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The process is ready to be interrupted once it reads; until then a signal would end it the hard way.
		if _, err := input.Write(bytes.Repeat([]byte("#\n"), 64<<10)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err = <-done:
		case <-time.After(30 * time.Second):
			cmd.Process.Kill()
			t.Fatalf("%v does not end it", signal)
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || stderr.String() != "poolproof: interrupted\n" {
			t.Errorf("%v: %v, %s", signal, err, stderr.String())
		}
	}
}

// TestInternalError: a defect exits 4 with a request to report it, and does not pass for findings.
func TestInternalError(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, smallRepository)
	env, out, stderr := testEnvironment(t, nil)
	calls := 0
	env.now = func() time.Time {
		if calls++; calls > 1 { // the first is the run's own moment
			panic("a defect")
		}
		return time.Unix(0, 0)
	}
	env.errTerminal = true // so that progress asks for the time
	if code := run(context.Background(), []string{"check", dir, "--format", "json"}, env); code != exitInternal {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(stderr.String(), "internal error: a defect") || !strings.Contains(stderr.String(), "please report it") {
		t.Errorf("standard error: %s", stderr)
	}
	if !strings.Contains(out.String(), `"findings":[]`) || !strings.Contains(out.String(), "could not check: internal error") {
		t.Errorf("the report: %s", out)
	}
}

// TestProgress: progress shows on a terminal that waits, is taken away at the end, and stays silent with --quiet.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, smallRepository)
	for _, c := range []struct {
		terminal bool
		args     []string
		shows    bool
	}{
		{true, nil, true}, {false, nil, false}, {true, []string{"--quiet"}, false},
	} {
		env, _, stderr := testEnvironment(t, nil)
		env.errTerminal = c.terminal
		clock := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
		env.now = func() time.Time { clock = clock.Add(time.Second); return clock }
		if code := run(context.Background(), append([]string{"check", dir}, c.args...), env); code != exitFindings {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		if shows := strings.Contains(stderr.String(), "\rreading: "); shows != c.shows {
			t.Errorf("terminal %v, %v: standard error %q", c.terminal, c.args, stderr)
		}
		if c.shows && !strings.HasSuffix(stderr.String(), "\r\x1b[K") {
			t.Errorf("progress is left standing: %q", stderr)
		}
	}
}

// TestColors: colours go to terminals alone, and not where the user asks for none.
func TestColors(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, smallRepository)
	for _, c := range []struct {
		terminal bool
		vars     map[string]string
		args     []string
		colors   bool
	}{
		{true, nil, nil, true},
		{false, nil, nil, false},
		{true, map[string]string{"NO_COLOR": "1"}, nil, false},
		{true, map[string]string{"NO_COLOR": ""}, nil, true},
		{true, map[string]string{"TERM": "dumb"}, nil, false},
		{true, nil, []string{"--no-color"}, false},
		{true, nil, []string{"--format", "json"}, false},
		{true, nil, []string{"--output", filepath.Join(t.TempDir(), "report")}, false},
	} {
		env, out, stderr := testEnvironment(t, c.vars)
		env.outTerminal = c.terminal
		if code := run(context.Background(), append([]string{"check", dir}, c.args...), env); code != exitFindings {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		if colors := strings.Contains(out.String(), "\x1b["); colors != c.colors {
			t.Errorf("%+v: colours %v", c, colors)
		}
	}
}
