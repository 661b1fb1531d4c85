package main

import (
	"context"
	"errors"

	"dustbuster/config"
	"dustbuster/stream/kafka"
)

var (
	errNoBrokers = errors.New("no Kafka given: name brokers with --brokers HOST:PORT, or as kafka.brokers in a configuration file")
	errNoKey     = errors.New("hash_key is not set, and all agents and miners of a cluster need the same\nmake one with openssl rand -hex 16, and give it to each of them as DUSTBUSTER_HASH_KEY")
)

// openCluster connects to Kafka.
func openCluster(ctx context.Context, c *config.Config) (*kafka.Cluster, error) {
	o, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	return kafka.Open(ctx, o)
}
