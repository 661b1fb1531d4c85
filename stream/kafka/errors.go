package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// The errors that a caller may want to tell apart. Each is wrapped with the operation and
// with advice.
var (
	ErrNoTopic        = errors.New("the topic or partition does not exist")
	ErrExists         = errors.New("the topic exists")
	ErrNotAuthorized  = errors.New("not authorized")
	ErrTooLarge       = errors.New("too large for the broker or topic")
	ErrBeyondEnd      = errors.New("the position is beyond the partition's end: the topic was deleted and created again, or has lost its newest records")
	ErrRecreated      = errors.New("the topic was deleted and made again")
	ErrUnknownRequest = errors.New("the broker does not know the request: it is older than Kafka 2.3, or something between does not pass the request on")
	ErrRevoked        = errors.New("the partitions have been revoked")
	ErrClosed         = errors.New("closed")
)

// unknownFor is how long a topic must be denied before the denial is believed. A broker
// that has just started knows no topics.
const unknownFor = 5 * time.Second

// madeFor is how long brokers may deny a topic after acknowledging its creation: each
// broker hears of the topic at another time.
const madeFor = time.Minute

// answer turns a broker's error code into an error; code 0 is no error.
func answer(code int16) error {
	switch err := kafkago.Error(code); err {
	case 0:
		return nil
	case kafkago.UnknownTopicOrPartition:
		return ErrNoTopic
	case kafkago.TopicAuthorizationFailed, kafkago.GroupAuthorizationFailed, kafkago.ClusterAuthorizationFailed,
		kafkago.TransactionalIDAuthorizationFailed:
		return fmt.Errorf("%w (%w): the user's permissions (ACLs) on the broker must allow it", ErrNotAuthorized, err)
	case kafkago.TopicAlreadyExists:
		return ErrExists
	case kafkago.MessageSizeTooLarge, kafkago.RecordListTooLarge:
		return fmt.Errorf("%w (%w): raise the topic's max.message.bytes or write less at once", ErrTooLarge, err)
	default:
		return err
	}
}

// permanent reports whether a retry cannot help. For unknown errors a retry might, and for a refused
// login: a token in a file is renewed. Open refuses wrong logins by itself.
func permanent(err error) bool {
	for _, e := range []error{ErrNoTopic, ErrExists, ErrNotAuthorized, ErrTooLarge, ErrBeyondEnd, ErrRecreated, ErrUnknownRequest, ErrClosed, ErrRevoked} {
		if errors.Is(err, e) {
			return true
		}
	}
	switch code, _ := errors.AsType[kafkago.Error](err); code {
	case kafkago.UnsupportedSASLMechanism, kafkago.IllegalSASLState, kafkago.UnsupportedVersion, kafkago.InvalidTopic, kafkago.InvalidRequest, kafkago.InvalidPartitionNumber,
		kafkago.InvalidReplicationFactor, kafkago.InvalidReplicaAssignment, kafkago.InvalidConfiguration,
		kafkago.PolicyViolation, kafkago.UnsupportedForMessageFormat,
		kafkago.InvalidRequiredAcks, kafkago.InvalidGroupId, kafkago.InvalidSessionTimeout,
		kafkago.InconsistentGroupProtocol, kafkago.InvalidTimestamp, invalidRecord:
		return true
	}
	return false
}

// invalidRecord is an error code without a name in kafka-go: a record without a key for a
// compacted topic.
const invalidRecord kafkago.Error = 87

// retry calls f until it succeeds, fails for good, or the context ends. An unknown topic is
// retried for the given time. doing begins the text of the error.
func (c *Cluster) retry(ctx context.Context, denied time.Duration, doing string, f func(context.Context) error) error {
	pause, unknown := 50*time.Millisecond, time.Time{}
	for {
		err := f(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil: // told below
		case errors.Is(err, ErrNoTopic):
			if unknown.IsZero() {
				unknown = time.Now()
			}
			if time.Since(unknown) >= denied {
				return fmt.Errorf("%s: %w", doing, err)
			}
		case permanent(err):
			return fmt.Errorf("%s: %w", doing, err)
		default:
			unknown = time.Time{}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("%s: %w: the last attempt: %w", doing, ctx.Err(), err)
		case <-c.sockets.ctx.Done():
			return fmt.Errorf("%s: %w", doing, ErrClosed)
		}
		pause = min(2*pause, time.Second)
	}
}
