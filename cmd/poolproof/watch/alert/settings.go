package alert

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/secret"
)

// Open makes the sinks of a manifest. The error names every sink that cannot be made, and why; the others are there.
func Open(a schema.Alerts, c Config) ([]Sink, error) {
	if a.Lang != "" {
		c.Lang = a.Lang
	}
	if a.Link != "" {
		c.Link = a.Link
	}
	var sinks []Sink
	var errs []error
	seen := map[string]int{}
	for i := range a.Sinks {
		entry := &a.Sinks[i]
		name := entry.Kind
		if seen[entry.Kind]++; seen[entry.Kind] > 1 {
			name = fmt.Sprintf("%s-%d", entry.Kind, seen[entry.Kind])
		}
		sink, err := open(entry, c)
		if err != nil {
			errs = append(errs, fmt.Errorf("alerts: %s: %w", name, err))
			continue
		}
		sink.Name = name
		sinks = append(sinks, sink)
	}
	return sinks, errors.Join(errs...)
}

func open(entry *schema.AlertSink, c Config) (Sink, error) {
	var known []string
	for _, k := range kinds() {
		known = append(known, k.name)
		if k.name != entry.Kind {
			continue
		}
		s := &settings{entry, c}
		allowed := append([]string{"lang"}, k.settings...)
		for _, setting := range entry.Settings {
			if !slices.Contains(allowed, setting.Key) {
				hint := ""
				if setting.Key == "url" {
					hint = "; its address holds a token, so write urlFile: /path/outside/of/the/tree or env:POOLPROOF_NAME"
				}
				return Sink{}, fmt.Errorf("it has no setting %q, but %s%s", setting.Key, strings.Join(allowed, ", "), hint)
			}
		}
		if lang := s.text("lang"); lang != "" && lang != "en" && lang != "zh" {
			return Sink{}, fmt.Errorf("lang is en or zh, not %q", lang)
		}
		return k.open(s)
	}
	return Sink{}, fmt.Errorf("there is no such sink; there are %s", strings.Join(known, ", "))
}

// settings are those of one sink.
type settings struct {
	entry  *schema.AlertSink
	config Config
}

func (s *settings) list(key string) []string {
	for i := range s.entry.Settings {
		if s.entry.Settings[i].Key == key {
			return s.entry.Settings[i].Values
		}
	}
	return nil
}

func (s *settings) text(key string) string {
	if l := s.list(key); len(l) > 0 {
		return l[0]
	}
	return ""
}

func (s *settings) duration(key string, standard time.Duration) (time.Duration, error) {
	text := s.text(key)
	if text == "" {
		return standard, nil
	}
	d, err := schema.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s: %q is no duration", key, text)
	}
	return d, nil
}

// secret returns a function that reads a secret; nil where the setting is not there.
func (s *settings) secret(key string) (func() (string, error), error) {
	where := s.text(key)
	if where == "" {
		return nil, nil
	}
	ref := secret.Ref{Where: where, Root: s.config.Root, Env: s.config.Env}
	if err := ref.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return func() (string, error) {
		text, err := ref.Read()
		if err != nil {
			return "", fmt.Errorf("%s: %w", key, err)
		}
		return text, nil
	}, nil
}

// address returns a function that reads the sink's addresses: of urlFile, else of url.
func (s *settings) address() (func() ([]string, error), error) {
	read, err := s.secret("urlFile")
	if err != nil {
		return nil, err
	}
	if read != nil {
		return func() ([]string, error) {
			text, err := read()
			if err == nil && !usable(text) {
				err = errors.New("urlFile: it holds no http or https address")
			}
			return []string{text}, err
		}, nil
	}
	urls := s.list("url")
	if len(urls) == 0 {
		return nil, errors.New("it has no address: write url or urlFile")
	}
	for _, u := range urls {
		if !usable(u) {
			return nil, errors.New("url: it is no http or https address")
		}
		switch p, _ := url.Parse(u); {
		case p.User != nil:
			return nil, errors.New("url: it holds a password; write it into a urlFile outside of the watched tree")
		case secretIn(p) != "":
			return nil, fmt.Errorf("url: its %s looks like a secret; write the address into a urlFile outside of the watched tree, or into a variable POOLPROOF_NAME (urlFile: env:POOLPROOF_NAME)", secretIn(p))
		}
	}
	return func() ([]string, error) { return urls, nil }, nil
}

// secretAddress is address for sinks whose address always holds a token.
func (s *settings) secretAddress() (func() (string, error), error) {
	if s.text("urlFile") == "" {
		return nil, errors.New("it has no address: write urlFile: /path/outside/of/the/tree or env:POOLPROOF_NAME")
	}
	read, err := s.address()
	if err != nil {
		return nil, err
	}
	return func() (string, error) {
		list, err := read()
		if err != nil {
			return "", err
		}
		return list[0], nil
	}, nil
}

// secretIn returns the parameter of an address that is named like a secret; empty if there is none.
func secretIn(u *url.URL) string {
	for name, values := range u.Query() {
		for _, word := range []string{"token", "secret", "key", "password", "sign", "auth"} {
			if strings.Contains(strings.ToLower(name), word) && strings.Join(values, "") != "" {
				return name
			}
		}
	}
	return ""
}

func usable(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// file reads a file of the operator's, relative to the watched tree.
func (s *settings) file(path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.config.Root, filepath.FromSlash(path))
	}
	return secret.ReadFile(path, 256<<10)
}
