// Package patch writes changes of a file's bytes as a unified diff that git apply and patch -p1 take.
package patch

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Change replaces the bytes from Start up to End of a file by New.
type Change struct {
	Start, End int
	New        string
}

// File is a file with changes, which are sorted and do not overlap.
type File struct {
	// Path is relative to where the diff is applied, with '/'.
	Path    string
	Old     []byte
	Changes []Change
}

// Options say how a diff looks.
type Options struct {
	// Git adds the line "diff --git", by which git takes paths to start at the root of the repository. Without it they start
	// where git apply runs.
	Git bool
	// Show, if not nil, makes each line, without its line feed, fit to be seen: the diff is for eyes then, and no longer to be
	// applied.
	Show func(line string) string
	// Color marks lines as terminals do.
	Color bool
}

// context is how many lines are shown around a change.
const context = 3

// Apply returns a text with changes made, which are sorted and do not overlap.
func Apply(text []byte, changes []Change) []byte {
	size := len(text)
	for _, c := range changes {
		size += len(c.New) - (c.End - c.Start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, c := range changes {
		out = append(append(out, text[at:c.Start]...), c.New...)
		at = c.End
	}
	return append(out, text[at:]...)
}

// Write writes the diff of a file; nothing where the changes change nothing.
func Write(w io.Writer, f File, o Options) error {
	old := splitLines(f.Old)
	blocks := blocksOf(f.Old, old, f.Changes)
	if len(blocks) == 0 {
		return nil
	}
	p := printer{options: o}
	from, to := quote("a/"+f.Path), quote("b/"+f.Path)
	if o.Git {
		p.head("diff --git " + from + " " + to)
	}
	p.head("--- " + ended(from))
	p.head("+++ " + ended(to))
	shift := 0 // how many lines the new text has more so far
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].lo-blocks[n-1].hi <= 2*context {
			n++
		}
		shift = p.hunk(old, blocks[:n], shift)
		blocks = blocks[n:]
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

// ended closes a name with spaces as git does, so that nobody takes what follows for a part of it.
func ended(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

type printer struct {
	options Options
	out     bytes.Buffer
}

const (
	bold, red, green, cyan = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m"
	plain                  = "\x1b[0m"
)

func (p *printer) head(line string) { p.paint(bold, line) }

func (p *printer) paint(color, line string) {
	if p.options.Color && color != "" {
		line = color + line + plain
	}
	p.out.WriteString(line)
	p.out.WriteByte('\n')
}

// line writes a line of the file behind its sign.
func (p *printer) line(sign, line string) {
	text, whole := strings.CutSuffix(line, "\n")
	if p.options.Show != nil {
		text = p.options.Show(text)
	}
	p.paint(map[string]string{"-": red, "+": green}[sign], sign+text)
	if !whole {
		p.out.WriteString("\\ No newline at end of file\n")
	}
}

// hunk writes blocks with the lines around them, and returns the shift behind them.
func (p *printer) hunk(old []string, blocks []block, shift int) int {
	lo, hi := max(0, blocks[0].lo-context), min(len(old), blocks[len(blocks)-1].hi+context)
	more := 0
	for _, b := range blocks {
		more += len(b.new) - (b.hi - b.lo)
	}
	p.paint(cyan, fmt.Sprintf("@@ -%s +%s @@", extent(lo, hi-lo), extent(lo+shift, hi-lo+more)))
	at := lo
	for _, b := range blocks {
		for _, l := range old[at:b.lo] {
			p.line(" ", l)
		}
		for _, l := range old[b.lo:b.hi] {
			p.line("-", l)
		}
		for _, l := range b.new {
			p.line("+", l)
		}
		at = b.hi
	}
	for _, l := range old[at:hi] {
		p.line(" ", l)
	}
	return shift + more
}

// extent is a range of lines in the head of a hunk. One without lines is placed behind the line before it.
func extent(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", first)
	case 1:
		return fmt.Sprint(first + 1)
	}
	return fmt.Sprintf("%d,%d", first+1, n)
}
