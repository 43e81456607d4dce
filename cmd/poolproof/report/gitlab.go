package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"

	"github.com/poolproof/poolproof/schema"
)

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// gitlab writes GitLab's code quality report, in English. Suppressed findings are left out, because the format cannot
// say so. Fingerprints are unique in the report, as GitLab wants them.
func gitlab(w io.Writer, run *Run, opts Options) error {
	open := make([]*schema.Finding, 0, len(run.Findings))
	for i := range run.Findings {
		if f := &run.Findings[i]; !silenced(f) {
			open = append(open, f)
		}
	}
	used := make(map[string]bool, len(open))
	s := newStream(w)
	s.array(len(open), func(i int) any {
		f := open[i]
		return gitlabIssue{
			Description: language("en").sentence(f),
			CheckName:   short(f.Rule),
			Fingerprint: unused(used, f.Fingerprint),
			Severity:    gitlabSeverity(f.Severity),
			Location:    gitlabPlace(f, opts.Prefix),
		}
	})
	s.raw("\n")
	return s.err
}

// unused returns a fingerprint that no finding before had, and takes it.
func unused(used map[string]bool, fingerprint string) string {
	unique := fingerprint
	for n := len(used); unique == "" || used[unique]; n++ {
		sum := sha256.Sum256([]byte(fingerprint + "#" + strconv.Itoa(n)))
		unique = hex.EncodeToString(sum[:16])
	}
	used[unique] = true
	return unique
}

func gitlabSeverity(s schema.Severity) string {
	switch s {
	case schema.Error:
		return "major"
	case schema.Info:
		return "info"
	}
	return "minor"
}

// gitlabPlace is where GitLab shows a finding. It demands a path: a finding without one is shown at the first related
// place, or at the root.
func gitlabPlace(f *schema.Finding, prefix string) gitlabLocation {
	at := &f.At
	for i := 0; i < len(f.Related) && at.File == ""; i++ {
		at = &f.Related[i].Place
	}
	file := "."
	if at.File != "" {
		file = repositoryPath(prefix, boundPath(at.File))
	}
	return gitlabLocation{file, gitlabLines{max(1, at.Line)}}
}
