// Package pack keeps copies in memory in the form in which the cache keeps them on disk.
package pack

import (
	"fmt"
	"sync"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/cache/codec"
	"github.com/poolproof/poolproof/sources/load"
)

var _ load.Packer = (*Packer)(nil)

// Packer packs copies. The zero Packer is ready and safe for concurrent use.
type Packer struct {
	encoders, decoders sync.Pool
}

// Pack appends a copy to b.
func (p *Packer) Pack(b []byte, c *schema.Copy) []byte {
	e, ok := p.encoders.Get().(*codec.Encoder)
	if !ok {
		e = new(codec.Encoder)
	}
	b = append(b, e.Encode(&load.Reading{Result: sources.Result{Copies: []schema.Copy{*c}}})...)
	p.encoders.Put(e)
	return b
}

// Unpack fills c from what Pack appended. It fails on anything else.
func (p *Packer) Unpack(packed []byte, c *schema.Copy) error {
	d, ok := p.decoders.Get().(*codec.Decoder)
	if !ok {
		d = new(codec.Decoder)
	}
	r, err := d.Decode(packed, nil)
	p.decoders.Put(d)
	if err != nil {
		return fmt.Errorf("decoding: %w", err)
	}
	if len(r.Result.Copies) != 1 {
		return fmt.Errorf("decoding: %d copies in place of one", len(r.Result.Copies))
	}
	*c = r.Result.Copies[0]
	return nil
}
