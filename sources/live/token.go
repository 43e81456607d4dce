package live

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// envPrefix marks a token that stands in the environment. Only variables made for poolproof can be named: a manifest
// must not be able to send any other to an address of its choice.
const (
	envPrefix   = "env:"
	envVariable = "POOLPROOF_"
	maxToken    = 64 << 10
)

// checkToken refuses tokens that the watched tree holds, and variables that are not poolproof's.
func (t *Target) checkToken() error {
	file := t.gateway.TokenFile
	if file == "" {
		return nil
	}
	if name, ok := strings.CutPrefix(file, envPrefix); ok {
		if !strings.HasPrefix(name, envVariable) || len(name) == len(envVariable) {
			return fmt.Errorf("tokenFile names a variable that does not start with %s; only those can hold a token", envVariable)
		}
		return nil
	}
	if !filepath.IsAbs(file) {
		return errors.New("tokenFile is no absolute path; tokens stand outside the watched tree")
	}
	if t.inRoot(file) {
		return errors.New("tokenFile lies inside the watched tree, which must hold no secrets; move it elsewhere")
	}
	return nil
}

// inRoot reports whether a path lies inside the watched tree, as written or through links.
func (t *Target) inRoot(file string) bool {
	root := t.options.Root
	if root == "" {
		return false
	}
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	return below(root, filepath.Clean(file)) || below(resolved(root), resolved(file))
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

// token reads the access token; empty where there is none. It is read for every question, since platforms renew tokens
// in place. Errors name the file, never what it holds.
func (t *Target) token() (string, error) {
	file := t.gateway.TokenFile
	if name, ok := strings.CutPrefix(file, envPrefix); ok {
		value, ok := t.options.Env(name)
		if !ok || strings.TrimSpace(value) == "" {
			return "", Because(nil, "the variable %s, which should hold its token, is not set", "未设置存放令牌的环境变量 %s", name)
		}
		return t.printable(value, name)
	}
	if file == "" {
		if file = t.tokenFile; file == "" {
			return "", nil
		}
	}
	if t.inRoot(file) { // links may have moved since
		return "", Because(nil, "its token file lies inside the watched tree", "令牌文件位于被监视的目录内")
	}
	text, err := readSmall(file, maxToken)
	if err != nil {
		return "", Because(err, "its token cannot be read: %s", "无法读取令牌：%s", plain(err))
	}
	return t.printable(string(text), file)
}

func (t *Target) printable(token, where string) (string, error) {
	token = strings.TrimSpace(token)
	if token == "" {
		return "", Because(nil, "%s holds no token", "%s 中没有令牌", where)
	}
	for i := 0; i < len(token); i++ {
		if token[i] < 0x20 || token[i] > 0x7e {
			return "", Because(nil, "the token in %s is no single line of printable characters", "%s 中的令牌不是单行可打印字符", where)
		}
	}
	return token, nil
}

// readSmall reads a regular file of at most max bytes.
func readSmall(path string, max int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > max {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, max)
	}
	return text, nil
}
