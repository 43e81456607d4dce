// Package spool keeps what is still to be delivered, one queue for each receiver, so that a crash loses nothing: what was
// put in before the process died comes out after it starts again, at least once and in order.
//
// A queue is a folder with two small files. The log holds one record a line, each with its checksum, and is only appended
// to; a line that a crash tore is cut off when the queue is opened. The mark says up to which record everything is
// delivered, and is replaced as a whole. Both are synced before a call returns.
//
// A disk that is full or read-only does not stop delivery: such records are kept in memory, the error says so, and they
// are written by the next call of Append or Save that can.
//
// A queue is bounded, in memory and on disk. Beyond the bound the oldest records are given up, which Dropped counts.
package spool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
)

// MaxPending and MaxBytes bound how many records wait, and how many bytes they have together.
const (
	MaxPending = 200_000
	MaxBytes   = 64 << 20
)

// compactFrom is how large a log may grow, in bytes, before what is delivered is taken out.
const compactFrom = 1 << 20

// Record is one entry of a queue.
type Record struct {
	Seq  uint64          `json:"s"`
	Data json.RawMessage `json:"d"`
}

// Queue is one receiver's queue. It is safe for concurrent use in one process; two processes must not share its folder.
type Queue struct {
	disk disk.Disk
	dir  string

	mu      sync.Mutex
	log     disk.File   // nil: memory alone
	opened  os.FileInfo // which file log is; nil where nobody knows
	size    int64       // of the log up to its last whole record
	pending []Record
	bytes   int  // of the data of pending
	most    int  // that bytes may be
	unsaved int  // how many at the end of pending are in memory alone
	torn    bool // the log may have a torn end
	next    uint64
	acked   uint64
	dropped int
	damaged int
	// volatile: nothing is kept on disk, on purpose.
	volatile bool
}

// Open opens the queue in a folder, which it makes. The queue is usable also where there is an error: it then keeps
// everything in memory.
func Open(dir string, d disk.Disk) (*Queue, error) {
	q := &Queue{disk: d, dir: dir, next: 1, most: MaxBytes}
	disk.Clean(dir)
	q.acked = q.readMark()
	q.next = q.acked + 1
	if err := q.openLog(); err != nil {
		q.closeLog()
		return q, fmt.Errorf("opening the queue: %w", err)
	}
	return q, nil
}

func (q *Queue) closeLog() {
	if q.log != nil {
		_ = q.log.Close()
		q.log = nil
	}
}

func (q *Queue) path(name string) string { return filepath.Join(q.dir, name) }

// openLog reads the log and cuts off a torn end.
func (q *Queue) openLog() error {
	text, err := disk.Read(q.path("log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			break
		}
		r, ok := decode(text[:end])
		switch {
		case end == 0: // between what was there before and what came after a failure
		case !ok:
			q.damaged++
		case r.Seq >= q.next:
			q.pending = append(q.pending, r)
			q.bytes += len(r.Data)
			q.next = r.Seq + 1
		}
		q.size += int64(end) + 1
		text = text[end+1:]
	}
	q.bound()
	if q.log, err = q.disk.Open(q.path("log")); err != nil {
		return err
	}
	q.opened, _ = os.Stat(q.path("log"))
	if err := q.log.Truncate(q.size); err != nil {
		return err
	}
	return disk.SyncFolder(q.dir)
}

// readMark returns the last delivered record, 0 where there is no whole mark: everything is then delivered again.
func (q *Queue) readMark() uint64 {
	text, err := disk.Read(q.path("mark"))
	if err != nil {
		return 0
	}
	number, sum, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil || checksum([]byte(number)) != sum {
		return 0
	}
	return n
}

func checksum(b []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b)) }

// encode writes a record as a line. Its data is JSON on one line already.
func encode(r Record) ([]byte, error) {
	if bytes.IndexByte(r.Data, '\n') >= 0 || len(r.Data) == 0 {
		return nil, errors.New("a record is no line of JSON")
	}
	body := make([]byte, 0, len(r.Data)+32)
	body = append(strconv.AppendUint(append(body, `{"s":`...), r.Seq, 10), `,"d":`...)
	body = append(append(body, r.Data...), '}')
	line := append([]byte(checksum(body)+" "), body...)
	return append(line, '\n'), nil
}

func decode(line []byte) (r Record, ok bool) {
	sum, body, ok := bytes.Cut(line, []byte(" "))
	if !ok || string(sum) != checksum(body) || json.Unmarshal(body, &r) != nil {
		return Record{}, false
	}
	return r, r.Seq > 0
}

// Append puts records at the end. They are in the queue also where there is an error, which says that they are not safe
// on disk yet.
func (q *Queue) Append(data ...json.RawMessage) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, d := range data {
		q.pending = append(q.pending, Record{q.next, d})
		q.bytes += len(d)
		q.next++
		q.unsaved++
	}
	q.bound()
	return q.save()
}

// bound gives up the oldest records of a queue that nobody empties. The newest one stays, however large it is.
func (q *Queue) bound() {
	over := max(0, len(q.pending)-MaxPending)
	bytes := q.bytes
	for i := range over {
		bytes -= len(q.pending[i].Data)
	}
	for ; bytes > q.most && over < len(q.pending)-1; over++ {
		bytes -= len(q.pending[over].Data)
	}
	if over > 0 {
		q.pending, q.bytes = append([]Record(nil), q.pending[over:]...), bytes
		q.dropped += over
		q.unsaved = min(q.unsaved, len(q.pending))
	}
}

// Save writes what is in memory alone. The error says that there still is such, or that there would be.
func (q *Queue) Save() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.volatile {
		return nil
	}
	if err := q.again(); err != nil {
		return fmt.Errorf("keeping records in memory alone: %w", err)
	}
	return q.save()
}

// save writes what is in memory alone. A write that fails half-way leaves the log as it was.
func (q *Queue) save() error {
	if q.volatile || q.unsaved == 0 {
		return nil
	}
	// Where much was given up, the log is made smaller: it is bounded like the queue.
	if q.size > compactFrom+2*q.whole() && q.rewrite() == nil {
		return nil
	}
	var b bytes.Buffer
	if err := q.again(); err != nil {
		return fmt.Errorf("keeping records in memory alone: %w", err)
	}
	if q.torn {
		b.WriteByte('\n')
	}
	if err := lines(&b, q.pending[len(q.pending)-q.unsaved:]); err != nil {
		return err
	}
	_, err := q.log.WriteAt(b.Bytes(), q.size)
	if err == nil {
		err = q.log.Sync()
	}
	if err != nil {
		_ = q.log.Truncate(q.size) // what is left of the attempt has no whole checksum anyway
		return fmt.Errorf("keeping records in memory alone: %w", err)
	}
	q.size += int64(b.Len())
	q.unsaved, q.torn = 0, false
	return nil
}

// again opens a log that could not be opened before, or that is not in its place any more, since somebody removed it: what
// waits is written again then.
func (q *Queue) again() error {
	if q.log != nil && q.opened != nil {
		if now, err := os.Stat(q.path("log")); err != nil || !os.SameFile(now, q.opened) {
			q.closeLog()
			q.size, q.unsaved = 0, len(q.pending)
		}
	}
	if q.log != nil {
		return nil
	}
	f, err := q.disk.Open(q.path("log"))
	if err != nil {
		return err
	}
	q.log = f
	if q.opened, err = os.Stat(q.path("log")); err == nil && q.opened.Size() > 0 {
		q.size, q.torn = q.opened.Size(), true
	}
	return nil
}

func lines(b *bytes.Buffer, list []Record) error {
	for _, r := range list {
		line, err := encode(r)
		if err != nil {
			return err
		}
		b.Write(line)
	}
	return nil
}

// Unsafe returns the data of the records that are in memory alone, in order.
func (q *Queue) Unsafe() []json.RawMessage {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.pending
	if !q.volatile {
		list = q.pending[len(q.pending)-q.unsaved:]
	}
	var data []json.RawMessage
	for _, r := range list {
		data = append(data, r.Data)
	}
	return data
}

// Peek returns up to max records from the front, which stay in the queue until they are acknowledged.
func (q *Queue) Peek(max int) []Record {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]Record(nil), q.pending[:min(max, len(q.pending))]...)
}

// Len is how many records wait, Dropped how many were given up because too many did, Damaged how many lines of the log
// were not readable.
func (q *Queue) Len() int { q.mu.Lock(); defer q.mu.Unlock(); return len(q.pending) }

// Dropped returns how many records were given up since the queue was opened.
func (q *Queue) Dropped() int { q.mu.Lock(); defer q.mu.Unlock(); return q.dropped }

// Damaged returns how many lines of the log could not be read when the queue was opened.
func (q *Queue) Damaged() int { q.mu.Lock(); defer q.mu.Unlock(); return q.damaged }

// Ack takes out everything up to a record. They are out also where there is an error, which says that they may come out
// again after a crash.
func (q *Queue) Ack(seq uint64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.pending) && q.pending[n].Seq <= seq {
		q.bytes -= len(q.pending[n].Data)
		n++
	}
	q.pending = q.pending[n:]
	q.unsaved = min(q.unsaved, len(q.pending))
	if seq <= q.acked {
		return nil
	}
	q.acked = seq
	if q.volatile {
		return nil
	}
	number := strconv.FormatUint(seq, 10)
	if err := q.disk.Replace(q.path("mark"), []byte(number+" "+checksum([]byte(number))+"\n")); err != nil {
		return fmt.Errorf("noting what is delivered: %w", err)
	}
	return q.compact()
}

// compact takes delivered records out of a large log. The mark that stands already makes each step safe.
func (q *Queue) compact() error {
	if q.log == nil || q.unsaved > 0 || len(q.pending) > 0 && q.size < compactFrom || len(q.pending) == 0 && q.size < compactFrom/16 {
		return nil
	}
	if q.whole()*2 > q.size {
		return nil
	}
	if err := q.rewrite(); err != nil {
		return fmt.Errorf("making the queue smaller: %w", err)
	}
	return nil
}

// whole is about how many bytes a log of what waits has.
func (q *Queue) whole() int64 { return int64(q.bytes) + 40*int64(len(q.pending)) }

// rewrite makes a log of what waits alone.
func (q *Queue) rewrite() error {
	var b bytes.Buffer
	if err := lines(&b, q.pending); err != nil {
		return err
	}
	if err := q.disk.Replace(q.path("log"), b.Bytes()); err != nil {
		return err
	}
	q.closeLog()
	q.size, q.unsaved, q.torn = int64(b.Len()), 0, false
	f, err := q.disk.Open(q.path("log"))
	if err != nil {
		return nil // all is safe; the next write opens it
	}
	q.log = f
	q.opened, _ = os.Stat(q.path("log"))
	return nil
}

// Close closes the files.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.save()
	if q.log != nil {
		err = errors.Join(err, q.log.Close())
		q.log = nil
	}
	return err
}

// InMemory returns a queue that keeps nothing on disk.
func InMemory() *Queue { return &Queue{next: 1, most: MaxBytes, volatile: true} }
