package main

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/poolproof/poolproof/schema"
)

// message is an error in the words of this program. Its format is English and stands where the error is made; chinese
// has the sentence in Chinese.
type message struct {
	format string
	args   []any
}

func (m *message) Error() string { return m.in("en") }

// Unwrap returns the error that the message wraps, nil if it wraps none.
func (m *message) Unwrap() error {
	for _, a := range m.args {
		if err, ok := a.(error); ok && strings.Contains(m.format, "%w") {
			return err
		}
	}
	return nil
}

func (m *message) in(lang string) string {
	format := m.format
	if lang == "zh" {
		if zh := chinese(format); zh != "" {
			format = zh
		}
	}
	args := make([]any, len(m.args))
	for i, a := range m.args {
		switch a := a.(type) {
		case error:
			args[i] = inWords(a, lang)
		case schema.Text:
			args[i] = a.In(lang)
		default:
			args[i] = a
		}
	}
	return fmt.Sprintf(strings.ReplaceAll(format, "%w", "%v"), args...)
}

// inWords returns an error in a language. What the system or a library says is said as they say it, but for the commonest
// of it.
func inWords(err error, lang string) string {
	if lang == "en" {
		return err.Error()
	}
	switch e := err.(type) {
	case *exitError:
		if e.cause != nil {
			return inWords(e.cause, lang)
		}
	case *message:
		return e.in(lang)
	case interface{ In(lang string) string }:
		return e.In(lang)
	case interface{ Unwrap() []error }:
		var lines []string
		for _, part := range e.Unwrap() {
			lines = append(lines, inWords(part, lang))
		}
		return strings.Join(lines, "\n")
	case *fs.PathError:
		return e.Path + "：" + inWords(e.Err, lang)
	}
	switch {
	case err == syscall.ENOENT, err == fs.ErrNotExist:
		return "文件或目录不存在"
	case err == syscall.EACCES, err == fs.ErrPermission:
		return "没有权限"
	case err == syscall.ENOTDIR:
		return "不是目录"
	case err == syscall.EISDIR:
		return "是一个目录"
	}
	return err.Error()
}

// errorLanguage is the language in which an error of a command line is told, also of one that could not be parsed.
func (o *options) errorLanguage(args []string) string {
	if o.lang == "" {
		for i, a := range args {
			if value, ok := strings.CutPrefix(a, "--lang="); ok {
				return value
			}
			if a == "--lang" && i+1 < len(args) {
				return args[i+1]
			}
		}
	}
	lang, err := o.language()
	if err != nil {
		return "en"
	}
	return lang
}

// didYouMean proposes the name that is nearest in spelling, as a part of a sentence.
func didYouMean(name string, among []string) schema.Text {
	if near := nearestName(name, among); near != "" {
		return schema.Textf(" (did you mean %s?)", "（是否为 %s？）", near)
	}
	return schema.Text{}
}

// flagError words what the command line's parser refuses.
func flagError(command string, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: "); ok {
		return usage("unknown flag: %s (%s --help lists the flags)", name, command)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return usage("flag needs an argument: %s (%s --help lists the flags)", name, command)
	}
	return usage("%w (%s --help lists the flags)", err, command)
}
