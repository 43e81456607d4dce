package spool

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
)

// TestBounded holds that a queue that nobody empties is bounded in memory and on disk, keeps the newest records, counts
// the others, and is the same after a restart.
func TestBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	q := open(t, dir)
	const size, most = 64 << 10, 4 << 20
	q.most = most
	data := func(n int) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`"%06d%s"`, n, strings.Repeat("x", size)))
	}
	const all = 10 * most / size
	for n := range all {
		if err := q.Append(data(n)); err != nil {
			t.Fatal(err)
		}
	}
	kept := q.Len()
	if kept*size > most || (kept+2)*size < most || q.Dropped() != all-kept {
		t.Errorf("%d records wait, %d were given up", kept, q.Dropped())
	}
	if info, err := os.Stat(filepath.Join(dir, "log")); err != nil || info.Size() > 3*most {
		t.Errorf("%v: the log has %d bytes", err, info.Size())
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	again.most = most
	if err := again.Append(data(all)); err != nil { // what was given up and still stood in the log is given up again
		t.Fatal(err)
	}
	list := again.Peek(2 * all)
	if len(list) != kept || string(list[kept-1].Data) != string(data(all)) || string(list[0].Data) != string(data(all+1-kept)) {
		t.Errorf("%d records after the restart, %d before", len(list), kept)
	}
}

// TestManySmall holds the bound on the number of records.
func TestManySmall(t *testing.T) {
	q := InMemory()
	batch := make([]json.RawMessage, MaxPending/4)
	for i := range batch {
		batch[i] = raw(i)
	}
	for range 5 {
		if err := q.Append(batch...); err != nil {
			t.Fatal(err)
		}
	}
	if q.Len() != MaxPending || q.Dropped() != MaxPending/4 || len(q.Unsafe()) != MaxPending {
		t.Errorf("%d wait, %d were given up, %d are unsafe", q.Len(), q.Dropped(), len(q.Unsafe()))
	}
}

// TestSave holds that what a full disk refused is written by Save, and is unsafe until then.
func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "q")
	d := &full{Disk: disk.Real()}
	q, err := Open(dir, d)
	if err != nil {
		t.Fatal(err)
	}
	d.full = true
	for n := range 3 {
		if err := q.Append(raw(n)); err == nil || !strings.Contains(err.Error(), "memory alone") {
			t.Errorf("%v", err)
		}
	}
	if err := q.Ack(1); err == nil { // what is delivered is out, though that is not noted
		t.Error("noted on a full disk")
	}
	if err := q.Save(); err == nil || len(q.Unsafe()) != 2 || list(q) != "1 2" {
		t.Errorf("%v, %d unsafe, %q", err, len(q.Unsafe()), list(q))
	}
	d.full = false
	if err := q.Save(); err != nil || len(q.Unsafe()) != 0 {
		t.Errorf("%v, %d unsafe", err, len(q.Unsafe()))
	}
	if got := list(open(t, dir)); got != "1 2" {
		t.Error(got)
	}
}

// full is a disk without room.
type full struct {
	disk.Disk
	full bool
}

func (d *full) Open(path string) (disk.File, error) {
	f, err := d.Disk.Open(path)
	return file{f, d}, err
}

func (d *full) Replace(path string, text []byte) error {
	if d.full {
		return syscall.ENOSPC
	}
	return d.Disk.Replace(path, text)
}

type file struct {
	disk.File
	on *full
}

func (f file) WriteAt(p []byte, at int64) (int, error) {
	if f.on.full {
		n, _ := f.File.WriteAt(p[:len(p)/2], at)
		return n, syscall.ENOSPC
	}
	return f.File.WriteAt(p, at)
}
