package sources

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
)

// TestTally: a flood of warnings leaves the room of errors alone.
func TestTally(t *testing.T) {
	var tally Tally
	kept := map[schema.Severity]int{}
	for range 3 * MaxProblems {
		if tally.Room(schema.Warning) {
			kept[schema.Warning]++
		}
	}
	for range 2 * MaxProblems {
		if tally.Room(schema.Error) {
			kept[schema.Error]++
		}
	}
	if kept[schema.Warning] != MaxProblems+1 || kept[schema.Error] != MaxProblems+1 || tally.LeftOut != 3*MaxProblems-2 {
		t.Errorf("kept %v, left out %d", kept, tally.LeftOut)
	}
}
