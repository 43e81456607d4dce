// Package secret reads access tokens and addresses that hold one: from files outside the watched tree, or from variables
// of the environment made for poolproof. A repository holds no secrets, and must not be able to send anybody else's away.
package secret

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

const (
	envPrefix = "env:"
	// variables is how the names of variables start that can be named: a manifest could send any other to an address of
	// its choice.
	variables = "POOLPROOF_"
	maxBytes  = 64 << 10
)

// Ref is where a secret stands: the absolute path of a file, or "env:POOLPROOF_NAME".
type Ref struct {
	Where string
	// Root is the watched tree; empty: there is none.
	Root string
	// Env looks up variables of the environment.
	Env func(name string) (string, bool)
}

// Error says what is wrong with a secret, never what it is.
type Error struct {
	Text schema.Text
	Err  error // may be nil
}

// Error returns the sentence in English.
func (e *Error) Error() string { return e.Text.En }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func wrong(err error, en, zh string, args ...any) error {
	return &Error{schema.Textf(en, zh, args...), err}
}

// Check refuses places that no secret may stand in, without reading it.
func (r Ref) Check() error {
	if name, ok := strings.CutPrefix(r.Where, envPrefix); ok {
		if !strings.HasPrefix(name, variables) || len(name) == len(variables) {
			return wrong(nil, "it names a variable that does not start with %s; only those can hold a secret", "变量名不以 %s 开头；只有这类变量可以存放秘密", variables)
		}
		return nil
	}
	if !filepath.IsAbs(r.Where) {
		return wrong(nil, "it is no absolute path; secrets stand outside the watched tree", "不是绝对路径；秘密应放在被监视的目录之外")
	}
	if r.inRoot() {
		return wrong(nil, "it lies inside the watched tree, which must hold no secrets; move it elsewhere", "位于被监视的目录内，那里不应存放秘密；请移到别处")
	}
	return nil
}

// Read returns the secret: one line of printable characters, without space around it.
func (r Ref) Read() (string, error) {
	if err := r.Check(); err != nil { // links may have moved since
		return "", err
	}
	if name, ok := strings.CutPrefix(r.Where, envPrefix); ok {
		value, ok := r.Env(name)
		if !ok || strings.TrimSpace(value) == "" {
			return "", wrong(nil, "the variable %s is not set", "未设置环境变量 %s", name)
		}
		return printable(value, name)
	}
	text, err := ReadFile(r.Where, maxBytes)
	if err != nil {
		return "", wrong(err, "it cannot be read: %s", "无法读取：%s", err.Error())
	}
	return printable(string(text), r.Where)
}

func printable(value, where string) (string, error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return "", wrong(nil, "%s is empty", "%s 为空", where)
	}
	for i := 0; i < len(value); i++ {
		if value[i] < 0x20 || value[i] > 0x7e {
			return "", wrong(nil, "%s holds no single line of printable characters", "%s 的内容不是单行可打印字符", where)
		}
	}
	return value, nil
}

// inRoot reports whether the file lies inside the watched tree, as written or through links.
func (r Ref) inRoot() bool {
	if r.Root == "" {
		return false
	}
	root := r.Root
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	return below(root, filepath.Clean(r.Where)) || below(resolved(root), resolved(r.Where))
}

// resolved follows the links of a path, or of its folder where the file is not there yet.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return filepath.Clean(path)
}

func below(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// ReadFile reads a regular file of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	// What is no regular file is not opened: a pipe would hold the reader up.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return text, nil
}
