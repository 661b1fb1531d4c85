package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"dustbuster/stream/kafka"
)

// A pinned context ends once two counts in a row agree on fewer partitions. Added partitions
// are reported.
func TestPin(t *testing.T) {
	gone, away := fmt.Errorf("count: %w", kafka.ErrNoTopic), errors.New("no answer")
	for _, c := range []struct {
		name   string
		counts []any // numbers, or errors
		added  []int // what is reported
		want   *PartitionsError
	}{
		{name: "as it was", counts: []any{4, 4, 4}, added: []int{0, 0, 0}},
		{name: "more", counts: []any{4, 6, 6, 6, 7, 7}, added: []int{0, 2, 2, 3}},
		{name: "more, then anew", counts: []any{6, 6, 3, 3}, added: []int{2}, want: &PartitionsError{"t", 4, 3}},
		{name: "fewer", counts: []any{3, 3}, want: &PartitionsError{"t", 4, 3}},
		{name: "gone", counts: []any{4, gone, gone}, added: []int{0}, want: &PartitionsError{"t", 4, 0}},
		{name: "gone once", counts: []any{gone, 4, gone, 4, 4}, added: []int{0}},
		{name: "no two alike", counts: []any{6, 7, 4, 6, 4}},
		{name: "not reachable", counts: []any{6, away, 6, away, away, away}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				i, told := 0, []int(nil)
				pinned, unpin := Pin(ctx, "t", 4, func(context.Context, string) (int, error) {
					if i == len(c.counts) {
						stop()
						return 0, ctx.Err()
					}
					i++
					if n, ok := c.counts[i-1].(int); ok {
						return n, nil
					}
					return 0, c.counts[i-1].(error)
				}, func(n int) { told = append(told, n) })
				<-pinned.Done()
				err := unpin()
				var got *PartitionsError
				if errors.As(err, &got); (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
					t.Errorf("%v, want %+v", err, c.want)
				}
				if !slices.Equal(told, c.added) {
					t.Errorf("told %d, want %d", told, c.added)
				}
				if c.want != nil && i != len(c.counts) {
					t.Errorf("after %d counts of %d", i, len(c.counts))
				}
			})
		})
	}
}
