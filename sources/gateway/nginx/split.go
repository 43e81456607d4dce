package nginx

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// split parts directives that run together because a ';' is missing: "server A" and, on the next line, "server B;". A
// word that starts a line and is the name of a directive of this block begins a new one.
func split(body []directive, names func(string) bool, report func(schema.Problem)) []directive {
	next := func(d *directive) int {
		return slices.IndexFunc(d.args, func(w word) bool { return w.newline && !w.quoted && names(w.text) })
	}
	if !slices.ContainsFunc(body, func(d directive) bool { return next(&d) >= 0 }) {
		return body
	}
	var out []directive
	for _, rest := range body {
		for j := next(&rest); j >= 0; j = next(&rest) {
			head := directive{name: rest.name, args: rest.args[:j:j], maybe: rest.maybe}
			head.end = head.lastEnd()
			report(schema.Problem{
				Rule: "source/syntax", At: head.span(),
				Text: schema.Textf(`";" is missing after %q`, `%q 之后缺少 ";"`, clip(strings.TrimSpace(head.name.text+" "+head.text()))),
				Hint: schema.Textf(`put ";" after it`, `在其后补上 ";"`),
			})
			out = append(out, head)
			rest.name, rest.args = rest.args[j], rest.args[j+1:]
		}
		out = append(out, rest)
	}
	return out
}

// inUpstream reports whether a name is one of an upstream's directives.
func inUpstream(name string) bool {
	return name == "server" || slices.Contains(known, name) || slices.Contains(methods, name)
}

// inPlace reports whether a name is one that the reader asks for where requests are passed on.
func inPlace(name string) bool {
	_, passing := passes(name)
	return passing || wanted(name) && name != "listen" && name != "server_name"
}
