package web

// jsonStatus is the answer of /api/v1/status. Times are RFC 3339 in UTC, empty where there is none; texts are in English.
// Fields may be added; none is renamed, retyped or dropped.
type jsonStatus struct {
	Schema          string        `json:"schema"`
	Version         string        `json:"version"`
	Now             string        `json:"now"`
	Root            string        `json:"root"`
	Manifest        string        `json:"manifest"`
	Started         string        `json:"started"`
	IntervalSeconds float64       `json:"intervalSeconds"`
	Ready           bool          `json:"ready"`
	NotReady        string        `json:"notReady,omitempty"`
	Scan            jsonScan      `json:"scan"`
	Counts          jsonCounts    `json:"counts"`
	Watcher         jsonWatcher   `json:"watcher"`
	Errors          []jsonFault   `json:"errors"`
	Totals          jsonTotals    `json:"totals"`
	Gateways        []jsonGateway `json:"gateways"`
	Sinks           []jsonSink    `json:"sinks"`
	// Offset and Limit cut the lists of pools and drifts, which have so many entries in all.
	Offset      int         `json:"offset"`
	Limit       int         `json:"limit"`
	TotalPools  int         `json:"totalPools"`
	TotalDrifts int         `json:"totalDrifts"`
	Drifts      []jsonDrift `json:"drifts"`
	Pools       []jsonPool  `json:"pools"`
}

type jsonScan struct {
	Completed       string  `json:"completed"`
	Full            string  `json:"full"`
	DurationSeconds float64 `json:"durationSeconds"`
	FullSeconds     float64 `json:"fullSeconds"`
	FailingSince    string  `json:"failingSince,omitempty"`
}

type jsonCounts struct {
	Files      int `json:"files"`
	Pools      int `json:"pools"`
	Copies     int `json:"copies"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Infos      int `json:"infos"`
	Suppressed int `json:"suppressed"`
	Skipped    int `json:"skipped"`
	Drifts     int `json:"drifts"`
	Told       int `json:"told"`
	Held       int `json:"held"`
}

type jsonFault struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Since string `json:"since"`
}

type jsonTotals struct {
	Cycles           uint64 `json:"cycles"`
	FullScans        uint64 `json:"fullScans"`
	FailedScans      uint64 `json:"failedScans"`
	Began            uint64 `json:"began"`
	Ended            uint64 `json:"ended"`
	StateFailures    uint64 `json:"stateFailures"`
	ManifestFailures uint64 `json:"manifestFailures"`
	Panics           uint64 `json:"panics"`
}

type jsonWatcher struct {
	Folders   int    `json:"folders"`
	Polling   bool   `json:"polling"`
	Why       string `json:"why,omitempty"`
	Overflows int    `json:"overflows"`
}

type jsonPool struct {
	Name     string     `json:"name"`
	Env      string     `json:"env"`
	Owner    string     `json:"owner,omitempty"`
	Findings int        `json:"findings"`
	Copies   []jsonCopy `json:"copies"`
}

type jsonCopy struct {
	Side   string `json:"side"`
	Format string `json:"format"`
	File   string `json:"file"`
}

type jsonDrift struct {
	Key      string `json:"key"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Pool     string `json:"pool"`
	Env      string `json:"env"`
	Item     string `json:"item"`
	Field    string `json:"field"`
	Member   string `json:"member,omitempty"`
	Side     string `json:"side"`
	Place    string `json:"place"`
	Got      string `json:"got"`
	Want     string `json:"want"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
	Since    string `json:"since"`
	Told     bool   `json:"told"`
	Held     bool   `json:"held"`
}

type jsonGateway struct {
	Name     string `json:"name"`
	Asked    string `json:"asked"`
	Answered string `json:"answered"`
	Unknown  string `json:"unknown,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Pools    int    `json:"pools"`
	Asks     uint64 `json:"asks"`
	Failed   uint64 `json:"failed"`
}

type jsonSink struct {
	Name    string `json:"name"`
	Waiting int    `json:"waiting"`
	Dropped int    `json:"dropped"`
	Sent    uint64 `json:"sent"`
	Failing string `json:"failing,omitempty"`
	Error   string `json:"error,omitempty"`
}
