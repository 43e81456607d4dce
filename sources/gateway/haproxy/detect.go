package haproxy

import (
	"bytes"
	"path"
	"strings"

	"github.com/poolproof/poolproof/sources"
)

// detectBytes and detectLines bound how much of a file detection reads.
const (
	detectBytes = 32 << 10
	detectLines = 600
)

// otherFormats are the extensions of files that are never HAProxy's, whatever they quote.
var otherFormats = map[string]bool{
	".md": true, ".markdown": true, ".adoc": true, ".asciidoc": true, ".asc": true, ".rst": true, ".html": true, ".htm": true,
	".yaml": true, ".yml": true, ".json": true, ".jsonc": true, ".json5": true, ".toml": true, ".properties": true, ".xml": true,
	".cue": true, ".ini": true, ".env": true, ".csv": true, ".go": true, ".py": true, ".sh": true, ".js": true, ".ts": true,
	".java": true, ".lua": true, ".rb": true, ".tf": true, ".hcl": true, ".vcl": true, ".sql": true, ".svg": true,
}

// typical are keywords of proxy sections that other formats do not start lines with, in this shape.
var typical = map[string]bool{
	"acl": true, "balance": true, "bind": true, "cookie": true, "default-server": true, "default_backend": true,
	"errorfile": true, "filter": true, "fullconn": true, "hash-type": true, "http-check": true, "http-request": true,
	"http-response": true, "http-reuse": true, "log": true, "maxconn": true, "mode": true, "monitor-uri": true,
	"option": true, "redirect": true, "retries": true, "retry-on": true, "server": true, "server-template": true,
	"stats": true, "stick": true, "stick-table": true, "tcp-check": true, "tcp-request": true, "tcp-response": true,
	"timeout": true, "use_backend": true, "use-server": true, "clitimeout": true, "contimeout": true, "srvtimeout": true,
	"daemon": true, "nbproc": true, "nbthread": true, "chroot": true, "log-format": true, "compression": true,
}

// detect judges a file by its first lines: HAProxy's start with a section, and the lines below it with its keywords.
func detect(name string, data []byte) sources.Confidence {
	if otherFormats[strings.ToLower(path.Ext(name))] {
		return sources.Unlikely
	}
	if len(data) > detectBytes {
		data = data[:detectBytes]
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	text := strings.TrimPrefix(string(data), byteOrderMark)
	headers, known, unknown := 0, 0, 0
	s := scanner{text: text}
	l := line{}
	for n := 0; n < detectLines && s.next(&l); n++ {
		if len(l.words) == 0 || l.words[0].templated {
			continue
		}
		switch first := l.words[0].text; {
		case header(&l):
			headers++
		case headers == 0:
			return sources.Unlikely
		case first == "no" && len(l.words) > 1 && l.words[1].text == "option", typical[first] && !foreign(&l):
			known++
		default:
			unknown++
		}
	}
	switch {
	case headers == 0:
		return sources.Unlikely
	case known > 0 && known >= unknown/4:
		return sources.Certain
	case known > 0 || strings.Contains(strings.ToLower(path.Base(name)), "haproxy"):
		return sources.Possible
	}
	return sources.Unlikely
}

// header reports whether a line starts a section and could not be that of another format (backend default {).
func header(l *line) bool {
	if _, ok := sections[l.words[0].text]; !ok || foreign(l) {
		return false
	}
	switch l.words[0].text {
	case "global", "traces":
		return len(l.words) == 1
	case "defaults":
		return len(l.words) <= 4
	case "listen", "frontend", "backend":
		return len(l.words) >= 2 && len(l.words) <= 4
	}
	return len(l.words) == 2
}

// foreign reports lines that end like those of other formats: with '{', ';', ':' or ','.
func foreign(l *line) bool {
	last := l.words[len(l.words)-1]
	if last.templated || last.text == "" {
		return false
	}
	switch last.text[len(last.text)-1] {
	case '{', ';', ',':
		return true
	case ':':
		return l.words[0].text != "server" && l.words[0].text != "bind"
	}
	return false
}
