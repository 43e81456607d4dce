// Package deploy holds the files that poolproof watch is run with: units, images, manifests and alert rules.
package deploy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestAlertRules plays the alert rules in Prometheus' own words.
func TestAlertRules(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Fatal("this test plays the alert rules with promtool, which is missing: apt-get install -y --no-install-recommends prometheus (make tools does it)")
	}
	for _, args := range [][]string{{"check", "rules", "--lint=all", "--lint-fatal", "poolproof.rules.yaml"}, {"test", "rules", "poolproof.rules.test.yaml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = "prometheus"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestAlertRulesAskForMetricsThatAre compares the rules with what the program serves, so that a metric that is renamed
// leaves no alert behind that never fires; every alert has a unit test.
func TestAlertRulesAskForMetricsThatAre(t *testing.T) {
	source := read(t, "../watch/web/metrics.go")
	rules := read(t, "prometheus/poolproof.rules.yaml")
	asked := 0
	for _, line := range strings.Split(rules, "\n") {
		if !strings.Contains(line, "expr:") {
			continue
		}
		for _, m := range regexp.MustCompile(`poolproof_([a-z_]+)`).FindAllStringSubmatch(line, -1) {
			asked++
			if !strings.Contains(source, `d("`+m[1]+`"`) {
				t.Errorf("the rules ask for %s, which nobody serves", m[0])
			}
		}
	}
	if asked < 7 {
		t.Errorf("only %d metrics are asked for", asked)
	}
	tests := read(t, "prometheus/poolproof.rules.test.yaml")
	for _, m := range regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(rules, -1) {
		if !regexp.MustCompile(`alertname: ` + m[1] + `\n\s+exp_alerts`).MatchString(tests) {
			t.Errorf("no test sees %s fire", m[1])
		}
	}
}

func TestFilesParse(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		seen++
		if len(documents(t, path)) == 0 {
			t.Errorf("%s is empty", path)
		}
		return nil
	})
	if err != nil || seen != 4 {
		t.Errorf("%d files, error %v", seen, err)
	}
}

func TestReplicasAreTwoAndHarmless(t *testing.T) {
	kinds := map[string]map[string]any{}
	for _, d := range documents(t, "kubernetes/poolproof.yaml") {
		kinds[d["kind"].(string)] = d
	}
	spec := dig[map[string]any](t, kinds["StatefulSet"], "spec")
	if spec["replicas"] != 2 {
		t.Errorf("%v replicas", spec["replicas"])
	}
	pod := dig[map[string]any](t, spec, "template", "spec")
	if dig[bool](t, pod, "securityContext", "runAsNonRoot") != true || dig[bool](t, pod, "automountServiceAccountToken") {
		t.Error("the pod may do more than it needs")
	}
	c := dig[[]any](t, pod, "containers")[0].(map[string]any)
	if !dig[bool](t, c, "securityContext", "readOnlyRootFilesystem") || dig[bool](t, c, "securityContext", "allowPrivilegeEscalation") {
		t.Error("the container may do more than it needs")
	}
	if dig[string](t, c, "livenessProbe", "httpGet", "path") != "/healthz" || dig[string](t, c, "readinessProbe", "httpGet", "path") != "/readyz" {
		t.Error("the probes ask for something else")
	}
	if image := dig[string](t, c, "image"); strings.HasSuffix(image, ":latest") || !strings.Contains(image, ":") {
		t.Errorf("image %s has no version", image)
	}
	dig[string](t, c, "resources", "limits", "memory")
}

// TestPodsHoldTogether compares what the parts of the manifest say of each other.
func TestPodsHoldTogether(t *testing.T) {
	kinds := map[string]map[string]any{}
	for _, d := range documents(t, "kubernetes/poolproof.yaml") {
		kinds[d["kind"].(string)] = d
	}
	spec := dig[map[string]any](t, kinds["StatefulSet"], "spec")
	pod := dig[map[string]any](t, spec, "template", "spec")
	c := dig[[]any](t, pod, "containers")[0].(map[string]any)
	volumes := map[string]map[string]any{}
	for _, v := range dig[[]any](t, pod, "volumes") {
		volumes[v.(map[string]any)["name"].(string)] = v.(map[string]any)
	}
	for _, v := range dig[[]any](t, spec, "volumeClaimTemplates") {
		volumes[dig[string](t, v.(map[string]any), "metadata", "name")] = v.(map[string]any)
	}
	mounts := map[string]map[string]any{}
	for _, m := range dig[[]any](t, c, "volumeMounts") {
		one := m.(map[string]any)
		mounts[one["mountPath"].(string)] = one
		if volumes[one["name"].(string)] == nil {
			t.Errorf("no volume %v", one["name"])
		}
	}
	var args []string
	for _, a := range dig[[]any](t, c, "args") {
		args = append(args, a.(string))
	}
	line := strings.Join(args, " ")
	if state := mounts["/var/lib/poolproof"]; !strings.Contains(line, "--state /var/lib/poolproof") || state == nil || state["readOnly"] == true {
		t.Errorf("the state has no place: %q, %v", line, state)
	} else { // a claim of its own for each replica, which outlives the pod
		dig[map[string]any](t, volumes[state["name"].(string)], "spec", "resources", "requests")
	}
	if tree := mounts["/tree"]; args[len(args)-1] != "/tree" || tree == nil || tree["readOnly"] != true {
		t.Errorf("the tree is not there, or can be written: %v", tree)
	} else if name := dig[string](t, volumes[tree["name"].(string)], "configMap", "name"); name != dig[string](t, kinds["ConfigMap"], "metadata", "name") {
		t.Errorf("no ConfigMap %s", name)
	}
	port := dig[[]any](t, c, "ports")[0].(map[string]any)
	if !strings.Contains(line, fmt.Sprintf("--listen 0.0.0.0:%v", port["containerPort"])) {
		t.Errorf("nobody listens at %v: %q", port["containerPort"], line)
	}
	for _, path := range [][]string{{"livenessProbe", "httpGet", "port"}, {"readinessProbe", "httpGet", "port"}} {
		if dig[string](t, c, path...) != port["name"] {
			t.Errorf("%v is no port of the container", path)
		}
	}
	if dig[[]any](t, kinds["Service"], "spec", "ports")[0].(map[string]any)["targetPort"] != port["name"] || dig[string](t, spec, "serviceName") != dig[string](t, kinds["Service"], "metadata", "name") {
		t.Error("the service leads nowhere")
	}
	labels := fmt.Sprint(dig[map[string]any](t, spec, "template", "metadata", "labels"))
	for _, selector := range []map[string]any{dig[map[string]any](t, spec, "selector", "matchLabels"), dig[map[string]any](t, kinds["Service"], "spec", "selector"),
		dig[map[string]any](t, kinds["PodDisruptionBudget"], "spec", "selector", "matchLabels")} {
		if fmt.Sprint(selector) != labels {
			t.Errorf("%v selects other pods than %v", selector, labels)
		}
	}
}

// TestRolloutsAreOnlyListed holds that the account for Argo Rollouts may do nothing else.
func TestRolloutsAreOnlyListed(t *testing.T) {
	kinds := map[string]map[string]any{}
	for _, d := range documents(t, "kubernetes/rollouts-rbac.yaml") {
		kinds[d["kind"].(string)] = d
	}
	if got := fmt.Sprint(dig[[]any](t, kinds["ClusterRole"], "rules")); got != "[map[apiGroups:[argoproj.io] resources:[rollouts] verbs:[list]]]" {
		t.Errorf("it may %s", got)
	}
	subject := dig[[]any](t, kinds["ClusterRoleBinding"], "subjects")[0].(map[string]any)
	if subject["name"] != dig[string](t, kinds["ServiceAccount"], "metadata", "name") || dig[string](t, kinds["ClusterRoleBinding"], "roleRef", "name") != dig[string](t, kinds["ClusterRole"], "metadata", "name") {
		t.Errorf("nobody is bound: %v", kinds["ClusterRoleBinding"])
	}
}

func TestImageIsPinnedAndUnprivileged(t *testing.T) {
	text := read(t, "docker/Dockerfile")
	goMod := read(t, "../../../go.mod")
	version := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(goMod)[1]
	if !strings.Contains(text, "FROM golang:"+version+"-") {
		t.Errorf("the image is built with another Go than %s", version)
	}
	if !strings.Contains(text, "USER 65532:65532") || strings.Contains(text, ":latest") {
		t.Error("the image runs as root, or is not pinned")
	}
}

func TestUnitIsHardened(t *testing.T) {
	text := read(t, "systemd/poolproof.service")
	for _, line := range []string{"DynamicUser=yes", "StateDirectory=poolproof", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX", "ExecReload=/bin/kill -HUP $MAINPID"} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("the unit lacks %s", line)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func documents(t *testing.T, path string) (list []map[string]any) {
	t.Helper()
	for d := yaml.NewDecoder(strings.NewReader(read(t, path))); ; {
		var one map[string]any
		switch err := d.Decode(&one); {
		case errors.Is(err, io.EOF):
			return list
		case err != nil:
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, one)
	}
}

func dig[T any](t *testing.T, v map[string]any, path ...string) T {
	t.Helper()
	for _, key := range path[:len(path)-1] {
		next, ok := v[key].(map[string]any)
		if !ok {
			t.Fatalf("no %s in %v", key, path)
		}
		v = next
	}
	value, ok := v[path[len(path)-1]].(T)
	if !ok {
		t.Fatalf("no %v", path)
	}
	return value
}
