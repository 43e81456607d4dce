// Package live asks running gateways what they run, and gives the answer in the same canonical model as files: one copy
// of side "live" for each pool.
//
// A reader is opened for an entry of the manifest, and asked as often as one likes:
//
//	reader, err := live.New(all.Kinds(), manifest.Live[0], live.Options{Root: root})
//	...
//	answer := reader.Ask(ctx)
//
// What a copy says is configuration: which members there are, what people made of them at run time (disabled, drained,
// weighted), and settings where the gateway shows them. Health is none of it: a member that fails its checks is a member
// in the state that its configuration gives it.
//
// An answer is whole or it is none. A gateway that cannot be reached, refuses access, or answers something that is
// broken, cut off or of another kind is *Unreachable: nobody knows what it runs, which is neither drift nor fine, and
// never an empty pool.
//
// Readers only read. They open the address that the manifest names and no other: redirects are not followed, proxies of
// the environment are not used. Tokens come from files outside the watched tree or from the environment, and stand in no
// error and no copy.
//
// Each kind of gateway is a package of its own below this one, registered in one line of package all.
package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Kind is one kind of gateway.
type Kind struct {
	// Name is the kind's name in manifests.
	Name string
	// Format is the format of the copies, which is the name of the adapter that reads such a gateway's files.
	Format string
	// Addresses shows what the addresses look like: "unix:/run/haproxy.sock".
	Addresses []string
	// Shows lists the items that an answer gives whole, so that what it lacks of them is not running. Of other items an
	// answer may give single values.
	Shows []schema.Item
	// Shared: a gateway of this kind runs pools of many files and owners (a cluster, a control plane), so a pool that no
	// file has is somebody else's.
	Shared bool
	// Open prepares a reader. It checks the address and opens no connection.
	Open func(t *Target) (ReadFunc, error)
}

// ReadFunc asks a gateway once. The copies need no side and no files. An error that says more than that the gateway could
// not be reached is made with Because.
type ReadFunc func(ctx context.Context) ([]schema.Copy, error)

// Reader asks one running gateway. It is safe for concurrent use.
type Reader struct {
	kind    Kind
	gateway schema.LiveGateway
	name    string
	read    ReadFunc
	options Options

	mu    sync.Mutex
	since time.Time // of the first failure in a row; zero while it answers
}

// Answer is what one gateway said, or that it said nothing.
type Answer struct {
	Kind    Kind
	Gateway schema.LiveGateway
	// Name is the gateway as messages call it.
	Name string
	// Copies are the pools that it runs; nil where Unreachable is set.
	Copies []schema.Copy
	// Unreachable says why nothing is known; nil after a whole answer.
	Unreachable *Unreachable
}

// New opens a reader for an entry of the manifest. The error names what is wrong with the entry: a kind or an address
// that does not exist, a token inside the watched tree. Whether the gateway answers is found out by asking.
func New(kinds []Kind, g schema.LiveGateway, o Options) (*Reader, error) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == g.Gateway })
	if i < 0 {
		var known []string
		for _, k := range kinds {
			known = append(known, k.Name)
		}
		return nil, fmt.Errorf("live: there is no reader for the gateway %q; there are %s", g.Gateway, strings.Join(known, ", "))
	}
	o = o.complete()
	r := &Reader{kind: kinds[i], gateway: g, options: o, name: g.Gateway + " " + shown(g.Address)}
	t := &Target{Address: g.Address, gateway: g, options: o}
	if err := t.checkToken(); err != nil {
		return nil, fmt.Errorf("live: %s: %w", r.name, err)
	}
	read, err := r.kind.Open(t)
	if err != nil {
		return nil, fmt.Errorf("live: %s: %w", r.name, err)
	}
	r.read = read
	return r, nil
}

// Name returns the gateway as messages call it: its kind and address.
func (r *Reader) Name() string { return r.name }

// Gateway returns the manifest's entry.
func (r *Reader) Gateway() schema.LiveGateway { return r.gateway }

// Read asks the gateway once. Its copies are of side live, their file is the reader's name. Every error is *Unreachable.
func (r *Reader) Read(ctx context.Context) ([]schema.Copy, error) {
	a := r.Ask(ctx)
	if a.Unreachable != nil {
		return nil, a.Unreachable
	}
	return a.Copies, nil
}

// Ask asks the gateway once, within the time that the options allow.
func (r *Reader) Ask(ctx context.Context) Answer {
	ctx, cancel := context.WithTimeout(ctx, r.options.Timeout)
	defer cancel()
	a := Answer{Kind: r.kind, Gateway: r.gateway, Name: r.name}
	copies, err := r.read(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		if r.since.IsZero() {
			r.since = r.options.Now()
		}
		a.Unreachable = &Unreachable{Gateway: r.name, Since: r.since, Reason: reasonOf(err), Err: err}
		return a
	}
	r.since = time.Time{}
	for i := range copies {
		c := &copies[i]
		c.Side, c.Files, c.Revision, c.Env, c.Problems = schema.Live, []string{r.name}, "", "", nil
		if c.Format == "" {
			c.Format = r.kind.Format
		}
	}
	a.Copies = copies
	return a
}

// Unreachable says that nobody knows what a gateway runs.
type Unreachable struct {
	// Gateway is the reader's name.
	Gateway string
	// Since is when the reader got no answer for the first time in a row.
	Since time.Time
	// Reason says why, for people.
	Reason schema.Text
	// Err is the cause. It holds no secrets.
	Err error
}

// Error says which gateway, since when, and why.
func (u *Unreachable) Error() string {
	return fmt.Sprintf("%s: unknown since %s: %s", u.Gateway, u.Since.UTC().Format(time.RFC3339), u.Reason.En)
}

// Unwrap returns the cause.
func (u *Unreachable) Unwrap() error { return u.Err }

// reason is an error that has words for people.
type reason struct {
	text schema.Text
	err  error
}

func (r *reason) Error() string { return r.text.En }
func (r *reason) Unwrap() error { return r.err }

// Because returns an error that says why a gateway is unknown, in both languages; err, which may be nil, is the cause and
// is not shown.
func Because(err error, en, zh string, args ...any) error {
	return &reason{schema.Textf(en, zh, args...), err}
}

func reasonOf(err error) schema.Text {
	var r *reason
	switch {
	case errors.As(err, &r):
		return r.text
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return schema.Textf("it did not answer in time", "未在时限内应答")
	case errors.Is(err, context.Canceled):
		return schema.Textf("the question was broken off", "询问被中断")
	}
	return schema.Textf("it cannot be reached: %s", "无法连接：%s", plain(err))
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
