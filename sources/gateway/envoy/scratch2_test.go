package envoy

import (
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestScratchTemplates(t *testing.T) {
	for _, text := range []string{`static_resources:
  clusters:
  - name: orders
    type: STRICT_DNS
    connect_timeout: {{ timeout }}
    load_assignment:
      cluster_name: orders
      endpoints:
      - lb_endpoints:
{% for h in hosts %}
        - endpoint:
            address:
              socket_address: { address: {{ h }}, port_value: 8080 }
{% endfor %}
        - endpoint:
            address:
              socket_address:
                address: {{ other }}
                port_value: 8080
    health_checks:
    - interval: {{ interval }}s
      timeout: 1s
`, `static_resources:
  clusters:
  {{- range .Clusters }}
  - name: {{ .Name }}
    type: STRICT_DNS
    load_assignment:
      endpoints:
      - lb_endpoints:
        {{- range .Hosts }}
        - endpoint: {address: {socket_address: {address: {{ .Host }}, port_value: {{ .Port }} }}}
        {{- end }}
  {{- end }}
`, `static_resources:
  clusters:
  - name: a
    load_assignment:
      endpoints: {{ toYaml .Values.endpoints | nindent 8 }}
    outlier_detection: {{ toJson .Values.outlier }}
`, `{
  "static_resources": {"clusters": [ {"name": "a", "load_assignment": {"endpoints": [{"lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "{{ h }}", "port_value": {{ p }} }}}}]}]}} ]}
}`} {
		fmt.Println("=====")
		path := "x.yaml"
		if text[0] == '{' {
			path = "x.json"
		}
		fmt.Println(detect("x.yaml.j2", []byte(text)))
		fmt.Println(sourcetest.Dump(sourcetest.Read(Adapter(), path, []byte(text), schema.Source{}), []byte(text)))
	}
}
