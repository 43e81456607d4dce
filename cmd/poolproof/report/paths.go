package report

import "strings"

// repositoryPath returns the path of a file from the root of its repository, as hosting sites want it.
func repositoryPath(prefix, file string) string {
	if prefix == "" || strings.HasPrefix(file, "/") {
		return file
	}
	return strings.Trim(prefix, "/") + "/" + file
}

// uriOf writes a path as a URI reference: every byte outside the unreserved characters of RFC 3986 and the slash is
// percent-encoded, so that neither a colon nor a byte that is no character changes its meaning.
func uriOf(file string) string {
	const hex = "0123456789ABCDEF"
	file = boundPath(file)
	plain := true
	for i := 0; i < len(file) && plain; i++ {
		plain = unreserved(file[i])
	}
	if plain {
		return file
	}
	b := make([]byte, 0, len(file)+16)
	for i := 0; i < len(file); i++ {
		if c := file[i]; unreserved(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0
}
