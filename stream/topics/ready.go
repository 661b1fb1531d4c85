package topics

import (
	"context"
	"strings"
	"time"

	"dustbuster/stream/kafka"
)

// Error is what is wrong with topics.
type Error struct{ Findings []Finding }

// Error says all of it, a line each, with what to do.
func (e *Error) Error() string {
	var lines []string
	for _, f := range Together(e.Findings) {
		lines = append(lines, f.String())
	}
	return "check topics: " + strings.Join(lines, "\n")
}

// Ready is the check at the start of a program in the plan's role: what would make
// it wrong is an *Error; what else is not as it should be comes back, to be logged.
func Ready(ctx context.Context, c *kafka.Cluster, p Plan) (doubts []Finding, err error) {
	f, err := Look(ctx, c, p)
	if err != nil {
		return nil, err
	}
	found := Judge(p, f)
	if wrong := only(found, Wrong); len(wrong) > 0 {
		return nil, &Error{wrong}
	}
	return found, nil
}

// settling is how long brokers may take to tell each other of changes.
const settling = 10 * time.Second

// Settled looks at topics that were just changed: until all brokers seem to know
// of it, or for some seconds.
func Settled(ctx context.Context, c *kafka.Cluster, p Plan) (Facts, error) {
	for end := time.Now().Add(settling); ; {
		f, err := Look(ctx, c, p)
		if err != nil || len(Steps(p, f)) == 0 || time.Now().After(end) {
			return f, err
		}
		select {
		case <-time.After(settling / 50):
		case <-ctx.Done():
			return f, ctx.Err()
		}
	}
}
