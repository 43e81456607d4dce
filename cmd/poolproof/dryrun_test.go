package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const playable = `pools:
  orders:
    members: [{address: 10.0.0.1, port: 8080}, {address: 10.0.0.2, port: 8080}]
    decision: {granularity: address, window: 10s, minSamples: 20, errorRatio: 0.5}
    cooldown: {duration: 30s, startsAt: drained, exit: same-as-entry, manual: {allowed: true, restarts: true}}
`

// TestDryrunTerminal: on a terminal, a dry-run says how far it is, colours its verdicts, and is as wide as the terminal.
func TestDryrunTerminal(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"poolproof.yaml": "sources:\n  - {side: gateway, format: poolproof, files: [pools.yaml]}\n", "pools.yaml": playable,
	})
	env, out, stderr := testEnvironment(t, map[string]string{"LANG": "en_US.UTF-8"})
	env.outTerminal, env.errTerminal, env.width = true, true, 72
	clock := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	env.now = func() time.Time { clock = clock.Add(time.Second); return clock }
	args := []string{"dryrun", "--manifest", filepath.Join(dir, "poolproof.yaml"), "--seeds", "1", "--scenario", "cooldown/*", "-v"}
	if code := run(context.Background(), args, env); code != exitClean {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if !strings.Contains(stderr.String(), "\rplaying: 1 of 2 scenarios") || !strings.HasSuffix(stderr.String(), "\r\x1b[K") {
		t.Errorf("progress: %q", stderr)
	}
	if !strings.Contains(out.String(), "\x1b[32m✓ ok\x1b[0m  cooldown/forced: ") {
		t.Errorf("no coloured verdict in %s", out)
	}
	band := 0
	for _, line := range strings.Split(out.String(), "\n") {
		if i := strings.Index(line, "|\x1b["); i > 0 && strings.Contains(line, "█") {
			band = len([]rune(colorless(line)))
		}
	}
	if band < 60 || band > 72 {
		t.Errorf("a band ends in column %d of 72:\n%s", band, out)
	}
}

func colorless(s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}
