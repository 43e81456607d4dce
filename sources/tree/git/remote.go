package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// OpenURL opens another repository. A path or file:// address is opened where it is, as OpenPath does. From https and
// ssh addresses ("ssh://host/x" or "host:x") the refs are fetched, HEAD where none is named, into a temporary folder that
// Close removes. Whether the address may be contacted is for the caller to know.
//
// No git and no credential helper is run: https goes without credentials but for Fetch.Token, ssh with the user's agent
// and known hosts. Redirects to another host or scheme are errors. Addresses through which content could be forged on its
// way (http, git) or programs run (ext::) are refused, as are passwords in addresses.
func OpenURL(ctx context.Context, address string, how Fetch, refs ...string) (*Repo, error) {
	at, local, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	if local != "" {
		return OpenPath(local)
	}
	ctx, cancel := context.WithTimeout(ctx, how.timeout())
	defer cancel()
	dir, err := os.MkdirTemp(how.Dir, "poolproof-git-")
	if err != nil {
		return nil, fmt.Errorf("making a folder to fetch to: %w", err)
	}
	remove := func() error { return os.RemoveAll(dir) }
	fetched := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil { // a server may send anything
				fetched <- fmt.Errorf("what the server sent cannot be read: %v", p)
			}
		}()
		fetched <- how.into(ctx, dir, at, refs)
	}()
	select {
	case err = <-fetched:
	case <-ctx.Done():
		// A connection that does not listen to the context ends by itself, and is not waited for.
		err = ctx.Err()
		go func() { <-fetched; remove() }()
	}
	if err == nil {
		var r *Repo
		if r, err = openDir(dir, ""); err == nil {
			r.cleanup = remove
			return r, nil
		}
	}
	remove()
	var t *Trouble
	if errors.As(err, &t) {
		return nil, t
	}
	return nil, trouble(Remote, "git ls-remote "+shell(address), err, "%s could not be fetched: %s", "无法获取 %s:%s", quote(address), quote(err.Error()))
}

// Fetch says how another repository is fetched. The zero Fetch takes the whole history of the refs, without credentials.
type Fetch struct {
	// Depth is the number of commits to take of each history; 0 takes all.
	Depth int
	// User and Token are sent to an https server. User may be empty where the server looks at the token alone.
	User, Token string
	// Roots is a file of certificates (PEM) that https servers may be signed with beside those of the system.
	Roots []byte
	// Limit is the most bytes to take; 0 stands for 512 MiB.
	Limit int64
	// Timeout bounds the whole fetch; 0 stands for two minutes.
	Timeout time.Duration
	// Dir is where the temporary folder is made; empty is the system's.
	Dir string
}

func (f Fetch) timeout() time.Duration {
	if f.Timeout > 0 {
		return f.Timeout
	}
	return 2 * time.Minute
}

func (f Fetch) limit() int64 {
	if f.Limit > 0 {
		return f.Limit
	}
	return 512 << 20
}

// parseAddress tells addresses to fetch from from local paths.
func parseAddress(address string) (at *transport.Endpoint, local string, err error) {
	refuse := func(en, zh string) error {
		return trouble(Remote, "", nil, "%s is not opened: "+en, "不打开 %s:"+zh, quote(redact(address)))
	}
	scheme, rest, schemed := strings.Cut(address, "://")
	host, _, colon := strings.Cut(address, ":")
	switch {
	case address == "" || address[0] == '-' || strings.ContainsFunc(address, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return nil, "", refuse("it is not an address", "这不是地址")
	case regexp.MustCompile(`^[A-Za-z0-9_+.-]+::`).MatchString(address):
		return nil, "", refuse("remote helpers are programs", "远程助手会运行程序")
	case schemed && strings.EqualFold(scheme, "file"):
		u, err := url.Parse(address)
		if err != nil || u.Host != "" && u.Host != "localhost" {
			return nil, "", refuse("a file:// address has three slashes and a path", "file:// 地址应为三个斜杠加路径")
		}
		return nil, filepath.FromSlash(u.Path), nil
	case schemed && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "git")):
		return nil, "", refuse("its content could be forged on the way; use https or ssh", "内容可能在途中被伪造;请用 https 或 ssh")
	case schemed && !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "ssh"):
		return nil, "", refuse("only https, ssh and file addresses are", "只支持 https、ssh 和 file 地址")
	case !schemed && (!colon || strings.ContainsAny(host, `/\`) || len(host) == 1):
		return nil, address, nil
	}
	if schemed {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || rest == "" {
			return nil, "", refuse("it is not an address", "这不是地址")
		}
		if _, has := u.User.Password(); has {
			return nil, "", refuse("an address holds no password; give a token apart", "地址中不应含密码;请另行提供令牌")
		}
	}
	at, err = transport.NewEndpoint(address)
	if err != nil || strings.HasPrefix(at.Host, "-") || strings.HasPrefix(at.User, "-") {
		return nil, "", refuse("it is not an address", "这不是地址")
	}
	return at, "", nil
}

// redact takes user and password out of an address.
func redact(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	host, path, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); ok && at >= 0 {
		return scheme + "://" + host[at+1:] + "/" + path
	}
	return address
}

// into fetches to a new bare repository in dir.
func (f Fetch) into(ctx context.Context, dir string, at *transport.Endpoint, refs []string) error {
	for name, content := range map[string]string{"config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n", "HEAD": "ref: refs/heads/main\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	for _, name := range []string{"refs", "objects/pack", "objects/info"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return err
		}
	}
	session, err := f.session(at)
	if err != nil {
		return err
	}
	defer session.Close()
	offered, err := session.AdvertisedReferencesContext(ctx)
	if err != nil {
		return err
	}
	wanted, err := choose(offered, refs)
	if err != nil {
		return err
	}
	ask := packp.NewUploadPackRequestFromCapabilities(offered.Capabilities)
	// The pack then comes as it is, without progress reports in between.
	ask.Capabilities.Delete(capability.Sideband)
	ask.Capabilities.Delete(capability.Sideband64k)
	if offered.Capabilities.Supports(capability.NoProgress) {
		if err := ask.Capabilities.Set(capability.NoProgress); err != nil {
			return err
		}
	}
	if f.Depth > 0 && offered.Capabilities.Supports(capability.Shallow) {
		ask.Depth = packp.DepthCommits(f.Depth)
		if err := ask.Capabilities.Set(capability.Shallow); err != nil {
			return err
		}
	}
	var list []string
	seen := map[Hash]bool{}
	for name, id := range wanted {
		if name != "HEAD" {
			list = append(list, id.String()+" "+name+"\n")
		} else if err := os.WriteFile(filepath.Join(dir, name), []byte(id.String()+"\n"), 0o600); err != nil {
			return err
		}
		if !seen[id] {
			seen[id] = true
			ask.Wants = append(ask.Wants, id)
		}
	}
	sort.Strings(list)
	answer, err := session.UploadPack(ctx, ask)
	if err != nil {
		return err
	}
	defer answer.Close()
	store := filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRU(16<<20))
	if err := packfile.UpdateObjectStorage(store, &bounded{answer, f.limit()}); err != nil {
		return err
	}
	var ends strings.Builder
	for _, id := range answer.Shallows {
		ends.WriteString(id.String() + "\n")
	}
	if ends.Len() > 0 {
		if err := os.WriteFile(filepath.Join(dir, "shallow"), []byte(ends.String()), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "packed-refs"), []byte(strings.Join(list, "")), 0o600)
}

// choose finds the refs to fetch among those that a server offers, by the names they are to have here.
func choose(offered *packp.AdvRefs, refs []string) (map[string]Hash, error) {
	wanted := map[string]Hash{}
	if len(refs) == 0 {
		refs = []string{"HEAD"}
	}
	for _, ref := range refs {
		if err := checkName(ref); err != nil {
			return nil, err
		}
		if ref == "HEAD" && offered.Head != nil {
			wanted["HEAD"] = *offered.Head
			continue
		}
		found := false
		for _, rule := range []string{"", "refs/", "refs/tags/", "refs/heads/"} {
			if id, ok := offered.References[rule+ref]; ok && validRef(rule+ref) {
				wanted[rule+ref], found = id, true
				break
			}
		}
		if !found {
			return nil, trouble(UnknownRevision, "", nil, "the repository has no branch or tag %s", "该仓库没有分支或标签 %s", quote(ref))
		}
	}
	return wanted, nil
}

// bounded fails where a server sends more than it may.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errors.New("the repository is larger than the limit")
	}
	return n, err
}
