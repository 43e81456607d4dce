package live

import (
	"os"
	"time"
)

// Options steer readers. The zero value is usable: the environment and the clock of the process, ten seconds, 64 MiB.
type Options struct {
	// Root is the folder that is watched. Tokens inside it are refused, and a relative caFile is looked for in it. Empty:
	// there is none.
	Root string
	// Env looks up a variable of the environment; nil is os.LookupEnv.
	Env func(name string) (string, bool)
	// Now is the clock that dates failures; nil is time.Now.
	Now func() time.Time
	// Timeout bounds one reading as a whole, however many requests it takes; 0 is ten seconds.
	Timeout time.Duration
	// MaxBytes bounds each answer, after decompression; 0 is 64 MiB.
	MaxBytes int64
}

const (
	defaultTimeout  = 10 * time.Second
	defaultMaxBytes = 64 << 20
)

func (o Options) complete() Options {
	if o.Env == nil {
		o.Env = os.LookupEnv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	return o
}
