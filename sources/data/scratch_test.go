package data

import ("testing";"fmt")

func TestScratch(t *testing.T) {
	for _, s := range []string{
"{{- if .x }}\nmembers: {{ .m }}\n{{- end }}\n",
`# Source
{{- $x := .Values }}
apiVersion: v1
metadata:
  name: {{ include "x.name" . }}-canary
  labels:
    {{- include "labels" . | nindent 4 }}
spec:
  hosts: ["{{ .Values.host | default "x: y" }}", {{ .b }}]
  weight: {{ .w }} # c
  members:
  {{- range .members }}
  - host: {{ .host }}
    port: 80
  {{- end }}
  - host: literal
  {{ .key }}: v
  text: |
    {{ untouched }}
    {{- if x }}
    y
{{ if x }}
    z
  url: http://{{ .h }}:80/{{ .p }}
  {{- if .a }}
  timeout: 5s
  {{- else }}
  timeout: 10s
  {{- end }}
  q: '{{ .a }}'
  plain: [a, b]
---
b: 1
`,
"upstreams:\n{% for h in hosts %}\n  - {{ h }}:{{ port }}\n{% endfor %}\nx: {% if a %}1{% else %}2{% endif %}\n",
"a: \"{{ x }}\"\nb: http://{{ x }}/\nc: ${{ y }}\n",
"delims: [\"{{\", \"}}\"]\n",
"a: {{ x }}\nb: [\n",
"a:\n  {{- toYaml .m | nindent 2 }}\nb:\n  c: 1\n  {{- toYaml .m | nindent 2 }}\nd:\n- x\n{{- /* c */}}\n",
} {
		fmt.Println("-----\n"+s)
		fmt.Println(dump(YAML([]byte(s)), string(s)))
	}
}
