package tree

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
)

// ErrPointer says that a file's content is kept by Git LFS and is not here: what stands in its place is a pointer.
var ErrPointer = errors.New("stands for a file that Git LFS keeps")

// maxPointer is the size in bytes below which a file may be a pointer of Git LFS.
const maxPointer = 1024

// Pointer reads what Git LFS puts in a file's place: the SHA-256 of the file in hex, and its size in bytes.
func Pointer(data []byte) (oid string, size int64, ok bool) {
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
