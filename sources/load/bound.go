package load

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// maxProblems is how many problems of one file are reported. A file that has more is wrong as a whole, and a report that
// lists them all is read by nobody.
const maxProblems = 200

// bound cuts the problems of a file to maxProblems, those of the file as a whole first, and says how many were left out.
func bound(r *sources.Result) {
	left, dropped := maxProblems, 0
	var last schema.Problem
	cut := func(list []schema.Problem) []schema.Problem {
		if len(list) <= left {
			left -= len(list)
			return list
		}
		dropped += len(list) - left
		last = list[left]
		list = list[:left:left]
		left = 0
		return list
	}
	r.Problems = cut(r.Problems)
	for i := range r.Copies {
		r.Copies[i].Problems = cut(r.Copies[i].Problems)
	}
	if dropped > 0 {
		r.Report(schema.Problem{Rule: last.Rule, At: last.At, Severity: last.Severity, Got: last.Got,
			Text: schema.Textf("%d more problems of this file are left out, this one the first of them", "该文件另有 %d 个问题未列出，此处为其中第一个", dropped)})
	}
}
