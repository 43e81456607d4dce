package manifest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

func TestAlerts(t *testing.T) {
	m := load(t, "poolproof.yaml", `sources: [{side: app, files: [a]}]
alerts:
  lang: zh
  for: 1m
  link: "https://pp.example.com"
  stdout:
  alertmanager: {url: ["http://a:9093", "http://b:9093"], resend: 1m}
  slack:
    - {urlFile: /etc/a}
    - {urlFile: /etc/b}
`)
	want := schema.Alerts{Lang: "zh", For: time.Minute, Link: "https://pp.example.com", Sinks: []schema.AlertSink{
		{Kind: "stdout"},
		{Kind: "alertmanager", Settings: []schema.AlertSetting{{Key: "url", Values: []string{"http://a:9093", "http://b:9093"}}, {Key: "resend", Values: []string{"1m"}}}},
		{Kind: "slack", Settings: []schema.AlertSetting{{Key: "urlFile", Values: []string{"/etc/a"}}}},
		{Kind: "slack", Settings: []schema.AlertSetting{{Key: "urlFile", Values: []string{"/etc/b"}}}},
	}}
	if diff := cmp.Diff(want, m.Alerts, noPlaces); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
