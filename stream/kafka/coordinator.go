package kafka

import (
	"errors"
	"slices"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// coordinatorFor is how long a group may be without a coordinator before that is an error.
// Kafka makes the topic of the groups' offsets when the first group is joined, and a
// coordinator that begins or moves first loads its groups.
const coordinatorFor = 30 * time.Second

// seeking notes since when a group has no coordinator.
type seeking struct{ since time.Time }

// excuses takes in the result of a request, and reports whether it is an error that only says
// that the coordinator is not there yet.
func (s *seeking) excuses(err error) bool {
	var code kafkago.Error
	if !errors.As(err, &code) || !slices.Contains([]kafkago.Error{kafkago.GroupCoordinatorNotAvailable, kafkago.NotCoordinatorForGroup, kafkago.GroupLoadInProgress}, code) {
		s.since = time.Time{}
		return false
	}
	if s.since.IsZero() {
		s.since = time.Now()
	}
	return time.Since(s.since) < coordinatorFor
}
