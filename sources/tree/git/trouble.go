package git

import (
	"errors"
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// Kind tells apart why git could not answer.
type Kind string

// The kinds of trouble.
const (
	NotRepository   Kind = "not-a-repository"
	EmptyRepository Kind = "empty-repository" // no commit yet
	UnknownRevision Kind = "unknown-revision"
	Shallow         Kind = "shallow"   // the history ends before the answer
	Unrelated       Kind = "unrelated" // no common ancestor
	Partial         Kind = "partial"   // left out by a partial clone
	Missing         Kind = "missing"   // gone, though it should be here
	Corrupt         Kind = "corrupt"
	Unsupported     Kind = "unsupported" // SHA-256, reftable, split index
	Submodule       Kind = "submodule"   // its repository or commit is not here
	BadIndex        Kind = "index"       // cannot be read
	Conflict        Kind = "conflict"    // staged with an unresolved merge
	Pointer         Kind = "pointer"     // stands for a file that Git LFS keeps elsewhere
	BadTree         Kind = "tree"        // holds what git forbids
	Remote          Kind = "remote"      // could not be fetched
)

// ErrPointer says that a file's content is not in git but in Git LFS, and not here.
var ErrPointer = tree.ErrPointer

// Trouble says why a question about a repository has no answer, and what mends it. It is never a finding: where it
// touches what is compared, nothing can be said.
type Trouble struct {
	Kind Kind
	// What says in both languages what is wrong and what to do.
	What schema.Text
	// Mend is the command that mends it, to be run in the repository's root; empty where none does.
	Mend string
	// Err is the cause, where there is one.
	Err error
}

// Error is the English text with the command.
func (t *Trouble) Error() string {
	if t.Mend == "" {
		return t.What.En
	}
	return t.What.En + ": " + t.Mend
}

// Unwrap returns the cause.
func (t *Trouble) Unwrap() error { return t.Err }

// Text is the message in both languages with the command.
func (t *Trouble) Text() schema.Text {
	if t.Mend == "" {
		return t.What
	}
	return schema.Text{En: t.What.En + ": " + t.Mend, Zh: t.What.Zh + ":" + t.Mend}
}

// trouble makes one; both texts take the same arguments.
func trouble(kind Kind, mend string, err error, en, zh string, args ...any) *Trouble {
	return &Trouble{Kind: kind, What: schema.Textf(en, zh, args...), Mend: mend, Err: err}
}

// object explains why an object cannot be read.
func (r *Repo) object(id Hash, err error) error {
	remote := word(r.config.remote())
	switch {
	case errors.Is(err, odb.ErrMissing) && r.config.partial:
		return trouble(Partial, strings.TrimSpace("git fetch --refetch --no-filter "+remote), err,
			"object %.12s was left out by a partial clone; fetch everything",
			"对象 %.12s 被部分克隆(partial clone)略去;请取回全部对象", id.String())
	case errors.Is(err, odb.ErrMissing):
		return trouble(Missing, refetch(remote), err,
			"object %.12s is missing from the repository; fetch it again",
			"仓库中缺少对象 %.12s;请重新获取", id.String())
	case errors.Is(err, odb.ErrCorrupt):
		mend := "git fsck --full"
		// git does not fetch what it believes to have.
		if file := r.objects.Loose(id); file != "" && remote != "" {
			mend = "rm -f " + shell(file) + "; " + refetch(remote)
		}
		return trouble(Corrupt, mend, err,
			"object %.12s is damaged; fetch it again, or clone again",
			"对象 %.12s 已损坏;请重新获取或重新克隆", id.String())
	case errors.Is(err, odb.ErrTooLarge):
		return trouble(BadTree, "", err, "object %.12s is too large to be read", "对象 %.12s 过大,无法读取", id.String())
	}
	return trouble(Corrupt, "git fsck --full", err, "object %.12s cannot be read: %s", "无法读取对象 %.12s:%s", id.String(), quote(err.Error()))
}

func refetch(remote string) string {
	if remote == "" {
		return "git fsck --full"
	}
	return "git fetch --refetch " + remote
}

// shallow says that the history ends too early.
func (r *Repo) shallow(en, zh string, args ...any) *Trouble {
	return trouble(Shallow, strings.TrimSpace("git fetch --unshallow "+word(r.config.remote())), nil,
		en+", because this clone is shallow; fetch the whole history (in actions/checkout: fetch-depth: 0)",
		zh+",因为这是浅克隆;请获取完整历史(actions/checkout 中设 fetch-depth: 0)", args...)
}

// word is a word for a command line, or nothing.
func word(s string) string {
	if s == "" {
		return ""
	}
	return shell(s)
}

// shell quotes a word for a command line that people paste. Words with control characters are left out.
func shell(word string) string {
	plain := word != "" && word[0] != '-'
	for _, c := range word {
		switch {
		case c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029' || c >= 0x80 && c < 0xa0:
			return "..."
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("/._-+@:", c):
		default:
			plain = false
		}
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// quote shows a name in a message: names are hostile.
func quote(name string) string {
	const most = 200
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "..."
	}
	return fmt.Sprintf("%q", name)
}
