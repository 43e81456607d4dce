package markdown

import "testing"

func TestTags(t *testing.T) {
	for line, want := range map[string]tag{
		":::": tagEnd, ":::tip": tagEnd, "::::": tagEnd, "{: .wide}": tagEnd, "{.wide #id}": tagEnd, "{#id}": tagEnd, "</TabItem>": tagEnd, "{{< /tab >}}": tagEnd, "{{% /tab %}}": tagEnd,
		"{% for h in hosts | sort %}": tagMore, "{%- if x -%}": tagMore, "{{#each hosts}}": tagMore, "{{- range .Hosts -}}": tagMore, "{{ rows }}": tagMore, "{{< rows >}}": tagMore, "{!hosts.md!}": tagMore,
		"{% endfor %}": tagStatement, "{%- endif -%}": tagStatement, "{{/each}}": tagStatement, "{{- end -}}": tagStatement, "{% raw %}": tagStatement,
		"{{ host }} | {{ port }}": noTag, "| :::": noTag, "::: | x": noTag, "::": noTag, ":-:": noTag, "</div>": noTag, "</": noTag, "{": noTag, "{}": noTag, "{x}": noTag, "{{ host }} x": noTag,
		"{% a %} | {% b %}": noTag, "": noTag, "text": noTag, "<T>": noTag,
	} {
		if got := tagOf(line); got != want {
			t.Errorf("%q: %d instead of %d", line, got, want)
		}
	}
}
