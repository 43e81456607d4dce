package drive

import "time"

// real is the machine's clock.
type real struct{ began time.Time }

// RealClock returns the machine's monotonic clock, which begins now.
func RealClock() Clock { return real{time.Now()} }

func (c real) Now() time.Duration                     { return max(0, time.Since(c.began)) }
func (c real) After(d time.Duration) <-chan time.Time { return time.After(d) }
