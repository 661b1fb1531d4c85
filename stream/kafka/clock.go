package kafka

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/produce"
)

// ClockError is the refusal of records whose time is too far from the broker's: one of the two
// clocks is wrong. A topic whose message.timestamp.type is LogAppendTime refuses no record so.
type ClockError struct {
	Topic string
	Ahead time.Duration // of this machine's clock before the broker's, to about a second; below 0: it is behind; 0: not known
	Err   error         // the broker's
}

// Error returns the difference and the remedy.
func (e *ClockError) Error() string {
	differs := "differs from"
	switch {
	case e.Ahead > 0:
		differs = fmt.Sprintf("is %v ahead of", e.Ahead)
	case e.Ahead < 0:
		differs = fmt.Sprintf("is %v behind", -e.Ahead)
	}
	return fmt.Sprintf("the broker refuses the time of the records: this machine's clock %s the broker's: set the wrong clock right, and give topic %q the setting message.timestamp.type=LogAppendTime: %v", differs, e.Topic, e.Err)
}

// Unwrap returns the broker's error.
func (e *ClockError) Unwrap() error { return e.Err }

// limits are the times that a broker names in its refusal, in milliseconds since 1970.
var limits = regexp.MustCompile(`within \[-?[0-9]+, (-?[0-9]+)\]`)

// latest is how far the times of records may be ahead of a broker that does not say how far.
const latest = time.Hour // Kafka's default of message.timestamp.after.max.ms

// clockError makes the error of a refused batch. now is the time of this machine's clock. The broker
// names the latest time that it takes: its own time, and what the topic's setting adds.
func (c *Cluster) clockError(ctx context.Context, topic string, p *produce.ResponsePartition, now time.Time) error {
	e := &ClockError{Topic: topic, Err: kafkago.InvalidTimestamp}
	for _, r := range p.RecordErrors {
		m := limits.FindStringSubmatch(r.BatchIndexErrorMessage)
		if m == nil {
			continue
		}
		after := latest
		config, _ := c.config(ctx, anyBroker, kafkago.ResourceTypeTopic, topic) // without it, the default is the best guess
		if ms, err := strconv.ParseInt(config["message.timestamp.after.max.ms"], 10, 64); err == nil {
			after = time.Duration(min(ms, int64(longest/time.Millisecond))) * time.Millisecond
		}
		if ms, err := strconv.ParseInt(m[1], 10, 64); err == nil && after < longest {
			e.Ahead = now.Round(0).Sub(time.UnixMilli(ms).Add(-after)).Round(time.Second)
		}
		break
	}
	return e
}

// longest is more than any setting that refuses times ahead.
const longest = 100 * 365 * 24 * time.Hour
