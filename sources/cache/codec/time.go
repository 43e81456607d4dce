package codec

import "time"

// time codes a moment with its zone, which decides how it is shown.
func (c *coder) time(t *time.Time) {
	const (
		zero = iota
		utc
		zoned
	)
	form := uint8(zero)
	switch {
	case t.Location() != time.UTC:
		form = zoned
	case !t.IsZero():
		form = utc
	}
	small(c, &form, zoned)
	if form == zero {
		return
	}
	sec, nano := t.Unix(), uint64(t.Nanosecond())
	signed(c, &sec)
	c.uint(&nano)
	location := time.UTC
	if form == zoned {
		name, offset := t.Zone()
		c.string(&name)
		signed(c, &offset)
		location = time.FixedZone(name, offset)
	}
	if c.writing {
		return
	}
	if nano >= uint64(time.Second) {
		c.fail()
		return
	}
	*t = time.Unix(sec, int64(nano)).In(location)
}
