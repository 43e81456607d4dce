package judge

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"

	"github.com/poolproof/poolproof/schema"
)

// maxJudged is how many values one CUE context judges: it keeps everything that it ever built, so it is thrown away
// often enough to bound memory and seldom enough to share the cost of reading the schema.
const maxJudged = 64

// oracle is CUE itself, with the schema read. It is used by one goroutine at a time.
type oracle struct {
	context *cue.Context
	schema  cue.Value
	judged  int
}

func newOracle() (*oracle, error) {
	o := &oracle{context: cuecontext.New()}
	instance := build.NewContext().NewInstance("", nil)
	files := schema.CUE()
	names, err := fs.Glob(files, "*.cue")
	if err != nil {
		return nil, fmt.Errorf("listing the schema: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("reading the schema: %w", err)
		}
		if err := instance.AddFile(name, text); err != nil {
			return nil, fmt.Errorf("parsing the schema: %w", err)
		}
	}
	o.schema = o.context.BuildInstance(instance)
	if err := o.schema.Err(); err != nil {
		return nil, fmt.Errorf("building the schema: %w", err)
	}
	return o, nil
}

// refusal is what CUE says about a value that it does not accept: the paths of its errors, from the value.
type refusal struct{ paths []string }

// judge returns nil if the definition accepts the value. asked is false if CUE came to no verdict.
func (o *oracle) judge(def string, value ast.Expr) (r *refusal, asked bool) {
	o.judged++
	defer func() {
		if recover() != nil {
			// A fault of the evaluator: its context is not to be trusted with another value.
			o.judged = maxJudged
			r, asked = nil, false
		}
	}()
	d := o.schema.LookupPath(cue.MakePath(cue.Def(def)))
	v := d.Unify(o.context.BuildExpr(value))
	err := v.Validate(cue.Concrete(true))
	if err == nil {
		return nil, true
	}
	r = &refusal{}
	for _, e := range errors.Errors(err) {
		r.paths = append(r.paths, cuePath(e.Path(), def))
	}
	return r, true
}

// cuePath turns the path of an error into the form of Issue.Path.
func cuePath(path []string, def string) string {
	if len(path) > 0 && path[0] == "#"+def {
		path = path[1:]
	}
	var steps []step
	for _, p := range path {
		if n, err := strconv.Atoi(p); err == nil {
			steps = append(steps, step{index: n, list: true})
			continue
		}
		if s, err := strconv.Unquote(p); err == nil {
			p = s
		}
		steps = append(steps, step{key: p})
	}
	return pathText(steps)
}

// concerns reports whether one of CUE's errors is about path, something inside it, or something around it.
func (r *refusal) concerns(path string) bool {
	for _, p := range r.paths {
		if inside(p, path) || inside(path, p) {
			return true
		}
	}
	return false
}

func inside(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (outer == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// oracles lends oracles to goroutines.
type oracles struct {
	mutex sync.Mutex
	idle  []*oracle
}

// maxIdle bounds the contexts that wait for the next bad document.
const maxIdle = 4

// get returns an oracle in place of one that is worn out, which may be nil.
func (p *oracles) get(worn *oracle) (*oracle, error) {
	if worn == nil {
		if o := p.take(); o != nil {
			return o, nil
		}
	}
	return newOracle()
}

func (p *oracles) take() *oracle {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	o := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return o
}

func (p *oracles) put(o *oracle) {
	if o.judged >= maxJudged {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.idle) < maxIdle {
		p.idle = append(p.idle, o)
	}
}
