package git

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// Commit names a commit of a repository.
type Commit struct{ ID Hash }

// String is the full name in hex.
func (c Commit) String() string { return c.ID.String() }

// maxSteps bounds how far back HEAD~n goes.
const maxSteps = 1_000_000

// Resolve finds a commit as git rev-parse does: a full or abbreviated name, HEAD, a tag (through to its commit), a
// branch, a remote branch, each followed by any of ~N and ^N. Beyond git, a name that is none of these is looked up among
// the remotes' branches, so that main finds origin/main. Other forms of revisions are refused.
func (r *Repo) Resolve(rev string) (Commit, error) {
	name, steps, err := splitRevision(rev)
	if err != nil {
		return Commit{}, err
	}
	id, err := r.lookup(name)
	if err != nil {
		return Commit{}, err
	}
	return r.follow(rev, id, steps)
}

// ResolveBranch finds the branch that a server calls by a name, as CI variables do: the remote's branch first, and the
// local one only where no remote has it. In a checkout of a fork's pull request the local main is the fork's.
func (r *Repo) ResolveBranch(branch string) (Commit, error) {
	short := strings.TrimPrefix(branch, "refs/heads/")
	if id, ok := r.tracking(short); ok && checkName(branch) == nil {
		return r.follow(branch, id, nil)
	}
	return r.Resolve(branch)
}

func checkName(rev string) error {
	bad := rev == "" || rev[0] == '-' || len(rev) > 4096 || strings.ContainsAny(rev, ":\\?*[ ") ||
		strings.Contains(rev, "..") || strings.Contains(rev, "@{") || strings.ContainsFunc(rev, unicode.IsControl)
	if bad {
		return refused(rev)
	}
	return nil
}

func refused(rev string) error {
	return trouble(UnknownRevision, "", nil, "%s is not a revision that poolproof reads: give a commit, tag or branch, or one followed by ~N or ^N",
		"%s 不是 poolproof 支持的版本写法:请给出提交、标签或分支,其后可加 ~N 或 ^N", quote(rev))
}

// step is one ~N or ^N.
type step struct {
	op byte
	n  int
}

// splitRevision takes a revision apart: "main~2^2" is main, then ~2, then ^2.
func splitRevision(rev string) (string, []step, error) {
	if err := checkName(rev); err != nil {
		return "", nil, err
	}
	end := strings.IndexAny(rev, "~^")
	if end < 0 {
		return rev, nil, nil
	}
	var steps []step
	for rest := rev[end:]; rest != ""; {
		s := step{rest[0], 1}
		rest = rest[1:]
		if s.op != '~' && s.op != '^' {
			return "", nil, refused(rev)
		}
		for _, form := range []string{"{}", "{commit}"} {
			if after, ok := strings.CutPrefix(rest, form); ok && s.op == '^' {
				s.n, rest = 0, after
			}
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits > 0 {
			n, err := strconv.Atoi(rest[:digits])
			if err != nil || n > maxSteps {
				return "", nil, refused(rev)
			}
			s.n, rest = n, rest[digits:]
		}
		steps = append(steps, s)
	}
	return rev[:end], steps, nil
}

// lookup finds the object that a name stands for.
func (r *Repo) lookup(name string) (Hash, error) {
	if id, ok := parseHash(name); ok {
		return id, nil
	}
	if name == "" || name == "@" {
		name = "HEAD"
	}
	for _, rule := range []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		if id, _, ok := r.ref(rule + name); ok {
			return id, nil
		}
	}
	if id, _, ok := r.ref("refs/remotes/" + name + "/HEAD"); ok {
		return id, nil
	}
	if name == "HEAD" {
		if _, branch, _ := r.ref("HEAD"); strings.HasPrefix(branch, "refs/heads/") {
			return Hash{}, trouble(EmptyRepository, "", nil, "there is no commit yet on %s; commit first", "分支 %s 上还没有提交;请先提交",
				quote(strings.TrimPrefix(branch, "refs/heads/")))
		}
	}
	id, several := r.abbreviated(name)
	switch {
	case several:
		return Hash{}, trouble(UnknownRevision, "", nil, "%s is short for several commits; write more digits", "%s 对应多个提交;请写出更多位", quote(name))
	case !id.IsZero():
		return id, nil
	}
	if id, ok := r.tracking(strings.TrimPrefix(name, "refs/heads/")); ok {
		return id, nil
	}
	return Hash{}, r.unknown(name)
}

// abbreviated finds the only commit or tag whose name begins with some digits.
func (r *Repo) abbreviated(name string) (found Hash, several bool) {
	if len(name) < odb.MinPrefix || len(name) >= 40 || strings.Trim(strings.ToLower(name), "0123456789abcdef") != "" {
		return Hash{}, false
	}
	for _, id := range r.objects.Prefix(name, 10_000) {
		typ, _, err := r.objects.Size(id)
		if err != nil || typ != odb.Commit && typ != odb.Tag {
			continue
		}
		if !found.IsZero() {
			return Hash{}, true
		}
		found = id
	}
	return found, false
}

// unknown says how to get a revision that is not here.
func (r *Repo) unknown(name string) error {
	remote := r.config.remote()
	_, full := parseHash(name)
	abbreviated := len(name) >= odb.MinPrefix && strings.Trim(strings.ToLower(name), "0123456789abcdef") == ""
	branch := strings.TrimPrefix(name, "refs/heads/")
	if tail, ok := strings.CutPrefix(branch, remote+"/"); ok && remote != "" {
		branch = tail
	}
	mend := ""
	switch {
	case remote == "":
	case full:
		mend = "git fetch " + shell(remote) + " " + name
	case abbreviated && r.Shallow():
		mend = "git fetch --unshallow " + shell(remote)
	case strings.HasPrefix(name, "refs/tags/"):
		mend = "git fetch " + shell(remote) + " tag " + shell(strings.TrimPrefix(name, "refs/tags/"))
	case validRef("refs/heads/" + branch):
		// Single-branch clones fetch no other branch by themselves, so the ref is named.
		mend = "git fetch " + shell(remote) + " " + shell("+refs/heads/"+branch+":refs/remotes/"+remote+"/"+branch)
	}
	en, zh := "%s is not a revision of this repository", "%s 不是此仓库中的版本"
	if mend != "" {
		en, zh = en+"; fetch it", zh+";请先获取"
	}
	if r.Shallow() {
		en += " (this clone is shallow; in actions/checkout set fetch-depth: 0)"
		zh += "(这是浅克隆;actions/checkout 中设 fetch-depth: 0)"
	}
	return trouble(UnknownRevision, mend, nil, en, zh, quote(name))
}

// follow goes from an object through tags to its commit, and from there along the steps.
func (r *Repo) follow(rev string, id Hash, steps []step) (Commit, error) {
	id, err := r.peel(rev, id)
	if err != nil {
		return Commit{}, err
	}
	for _, s := range steps {
		generations, which := 1, s.n
		if s.op == '~' {
			generations, which = s.n, 1
		}
		if which == 0 {
			continue
		}
		for range generations {
			c, err := r.commit(id)
			if err != nil {
				return Commit{}, err
			}
			if c.cut {
				return Commit{}, r.shallow("%s cannot be followed back that far", "%s 无法回溯到那么远", quote(rev))
			}
			if which > len(c.parents) {
				return Commit{}, trouble(UnknownRevision, "", nil, "%s: commit %.12s has no parent %d", "%s:提交 %.12s 没有第 %d 个父提交",
					quote(rev), id.String(), which)
			}
			id = c.parents[which-1]
		}
	}
	if _, err := r.commit(id); err != nil {
		return Commit{}, err
	}
	return Commit{id}, nil
}

// peel goes through tags to the commit.
func (r *Repo) peel(rev string, id Hash) (Hash, error) {
	for range 10 {
		typ, data, err := r.objects.Read(id, maxCommit)
		if err != nil {
			if _, named := parseHash(rev); named && isMissing(err) {
				return Hash{}, r.unknown(rev)
			}
			return Hash{}, r.object(id, err)
		}
		switch typ {
		case odb.Commit:
			return id, nil
		case odb.Tag:
			line, _, _ := strings.Cut(string(data), "\n")
			to, ok := parseHash(strings.TrimPrefix(line, "object "))
			if !ok {
				return Hash{}, r.object(id, odb.ErrCorrupt)
			}
			id = to
			continue
		}
		return Hash{}, trouble(UnknownRevision, "", nil, "%s is a %s, not a commit", "%s 是 %s,不是提交", quote(rev), typ.String())
	}
	return Hash{}, trouble(UnknownRevision, "", nil, "%s is a tag of tags without end", "%s 是无尽嵌套的标签", quote(rev))
}
