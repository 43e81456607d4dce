package live

import (
	"errors"
	"fmt"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/secret"
)

// ref returns where the token stands; not ok where there is none.
func (t *Target) ref() (r secret.Ref, ok bool) {
	where := t.gateway.TokenFile
	if where == "" {
		where = t.tokenFile
	}
	return secret.Ref{Where: where, Root: t.options.Root, Env: t.options.Env}, where != ""
}

// checkToken refuses tokens that the watched tree holds, and variables that are not poolproof's.
func (t *Target) checkToken() error {
	r, ok := t.ref()
	if !ok {
		return nil
	}
	if err := r.Check(); err != nil {
		return fmt.Errorf("tokenFile: %w", err)
	}
	return nil
}

// token reads the access token; empty where there is none. It is read for every question, since platforms renew tokens
// in place.
func (t *Target) token() (string, error) {
	r, ok := t.ref()
	if !ok {
		return "", nil
	}
	token, err := r.Read()
	var wrong *secret.Error
	if errors.As(err, &wrong) {
		return "", &reason{schema.Text{En: "its tokenFile: " + wrong.Text.En, Zh: "其 tokenFile：" + wrong.Text.Zh}, wrong.Err}
	}
	return token, err
}
