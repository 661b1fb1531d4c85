package main

import (
	"context"
	"errors"

	"dustbuster/config"
	"dustbuster/stream/kafka"
	"dustbuster/stream/topics"

	"go.uber.org/zap"
)

var (
	errNoBrokers = errors.New("no Kafka given: name brokers with --brokers HOST:PORT, or as kafka.brokers in a configuration file")
	errNoKey     = errors.New("hash_key is not set, and all agents and miners of a cluster need the same\nmake one with openssl rand -hex 16, and give it to each of them as DUSTBUSTER_HASH_KEY")
)

// ended returns nil for an error that only reports the program's end by a signal.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// openCluster connects to Kafka. Retried errors are passed to failed, which may be nil.
func openCluster(ctx context.Context, c *config.Config, failed func(error)) (*kafka.Cluster, error) {
	o, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	o.OnError = failed
	return kafka.Open(ctx, o)
}

// checkTopics refuses topics with which a role's results would be wrong, and logs all other
// problems.
func checkTopics(ctx context.Context, c *config.Config, cluster *kafka.Cluster, role topics.Role, log *zap.Logger) (topics.Facts, error) {
	facts, doubts, err := topics.Ready(ctx, cluster, c.TopicPlan().For(role))
	for _, d := range topics.Together(doubts) {
		log.Warn("topics: "+d.String(), zap.String("severity", string(d.Severity)))
	}
	return facts, err
}

// partitionsAdded is logged, with the number of partitions, by agents and miners.
const partitionsAdded = "partitions were added to the topic of observations: they are not served, since the sites' next observations would lie elsewhere than those before; make topics under other names and move to them, as docs/kafka.md says under \"More partitions\""
