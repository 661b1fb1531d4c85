package kafka

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	kafkago "github.com/segmentio/kafka-go"
)

// seen is one look: the coverage, or an error.
type seen struct {
	partitions, unowned, gone int
	err                       error
}

// A generation is told to end once two looks in a row show that partitions have come or
// gone, and in no other case. Coverage that two looks agree on is reported.
func TestWatch(t *testing.T) {
	whole, grown, away := seen{partitions: 4}, seen{partitions: 6, unowned: 2}, seen{gone: 4}
	unsettled, failed := seen{err: errUnsettled}, seen{err: errors.New("no answer")}
	headless := seen{err: answer(int16(kafkago.GroupCoordinatorNotAvailable))}
	for _, c := range []struct {
		name   string
		looks  []seen
		ends   int // looks after which the generation is told to end; 0: never
		told   int // reported looks
		errors int
	}{
		{name: "all is owned", looks: []seen{whole, whole, whole}, told: 2},
		{name: "some have come", looks: []seen{whole, grown, grown, grown}, ends: 3, told: 1},
		{name: "some have gone", looks: []seen{away, away}, ends: 2, told: 1},
		{name: "a glance", looks: []seen{whole, away, whole, away, whole}},
		{name: "something else", looks: []seen{grown, away, grown}},
		{name: "between two", looks: []seen{grown, unsettled, grown, unsettled}},
		{name: "no answer for a while", looks: []seen{grown, failed, failed, grown}, errors: 1},
		{name: "no coordinator yet", looks: []seen{grown, headless, headless, headless, grown}},
		{name: "no coordinator", looks: []seen{headless, headless, headless, headless, headless, headless, headless, headless}, errors: 1}, // for 30 s
		{name: "no answer twice", looks: []seen{failed, whole, failed, whole}, errors: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				looks, ended, told, errs := 0, 0, 0, 0
				w := &watch{looked: func(Coverage) { told++ }, onError: func(error) { errs++ }}
				w.look = func(context.Context) (Coverage, error) {
					if looks == len(c.looks) {
						stop()
						return Coverage{}, ctx.Err()
					}
					s := c.looks[looks]
					looks++
					return Coverage{map[string]int{"t": s.partitions}, s.unowned, s.gone}, s.err
				}
				w.begin(func() { ended = looks })
				w.run(ctx)
				if ended != c.ends || told != c.told || errs != c.errors {
					t.Errorf("told to end after %d looks, told %d, errors %d; want %d, %d, %d", ended, told, errs, c.ends, c.told, c.errors)
				}
			})
		})
	}
}
