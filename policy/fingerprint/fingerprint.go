// Package fingerprint gives findings a name that survives edits around them and moves of their file.
package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/poolproof/poolproof/schema"
)

// Set sets the fingerprint of every finding: the first 32 hexadecimal digits of the SHA-256 of rule, environment, pool,
// side, item, field, member and found value. Findings that are equal in all of these are told apart by an ordinal, in the
// given order. Neither lines nor, for a finding about a pool, the file take part, so that a fingerprint survives edits
// above it and moves of its file. A finding without a pool is about a file: there the path takes the pool's place, or
// mending one file would lend its fingerprint to the next.
func Set(findings []schema.Finding) {
	var key []byte
	seen := make(map[[sha256.Size]byte]uint64, len(findings))
	for i := range findings {
		f := &findings[i]
		key = appendKey(key[:0], f)
		sum := sha256.Sum256(key)
		ordinal := seen[sum]
		seen[sum]++
		if ordinal > 0 {
			sum = sha256.Sum256(binary.AppendUvarint(key, ordinal))
		}
		f.Fingerprint = hex.EncodeToString(sum[:16])
	}
}

// Key returns what tells a finding from others of its run apart from the ordinal: two findings with equal keys say the
// same of the same thing.
func Key(f *schema.Finding) string { return string(appendKey(nil, f)) }

func appendKey(key []byte, f *schema.Finding) []byte {
	part := func(s string) {
		key = binary.AppendUvarint(key, uint64(len(s)))
		key = append(key, s...)
	}
	part(f.Rule)
	part(f.Env)
	part(f.Pool)
	part(string(f.At.Side))
	part(f.Item.String())
	part(f.Field)
	part(f.Member)
	part(f.Got)
	if f.Pool == "" {
		part(f.At.File)
	}
	return key
}
