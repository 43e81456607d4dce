package setting

import (
	"strconv"
	"strings"
)

// Statuses is a set of HTTP statuses from 0 to 999.
type Statuses [16]uint64

// Has reports whether a status is in the set.
func (s *Statuses) Has(status uint16) bool {
	return status < 1000 && s[status/64]>>(status%64)&1 != 0
}

// Add puts the statuses from low to high into the set.
func (s *Statuses) Add(low, high int) {
	for i := max(low, 0); i <= min(high, 999); i++ {
		s[i/64] |= 1 << (i % 64)
	}
}

// ParseStatuses reads entries like "200", "200-299" and "2xx". What is none of these is left out.
func ParseStatuses(list []string) Statuses {
	var s Statuses
	for _, e := range list {
		if class, ok := strings.CutSuffix(e, "xx"); ok {
			if n, err := strconv.Atoi(class); err == nil {
				s.Add(100*n, 100*n+99)
			}
			continue
		}
		low, high, ranged := strings.Cut(e, "-")
		a, err := strconv.Atoi(low)
		if err != nil {
			continue
		}
		b := a
		if ranged {
			if b, err = strconv.Atoi(high); err != nil {
				continue
			}
		}
		s.Add(a, b)
	}
	return s
}
