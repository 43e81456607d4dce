package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type probe struct {
	Get struct{ Path string } `yaml:"httpGet"`
}

// TestWatchAsDeployed runs what the manifest of Kubernetes, the image and the unit of systemd start, on their own
// examples, and asks what a kubelet asks, by the address of a pod.
func TestWatchAsDeployed(t *testing.T) {
	t.Parallel()
	var configMap struct{ Data map[string]string }
	var set struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Args  []string
						Live  probe `yaml:"livenessProbe"`
						Ready probe `yaml:"readinessProbe"`
					}
				}
			}
		}
	}
	text, err := os.ReadFile("deploy/kubernetes/poolproof.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range strings.Split(string(text), "\n---\n") {
		switch {
		case strings.Contains(document, "kind: ConfigMap"):
			err = yaml.Unmarshal([]byte(document), &configMap)
		case strings.Contains(document, "kind: StatefulSet"):
			err = yaml.Unmarshal([]byte(document), &set)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	container := set.Spec.Template.Spec.Containers[0]
	unit, err := os.ReadFile("deploy/systemd/poolproof.service")
	if err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile("deploy/docker/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	start := regexp.MustCompile(`(?m)^ExecStart=\S+ watch (.*)$`).FindStringSubmatch(string(unit))
	command := regexp.MustCompile(`(?m)^CMD \["watch", (.*)\]$`).FindStringSubmatch(string(image))
	for name, args := range map[string][]string{
		"kubernetes": container.Args[1:],
		"systemd":    strings.Fields(start[1]),
		"docker":     append(strings.Split(strings.ReplaceAll(command[1], `"`, ""), ", "), "/tree"), // which is its working folder
	} {
		mail := newReceiver(t)
		root, kept := t.TempDir(), t.TempDir()
		for file, text := range configMap.Data {
			put(t, filepath.Join(root, "..v1"), file, strings.Replace(text, "http://alertmanager.monitoring.svc:9093", mail.URL, 1))
			if err := os.Symlink(filepath.Join("..data", file), filepath.Join(root, file)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink("..v1", filepath.Join(root, "..data")); err != nil {
			t.Fatal(err)
		}
		for i := range args {
			args[i] = strings.NewReplacer("/var/lib/poolproof", kept, "${STATE_DIRECTORY}", kept, "${POOLPROOF_TREE}", root, "0.0.0.0:9627", "0.0.0.0:0", "127.0.0.1:9627", "127.0.0.1:0").Replace(args[i])
			if args[i] == "/tree" {
				args[i] = root
			}
		}
		w := watchArgs(t, "poolproof", root, args...)
		for _, path := range []string{container.Live.Get.Path, container.Ready.Get.Path, "/metrics", "/"} {
			request, err := http.NewRequest(http.MethodGet, w.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if name != "systemd" {
				request.Host = "10.1.2.3:9627"
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode != http.StatusOK {
				t.Errorf("%s: %q: HTTP %d: %.200s", name, path, response.StatusCode, body)
			}
		}
		if s := w.status(); len(s.Drifts) != 0 || len(s.Errors) != 0 || w.metric("poolproof_pools") != 1 {
			t.Errorf("%s: the example is not clean: %+v", name, s)
		}
		w.end()
		if left, err := os.ReadDir(kept); err != nil || len(left) == 0 {
			t.Errorf("%s: no state is kept: %v, %v", name, left, err)
		}
	}
}
