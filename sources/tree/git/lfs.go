package git

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// maxPointer is the size in bytes below which a file may be a pointer of Git LFS.
const maxPointer = 1024

// pointer reads what Git LFS puts in a file's place: its SHA-256 and its size in bytes.
func pointer(data []byte) (oid string, size int64, ok bool) {
	if len(data) >= maxPointer || !bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")) &&
		!bytes.HasPrefix(data, []byte("version https://hawser.github.com/spec/")) {
		return "", 0, false
	}
	size = -1
	for line := range strings.SplitSeq(string(data), "\n") {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\r"), " ")
		switch key {
		case "oid":
			oid = strings.TrimPrefix(value, "sha256:")
		case "size":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				size = n
			}
		}
	}
	raw, err := hex.DecodeString(oid)
	return strings.ToLower(oid), size, err == nil && len(raw) == sha256.Size && size >= 0
}

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
