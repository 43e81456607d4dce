package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/live/livetest"
)

// alertmanager is a real Alertmanager.
type alertmanager struct {
	t       *testing.T
	program string
	url     string
	args    []string
	cmd     *exec.Cmd
	log     *shared
}

func startAlertmanager(t *testing.T) *alertmanager {
	t.Helper()
	program, err := exec.LookPath("prometheus-alertmanager")
	if err != nil {
		t.Fatal("this test plays against the real Alertmanager: apt-get install -y --no-install-recommends prometheus-alertmanager (make tools does it)")
	}
	dir := t.TempDir()
	put(t, dir, "alertmanager.yml", "route: {receiver: nobody}\nreceivers: [{name: nobody}]\n")
	address := fmt.Sprintf("127.0.0.1:%d", livetest.FreePorts(t, 1)[0])
	a := &alertmanager{t: t, program: program, url: "http://" + address, log: new(shared), args: []string{
		"--config.file=" + filepath.Join(dir, "alertmanager.yml"), "--storage.path=" + dir, "--web.listen-address=" + address, "--cluster.listen-address="}}
	t.Cleanup(a.stop)
	a.start()
	return a
}

func (a *alertmanager) start() {
	a.t.Helper()
	a.cmd = exec.Command(a.program, a.args...)
	a.cmd.Stdout, a.cmd.Stderr = a.log, a.log
	if err := a.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	until(a.t, "Alertmanager answers", func() bool {
		response, err := http.Get(a.url + "/-/ready")
		if err == nil {
			response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	})
}

func (a *alertmanager) stop() {
	if a.cmd != nil {
		_ = a.cmd.Process.Signal(syscall.SIGKILL)
		_ = a.cmd.Wait()
		a.cmd = nil
	}
}

// active is one alert of Alertmanager's API.
type active struct {
	Labels, Annotations map[string]string
	StartsAt, EndsAt    time.Time
	GeneratorURL        string
	Status              struct{ State string }
}

// alerts are those that last.
func (a *alertmanager) alerts() (list []active) {
	response, err := http.Get(a.url + "/api/v2/alerts")
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		a.t.Errorf("Alertmanager: %v", err)
	}
	return list
}

func (a *alertmanager) pools() (list []string) {
	for _, one := range a.alerts() {
		list = append(list, one.Labels["pool"]+" "+one.Labels["rule"])
	}
	slices.Sort(list)
	return list
}

func (a *alertmanager) shows(what string, want ...string) {
	a.t.Helper()
	var got []string
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if got = a.pools(); slices.Equal(got, want) {
			return
		}
		if time.Now().After(end) {
			a.t.Fatalf("%s: Alertmanager shows %q, not %q\n%s", what, got, want, a.log)
		}
	}
}

// drifting is a tree of one pool, whose copies agree (8080) or not.
func drifting(t *testing.T, root, alerts string, port int) {
	t.Helper()
	put(t, root, "gw.cfg", "backend orders\n    server a 10.0.0.1:8080\n",
		"poolproof.yaml", "sources:\n  - {side: app, format: poolproof, files: [app.yaml]}\n  - {side: gateway, format: haproxy, files: [gw.cfg]}\nalerts: "+alerts+"\n")
	drift(t, root, port)
}

func drift(t *testing.T, root string, port int) {
	t.Helper()
	put(t, root, "app.yaml", fmt.Sprintf("pools: {orders: {members: [{address: 10.0.0.1, port: %d}]}}\n", port))
}

// TestWatchAlertmanager lets two replicas tell a real Alertmanager.
func TestWatchAlertmanager(t *testing.T) {
	t.Parallel()
	a := startAlertmanager(t)
	root := t.TempDir()
	drifting(t, root, fmt.Sprintf(`{link: "https://poolproof.example.org/", alertmanager: {url: "%s", resend: 1s}}`, a.url), 8080)
	one, two := watch(t, root), watch(t, root)
	a.shows("no drift")

	want := []string{"orders members/extra", "orders members/missing"}
	drift(t, root, 8081)
	for _, w := range []*running{one, two} {
		w.until("told", func() bool {
			s := w.status()
			return len(s.Sinks) == 1 && s.Sinks[0].Sent >= 2 && s.Sinks[0].Waiting == 0
		})
	}
	a.shows("two replicas, one alert for each drift", want...)
	first := a.alerts()[0]
	if first.Labels["alertname"] != "PoolproofDrift" || first.Labels["severity"] != "error" || first.Labels["member"] == "" || first.Annotations["summary"] == "" ||
		first.GeneratorURL != "https://poolproof.example.org/" {
		t.Errorf("%+v", first)
	}
	if left := time.Until(first.EndsAt); left <= 0 || left > 5*time.Second {
		t.Errorf("an alert lives four times as long as it takes to send it again, and here %s", left)
	}
	until(t, "sent again, with another end", func() bool {
		again := a.alerts()
		return len(again) == 2 && again[0].EndsAt.After(first.EndsAt) && again[0].StartsAt.Equal(first.StartsAt)
	})

	// One replica alone keeps the alerts alive.
	two.kill()
	last := a.alerts()[0].EndsAt
	until(t, "the last word of the other one is out of date", func() bool { return time.Now().After(last) })
	a.shows("one replica alone", want...)

	// An Alertmanager that comes back knows nothing, and is told.
	a.stop()
	a.start()
	a.shows("after Alertmanager was away", want...)

	// What begins while it is away arrives, and what ended meanwhile is not there.
	a.stop()
	drift(t, root, 8080)
	put(t, root, "gw.cfg", "backend orders\n    server a 10.0.0.1:8080\n    server b 10.0.0.2:8080\n")
	one.sinks("the sink fails", func(s state) bool { return s.Sinks[0].Error != "" && s.Sinks[0].Waiting > 0 })
	a.start()
	a.shows("what began while Alertmanager was away", "orders members/missing")
	if got := a.alerts()[0].Labels["member"]; got != "10.0.0.2:8080" {
		t.Errorf("it shows %s", got)
	}

	put(t, root, "gw.cfg", "backend orders\n    server a 10.0.0.1:8080\n")
	a.shows("resolved")

	// A watch that dies leaves no alert behind for ever.
	drift(t, root, 8081)
	a.shows("drift again", want...)
	one.kill()
	a.shows("nobody keeps it alive")
}
