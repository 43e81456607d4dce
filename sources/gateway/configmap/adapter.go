// Package configmap reads the files that Kubernetes ConfigMaps carry: what stands as a literal block (key: |) under data
// is read by the adapter of its own format, as if it were a file of the key's name. All places are those in the file that
// holds the ConfigMap.
//
// Not read: texts in quotes or folded blocks (>), whose bytes are not those of the file; binaryData; and formats that
// stand on another side than the source, which source/skipped names.
package configmap

import (
	"bytes"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/gateway/internal/outline"
)

// Adapter returns the reader of ConfigMaps; inner are the adapters that read what they carry.
func Adapter(inner ...sources.Adapter) sources.Adapter {
	return sources.Adapter{
		Name:    "configmap",
		Sides:   []schema.Side{schema.Gateway, schema.App},
		Version: 1,
		Detect:  func(path string, text []byte) sources.Confidence { return detect(inner, path, text) },
		Read:    func(in sources.Input) sources.Result { return read(inner, in) },
	}
}

func detect(inner []sources.Adapter, path string, text []byte) sources.Confidence {
	if !outline.Structured(path) || !bytes.Contains(text, []byte("ConfigMap")) {
		return sources.Unlikely
	}
	if !outline.Of(text).Value("kind", func(v string) bool { return v == "ConfigMap" || v == "List" }) {
		return sources.Unlikely
	}
	found := sources.Unlikely
	for _, e := range entries(data.YAML(text), text) {
		a, ok := choose(inner, e)
		switch {
		case ok && a.Sides[0] == schema.Gateway:
			return sources.Certain
		case ok: // of an application: only the manifest can say that the file stands there
			found = sources.Possible
		}
	}
	return found
}

func read(inner []sources.Adapter, in sources.Input) sources.Result {
	file := data.YAML(in.Data)
	out := sources.Result{Problems: file.Problems}
	list := entries(file, in.Data)
	adapters := make([]*sources.Adapter, len(list))
	usual := false // an entry has its usual place on this side: those that only could stand here do not
	for i, e := range list {
		if a, ok := choose(inner, e); ok {
			adapters[i] = &a
			usual = usual || a.Sides[0] == in.Source.Side
		}
	}
	for i, e := range list {
		a := adapters[i]
		switch {
		case a == nil:
		case usual && a.Sides[0] != in.Source.Side || !slices.Contains(a.Sides, in.Source.Side):
			out.Report(schema.Problem{Rule: "source/skipped", At: e.keyAt, Got: e.name,
				Text: schema.Textf("%s is of format %s, does not belong on the %s side and is not read", "%s 的格式为 %s，不属于 %s 侧，未读取", e.name, a.Name, in.Source.Side),
				Hint: schema.Textf("name the file in a source of side %s, with format: configmap", "请在 side 为 %s、format 为 configmap 的来源中写上该文件", a.Sides[0])})
		default:
			add(&out, *a, e, in)
		}
	}
	return out
}

// add reads one entry.
func add(out *sources.Result, a sources.Adapter, e entry, in sources.Input) {
	source := *in.Source
	source.Format = a.Name
	if a.Profile == "" || !strings.HasPrefix(source.Profile, a.Profile) { // it is another engine's
		source.Profile = a.Profile
	}
	carrier := in.Path
	in.Path, in.Data, in.Source, in.Sibling = e.name, e.inPlace(in.Data), &source, nil
	r := a.Read(in)
	for i := range r.Copies {
		r.Copies[i].Files = []string{carrier}
	}
	out.Copies = append(out.Copies, r.Copies...)
	out.Problems = append(out.Problems, r.Problems...)
	out.LeftOut += r.LeftOut
}

// choose returns the adapter that recognises an entry best.
func choose(inner []sources.Adapter, e entry) (best sources.Adapter, ok bool) {
	sure := sources.Possible
	for _, a := range inner {
		if c := a.Detect(e.name, e.text); c > sure {
			best, sure, ok = a, c, true
		}
	}
	return best, ok
}
