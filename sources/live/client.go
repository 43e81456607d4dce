package live

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/sources/secret"
)

// Client asks the administration interface of one gateway over HTTP. It sends GET requests to the gateway's own address,
// with its token, and nothing else to nobody else.
type Client struct {
	base   *url.URL
	target *Target
	http   *http.Client
	// TokenHeader is the header that carries the token as it is; empty: Authorization, as "Bearer TOKEN", or as Basic
	// where the token has the form user:password.
	TokenHeader string
}

func newClient(t *Target, base *url.URL) (*Client, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	file := t.gateway.CAFile
	if file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(t.options.Root, filepath.FromSlash(file))
	}
	if file == "" {
		file = t.caFile
	}
	if file != "" {
		pem, err := secret.ReadFile(file, 1<<20)
		if err != nil {
			return nil, fmt.Errorf("reading caFile: %w", err)
		}
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New("caFile holds no certificate in PEM form")
		}
	}
	return &Client{base: base, target: t, http: &http.Client{
		// The address decides where to go: no proxy of the environment, and no redirect.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			TLSClientConfig: conf, ForceAttemptHTTP2: true, MaxIdleConns: 2, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 1 << 20,
		},
	}}, nil
}

// Under moves a tail of the address's path that starts with marker behind prefix: of https://host/proxy/namespaces/shop,
// requests below prefix go to /proxy, prefix, /namespaces/shop. It returns what requests start with.
func (c *Client) Under(prefix, marker string) (string, error) {
	path := c.base.Path
	i := strings.Index(path+"/", marker)
	if i < 0 {
		return prefix, nil
	}
	tail := path[i:]
	if strings.Count(tail, "/") != strings.Count(marker, "/") || strings.HasSuffix(tail, "/") {
		return "", fmt.Errorf("the address ends with something else than %sNAME", marker)
	}
	c.base.Path = path[:i]
	return prefix + tail, nil
}

// JSON gets a document of JSON. path is appended to the address; query may be nil. The answer is whole and valid, or
// there is an error.
func (c *Client) JSON(ctx context.Context, path string, query url.Values) ([]byte, error) {
	body, kind, err := c.Get(ctx, path, query)
	if err != nil {
		return nil, err
	}
	switch body = bytes.TrimSpace(body); {
	case strings.Contains(kind, "html"), len(body) > 0 && body[0] == '<':
		return nil, Because(nil, "it answers %s with a web page, not with JSON: is this its administration interface?", "%s 返回的是网页而非 JSON：这是它的管理接口吗？", path)
	case !json.Valid(body):
		return nil, Because(nil, "its answer to %s is cut off or no JSON", "%s 的应答不完整或不是 JSON", path)
	}
	return body, nil
}

// Get gets a document and its content type.
func (c *Client) Get(ctx context.Context, path string, query url.Values) (body []byte, contentType string, err error) {
	u := *c.base
	u.Path, u.RawQuery = u.Path+path, query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, "", Because(err, "its address makes no request", "无法由地址构造请求")
	}
	request.Header.Set("Accept", "application/json, text/plain;q=0.9")
	request.Header.Set("User-Agent", "poolproof")
	if err := c.authorize(request); err != nil {
		return nil, "", err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, "", certificate(err)
	}
	defer response.Body.Close()
	if err := judge(response.StatusCode, path); err != nil {
		return nil, "", err
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, c.target.options.MaxBytes+1))
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, "", Because(err, "its answer to %s breaks off", "%s 的应答中断", path)
	case err != nil:
		return nil, "", err
	case int64(len(body)) > c.target.options.MaxBytes:
		return nil, "", tooLarge(c.target.options.MaxBytes)
	}
	return body, response.Header.Get("Content-Type"), nil
}

func tooLarge(max int64) error {
	return Because(nil, "its answer is larger than %d bytes", "应答超过 %d 字节", max)
}

func (c *Client) authorize(request *http.Request) error {
	token, err := c.target.token()
	if err != nil || token == "" {
		return err
	}
	user, password, basic := strings.Cut(token, ":")
	switch {
	case c.TokenHeader != "":
		request.Header.Set(c.TokenHeader, token)
	case basic:
		request.SetBasicAuth(user, password)
	default:
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// judge words a status that is no answer. What such an answer says besides is not shown: it may repeat the request.
func judge(status int, path string) error {
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return Because(nil, "it refuses access (HTTP %d): its token is missing, wrong, or may not read %s", "拒绝访问（HTTP %d）：令牌缺失、错误或无权读取 %s", status, path)
	case status == http.StatusNotFound:
		return Because(nil, "it knows no %[2]s (HTTP %[1]d): is this its administration interface?", "没有 %[2]s（HTTP %[1]d）：这是它的管理接口吗？", status, path)
	case status >= 300 && status < 400:
		return Because(nil, "it redirects %[2]s elsewhere (HTTP %[1]d), which is not followed: write its real address", "%[2]s 被重定向（HTTP %[1]d），不会跟随：请写真实地址", status, path)
	}
	return Because(nil, "it answers %[2]s with HTTP %[1]d", "%[2]s 返回 HTTP %[1]d", status, path)
}

// certificate words what is wrong with the gateway's certificate, and leaves other errors as they are.
func certificate(err error) error {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &unknown):
		return Because(err, "its certificate is signed by nobody that is trusted; name the authority's certificate as caFile", "证书的签发者不受信任；请用 caFile 指定签发者证书")
	case errors.As(err, &name):
		return Because(err, "its certificate is for another host name", "证书不属于该主机名")
	case errors.As(err, &invalid):
		return Because(err, "its certificate is not valid: %s", "证书无效：%s", invalid.Error())
	}
	return err
}

// plain returns the words of an error without the request that they repeat.
func plain(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}
