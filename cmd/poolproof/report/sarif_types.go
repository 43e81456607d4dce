package report

// The parts of SARIF 2.1.0 that the report uses, under their names there.

type sarifRun struct {
	Tool             sarifTool              `json:"tool"`
	Automation       *sarifAutomation       `json:"automationDetails,omitempty"`
	Invocations      []sarifInvocation      `json:"invocations"`
	OriginalURIBases map[string]sarifFolder `json:"originalUriBaseIds"`
	ColumnKind       string                 `json:"columnKind"`
	Properties       any                    `json:"properties"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	ShortDescription *sarifMessage   `json:"shortDescription,omitempty"`
	FullDescription  *sarifMessage   `json:"fullDescription,omitempty"`
	Help             *sarifMessage   `json:"help,omitempty"`
	Default          sarifDefault    `json:"defaultConfiguration"`
	Properties       sarifRuleExtras `json:"properties"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifRuleExtras struct {
	Tags      []string `json:"tags"`
	Judgement bool     `json:"judgement"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifFolder struct {
	URI         string        `json:"uri,omitempty"`
	Description *sarifMessage `json:"description,omitempty"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations,omitempty"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   sarifResultExtras  `json:"properties"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification,omitempty"`
}

type sarifResultExtras struct {
	Status string `json:"status"`
	Pool   string `json:"pool,omitempty"`
	Env    string `json:"env,omitempty"`
	Side   string `json:"side,omitempty"`
	Item   string `json:"item,omitempty"`
	Field  string `json:"field,omitempty"`
	Member string `json:"member,omitempty"`
	Got    string `json:"got,omitempty"`
	Want   string `json:"want,omitempty"`
	Truth  string `json:"truth,omitempty"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifLogical struct {
	Name      string `json:"name"`
	Qualified string `json:"fullyQualifiedName"`
	Kind      string `json:"kind"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}
