package spool

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
)

func raw(n int) json.RawMessage { return json.RawMessage(strconv.Itoa(n)) }

func open(t *testing.T, dir string) *Queue {
	t.Helper()
	q, err := Open(dir, disk.Real())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

func list(q *Queue) string {
	var out []string
	for _, r := range q.Peek(1 << 20) {
		out = append(out, string(r.Data))
	}
	return strings.Join(out, " ")
}

// TestRestart holds that what was put in comes out after a restart, in order, and what was delivered does not.
func TestRestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	q := open(t, dir)
	for i := range 5 {
		if err := q.Append(raw(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Ack(q.Peek(2)[1].Seq); err != nil {
		t.Fatal(err)
	}
	// Not closed: a crash closes nothing.
	again := open(t, dir)
	if list(again) != "2 3 4" {
		t.Error(list(again))
	}
	if err := again.Append(raw(5)); err != nil {
		t.Fatal(err)
	}
	if third := open(t, dir); list(third) != "2 3 4 5" {
		t.Error(list(third))
	}
}

// TestTorn cuts the log at every byte, as a crash in the middle of a write does: whole records stay, and new ones follow.
func TestTorn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	q := open(t, dir)
	if err := q.Append(raw(1), raw(2), raw(3)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		dir := filepath.Join(t.TempDir(), "q")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "log"), whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		q := open(t, dir)
		kept := strings.Count(string(whole[:n]), "\n")
		if q.Len() != kept || q.Damaged() != 0 {
			t.Fatalf("cut at %d: %d records, %d damaged", n, q.Len(), q.Damaged())
		}
		if err := q.Append(raw(9)); err != nil {
			t.Fatal(err)
		}
		if again := open(t, dir); again.Len() != kept+1 || !strings.HasSuffix(list(again), "9") {
			t.Fatalf("cut at %d, then appended: %q", n, list(again))
		}
	}
}

// TestTornLong holds that what is left of a long record does not outlive a short one.
func TestTornLong(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "log"), []byte("0badc0de "+strings.Repeat("x", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(t, dir).Append(raw(1)); err != nil {
		t.Fatal(err)
	}
	q := open(t, dir)
	if err := q.Append(raw(2)); err != nil {
		t.Fatal(err)
	}
	if q := open(t, dir); list(q) != "1 2" || q.Damaged() != 0 {
		t.Errorf("%q, %d damaged", list(q), q.Damaged())
	}
}

// TestLateDisk holds that records which wait for a disk survive what they find there.
func TestLateDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	path := filepath.Join(dir, "log")
	if err := os.MkdirAll(path, 0o700); err != nil { // a folder cannot be a log
		t.Fatal(err)
	}
	q, err := Open(dir, disk.Real())
	if err == nil {
		t.Fatal("a folder is taken for a log")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("0badc0de {\"s\":1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := q.Append(raw(1)); err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if again := open(t, dir); list(again) != "1" {
		t.Error(list(again))
	}
}

// TestDamage holds that a line which the disk spoilt costs itself alone, and that a spoilt mark delivers again.
func TestDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	q := open(t, dir)
	if err := q.Append(raw(10), raw(20), raw(30)); err != nil {
		t.Fatal(err)
	}
	if err := q.Ack(1); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "log")
	text, _ := os.ReadFile(path)
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), ":20}", ":21}", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if q := open(t, dir); list(q) != "30" || q.Damaged() != 1 {
		t.Error(list(q), q.Damaged())
	}
	if err := os.WriteFile(filepath.Join(dir, "mark"), []byte("3 00000000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if q := open(t, dir); list(q) != "10 30" {
		t.Error(list(q))
	}
}

// TestSmall holds that a queue which is emptied stays small.
func TestSmall(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	q := open(t, dir)
	big := json.RawMessage(`"` + strings.Repeat("x", 10<<10) + `"`)
	for range 300 {
		if err := q.Append(big); err != nil {
			t.Fatal(err)
		}
		if q.Len() > 3 {
			if err := q.Ack(q.Peek(1)[0].Seq); err != nil {
				t.Fatal(err)
			}
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "log")); err != nil || info.Size() > 2*compactFrom {
		t.Errorf("%v, %d bytes for %d records", err, info.Size(), q.Len())
	}
	if again := open(t, dir); again.Len() != q.Len() || again.Peek(1)[0].Seq != q.Peek(1)[0].Seq {
		t.Errorf("%d records after a restart, %d before", again.Len(), q.Len())
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".new-*")); len(names) > 0 {
		t.Error("left over:", names)
	}
}

// TestNoDisk holds that a queue without a disk works in memory, says so, and is written once there is one.
func TestNoDisk(t *testing.T) {
	parent := t.TempDir()
	blocker := filepath.Join(parent, "state")
	if err := os.WriteFile(blocker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(blocker, "q")
	q, err := Open(dir, disk.Real())
	if err == nil {
		t.Fatal("no error for a folder inside a file")
	}
	if err := q.Append(raw(1)); err == nil || list(q) != "1" {
		t.Errorf("%v, %q", err, list(q))
	}
	if err := os.Remove(blocker); err != nil {
		t.Fatal(err)
	}
	if err := q.Append(raw(2)); err != nil || list(open(t, dir)) != "1 2" {
		t.Errorf("%v, %q", err, list(q))
	}
	_ = q.Close()
}

// TestFullDisk plays a disk without room: the record is kept, and the log stays readable.
func TestFullDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	q := open(t, dir)
	if err := q.Append(raw(1)); err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	disk := q.log
	q.log = full
	if err := q.Append(raw(2)); err == nil || !strings.Contains(err.Error(), "memory alone") {
		t.Errorf("%v", err)
	}
	if again := open(t, dir); list(again) != "1" {
		t.Error(list(again))
	}
	q.log = disk
	if err := q.Append(raw(3)); err != nil || list(open(t, dir)) != "1 2 3" {
		t.Errorf("%v, %q", err, list(q))
	}
}

// TestKilled kills a process that writes and delivers, at any moment: nothing that it said was safe is lost, and nothing
// is out of order.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SPOOL_TEST_DIR"); dir != "" {
		victim(dir)
		return
	}
	dir := filepath.Join(t.TempDir(), "q")
	rounds := 20
	for round := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=TestKilled$")
		cmd.Env = append(os.Environ(), "SPOOL_TEST_DIR="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan string)
		go func() {
			var b strings.Builder
			buffer := make([]byte, 4096)
			for {
				n, err := out.Read(buffer)
				b.Write(buffer[:n])
				if err != nil {
					done <- b.String()
					return
				}
			}
		}()
		time.Sleep(time.Duration(30+7*round) * time.Millisecond)
		_ = cmd.Process.Kill()
		said := <-done
		_ = cmd.Wait()
		put, acked := last(said, "put"), last(said, "ack")
		q := open(t, dir)
		records := q.Peek(1 << 20)
		for i, r := range records {
			if string(r.Data) != strconv.FormatUint(r.Seq, 10) || i > 0 && r.Seq != records[i-1].Seq+1 {
				t.Fatalf("round %d: record %d holds %s", round, r.Seq, r.Data)
			}
		}
		if put > 0 && (len(records) == 0 && acked < put || len(records) > 0 && records[len(records)-1].Seq < put) {
			t.Fatalf("round %d: %d was safe and is gone (%d records)", round, put, len(records))
		}
		if len(records) > 0 && acked > 0 && records[0].Seq <= acked {
			t.Fatalf("round %d: %d was delivered for certain and comes again", round, records[0].Seq)
		}
		if q.Damaged() > 0 {
			t.Fatalf("round %d: %d lines are damaged", round, q.Damaged())
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// last returns the number of the last whole line of a kind.
func last(said, kind string) uint64 {
	n := uint64(0)
	for line := range strings.Lines(said) {
		if strings.HasSuffix(line, "\n") {
			var got uint64
			if _, err := fmt.Sscanf(line, kind+" %d", &got); err == nil {
				n = got
			}
		}
	}
	return n
}

// victim writes and delivers until it is killed. Each record holds its own number.
func victim(dir string) {
	q, err := Open(dir, disk.Real())
	if err != nil {
		panic(err)
	}
	for {
		next := q.next
		if err := q.Append(json.RawMessage(strconv.FormatUint(next, 10)), json.RawMessage(strconv.FormatUint(next+1, 10))); err != nil {
			panic(err)
		}
		fmt.Printf("put %d\n", next+1)
		if front := q.Peek(1); len(front) > 0 && q.Len() > 5 {
			if err := q.Ack(front[0].Seq); err != nil {
				panic(err)
			}
			fmt.Printf("ack %d\n", front[0].Seq)
		}
	}
}

// TestRemoved: where somebody removes the folder of a queue, what waits and what comes later survives a crash.
func TestRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	q := open(t, dir)
	for n := range 3 {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if n == 2 { // nothing new comes
			if err := q.Save(); err != nil {
				t.Fatal(err)
			}
		} else if err := q.Append(raw(n)); err != nil {
			t.Fatal(err)
		}
		again, err := Open(dir, disk.Real()) // as after a crash
		if err != nil {
			t.Fatal(err)
		}
		if got, want := again.Len(), min(n+1, 2); got != want {
			t.Errorf("step %d: %d records, want %d", n, got, want)
		}
		_ = again.log.Close()
	}
}

// TestPipes holds that a pipe in place of a file of the queue does not block the start: the queue then works in memory, or
// delivers again.
func TestPipes(t *testing.T) {
	for _, name := range []string{"log", "mark"} {
		dir := filepath.Join(t.TempDir(), "q")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			q, err := Open(dir, disk.Real())
			if q != nil {
				_ = q.Close()
			}
			done <- err
		}()
		select {
		case err := <-done:
			if (err != nil) != (name == "log") {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("a pipe as the queue's %s blocks", name)
		}
	}
}
