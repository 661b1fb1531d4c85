package rulelog

import (
	"encoding/json"
	"fmt"
	"time"

	"dustbuster/stream/fetch"
)

// The politeness of all sites of a partition is one record, which is not written with each
// checkpoint: a record counts some requests that have not been made yet, and is written
// anew when these are used up, about once a minute. So a member that is killed may leave
// less of a site's budget than there is, and never more.

// mostAhead is how many requests of a site a record counts in advance: a minute's, with the
// standard delay.
const mostAhead = 60

// waitSlack is by how much a wait between requests may be longer than a delay says, before it
// is a wish of the server's that must be kept.
const waitSlack = 10 * time.Second

// due returns the record to be written for the states of all sites; nil if the last one
// still covers them.
func (s *Store) due(value []byte, now time.Time) ([]byte, error) {
	if value == nil {
		return nil, nil
	}
	var states []fetch.State
	if err := json.Unmarshal(value, &states); err != nil {
		return nil, fmt.Errorf("read politeness: %w", err)
	}
	covered := true
	for i := range states {
		written, known := s.polite[states[i].Site]
		covered = covered && known && covers(&written, &states[i], now)
	}
	if covered {
		return nil, nil
	}
	s.polite = make(map[string]fetch.State, len(states))
	for i := range states {
		states[i].Used += min(mostAhead, states[i].Used)
		s.polite[states[i].Site] = states[i]
	}
	return json.Marshal(states)
}

// covers reports whether a state that was written promises all that a site's state is now.
func covers(written, is *fetch.State, now time.Time) bool {
	held := is.Next.After(written.Next) && is.Next.Sub(now) > 2*is.Delay+waitSlack
	return is.Since.Equal(written.Since) && is.Used <= written.Used && is.Delay <= written.Delay &&
		is.Busy <= written.Busy && !is.Rest.After(written.Rest) && !held
}
