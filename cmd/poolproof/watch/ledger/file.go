package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
)

// journal is the file of a ledger: a first line that says its form, then a line for each drift. Changes are added at the
// end, where a later line about a drift takes the place of an earlier one; the file is written anew, as a whole, once half
// of it is out of date. A crash leaves the last line incomplete at the worst, which was promised to nobody yet.
type journal struct {
	disk    disk.Disk
	path    string          // empty: there is none
	changed map[string]bool // identities of what the file does not say yet
	whole   bool            // the file has to be written anew
	size    int64           // of the file
	least   int64           // its size when it was last written anew
}

// header is the first line.
type header struct {
	Version int `json:"version"`
}

// entry is a line: a drift as it is, or the identity of one that is no more.
type entry struct {
	Drift *Drift `json:"drift,omitempty"`
	Gone  string `json:"gone,omitempty"`
}

const (
	version = 2
	// maxFile bounds the state file in bytes.
	maxFile = 256 << 20
	// slack is how many bytes may be out of date, whatever the size.
	slack = 64 << 10
)

// Open reads the ledger in a file; an empty name keeps it in memory. It is usable also where there is an error: a state
// that cannot be read is put aside (file.damaged) and the ledger starts empty. The next Save writes the state whatever
// happened, so that it shows at once whether it can be written.
func Open(file string, d disk.Disk) (*Ledger, error) {
	l := &Ledger{drifts: map[string]*Drift{}, mostRetired: maxRetired, journal: journal{disk: d, path: file, changed: map[string]bool{}, whole: true}}
	if file == "" {
		return l, nil
	}
	disk.Clean(filepath.Dir(file))
	drifts, err := read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l, nil
	case err != nil:
		aside := file + ".damaged"
		if moved := os.Rename(file, aside); moved != nil {
			return l, fmt.Errorf("the state %s cannot be read (%w), and not be put aside: %w", file, err, moved)
		}
		return l, fmt.Errorf("the state %s could not be read (%w); it is %s now, and drift that lasts is told again", file, err, aside)
	}
	l.drifts = drifts
	for _, d := range drifts {
		l.order.place(d)
	}
	return l, nil
}

func read(file string) (map[string]*Drift, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return nil, errors.New("it is no state file")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

func parse(data []byte) (map[string]*Drift, error) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	var h header
	if err := json.Unmarshal(first, &h); err != nil {
		return nil, err
	}
	if h.Version != version {
		return nil, fmt.Errorf("it has version %d, this poolproof reads %d", h.Version, version)
	}
	drifts := map[string]*Drift{}
	for n := 2; len(rest) > 0; n++ {
		line, after, complete := bytes.Cut(rest, []byte("\n"))
		var e entry
		err := json.Unmarshal(line, &e)
		switch {
		case !complete, err != nil && len(bytes.Trim(rest, "\x00\n")) == 0:
			return drifts, nil // a crash, or a loss of power, while it was added
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n, err)
		case e.Drift != nil && e.Drift.Identity != "":
			drifts[e.Drift.Identity] = e.Drift
		default:
			delete(drifts, e.Gone)
		}
		rest = after
	}
	return drifts, nil
}

// Save writes what changed. The ledger keeps working where it cannot be written, and tries again at the next call.
func (l *Ledger) Save() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	j := &l.journal
	if j.path == "" || !j.whole && len(j.changed) == 0 {
		return nil
	}
	if info, err := os.Stat(j.path); err != nil || info.Size() != j.size {
		j.whole = true // somebody touched it
	}
	err := l.add()
	if j.whole {
		err = l.rewrite()
	}
	if err != nil {
		return fmt.Errorf("writing the state: %w", err)
	}
	clear(j.changed)
	return nil
}

// add adds what changed to the file, or asks for the whole to be written.
func (l *Ledger) add() error {
	j := &l.journal
	if j.whole || len(j.changed) > len(l.drifts)/4+16 {
		j.whole = true
		return nil
	}
	var text []byte
	for _, id := range slices.Sorted(maps.Keys(j.changed)) {
		e := entry{Drift: l.drifts[id]}
		if e.Drift == nil {
			e.Gone = id
		}
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	if j.size+int64(len(text)) > 2*j.least+slack {
		j.whole = true
		return nil
	}
	if err := j.append(text); err != nil {
		j.whole = true // nobody knows what stands at its end; writing it anew may work where adding does not
	}
	return nil
}

// append adds lines and makes them durable.
func (j *journal) append(text []byte) (err error) {
	f, err := j.disk.Open(j.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err = f.WriteAt(text, j.size); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(j.size))
	}
	j.size += int64(len(text))
	return nil
}

// rewrite writes the whole: a crash leaves the old file or the new one.
func (l *Ledger) rewrite() error {
	text, err := json.Marshal(header{version})
	if err != nil {
		return err
	}
	text = append(text, '\n')
	for _, id := range slices.Sorted(maps.Keys(l.drifts)) {
		line, err := json.Marshal(entry{Drift: l.drifts[id]})
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	j := &l.journal
	if err := j.disk.Replace(j.path, text); err != nil {
		return err
	}
	j.whole, j.size, j.least = false, int64(len(text)), int64(len(text))
	return nil
}
