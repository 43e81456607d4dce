package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
)

// state is the file's form.
type state struct {
	Version int      `json:"version"`
	Drifts  []*Drift `json:"drifts"`
}

const version = 1

// maxFile bounds the state file in bytes.
const maxFile = 256 << 20

// Open reads the ledger in a file; an empty name keeps it in memory. It is usable also where there is an error: a state
// that cannot be read is put aside (file.damaged) and the ledger starts empty. The next Save writes the state whatever
// happened, so that it shows at once whether it can be written.
func Open(file string, d disk.Disk) (*Ledger, error) {
	l := &Ledger{disk: d, file: file, drifts: map[string]*Drift{}, dirty: true}
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
	for _, d := range drifts {
		if d != nil && d.Identity != "" {
			l.drifts[d.Identity] = d
		}
	}
	return l, nil
}

func read(file string) ([]*Drift, error) {
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
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if s.Version != version {
		return nil, fmt.Errorf("it has version %d, this poolproof reads %d", s.Version, version)
	}
	return s.Drifts, nil
}

// Save writes the state if it changed, as a whole: a crash leaves the old one or the new one. The ledger keeps working
// where it cannot be written, and tries again at the next call.
func (l *Ledger) Save() error {
	if !l.dirty || l.file == "" {
		return nil
	}
	s := state{Version: version, Drifts: make([]*Drift, 0, len(l.drifts))}
	for _, d := range l.drifts {
		s.Drifts = append(s.Drifts, d)
	}
	slices.SortFunc(s.Drifts, func(a, b *Drift) int { return strings.Compare(a.Identity, b.Identity) })
	data, err := json.Marshal(s)
	if err == nil {
		err = l.disk.Replace(l.file, data)
	}
	if err != nil {
		return fmt.Errorf("writing the state: %w", err)
	}
	l.dirty = false
	return nil
}
