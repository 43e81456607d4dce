package argorollouts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func canaryOf(canary string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {strategy: {canary: {" + canary + "}}}\n"
}

// one reads a text that holds one Rollout.
func one(t *testing.T, text string) *schema.Copy {
	t.Helper()
	r := sourcetest.Read(Adapter(), "x.yaml", []byte(text), schema.Source{})
	if len(r.Copies) != 1 {
		t.Fatalf("%d copies of\n%s\n%v", len(r.Copies), text, r.Problems)
	}
	return &r.Copies[0]
}

// batches writes a ramp as "20 manual, 40 40s, 100 implied".
func batches(c *schema.Copy) string {
	var out []string
	for _, b := range c.Batches {
		s := "?"
		if b.HasShare {
			s = fmt.Sprint(b.Share)
		}
		if b.HasDwell {
			s += " " + schema.FormatDuration(b.Dwell)
		}
		if b.Manual {
			s += " manual"
		}
		if b.Implied {
			s += " implied"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func said(c *schema.Copy) []string {
	var out []string
	for _, p := range c.Problems {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", p.Rule, p.Severity, p.Field)))
		if strings.HasPrefix(p.Rule, "schema/invalid") && !strings.Contains(p.Text.En, "Argo") && !strings.Contains(p.Text.En, "whole number") {
			out = append(out, "does not name Argo: "+p.Text.En)
		}
	}
	return out
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, canary, want string
		problems           []string
	}{
		{"pauses", "steps: [{setWeight: 20}, {pause: {}}, {setWeight: 40}, {pause: {duration: 40s}}, {setWeight: 100}]", "20 manual, 40 40s, 100", nil},
		{"seconds in all spellings", "steps: [{setWeight: 10}, {pause: {duration: 30}}, {setWeight: 20}, {pause: {duration: \"30\"}}, {setWeight: 30}, {pause: {duration: 1h30m}}]", "10 30s, 20 30s, 30 1h30m, 100 implied", nil},
		{"fractions of a unit and quoted weights", "steps: [{setWeight: \"10\"}, {pause: {duration: 0.5h}}, {pause: {duration: 250ms}}]", "10 30m0.25s, 100 implied", nil},
		{"units are small letters", "steps: [{setWeight: 100}, {pause: {duration: 30S}}]", "100", []string{"schema/invalid  batches[0].dwell"}},
		{"steps that move no traffic", "steps: [{setWeight: 10}, {setMirrorRoute: {name: m, percentage: 35}}, {setHeaderRoute: {name: h}}, {plugin: {name: p}}, {experiment: {templates: [{name: a, weight: 20}]}}]", "10, 100 implied", nil},
		{"two weights without a pause", "steps: [{setWeight: 10}, {setWeight: 20}, {pause: {}}]", "10, 20 manual, 100 implied", nil},
		{"pauses add up", "steps: [{setWeight: 10}, {pause: {duration: 1m}}, {analysis: {templates: []}}, {pause: {duration: 30s}}, {setWeight: 100}]", "10 1m30s, 100", nil},
		{"a weight set again", "steps: [{setWeight: 20}, {pause: {duration: 1m}}, {setWeight: 20}, {analysis: {templates: []}}, {pause: {duration: 30s}}, {setWeight: 20}, {setWeight: 40}, {pause: {}}, {setWeight: 40}, {pause: {duration: 1m}}]", "20 1m30s, 40 manual, 100 implied", nil},
		{"a weight set again after a dwell that cannot be read", "steps: [{setWeight: 20}, {pause: {duration: soon}}, {setWeight: 20}, {pause: {duration: 30s}}, {setWeight: 100}]", "20, 100", []string{"schema/invalid  batches[0].dwell"}},
		{"weights that cannot be read are not alike", "steps: [{setWeight: \"{{ a }}\"}, {setWeight: \"{{ b }}\"}, {setWeight: 100}]", "?, ?, 100", nil},
		{"going back is told", "steps: [{setWeight: 40}, {setWeight: 20}, {setWeight: 40}]", "40, 20, 40, 100 implied", nil},
		{"scaling alone", "steps: [{setCanaryScale: {weight: 25}}, {pause: {duration: 1m}}, {setCanaryScale: {matchTrafficWeight: true}}]", "", nil},
		{"a person outweighs time", "steps: [{setWeight: 10}, {pause: {duration: 1m}}, {pause: {}}, {pause: {duration: 1m}}, {setWeight: 100}]", "10 manual, 100", nil},
		{"null duration waits for a person", "steps: [{setWeight: 100}, {pause: {duration: null}}]", "100 manual", nil},
		{"pause before any weight", "steps: [{pause: {duration: 1m}}, {setWeight: 100}]", "100", nil},
		{"the last step is implied", "steps: [{setWeight: 50}]", "50, 100 implied", nil},
		{"no step", "steps: []", "", nil},
		{"no steps", "maxSurge: 1", "", nil},
		{"no weight", "steps: [{pause: {}}]", "", nil},
		{"of a larger whole", "trafficRouting: {maxTrafficWeight: 1000, nginx: {}}, steps: [{setWeight: 5}, {setWeight: 1000}]", "0.5, 100", nil},
		{"a larger whole without nginx", "trafficRouting: {maxTrafficWeight: 1000, istio: {}}, steps: [{setWeight: 1000}]", "100", []string{"schema/invalid  maxTrafficWeight"}},
		{"weight too large", "steps: [{setWeight: 101}, {setWeight: 100}]", "?, 100", []string{"schema/invalid  batches[0].share"}},
		{"negative weight", "steps: [{setWeight: -1}, {setWeight: 100}]", "?, 100", []string{"schema/invalid  batches[0].share"}},
		{"percent sign", "steps: [{setWeight: 50%}, {setWeight: 100}]", "?, 100", []string{"schema/invalid  batches[0].share"}},
		{"negative pause", "steps: [{setWeight: 100}, {pause: {duration: -5}}]", "100", []string{"schema/invalid  batches[0].dwell"}},
		{"negative duration", "steps: [{setWeight: 100}, {pause: {duration: -5s}}]", "100", []string{"schema/invalid  batches[0].dwell"}},
		{"days", "steps: [{setWeight: 100}, {pause: {duration: 1d}}, {pause: {duration: 5m}}]", "100", []string{"schema/invalid  batches[0].dwell"}},
		{"words", "steps: [{pause: {duration: soon}}, {setWeight: 100}]", "100", []string{"schema/invalid  pause.duration"}},
		{"fraction", "steps: [{setWeight: 100}, {pause: {duration: 1.5}}]", "100", []string{"schema/invalid  batches[0].dwell"}},
		{"pause as a text", "steps: [{setWeight: 100}, {pause: 10m}]", "100", []string{"schema/invalid  batches[0].dwell"}},
		{"an empty pause", "steps: [{setWeight: 100}, {pause: }]", "100", []string{"schema/invalid  steps[1]"}},
		{"two actions", "steps: [{setWeight: 100, pause: {duration: 1m}}]", "100 1m", []string{"schema/invalid  steps[0]"}},
		{"actions that go together", "steps: [{setCanaryScale: {replicas: 1}, setHeaderRoute: {name: h}, pause: {duration: 15}}, {setWeight: 100}]", "100", nil},
		{"a template for a weight", "steps: [{setWeight: \"{{ w }}\"}, {pause: {duration: \"{{ d }}\"}}, {setWeight: 100}]", "?, 100", nil},
		{"a template for a step", "steps: [{setWeight: 5}, \"{{ steps }}\", {setWeight: 100}]", "", nil},
		{"a template for all steps", "steps: \"{{ steps }}\"", "", nil},
	} {
		got := one(t, canaryOf(c.canary))
		if s := batches(got); s != c.want || got.States(schema.Ramp) != (c.want != "") {
			t.Errorf("%s: %q stated=%v, want %q", c.name, s, got.States(schema.Ramp), c.want)
		}
		if diff := cmp.Diff(c.problems, said(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestManySteps: thousands of steps cost no more than their size.
func TestManySteps(t *testing.T) {
	c := one(t, canaryOf("steps: ["+strings.Repeat("{setWeight: 10}, {setCanaryScale: {replicas: 1}}, {setWeight: 20}, {setWeight: 20}, ", 10000)+"{setWeight: 100}]"))
	if len(c.Batches) != 20001 {
		t.Errorf("%d batches", len(c.Batches))
	}
}

func TestBothStrategies(t *testing.T) {
	c := one(t, "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {strategy: {blueGreen: {activeService: a}, canary: {steps: [{setWeight: 100}]}}}\n")
	if diff := cmp.Diff([]string{"schema/invalid  strategy"}, said(c)); diff != "" {
		t.Error(diff)
	}
}

// TestOthers: documents of other kinds are passed over.
func TestOthers(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: Service\nmetadata: {name: a}\n",
		"apiVersion: rollouts.kruise.io/v1beta1\nkind: Rollout\nmetadata: {name: a}\nspec: {strategy: {canary: {steps: [{traffic: 20%}]}}}\n",
		"apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\n", "a: 1\n", "- a\n", "", "---\n---\n",
	} {
		if r := sourcetest.Read(Adapter(), "x.yaml", []byte(text), schema.Source{}); len(r.Copies) != 0 || len(r.Problems) != 0 {
			t.Errorf("%q gives %+v", text, r)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       sources.Confidence
	}{
		{"r.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n", sources.Certain},
		{"all.yaml", "apiVersion: v1\nkind: Service\n---\nkind: Rollout\napiVersion: argoproj.io/v1alpha1\n", sources.Certain},
		{"r.json", `{"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"}`, sources.Certain},
		{"chart/templates/r.yaml", "{{- if .Values.x }}\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\n{{- end }}\n", sources.Certain},
		{"list.yaml", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: argoproj.io/v1alpha1\n  kind: Rollout\n", sources.Likely},
		{"app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: Rollout}\n", sources.Unlikely},
		{"kruise.yaml", "apiVersion: rollouts.kruise.io/v1beta1\nkind: Rollout\n# not argoproj.io/\n", sources.Unlikely},
		{"crd.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {names: {kind: Rollout}, group: argoproj.io/x}\n", sources.Unlikely},
		{"README.md", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n", sources.Unlikely},
		{"", "", sources.Unlikely},
	} {
		if got := detect(c.path, []byte(c.text)); got != c.want {
			t.Errorf("detect(%q, %q) = %v, want %v", c.path, c.text, got, c.want)
		}
	}
}
