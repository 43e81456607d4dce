package schema

import (
	"embed"
	"io/fs"
)

//go:embed cue.mod/module.cue *.cue
var definitions embed.FS

// CUE returns the files of the CUE module that is the grammar of native pool files, manifests, change orders and
// scenarios: cue.mod/module.cue and the package's *.cue files. They are read-only.
func CUE() fs.FS { return definitions }
