package git

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// large reads a file from what Git LFS has fetched, which has the same layout everywhere. Git LFS itself is not run.
func (r *Repo) large(oid string, size int64, revision string) ([]byte, error) {
	if size > tree.MaxFile {
		return nil, tree.ErrTooLarge
	}
	data, err := odb.ReadSmall(filepath.Join(r.common, "lfs", "objects", oid[:2], oid[2:4], oid), tree.MaxFile)
	if sum := sha256.Sum256(data); err == nil && hex.EncodeToString(sum[:]) == oid && int64(len(data)) == size {
		return data, nil
	}
	mend := "git lfs pull"
	if remote := r.config.remote(); remote != "" && revision != Staged {
		mend = "git lfs fetch " + shell(remote) + " " + revision
	}
	return nil, trouble(Pointer, mend, ErrPointer,
		"the file is kept by Git LFS and has not been fetched", "文件由 Git LFS 存放,尚未获取")
}
