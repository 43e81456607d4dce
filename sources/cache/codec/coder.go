package codec

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/poolproof/poolproof/schema"
)

// coder writes or reads the values that it is shown, in the order in which it is shown them. After a fault it goes on
// with zeros, which ends soon, and Decode refuses the whole.
type coder struct {
	writing bool
	bad     bool
	body    []byte
	start   uint32 // where the last span started; the next one is not far
	need    needs

	// Writing.
	text    []byte
	lengths []byte // of the texts
	refs    map[string]uint64

	// Reading.
	at    int
	table []string
	keep  func(*schema.Copy) bool
	slabs slabs
}

// next reads a number. Most take one byte.
func (c *coder) next() uint64 {
	if at := c.at; at < len(c.body) && c.body[at] < 0x80 {
		c.at = at + 1
		return uint64(c.body[at])
	}
	return c.long()
}

func (c *coder) long() uint64 {
	b := c.body[c.at:]
	if len(b) > 1 && b[1] < 0x80 {
		c.at += 2
		return uint64(b[0]&0x7f) | uint64(b[1])<<7
	}
	v, n := binary.Uvarint(b)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.at += n
	return v
}

func (c *coder) fail() {
	c.bad = true
	c.at = len(c.body)
}

func (c *coder) uint(v *uint64) {
	if c.writing {
		c.body = binary.AppendUvarint(c.body, *v)
		return
	}
	*v = c.next()
}

// signed codes numbers so that small ones are short on both sides of zero.
func signed[T ~int | ~int64](c *coder, v *T) {
	if c.writing {
		i := int64(*v)
		c.body = binary.AppendUvarint(c.body, uint64(i)<<1^uint64(i>>63))
		return
	}
	u := c.next()
	*v = T(int64(u>>1) ^ -int64(u&1))
}

// float codes the bits from the far end, where those of short fractions are.
func (c *coder) float(v *float64) {
	if c.writing {
		c.body = binary.AppendUvarint(c.body, bits.ReverseBytes64(math.Float64bits(*v)))
		return
	}
	*v = math.Float64frombits(bits.ReverseBytes64(c.next()))
}

// small codes a number that must not be above most.
func small[T ~uint8 | ~uint16](c *coder, v *T, most T) {
	if c.writing {
		c.body = binary.AppendUvarint(c.body, uint64(*v))
		return
	}
	u := c.next()
	if u > uint64(most) {
		c.fail()
		u = 0
	}
	*v = T(u)
}

// flags codes several flags as one number.
func (c *coder) flags(flags ...*bool) {
	if c.writing {
		mask := uint64(0)
		for i, f := range flags {
			if *f {
				mask |= 1 << i
			}
		}
		c.body = binary.AppendUvarint(c.body, mask)
		return
	}
	mask := c.mask(len(flags))
	for i, f := range flags {
		*f = mask>>i&1 == 1
	}
}

// mask reads a number of that many bits.
func (c *coder) mask(width int) uint64 {
	mask := c.next()
	if mask>>width != 0 {
		c.fail()
		return 0
	}
	return mask
}
