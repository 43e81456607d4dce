package align

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// digits matches a decimal number, of ASCII or full-width digits; commas or underscores may group thousands.
var digits = regexp.MustCompile(`[0-9]{1,3}(?:_[0-9]{3})+|[0-9０-９]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9０-９]+(?:[.．][0-9０-９]+)?`)

// number is a number in a text.
type number struct {
	start, end int
	value      float64
	fraction   bool
}

// numbersIn returns the numbers of a text.
func numbersIn(text string) []number {
	var out []number
	for _, at := range digits.FindAllStringIndex(text, -1) {
		folded, _ := schema.Fold(text[at[0]:at[1]])
		v, err := strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(folded, ",", ""), "_", ""), 64)
		if err == nil {
			out = append(out, number{at[0], at[1], v, strings.Contains(folded, ".")})
		}
	}
	return out
}

// plainNumber writes a number as people do, without the dust of binary fractions.
func plainNumber(f float64) string {
	return strconv.FormatFloat(math.Round(f*1e9)/1e9, 'f', -1, 64)
}

// spellInt returns the ways to write a whole number where old stands: its number is replaced, and the rest stays.
func spellInt(old string, want int64) []string {
	found := numbersIn(old)
	var out []string
	for i := range found {
		n := found[i]
		start := n.start
		if start > 0 && old[start-1] == '-' {
			start--
		}
		out = append(out, old[:start]+strconv.FormatInt(want, 10)+old[n.end:])
	}
	if len(found) == 0 && !placeholder(old) {
		out = append(out, requote(old, strconv.FormatInt(want, 10), false))
	}
	return out
}

// spellNumber returns the ways to write a ratio, share or factor where old stands, in the scale in which it stands there.
func spellNumber(old string, was, want float64) []string {
	var out []string
	for _, n := range numbersIn(old) {
		scales := []float64{1, 100, 0.01}
		if was != 0 && n.value != 0 {
			scales = []float64{n.value / was}
		}
		for _, s := range scales {
			out = append(out, old[:n.start]+plainNumber(want*s)+old[n.end:])
		}
	}
	if len(out) == 0 && !placeholder(old) {
		out = append(out, requote(old, plainNumber(want), false), requote(old, plainNumber(want)+"%", false))
	}
	return out
}
