package evidence

import (
	"bytes"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/order/changeorder"
)

// MaxPullRequest is how many bytes of the text of a pull request are read. Hosts take far less.
const MaxPullRequest = 1 << 20

// PullRequest is what the text of a pull request says.
type PullRequest struct {
	Orders []schema.ChangeOrder
	// Problems are what is wrong with them. They have no place in any file.
	Problems []schema.Problem
}

// ReadPullRequest finds the change orders in the text of a pull request: front matter, or fenced blocks of YAML that start
// with poolproof: change-order/v1. The text comes from whoever opened the request; a text without an order is nothing, and
// what is beyond MaxPullRequest is not read. Nil where there is neither an order nor a problem.
func ReadPullRequest[T ~string | ~[]byte](whole T) *PullRequest {
	text := []byte(whole[:min(len(whole), MaxPullRequest)])
	if !bytes.Contains(text, []byte("change-order")) {
		return nil
	}
	a := changeorder.Adapter()
	r := a.Read(sources.Input{Data: text, Source: &schema.Source{Side: schema.Order, Format: changeorder.Name}})
	p := &PullRequest{Orders: r.Orders}
	for _, problem := range r.Problems {
		if problem.Rule != "source/skipped" {
			p.Problems = append(p.Problems, problem)
		}
	}
	if len(p.Orders) == 0 && len(p.Problems) == 0 {
		return nil
	}
	return p
}

// said reports what is wrong with the orders in the pull request's text: such an order pays nothing.
func (j *judge) said() {
	if j.options.PullRequest == nil {
		return
	}
	for _, p := range j.options.PullRequest.Problems {
		f := schema.Finding{Rule: p.Rule, Severity: p.Severity, Pool: p.Pool, Item: p.Item, Field: p.Field, Member: p.Member, Got: p.Got, Want: p.Want, Hint: p.Hint, At: schema.Place{Side: schema.Order}}
		f.Message = plus(schema.Textf("in the text of the pull request: ", "合并请求的文本中："), p.Text)
		j.tell(f)
	}
}
