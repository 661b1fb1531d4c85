package topics

import (
	"context"
	"slices"
	"strings"
	"time"

	"dustbuster/stream/kafka"
)

// Error is an error about topics, with its findings.
type Error struct{ Findings []Finding }

// Error returns the findings, one line each, with their remedies.
func (e *Error) Error() string {
	var lines []string
	for _, f := range Together(e.Findings) {
		lines = append(lines, f.String())
	}
	return "check topics: " + strings.Join(lines, "\n")
}

// Unlike reports whether a number of partitions is wrong, or the program's settings are not those of
// others. A program that goes on with such topics, or is started again and again, does harm.
func (e *Error) Unlike() bool {
	return slices.ContainsFunc(e.Findings, func(f Finding) bool { return f.Setting == partitionsSetting || f.Setting == headSetting })
}

// Ready is the check at the start of a program in the plan's role. Findings that would
// make the program's results wrong are an *Error. All other findings are returned, to
// be logged.
func Ready(ctx context.Context, c *kafka.Cluster, p Plan) (f Facts, doubts []Finding, err error) {
	if f, err = Look(ctx, c, p); err != nil {
		return f, nil, err
	}
	found := Judge(p, f)
	if wrong := only(found, Wrong); len(wrong) > 0 {
		return f, nil, &Error{wrong}
	}
	return f, found, nil
}

// settling bounds the time that brokers need to tell each other of changes.
const settling = 10 * time.Second

// Settled looks at topics that were just changed, again and again until all brokers
// seem to know the change, or for some seconds.
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
