package subscribe

import (
	"context"
	"encoding/json"
	"fmt"

	"dustbuster/operators/rule/report"
	"dustbuster/stream/kafka"
	"dustbuster/stream/rules"
)

// Live returns the rules in use, with their counts, version and reports. The Subscription
// replaces the rules.
func (s *Subscription) Live() *rules.Live { return &s.live }

// Reporter writes reports of crawlers to a topic. Any goroutine may use a Reporter.
type Reporter struct {
	cluster    *kafka.Cluster
	topic      string
	partitions int
}

// OpenReporter connects to the brokers and checks that the topic, such as dust.reports,
// exists. Call Close in the end.
func OpenReporter(ctx context.Context, k kafka.Options, topic string) (*Reporter, error) {
	cluster, err := kafka.Open(ctx, k)
	if err != nil {
		return nil, err
	}
	found, err := cluster.Topic(ctx, topic)
	if err != nil {
		cluster.Close()
		return nil, fmt.Errorf("report to %s: %w", topic, err)
	}
	return &Reporter{cluster, topic, found.Partitions}, nil
}

// Close closes the connections.
func (r *Reporter) Close() { r.cluster.Close() }

// Send writes a report: see rules.Live.Report. Temporary errors are retried until ctx ends.
func (r *Reporter) Send(ctx context.Context, about *report.Report) error {
	value, err := json.Marshal(about)
	if err == nil {
		key := []byte(about.Site)
		err = r.cluster.Produce(ctx, r.topic, kafka.PartitionOf(key, r.partitions), []kafka.Record{{Key: key, Value: value}})
	}
	if err != nil {
		return fmt.Errorf("send report: %w", err)
	}
	return nil
}
