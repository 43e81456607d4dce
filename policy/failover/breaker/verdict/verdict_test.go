package verdict

import (
	"testing"

	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

func TestRules(t *testing.T) {
	type counts = window.Counts
	for _, c := range []struct {
		name   string
		rule   Rule
		counts counts
		failed bool
		want   bool
	}{
		{"2 in a row at 1", Consecutive(2), counts{Total: 9, Failures: 8, Run: 1}, true, false},
		{"2 in a row at 2", Consecutive(2), counts{Total: 9, Failures: 2, Run: 2}, true, true},
		{"failures below", Failures(3), counts{Total: 9, Failures: 2, Run: 2}, true, false},
		{"failures, not in a row", Failures(3), counts{Total: 9, Failures: 3}, false, true},
		{"ratio below volume", Ratio{0.5, 10}, counts{Total: 9, Failures: 9, Run: 9}, true, false},
		{"ratio at volume and threshold", Ratio{0.5, 10}, counts{Total: 10, Failures: 5}, true, true},
		{"ratio just below", Ratio{0.5, 10}, counts{Total: 11, Failures: 5}, true, false},
		{"0.6 is reached by 3 of 5", Ratio{0.6, 5}, counts{Total: 5, Failures: 3}, true, true},
		{"0.7 is reached by 7 of 10", Ratio{0.7, 5}, counts{Total: 10, Failures: 7}, true, true},
		{"ratio of nothing", Ratio{0.5, 0}, counts{}, true, false},
		{"ratio of all of one", Ratio{1, 0}, counts{Total: 1, Failures: 1}, true, true},
		{"slow ratio", Slow{0.5, 4}, counts{Total: 4, Slow: 2}, false, true},
		{"slow ratio below", Slow{0.5, 4}, counts{Total: 5, Slow: 2}, false, false},
		{"slow ratio below volume", Slow{0.5, 4}, counts{Total: 3, Slow: 3}, false, false},
		{"slow count", SlowCount(2), counts{Total: 99, Slow: 2}, false, true},
		{"slow count below", SlowCount(2), counts{Total: 99, Slow: 1}, false, false},
		{"any: the second", Any{Consecutive(5), Ratio{0.5, 2}}, counts{Total: 2, Failures: 1}, false, true},
		{"any: none", Any{Consecutive(5), Ratio{0.5, 3}}, counts{Total: 2, Failures: 1}, false, false},
		{"on failure, after a success", OnFailure{Ratio{0.5, 2}}, counts{Total: 2, Failures: 1}, false, false},
		{"on failure, after a failure", OnFailure{Ratio{0.5, 2}}, counts{Total: 2, Failures: 1, Run: 1}, true, true},
		{"func", Func(func(c counts, _ bool) bool { return c.Total > 3 }), counts{Total: 4}, false, true},
	} {
		if got := c.rule.Trips(c.counts, c.failed); got != c.want {
			t.Errorf("%s: trips %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEndings(t *testing.T) {
	type counts = window.Counts
	for _, c := range []struct {
		name   string
		ending Ending
		counts counts
		want   Decision
	}{
		{"one success closes", InARow(1), counts{Total: 1}, Well},
		{"one failure opens", InARow(1), counts{Total: 1, Failures: 1}, Ill},
		{"two of three in a row", InARow(3), counts{Total: 2}, Undecided},
		{"a failure among three in a row", InARow(3), counts{Total: 2, Failures: 1}, Ill},
		{"2 of 4: two successes", OutOf{2, 4}, counts{Total: 3, Failures: 1}, Well},
		{"2 of 4: still possible", OutOf{2, 4}, counts{Total: 3, Failures: 2}, Undecided},
		{"2 of 4: no more possible", OutOf{2, 4}, counts{Total: 3, Failures: 3}, Ill},
		{"judged too early", Judged{5, Ratio{0.5, 0}}, counts{Total: 4, Failures: 4}, Undecided},
		{"judged ill", Judged{5, Ratio{0.6, 0}}, counts{Total: 5, Failures: 3}, Ill},
		{"judged well", Judged{5, Ratio{0.6, 0}}, counts{Total: 5, Failures: 2}, Well},
	} {
		if got := c.ending.Decide(c.counts); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Every ending decides by the time it says it needs, whatever the results.
func TestEndingsDecideInTime(t *testing.T) {
	for _, e := range []Ending{InARow(1), InARow(4), OutOf{2, 4}, OutOf{1, 4}, OutOf{3, 4}, Judged{4, Ratio{0.5, 0}}} {
		n := e.Needs()
		for bits := range 1 << n {
			var c window.Counts
			decided := false
			for i := range n {
				c.Add(window.Sample{Failed: bits>>i&1 == 1})
				if decided = e.Decide(c) != Undecided; decided {
					break
				}
			}
			if !decided {
				t.Errorf("%+v: undecided after %d results %b", e, n, bits)
			}
		}
	}
}

func TestValidate(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, r := range []Rule{
		nil, Consecutive(0), Consecutive(-1), Failures(0), SlowCount(0), Ratio{}, Ratio{1.01, 0}, Ratio{nan, 0}, Ratio{0.5, -1},
		Slow{-1, 0}, Any{}, Any{Consecutive(1), Ratio{}}, OnFailure{Ratio{}}, OnFailure{},
	} {
		if Validate(r) == nil {
			t.Errorf("%#v passes", r)
		}
	}
	for _, r := range []Rule{
		Consecutive(1), Failures(1), SlowCount(1), Ratio{1, 0}, Slow{0.001, 5}, Any{Failures(2)}, OnFailure{Failures(1)}, Func(nil),
	} {
		if err := Validate(r); err != nil {
			t.Errorf("%#v: %v", r, err)
		}
	}
	for _, e := range []Ending{nil, InARow(0), OutOf{0, 3}, OutOf{3, 2}, Judged{0, Failures(1)}, Judged{3, nil}, Judged{3, Ratio{}}} {
		if ValidateEnding(e) == nil {
			t.Errorf("%#v passes", e)
		}
	}
	for _, e := range []Ending{InARow(1), OutOf{2, 2}, Judged{1, Failures(1)}} {
		if err := ValidateEnding(e); err != nil {
			t.Errorf("%#v: %v", e, err)
		}
	}
}
