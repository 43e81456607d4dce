package audit

import "github.com/poolproof/poolproof/sources/load"

// filesOf counts the different files that were read, and those of each format. Two sources may read one file.
func filesOf(l *load.Loaded) (files int, formats map[string]int) {
	type read struct{ path, format string }
	seen, formats := map[read]bool{}, map[string]int{}
	for _, f := range l.Files {
		if all := (read{path: f.Path}); !seen[all] {
			seen[all] = true
			files++
		}
		if of := (read{f.Path, f.Format}); f.Format != "" && !seen[of] {
			seen[of] = true
			formats[f.Format]++
		}
	}
	return files, formats
}
