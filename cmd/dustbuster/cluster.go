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

// ended is nil for an error that says no more than that the program was told to end.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// openCluster connects to Kafka. What is tried again is told to failed; nil: nobody.
func openCluster(ctx context.Context, c *config.Config, failed func(error)) (*kafka.Cluster, error) {
	o, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	o.OnError = failed
	return kafka.Open(ctx, o)
}

// checkTopics refuses topics that would make what a role does wrong, and logs what
// else is not as it should be.
func checkTopics(ctx context.Context, c *config.Config, cluster *kafka.Cluster, role topics.Role, log *zap.Logger) error {
	doubts, err := topics.Ready(ctx, cluster, c.TopicPlan().For(role))
	for _, d := range topics.Together(doubts) {
		log.Warn("topics: "+d.String(), zap.String("severity", string(d.Severity)))
	}
	return err
}
