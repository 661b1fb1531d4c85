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

// openCluster connects to Kafka and makes sure that the topics of a role are as
// they must be; what is only doubtful is logged.
func openCluster(ctx context.Context, c *config.Config, role topics.Role, log *zap.Logger) (*kafka.Cluster, error) {
	o, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	cluster, err := kafka.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	doubts, err := topics.Ready(ctx, cluster, c.TopicPlan().For(role))
	if err != nil {
		cluster.Close()
		return nil, err
	}
	for _, d := range doubts {
		log.Warn(d.String())
	}
	return cluster, nil
}
