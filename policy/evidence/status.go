package evidence

import (
	"iter"
	"slices"

	"github.com/poolproof/poolproof/policy/fingerprint"
	"github.com/poolproof/poolproof/schema"
)

// Status marks the findings of head that the base has too as existing and the others as new, in place. Findings are the
// same where their fingerprints are, apart from ordinals: as many as the base has are existing. One that is said of several
// environments is existing if it is in each of them. A pool keeps its findings when it is renamed, and a file when it moves.
// Suppressed findings stay so, whatever the base has.
//
// Of a change that brings the first manifest every finding is existing. lasts, which may be nil, reports whether a finding
// of head is surely one of the base's too, which need not be among these then.
func (r *Report) Status(base, head []schema.Finding, lasts func(*schema.Finding) bool) {
	had := map[string]int{}
	moved := map[string]int{}
	for i := range base {
		f := &base[i]
		for one := range inEach(f) {
			had[fingerprint.Key(&one)]++
		}
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
		fresh := f.Env
		f.Status = schema.Existing
		for one := range inEach(f) {
			before := one
			if old, ok := r.renamed[Pool{one.Env, one.Pool}]; ok {
				before.Env, before.Pool = old.Env, old.Name
			}
			if r.first || lasts != nil && lasts(&one) || take(had, fingerprint.Key(&before)) {
				continue
			}
			if f.Status == schema.Existing {
				f.Status, fresh = schema.New, one.Env
			}
		}
		if fresh != f.Env { // it is told of the environment in which it is new
			f.Also[slices.Index(f.Also, fresh)], f.Env = f.Env, fresh
		}
		if f.Status == schema.New && f.Pool == "" {
			left = append(left, f)
		}
	}
	for _, f := range left {
		if take(moved, withoutFile(f)) {
			f.Status = schema.Existing
		}
	}
}

// inEach yields a finding as it would be in each environment of which it is said.
func inEach(f *schema.Finding) iter.Seq[schema.Finding] {
	return func(yield func(schema.Finding) bool) {
		one := *f
		one.Also = nil
		if !yield(one) {
			return
		}
		for _, one.Env = range f.Also {
			if !yield(one) {
				return
			}
		}
	}
}

// withoutFile is the key of a finding about a file, wherever the file is.
func withoutFile(f *schema.Finding) string {
	bare := *f
	bare.At.File = ""
	return fingerprint.Key(&bare) + f.Message.En
}
