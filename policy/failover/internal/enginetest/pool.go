package enginetest

import (
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Status is a request that was answered.
func Status(n int) failover.Outcome { return failover.Outcome{Status: uint16(n)} }

// Pool writes a complete copy. Each line is a member, 10.0.0.1:80 and on, in words such as "weight=2 priority=1 backup drain
// unchecked"; settings are paths and their values in turn.
func Pool(lines []string, settings ...any) *schema.Copy {
	c := &schema.Copy{Pool: "orders", Complete: true}
	for i, line := range lines {
		m := schema.Member{Host: fmt.Sprintf("10.0.0.%d", i+1), Port: 80}
		for _, word := range strings.Fields(line) {
			var n int64
			key, value, valued := strings.Cut(word, "=")
			if valued {
				if _, err := fmt.Sscan(value, &n); err != nil {
					panic(fmt.Sprintf("%s: %v", word, err)) // the test is wrong
				}
			}
			switch key {
			case "weight":
				m.HasWeight, m.Weight = true, n
			case "priority":
				m.HasPriority, m.Priority = true, n
			case "backup":
				m.Backup = schema.Yes
			case "drain":
				m.State = schema.Drain
			case "unchecked":
				m.Extra = append(m.Extra, schema.Field{Path: "check.disabled", Value: schema.BoolOf(true)})
			default:
				panic(word + ": no word for a member") // the test is wrong
			}
		}
		c.Members = append(c.Members, m)
	}
	for i := 0; i < len(settings); i += 2 {
		c.Set(schema.Path(settings[i].(string)), value(settings[i+1]), schema.At(1, 2))
	}
	return c
}

func value(v any) schema.Value {
	switch x := v.(type) {
	case string:
		return schema.TextOf(x)
	case int:
		return schema.IntOf(int64(x))
	case float64:
		return schema.NumberOf(x)
	case bool:
		return schema.BoolOf(x)
	case time.Duration:
		return schema.DurationOf(x)
	case []string:
		return schema.ListOf(x...)
	}
	panic(fmt.Sprintf("%T: no value of a setting", v)) // the test is wrong
}
