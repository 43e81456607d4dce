package git

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// Mode is the kind of an entry, as git writes it.
type Mode uint32

// The modes that git knows. Old repositories hold some others, which are read as the nearest of these.
const (
	Folder     Mode = 0o040000
	File       Mode = 0o100644
	Executable Mode = 0o100755
	Link       Mode = 0o120000
	Module     Mode = 0o160000 // a submodule's commit
)

// maxFolder is the size in bytes above which a folder is not read: more than 600,000 entries.
const maxFolder = 32 << 20

// node is an entry of a folder.
type node struct {
	name string
	mode Mode
	id   Hash
	dir  *folder // what a folder of the index holds; others are read by id
	err  error   // why it cannot be read
}

// folder is a list of entries in byte order of their names.
type folder struct {
	nodes []node
	err   error // what is wrong with it; the other entries count nevertheless
}

func (f *folder) find(name string) (node, bool) {
	i := sort.Search(len(f.nodes), func(i int) bool { return f.nodes[i].name >= name })
	if i < len(f.nodes) && f.nodes[i].name == name {
		return f.nodes[i], true
	}
	return node{}, false
}

// settle sorts the entries and takes out those that no work tree can hold.
func (f *folder) settle() {
	sort.SliceStable(f.nodes, func(i, j int) bool { return f.nodes[i].name < f.nodes[j].name })
	left := f.nodes[:0]
	for i, n := range f.nodes {
		switch {
		case forbidden(n.name):
			f.err = errors.Join(f.err, trouble(BadTree, "", nil, "it holds an entry named %s, which git forbids", "其中有 git 禁止的名称 %s", quote(n.name)))
		case i > 0 && f.nodes[i-1].name == n.name:
			f.err = errors.Join(f.err, trouble(BadTree, "", nil, "it holds two entries named %s", "其中有两个名为 %s 的条目", quote(n.name)))
		default:
			left = append(left, n)
		}
	}
	f.nodes = left
}

// forbidden tells names that would lead elsewhere, or into git's own folder, when they are joined to a path.
func forbidden(name string) bool {
	return name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") || strings.EqualFold(name, ".git")
}

// folders keeps the folders that were read: two revisions share most of them.
type folders struct {
	mu    sync.RWMutex
	known map[Hash]*folder
	nodes int
}

// maxNodes bounds how many entries are kept.
const maxNodes = 500_000

// folder reads a folder by its id.
func (r *Repo) folder(id Hash) (*folder, error) {
	r.folders.mu.RLock()
	f := r.folders.known[id]
	r.folders.mu.RUnlock()
	if f != nil {
		return f, nil
	}
	typ, data, err := r.objects.Read(id, maxFolder)
	if err == nil && typ != odb.Tree {
		err = fmt.Errorf("%s: %w: a %s in place of a folder", id, odb.ErrCorrupt, typ)
	}
	if err == nil {
		f, err = parseFolder(data)
	}
	if err != nil {
		return nil, r.object(id, err)
	}
	r.folders.mu.Lock()
	defer r.folders.mu.Unlock()
	if r.folders.known == nil || r.folders.nodes > maxNodes {
		r.folders.known, r.folders.nodes = map[Hash]*folder{}, 0
	}
	r.folders.known[id] = f
	r.folders.nodes += len(f.nodes)
	return f, nil
}

// parseFolder reads a tree object: mode, name, NUL and id, one after the other.
func parseFolder(data []byte) (*folder, error) {
	f := &folder{nodes: make([]node, 0, bytes.Count(data, []byte{0})/2)}
	text := string(data) // names share it
	for text != "" {
		head, rest, ok := strings.Cut(text, "\x00")
		digits, name, spaced := strings.Cut(head, " ")
		if !ok || !spaced || len(rest) < len(Hash{}) {
			return nil, fmt.Errorf("%w: a folder that is cut off", odb.ErrCorrupt)
		}
		mode := Mode(0)
		for _, c := range []byte(digits) {
			if c < '0' || c > '7' || mode > 0o777777 {
				return nil, fmt.Errorf("%w: a folder with an entry of no kind", odb.ErrCorrupt)
			}
			mode = mode<<3 | Mode(c-'0')
		}
		n := node{name: name, id: Hash([]byte(rest[:len(Hash{})]))}
		n.mode, n.err = kind(mode, name)
		f.nodes = append(f.nodes, n)
		text = rest[len(Hash{}):]
	}
	f.settle()
	return f, nil
}

// kind reduces a mode to those that git writes today.
func kind(mode Mode, name string) (Mode, error) {
	switch mode & 0o170000 {
	case 0o100000:
		if mode&0o100 != 0 {
			return Executable, nil
		}
		return File, nil
	case Folder, Link, Module:
		return mode & 0o170000, nil
	}
	return mode, trouble(BadTree, "", nil, "%s has the mode %o, which git does not know", "%s 的模式 %o 是 git 不认识的", quote(name), uint32(mode))
}
