package load

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// bound cuts what is told of a file to sources.MaxProblems problems, those of the file as a whole first, and as many
// unresolved values, and says how many were left out. What is left out of the telling counts all the same: an unresolved
// value stays unresolved.
func bound(r *sources.Result) {
	boundProblems(r)
	boundUnresolved(r)
}

func boundProblems(r *sources.Result) {
	light, heavy := 0, 0
	each := func(do func(*[]schema.Problem)) {
		do(&r.Problems)
		for i := range r.Copies {
			do(&r.Copies[i].Problems)
		}
	}
	each(func(list *[]schema.Problem) {
		for i := range *list {
			if sources.Weight(&(*list)[i]) < schema.Error {
				light++
			} else {
				heavy++
			}
		}
	})
	dropped := r.LeftOut + max(0, light+heavy-sources.MaxProblems)
	r.LeftOut = 0
	if dropped == 0 {
		return
	}
	// Errors are told before warnings, so that what is left out decides nothing.
	heavy = min(heavy, sources.MaxProblems)
	light = min(light, sources.MaxProblems-heavy)
	var first schema.Problem // that is left out, the heavier the better
	each(func(list *[]schema.Problem) {
		kept := make([]schema.Problem, 0, min(len(*list), sources.MaxProblems))
		for _, p := range *list {
			left := &heavy
			if sources.Weight(&p) < schema.Error {
				left = &light
			}
			if *left > 0 {
				*left--
				kept = append(kept, p)
			} else if first.Rule == "" || sources.Weight(&first) < sources.Weight(&p) {
				first = p
			}
		}
		*list = kept
	})
	if first.Rule == "" { // only the adapter knows where the rest stands
		first.Rule, first.Severity = "schema/invalid", schema.Warning
	}
	r.Problems = append(r.Problems, schema.Problem{Rule: first.Rule, At: first.At, Severity: first.Severity, Got: first.Got,
		Text: schema.Textf("%d more problems of this file are left out, this one the first of them", "该文件另有 %d 个问题未列出，此处为其中第一个", dropped)})
}

func boundUnresolved(r *sources.Result) {
	told, dropped := 0, 0
	var first schema.Unresolved
	for i := range r.Copies {
		list := r.Copies[i].Unresolved
		for j := range list {
			if list[j].Quiet {
				continue
			}
			if told < sources.MaxProblems {
				told++
				continue
			}
			if dropped == 0 {
				first = list[j]
			}
			dropped++
			list[j].Quiet = true
		}
	}
	if dropped > 0 {
		r.Problems = append(r.Problems, schema.Problem{Rule: "source/unresolved", At: first.At, Got: first.Raw,
			Text: schema.Textf("%d more values of this file are not resolved here, this one the first of them: they are not compared and accuse nobody", "该文件另有 %d 个取值在此处无法解析，此处为其中第一个：不参与比较，也不据此指责任何一方", dropped),
			Hint: schema.Textf("give their values in the manifest (vars), or check the rendered file", "在清单的 vars 中给出取值，或检查渲染后的文件")})
	}
}
