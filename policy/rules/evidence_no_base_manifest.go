package rules

import "github.com/poolproof/poolproof/schema"

func evidenceNoBaseManifest() Rule {
	return told("no-base-manifest", schema.Warning, "the change brings the first manifest", "变更带来首个清单")
}
