package agent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

// stuck is a source of one line, and a producer, that fail until a time.
type stuck struct {
	read            bool
	commits, writes time.Time
}

func (s *stuck) Read(ctx context.Context) (*records.Batch, error) {
	if s.read {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	s.read = true
	b := new(records.Batch)
	b.Add("a.example", &evidence.Observation{URL: []byte("/"), Time: 1})
	b.File, b.End = 1, 1
	return b, nil
}

func (s *stuck) Commit(context.Context, map[uint64]int64) error {
	if time.Now().Before(s.commits) {
		return errors.New("no room")
	}
	return nil
}

func (s *stuck) Produce(context.Context, string, int, []kafka.Record) error {
	time.Sleep(time.Until(s.writes))
	return nil
}

// The status says since when observations wait for their acknowledgement, and that the positions of
// lines cannot be saved, as long as that is so.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stuck{commits: time.Now().Add(time.Minute), writes: time.Now().Add(30 * time.Second)}
		a := newAgent(t, options, s)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		go a.Run(ctx, s) //nolint:errcheck // it ends with ctx
		begin := time.Now()
		for _, c := range []struct {
			at          time.Duration
			waits       time.Duration // for an acknowledgement
			uncommitted string
		}{{20 * time.Second, 19 * time.Second, ""}, {40 * time.Second, 0, "no room"}, {70 * time.Second, 0, ""}} {
			time.Sleep(c.at - time.Since(begin))
			synctest.Wait()
			if now := a.Status(); now.unacknowledged(time.Now()) != c.waits || now.Uncommitted != c.uncommitted {
				t.Errorf("after %v: waits for %v, %q", c.at, now.unacknowledged(time.Now()), now.Uncommitted)
			}
		}
		<-ctx.Done()
	})
}
