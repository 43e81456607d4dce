package git

import (
	"sort"
	"strings"
)

// config is what matters of a repository's own configuration. Nothing in it is run, no other file that it includes is
// read, and of its addresses none is used but to say whether there is a remote.
type config struct {
	version  string // core.repositoryformatversion
	bare     bool
	worktree string
	// extensions by name in lower case.
	extensions map[string]string
	partial    bool
	remotes    []string // sorted
}

// remote names the remote to fetch from: origin, or the first of the others.
func (c *config) remote() string {
	for _, name := range c.remotes {
		if name == "origin" {
			return name
		}
	}
	if len(c.remotes) > 0 {
		return c.remotes[0]
	}
	return ""
}

// take adds what one file of configuration says.
func (c *config) take(data []byte) {
	remotes := map[string]bool{}
	for _, name := range c.remotes {
		remotes[name] = true
	}
	if c.extensions == nil {
		c.extensions = map[string]string{}
	}
	parseConfig(data, func(section, sub, key, value string) {
		switch section {
		case "core":
			switch key {
			case "repositoryformatversion":
				c.version = value
			case "bare":
				c.bare = truth(value)
			case "worktree":
				c.worktree = value
			}
		case "extensions":
			c.extensions[key] = value
			c.partial = c.partial || key == "partialclone"
		case "remote":
			remotes[sub] = true
			c.partial = c.partial || key == "promisor" && truth(value) || key == "partialclonefilter"
		}
	})
	c.remotes = c.remotes[:0]
	for name := range remotes {
		if name != "" {
			c.remotes = append(c.remotes, name)
		}
	}
	sort.Strings(c.remotes)
}

func truth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// unsupported names the first thing in the configuration that changes how a repository is laid out and that is not
// known here.
func (c *config) unsupported() string {
	if c.version != "" && c.version != "0" && c.version != "1" {
		return "repositoryformatversion " + c.version
	}
	names := make([]string, 0, len(c.extensions))
	for name := range c.extensions {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		value := strings.ToLower(c.extensions[name])
		switch name {
		case "noop", "noop-v1", "partialclone", "preciousobjects", "worktreeconfig", "relativeworktrees":
		case "objectformat":
			if value != "sha1" {
				return "objectformat " + value
			}
		case "refstorage":
			if value != "files" {
				return "refstorage " + value
			}
		default:
			// Without version 1, git does not look at extensions it does not know.
			if c.version == "1" {
				return name
			}
		}
	}
	return ""
}

// parseConfig calls each with every setting of a file in git's format. Sections and keys come in lower case. Lines that
// cannot be read are passed over: a setting that git would refuse decides nothing here.
func parseConfig(data []byte, each func(section, sub, key, value string)) {
	section, sub := "", ""
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") {
			var ok bool
			if section, sub, line, ok = configSection(line); !ok {
				section = ""
				continue
			}
		}
		if line == "" || line[0] == '#' || line[0] == ';' || section == "" {
			continue
		}
		key, raw, given := strings.Cut(line, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		value := "true"
		if given {
			var whole strings.Builder
			for open := true; open; {
				if open = configValue(&whole, raw); open {
					if i++; i == len(lines) {
						break
					}
					raw = strings.TrimSuffix(lines[i], "\r")
				}
			}
			value = strings.TrimSpace(whole.String())
		} else if cut := strings.IndexAny(key, "#;"); cut >= 0 {
			key = strings.TrimSpace(key[:cut])
		}
		each(section, sub, key, value)
	}
}

// configSection reads [name], [name "sub"] and [name.sub], and returns what follows.
func configSection(line string) (section, sub, rest string, ok bool) {
	end := strings.IndexAny(line, "\"]")
	if end < 0 {
		return "", "", "", false
	}
	section = strings.ToLower(strings.TrimSpace(line[1:end]))
	if line[end] == ']' {
		section, sub, _ = strings.Cut(section, ".")
		return section, sub, strings.TrimSpace(line[end+1:]), true
	}
	var b strings.Builder
	for i := end + 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		case c == '"':
			rest, ok = strings.CutPrefix(strings.TrimSpace(line[i+1:]), "]")
			return section, b.String(), strings.TrimSpace(rest), ok
		default:
			b.WriteByte(c)
		}
	}
	return "", "", "", false
}

// configValue adds a line of a value and reports whether the value goes on with the next line.
func configValue(b *strings.Builder, raw string) (open bool) {
	quoted := false
	raw = strings.TrimRight(raw, "\r")
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && i+1 == len(raw):
			return true
		case c == '\\':
			i++
			switch raw[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'b':
			default:
				b.WriteByte(raw[i])
			}
		case c == '"':
			quoted = !quoted
		case (c == '#' || c == ';') && !quoted:
			return false
		default:
			b.WriteByte(c)
		}
	}
	return false
}
