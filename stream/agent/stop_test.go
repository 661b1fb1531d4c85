package agent

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/records"
)

// once is a source whose lines come only once. Lines read ahead before Stop must be read
// after Stop.
type once struct {
	ahead   int
	stopped chan struct{}
}

func (o *once) Read(ctx context.Context) (*records.Batch, error) {
	select {
	case <-o.stopped:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if o.ahead == 0 {
		return nil, io.EOF
	}
	o.ahead--
	b := new(records.Batch)
	b.Add("", &evidence.Observation{URL: fmt.Appendf(nil, "/%d", o.ahead)})
	return b, nil
}

func (o *once) Commit(context.Context, map[uint64]int64) error { return nil }
func (o *once) Stop()                                          { close(o.stopped) }

// At the end of ctx, the agent sends all lines read ahead by a source with Stop.
func TestStopper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, err := New(options, newCluster(rand.New(rand.NewPCG(5, 5))))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := a.Run(ctx, &once{50, make(chan struct{})}); err != nil {
			t.Error(err)
		}
		if sent := a.Status().Sent.Observations; sent != 50 {
			t.Errorf("%d observations sent, want 50", sent)
		}
	})
}
