package audit

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/app/mapped"
)

// echo is a note of a copy that a path of the map finds nothing, by file, setting and path.
type echo struct {
	file string
	path schema.Path
	raw  string
}

// strays finds the paths of maps that lead nowhere in any file of their source. They are surely misspelt, so they are
// shown where they stand in the manifest, with what they could have meant; of the copies that note them only those of
// the source's first file still do.
func (w *weigher) strays(run *rules.Run) {
	if w.options.Read == nil || !run.Whole {
		return
	}
	files := map[int][]string{}
	for _, f := range run.Loaded.Files {
		if f.Format == "mapped" {
			files[f.Source] = append(files[f.Source], f.Path)
		}
	}
	for i := range run.Manifest.Sources {
		m := run.Manifest.Sources[i].Map
		if m == nil {
			continue
		}
		for _, x := range lost(m, files[i], w.options.Read) {
			w.stray = append(w.stray, strayProblem(&x, len(files[i])))
			for _, file := range files[i][1:] {
				if w.echoes == nil {
					w.echoes = map[echo]bool{}
				}
				w.echoes[echo{file, x.Path, x.Expr}] = true
			}
		}
	}
}

// lost returns the paths of a map that lead nowhere in all of the files, none if one of them cannot tell.
func lost(m *schema.Map, files []string, read func(string) ([]byte, error)) (list []mapped.Stray) {
	for i, file := range files {
		text, err := read(file)
		if err != nil {
			return nil
		}
		here, ok := mapped.Strays(m, file, text)
		if !ok {
			return nil
		}
		if i == 0 {
			list = here
		}
		both := list[:0]
		for _, x := range list {
			j := slices.IndexFunc(here, func(y mapped.Stray) bool { return x.Key == y.Key })
			if j < 0 {
				continue
			}
			if x.Instead == "" { // one of the files may hold what was meant
				x.Instead = here[j].Instead
			}
			both = append(both, x)
		}
		list = both
		if len(list) == 0 {
			return nil
		}
	}
	return list
}

func strayProblem(x *mapped.Stray, files int) schema.Problem {
	p := schema.Problem{Rule: "source/unresolved", At: x.At, Item: x.Path.Item(), Field: "map." + x.Key, Got: x.Expr,
		Text: schema.Textf("map.%s: %q leads to nothing in any of the %d files of this source, so nothing is compared", "map.%s：%q 在该来源的全部 %d 个文件中都没有取到值，因此不参与比较", x.Key, x.Expr, files)}
	if files == 1 {
		p.Text = schema.Textf("map.%s: %q leads to nothing in the file of this source, so nothing is compared", "map.%s：%q 在该来源的文件中没有取到值，因此不参与比较", x.Key, x.Expr)
	}
	switch {
	case x.Instead != "":
		p.Hint = schema.Textf("did you mean %q?", "是否为 %q？", x.Instead)
		p.Want = x.Instead
	case len(x.Keys) > 0:
		p.Hint = schema.Textf("correct the path; the keys there are %s", "请更正路径；该处的键有 %s", strings.Join(x.Keys, ", "))
	default:
		p.Hint = schema.Textf("correct the path, or remove it", "请更正或删除该路径")
	}
	return p
}
