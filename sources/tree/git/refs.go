package git

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// maxSymbolic is how many refs may lead from one to the next, as in git.
const maxSymbolic = 5

func parseHash(s string) (Hash, bool) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != len(Hash{}) {
		return Hash{}, false
	}
	return Hash(raw), true
}

// ref returns what a full ref name ("HEAD", "refs/heads/main") stands for. Where it leads to a branch that does not exist
// yet, ok is false and last is that branch.
func (r *Repo) ref(name string) (id Hash, last string, ok bool) {
	for range maxSymbolic {
		if !validRef(name) {
			return Hash{}, name, false
		}
		dir := r.common
		if !strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "refs/bisect/") ||
			strings.HasPrefix(name, "refs/worktree/") || strings.HasPrefix(name, "refs/rewritten/") {
			dir = r.own
		}
		data, err := odb.ReadSmall(filepath.Join(dir, filepath.FromSlash(name)), 64<<10)
		if err != nil {
			id, ok := r.packed(name)
			return id, name, ok
		}
		text := string(data)
		if to, symbolic := strings.CutPrefix(text, "ref:"); symbolic {
			name = strings.TrimSpace(to)
			continue
		}
		// FETCH_HEAD has more after the name.
		if end := strings.IndexAny(text, " \t\r\n"); end >= 0 {
			text = text[:end]
		}
		id, ok := parseHash(text)
		return id, name, ok
	}
	return Hash{}, name, false
}

// packed looks a ref up in packed-refs.
func (r *Repo) packed(name string) (Hash, bool) {
	data, err := odb.ReadSmall(filepath.Join(r.common, "packed-refs"), 256<<20)
	if err != nil {
		return Hash{}, false
	}
	wanted := []byte(" " + name)
	for at := 0; ; {
		i := bytes.Index(data[at:], wanted)
		if i < 0 {
			return Hash{}, false
		}
		i += at
		at = i + len(wanted)
		start := bytes.LastIndexByte(data[:i], '\n') + 1
		if at == len(data) || data[at] == '\n' || data[at] == '\r' {
			if id, ok := parseHash(string(data[start:i])); ok {
				return id, true
			}
		}
	}
}

// validRef holds to git's rules for names of refs; of those outside refs/ only names such as HEAD and MERGE_HEAD pass.
func validRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") {
		return strings.HasSuffix(name, "HEAD") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	}
	if strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return c <= ' ' || c == 0x7f || strings.ContainsRune(`~^:?*[\`, c)
	})
}

// tracking returns what the remotes' branch of a name stood for at the last fetch: that of origin, or of the only other
// remote that has it.
func (r *Repo) tracking(branch string) (Hash, bool) {
	if id, _, ok := r.ref("refs/remotes/origin/" + branch); ok {
		return id, true
	}
	var found Hash
	n := 0
	for _, remote := range r.config.remotes {
		if id, _, ok := r.ref("refs/remotes/" + remote + "/" + branch); ok {
			found, n = id, n+1
		}
	}
	return found, n == 1
}
