package bind

// longestName bounds what Nearest compares; longer names are cut.
const longestName = 64

// Nearest returns the known name that is closest to name in spelling, empty where none is near. Case, '-' and '_' do
// not count.
func Nearest(name string, known []string) string {
	var a, b [longestName]byte
	folded := fold(a[:0], name)
	best, least := "", max(2, len(folded)/3)+1
	for _, k := range known {
		other := fold(b[:0], k)
		if len(other)-len(folded) >= least || len(folded)-len(other) >= least {
			continue
		}
		if d := distance(folded, other); d < least {
			best, least = k, d
		}
	}
	return best
}

// fold appends a name in lower case, without '-' and '_', up to the capacity of to.
func fold(to []byte, name string) []byte {
	for i := 0; i < len(name) && len(to) < cap(to); i++ {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			to = append(to, c+('a'-'A'))
		case c != '-' && c != '_':
			to = append(to, c)
		}
	}
	return to
}

// distance is the Levenshtein distance of two short texts, counted in bytes.
func distance(a, b []byte) int {
	var room [longestName + 1]int
	row := room[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
