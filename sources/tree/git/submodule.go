package git

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// module opens the submodule at an entry of the folder s, at the commit that is recorded there.
func (s spot) module(n node) (*Repo, *folder, error) {
	at := join(s.full, n.name)
	r, err := s.repo.submodule(at, s.moduleName(at))
	if err != nil {
		return nil, nil, err
	}
	c, err := r.commit(n.id)
	if isMissing(err) {
		mend := "git submodule update --init " + shell(at)
		if remote := r.config.remote(); remote != "" {
			// A shallow submodule does not get older commits by an update.
			mend = "git -C " + shell(at) + " fetch " + shell(remote) + " " + n.id.String()
		}
		return nil, nil, trouble(Submodule, mend, err, "submodule %s does not have commit %.12s; fetch it", "子模块 %s 中没有提交 %.12s;请获取",
			quote(at), n.id.String())
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := r.folder(c.tree)
	return r, f, err
}

// moduleName is the name that .gitmodules gives a submodule; without one git uses the path.
func (s spot) moduleName(at string) string {
	name := at
	n, ok := s.top.find(".gitmodules")
	if !ok || n.err != nil || n.mode != File && n.mode != Executable {
		return name
	}
	_, data, err := s.repo.objects.Read(n.id, 1<<20)
	if err != nil {
		return name
	}
	parseConfig(data, func(section, sub, key, value string) {
		if section == "submodule" && key == "path" && strings.TrimSuffix(value, "/") == at {
			name = sub
		}
	})
	return name
}

// submodule opens a submodule's repository: git keeps it in the git directory by name, and an old one in the work tree.
func (r *Repo) submodule(at, name string) (*Repo, error) {
	r.modules.mu.Lock()
	defer r.modules.mu.Unlock()
	key := at + "\x00" + name
	if known := r.modules.open[key]; known != nil {
		return known, nil
	}
	var dirs []string
	// Names come from the repository; one such as ../../x leads elsewhere.
	if fs.ValidPath(name) && name != "." {
		dirs = append(dirs, filepath.Join(r.own, "modules", filepath.FromSlash(name)), filepath.Join(r.common, "modules", filepath.FromSlash(name)))
	}
	if r.root != "" {
		dot := filepath.Join(r.root, filepath.FromSlash(at), ".git")
		if to, err := gitFile(dot); err == nil {
			dirs = append(dirs, to)
		} else {
			dirs = append(dirs, dot)
		}
	}
	var cause error
	for _, dir := range dirs {
		if !isGitDir(dir) {
			continue
		}
		sub, err := openDir(dir, "")
		if err != nil {
			cause = err
			continue
		}
		if r.root != "" {
			sub.root = filepath.Join(r.root, filepath.FromSlash(at))
		}
		if r.modules.open == nil {
			r.modules.open = map[string]*Repo{}
		}
		r.modules.open[key] = sub
		return sub, nil
	}
	if cause == nil {
		cause = odb.ErrMissing
	}
	return nil, trouble(Submodule, "git submodule update --init --recursive "+shell(at), cause,
		"submodule %s is not here; fetch it", "子模块 %s 不在本地;请获取", quote(at))
}
