package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
)

// staleAfter is how many intervals may pass without a completed look before the watch counts as blind.
const staleAfter = 3

// healthy says that the process serves. Whether it sees anything is another question (ready): a restart does not help one
// that cannot read its tree.
func (s *site) healthy(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") }

// ready says whether what is shown can be relied on.
func (s *site) ready(w http.ResponseWriter, _ *http.Request) {
	if why := blind(s.source(), s.now()); why != "" {
		plain(w, http.StatusServiceUnavailable, why)
		return
	}
	plain(w, http.StatusOK, "ready")
}

func plain(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	fmt.Fprintln(w, text)
}

// blind says why a watch sees nothing, in English; empty where it sees.
func blind(s *status.Snapshot, now time.Time) string {
	if s == nil {
		return "no look at the tree was completed yet"
	}
	because := ""
	if why := scanError(s).En; why != "" {
		because = ": " + report.ShownText(why)
	}
	if s.Scan.Completed.IsZero() {
		return "no look at the tree was completed yet" + because
	}
	if age := now.Sub(s.Scan.Completed); age > staleAfter*every(s) {
		return fmt.Sprintf("the last completed look at the tree is %s old, more than %d intervals of %s%s",
			age.Round(time.Second), staleAfter, every(s), because)
	}
	return ""
}

// every is how often everything is looked at; one who does not say is held to a minute.
func every(s *status.Snapshot) time.Duration {
	if s.Every <= 0 {
		return time.Minute
	}
	return s.Every
}

// scanError says why looks at the tree fail now; empty while they succeed.
func scanError(s *status.Snapshot) schema.Text {
	for i := range s.Errors {
		if s.Errors[i].Name == "scan" {
			return s.Errors[i].Text
		}
	}
	return schema.Text{}
}
