package rulelog

import (
	"encoding/json"
	"slices"
	"time"

	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
)

// The politeness of all sites of a partition is one record. The record is not written with
// each checkpoint. Instead, the record counts some requests in advance, and is rewritten
// when these requests are used up, about once a minute. So a killed member may leave less
// of a site's budget than there is, and never more.

// mostAhead is how many requests of a site a record counts in advance: a minute's, with the
// standard delay.
const mostAhead = 60

// waitSlack is the longest excess of a wait over the configured delay. A longer wait is the
// server's wish, which must be kept.
const waitSlack = 10 * time.Second

// due returns the record to write for the states of all sites; nil if the last record still
// covers them.
func (s *Store) due(states checkpoint.Politeness, now time.Time) ([]byte, error) {
	if states == nil {
		return nil, nil
	}
	covered := true
	for i := range states {
		written, known := s.polite[states[i].Site]
		covered = covered && known && covers(&written, &states[i], now)
	}
	if covered {
		return nil, nil
	}
	states = slices.Clone(states)
	s.polite = make(map[string]fetch.State, len(states))
	for i := range states {
		states[i].Used += min(mostAhead, states[i].Used)
		s.polite[states[i].Site] = states[i]
	}
	return json.Marshal(states)
}

// covers reports whether a written state promises everything in a site's present state.
func covers(written, is *fetch.State, now time.Time) bool {
	held := is.Next.After(written.Next) && is.Next.Sub(now) > 2*is.Delay+waitSlack
	return is.Since.Equal(written.Since) && is.Used <= written.Used && is.Delay <= written.Delay &&
		is.Busy <= written.Busy && !is.Rest.After(written.Rest) && !held
}
