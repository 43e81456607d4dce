// Package align finds the byte edits that bring a copy to the truth.
//
// It proposes and lets the adapter judge: for each difference there are one or more proposals, made of the bytes that
// stand there (the notation of the old value, the text of a sibling entry). All of them are applied and the text is read
// once; where the reading shows that a proposal does not do what it should, the next one takes its place, and what
// cannot be blamed on one proposal is found by halving. What is never proven is left, with the reason. So the package
// knows how formats are laid out, and nothing of what their values mean.
//
// One file a notation: branch.go for what has a tree (YAML, JSON, TOML, CUE), properties.go, and table.go for documents;
// lines.go and inline.go are the two ways in which entries stand beside each other. One file a kind of difference:
// scalar.go, missing.go, extra.go, weights.go, tiers.go (priorities, backups, states), ramp.go, stops.go. numbers.go,
// durations.go and words.go spell values. prove.go, same.go, blame.go and bisect.go are the proof.
package align
