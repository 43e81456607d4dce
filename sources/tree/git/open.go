package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// Hash names an object.
type Hash = odb.Hash

// Repo is a repository. It is safe for concurrent use. What it holds is read when it is first asked for; branches are
// looked up anew each time.
type Repo struct {
	own    string // this work tree's git directory: HEAD, index
	common string // the git directory that its work trees share: objects, branches
	root   string // the work tree, empty for a bare repository
	config config

	objects *odb.Store
	ends    map[Hash]bool // where a shallow clone's history ends

	commits commits
	folders folders
	modules modules
	reaches reaches

	cleanup func() error
}

// Open opens the repository that a folder is in: its work tree, one of its linked work trees, a submodule, or a bare
// repository. The folder need not belong to the user, since nothing of the repository is run.
func Open(dir string) (*Repo, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return nil, notRepository(dir, err)
	}
	if start, err = filepath.EvalSymlinks(start); err != nil {
		return nil, notRepository(dir, err)
	}
	for at := start; ; at = filepath.Dir(at) {
		r, err := openAt(at)
		if r != nil || err != nil {
			return r, err
		}
		if filepath.Dir(at) == at {
			return nil, notRepository(dir, nil)
		}
	}
}

// OpenPath opens the repository in a folder itself, as Open does but without a look at the folders above: a path that
// names another repository must not end up in this one.
func OpenPath(dir string) (*Repo, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil, notRepository(dir, err)
	}
	r, err := openAt(at)
	if r == nil && err == nil {
		return nil, notRepository(dir, nil)
	}
	return r, err
}

func notRepository(dir string, err error) error {
	return trouble(NotRepository, "", err, "%s is not in a git repository", "%s 不在 git 仓库中", quote(dir))
}

// openAt opens the repository of a work tree's root or the bare repository in a folder; nil where there is none.
func openAt(at string) (*Repo, error) {
	dot := filepath.Join(at, ".git")
	if info, err := os.Stat(dot); err == nil && info.IsDir() {
		if isGitDir(dot) {
			return openDir(dot, at)
		}
	} else if err == nil {
		to, err := gitFile(dot)
		if err != nil {
			return nil, err
		}
		return openDir(to, at)
	}
	if !isGitDir(at) {
		return nil, nil
	}
	r, err := openDir(at, "")
	if err != nil || r.config.bare {
		return r, err
	}
	switch {
	case r.config.worktree != "":
		r.root = absolute(at, r.config.worktree)
	case filepath.Base(at) == ".git":
		r.root = filepath.Dir(at)
	}
	return r, nil
}

// gitFile reads a .git file, which names the git directory of a linked work tree or a submodule.
func gitFile(path string) (string, error) {
	data, err := odb.ReadSmall(path, 64<<10)
	to, ok := strings.CutPrefix(string(data), "gitdir:")
	to = strings.TrimSpace(to)
	if err == nil && ok && to != "" {
		if to = absolute(filepath.Dir(path), to); isGitDir(to) {
			return to, nil
		}
		err = fs.ErrNotExist
	}
	return "", trouble(NotRepository, "git worktree repair", err,
		"%s names no git directory", "%s 指向的 git 目录不存在", quote(path))
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// isGitDir tells git directories by what is in them, as git does.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDir(dir)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// commonDir is where a linked work tree's git directory keeps what it shares with the others.
func commonDir(dir string) string {
	data, err := odb.ReadSmall(filepath.Join(dir, "commondir"), 64<<10)
	if to := strings.TrimSpace(string(data)); err == nil && to != "" {
		return absolute(dir, to)
	}
	return dir
}

// openDir opens a git directory.
func openDir(own, root string) (*Repo, error) {
	r := &Repo{own: own, common: commonDir(own), root: root}
	for _, file := range []string{filepath.Join(r.common, "config"), filepath.Join(own, "config.worktree")} {
		if strings.HasSuffix(file, ".worktree") && !truth(r.config.extensions["worktreeconfig"]) {
			continue
		}
		data, err := odb.ReadSmall(file, 16<<20)
		if err == nil {
			r.config.take(data)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, trouble(NotRepository, "", err, "the configuration %s cannot be read", "无法读取配置 %s", quote(file))
		}
	}
	if what := r.config.unsupported(); what != "" {
		return nil, trouble(Unsupported, "", nil,
			"the repository %s uses %s, which poolproof does not read; use one with SHA-1 objects and refs as files",
			"仓库 %s 使用了 %s,poolproof 不支持;请使用 SHA-1 对象且以文件存放引用的仓库", quote(own), quote(what))
	}
	var err error
	if r.objects, err = odb.Open(filepath.Join(r.common, "objects")); err != nil {
		return nil, notRepository(own, err)
	}
	if err := r.readEnds(); err != nil {
		return nil, err
	}
	return r, nil
}

// readEnds reads which commits' parents a shallow clone lacks.
func (r *Repo) readEnds() error {
	data, err := odb.ReadSmall(filepath.Join(r.common, "shallow"), 64<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return trouble(NotRepository, "", err, "where the shallow history ends cannot be read", "无法读取浅克隆的边界")
	}
	r.ends = map[Hash]bool{}
	for line := range strings.SplitSeq(string(data), "\n") {
		if id, ok := parseHash(strings.TrimSpace(line)); ok {
			r.ends[id] = true
		}
	}
	return nil
}

// Root is the work tree's root, or empty for a bare repository.
func (r *Repo) Root() string { return r.root }

// Shallow reports whether the history is cut off.
func (r *Repo) Shallow() bool { return len(r.ends) > 0 }

// Prefix is the path of a folder inside the work tree, with '/', and "." for the root. In a bare repository it is "."
// too. A folder outside is a Trouble.
func (r *Repo) Prefix(dir string) (string, error) {
	if r.root == "" {
		return ".", nil
	}
	paths := [2]string{r.root, dir}
	for i, p := range paths {
		p, err := filepath.Abs(p)
		if err == nil {
			p, err = filepath.EvalSymlinks(p)
		}
		if err != nil {
			return "", notRepository(dir, err)
		}
		paths[i] = p
	}
	rel, err := filepath.Rel(paths[0], paths[1])
	if err != nil || !filepath.IsLocal(rel) {
		return "", notRepository(dir, err)
	}
	return filepath.ToSlash(rel), nil
}

// Trim gives back the memory that only makes further reading fast, that of submodules included.
func (r *Repo) Trim() {
	r.objects.Trim()
	r.modules.mu.Lock()
	defer r.modules.mu.Unlock()
	for _, m := range r.modules.open {
		if m != nil {
			m.Trim()
		}
	}
}

// Close releases the repository and those of its submodules, and removes what was fetched for it.
func (r *Repo) Close() error {
	err := r.modules.close()
	err = errors.Join(err, r.objects.Close())
	if r.cleanup != nil {
		err = errors.Join(err, r.cleanup())
	}
	return err
}

// modules are the repositories of submodules that were opened.
type modules struct {
	mu   sync.Mutex
	open map[string]*Repo
}

func (m *modules) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	for _, r := range m.open {
		if r != nil {
			errs = append(errs, r.Close())
		}
	}
	m.open = nil
	return errors.Join(errs...)
}
