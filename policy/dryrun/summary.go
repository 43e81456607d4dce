package dryrun

// Summarise draws up what came of several runs of one scenario; the first is the one that is shown. There must be at
// least one, all with the same expectations.
func Summarise(results []*Result) *Summary { return summarise(results) }
