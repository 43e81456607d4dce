package evidence

import (
	"github.com/poolproof/poolproof/policy/fingerprint"
	"github.com/poolproof/poolproof/schema"
)

// Status marks the findings of head that the base has too as existing and the others as new, in place. Findings are the
// same where their fingerprints are, apart from ordinals: as many as the base has are existing. A pool keeps its findings
// when it is renamed, and a file when it moves. Suppressed findings stay so, whatever the base has.
//
// Of a change that brings the first manifest every finding is existing. lasts, which may be nil, reports whether a finding
// of head is surely one of the base's too, which need not be among these then.
func (r *Report) Status(base, head []schema.Finding, lasts func(*schema.Finding) bool) {
	had := map[string]int{}
	moved := map[string]int{}
	for i := range base {
		f := &base[i]
		had[fingerprint.Key(f)]++
		if f.Pool == "" && r.gone[f.At.File] {
			moved[withoutFile(f)]++
		}
	}
	take := func(m map[string]int, key string) bool {
		if m[key] == 0 {
			return false
		}
		m[key]--
		return true
	}
	var left []*schema.Finding
	for i := range head {
		f := &head[i]
		if f.Status == schema.Suppressed {
			continue
		}
		before := *f
		if old, ok := r.renamed[Pool{f.Env, f.Pool}]; ok {
			before.Env, before.Pool = old.Env, old.Name
		}
		f.Status = schema.New
		switch {
		case r.first || lasts != nil && lasts(f) || take(had, fingerprint.Key(&before)):
			f.Status = schema.Existing
		case f.Pool == "":
			left = append(left, f)
		}
	}
	for _, f := range left {
		if take(moved, withoutFile(f)) {
			f.Status = schema.Existing
		}
	}
}

// withoutFile is the key of a finding about a file, wherever the file is.
func withoutFile(f *schema.Finding) string {
	bare := *f
	bare.At.File = ""
	return fingerprint.Key(&bare) + f.Message.En
}

// Status is Report.Status for those who do not know what the change owes: pools that were renamed and files that moved have
// new findings only.
func Status(base, head []schema.Finding) { (&Report{}).Status(base, head, nil) }
