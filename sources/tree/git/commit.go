package git

import (
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// maxCommit is the size in bytes above which a commit or tag is not read: its message is all that can be long.
const maxCommit = 16 << 20

func isMissing(err error) bool { return errors.Is(err, odb.ErrMissing) }

// commit is what matters of a commit.
type commit struct {
	tree    Hash
	parents []Hash
	date    int64 // of the committer, in seconds
	cut     bool  // it has parents that a shallow clone lacks
}

// commits keeps what was read of commits.
type commits struct {
	mu    sync.Mutex
	known map[Hash]*commit
}

// maxKnown bounds how many are kept; histories beyond it are read again where they are walked again.
const maxKnown = 200_000

// commit reads a commit.
func (r *Repo) commit(id Hash) (*commit, error) {
	r.commits.mu.Lock()
	c, ok := r.commits.known[id]
	r.commits.mu.Unlock()
	if ok {
		return c, nil
	}
	typ, data, err := r.objects.Read(id, maxCommit)
	if err != nil {
		return nil, r.object(id, err)
	}
	if c, ok = parseCommit(data); typ != odb.Commit || !ok {
		return nil, r.object(id, odb.ErrCorrupt)
	}
	if r.ends[id] && len(c.parents) > 0 {
		c.parents, c.cut = nil, true
	}
	r.commits.mu.Lock()
	defer r.commits.mu.Unlock()
	if r.commits.known == nil || len(r.commits.known) >= maxKnown {
		r.commits.known = map[Hash]*commit{}
	}
	r.commits.known[id] = c
	return c, nil
}

// parseCommit reads the head of a commit object: its tree, its parents, and the committer with the date.
func parseCommit(data []byte) (*commit, bool) {
	head, _, _ := strings.Cut(string(data[:min(len(data), 64<<10)]), "\n\n")
	c := &commit{}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			id, ok := parseHash(value)
			if !ok || !c.tree.IsZero() {
				return nil, false
			}
			c.tree = id
		case "parent":
			id, ok := parseHash(value)
			if !ok {
				return nil, false
			}
			c.parents = append(c.parents, id)
		case "committer":
			// Names may hold anything, so the date is what follows the last '>'. One that cannot be read counts as 0.
			fields := strings.Fields(value[strings.LastIndexByte(value, '>')+1:])
			if len(fields) > 0 {
				c.date, _ = strconv.ParseInt(fields[0], 10, 64)
			}
			return c, !c.tree.IsZero()
		}
	}
	return c, !c.tree.IsZero()
}
