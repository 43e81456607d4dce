package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Sort puts findings into reading order: findings about files as a whole first, because they explain others; then by
// pool and environment, item in the order members, probe, cooldown, ramp, ..., side in the order app, gateway, doc,
// order, live, then file, position and rule. Everything else that a report shows breaks ties, so that the order is total
// and does not depend on how the findings were gathered. It may be called before or after Locate.
func Sort(findings []schema.Finding) { slices.SortStableFunc(findings, compare) }

func compare(a, b schema.Finding) int {
	if c := cmp.Or(strings.Compare(a.Pool, b.Pool), strings.Compare(a.Env, b.Env), cmp.Compare(a.Item, b.Item),
		comparePlaces(&a.At, &b.At), strings.Compare(a.Rule, b.Rule), cmp.Compare(b.Severity, a.Severity),
		strings.Compare(a.Field, b.Field), strings.Compare(a.Member, b.Member), strings.Compare(a.Got, b.Got),
		strings.Compare(a.Want, b.Want), strings.Compare(a.Truth, b.Truth)); c != 0 {
		return c
	}
	return cmp.Or(compareTexts(a.Message, b.Message), compareTexts(a.Hint, b.Hint), cmp.Compare(a.Status, b.Status),
		strings.Compare(a.SuppressedBy, b.SuppressedBy), compareBools(a.Judgement, b.Judgement),
		slices.CompareFunc(a.Related, b.Related, compareRelated), strings.Compare(a.Fingerprint, b.Fingerprint))
}

func comparePlaces(a, b *schema.Place) int {
	return cmp.Or(cmp.Compare(sideRank(a.Side), sideRank(b.Side)), cmp.Compare(a.Side, b.Side),
		strings.Compare(a.File, b.File), strings.Compare(a.Revision, b.Revision),
		cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Span.End, b.Span.End))
}

func compareRelated(a, b schema.Related) int {
	return cmp.Or(comparePlaces(&a.Place, &b.Place), strings.Compare(a.Value, b.Value), compareTexts(a.Label, b.Label),
		compareBools(a.Truth, b.Truth))
}

func compareTexts(a, b schema.Text) int {
	return cmp.Or(strings.Compare(a.En, b.En), strings.Compare(a.Zh, b.Zh))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func sideRank(s schema.Side) int {
	switch s {
	case schema.App:
		return 1
	case schema.Gateway:
		return 2
	case schema.Doc:
		return 3
	case schema.Order:
		return 4
	case schema.Live:
		return 5
	case "":
		return 0
	}
	return 6
}
