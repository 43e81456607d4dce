package report

import (
	"github.com/poolproof/poolproof/policy/fingerprint"
	"github.com/poolproof/poolproof/schema"
)

// Fingerprints sets the fingerprint of every finding, as package fingerprint says.
func Fingerprints(findings []schema.Finding) { fingerprint.Set(findings) }
