package parallel

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

func TestDo(t *testing.T) {
	var sum atomic.Int64
	if err := Do(context.Background(), 0, 100, func(i int) { sum.Add(int64(i)) }); err != nil || sum.Load() != 4950 {
		t.Errorf("%d, %v", sum.Load(), err)
	}
	if err := Do(context.Background(), 0, 0, func(int) { t.Error("done") }); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var begun atomic.Int64
	err := Do(ctx, 4, 1000, func(int) {
		begun.Add(1)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || begun.Load() > 100 {
		t.Errorf("%d begun, %v", begun.Load(), err)
	}
	defer func() {
		if cause, _ := recover().(string); !strings.HasPrefix(cause, "a defect\n") {
			t.Errorf("recovered %q", cause)
		}
	}()
	_ = Do(context.Background(), 0, 10, func(i int) {
		if i == 3 {
			panic("a defect")
		}
	})
}
