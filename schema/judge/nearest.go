package judge

import "strings"

// maxCompared bounds the names that are compared: longer ones are no slips of known words.
const maxCompared = 40

// nearest returns the known word that name is most likely a slip of, empty if none is near: a third of its letters may
// differ, two neighbours that changed places count as one, and a word may be cut short.
func nearest(name string, known []string) string {
	if name == "" || len(name) > maxCompared {
		return ""
	}
	best, limit := "", max(1, len(name)/3)
	for _, k := range known {
		if len(name) >= 3 && len(k) > len(name) && strings.HasPrefix(k, name) {
			return k
		}
	}
	for _, k := range known {
		if d := distance(lower(name), lower(k)); d <= limit && (best == "" || d < limit) && k != name {
			best, limit = k, d
		}
	}
	return best
}

func lower(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '-' || c == '_' || c == ' ':
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}

// distance is the number of letters to insert, drop, replace or swap with their neighbour to turn a into b.
func distance(a, b string) int {
	if len(a) > maxCompared || len(b) > maxCompared {
		return maxCompared
	}
	var rows [3][maxCompared + 1]int
	before, last, row := rows[0][:], rows[1][:], rows[2][:]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
