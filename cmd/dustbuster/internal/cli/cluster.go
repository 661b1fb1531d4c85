package cli

import (
	"context"
	"errors"
	"sync"

	"dustbuster/config"
	"dustbuster/stream/kafka"
	"dustbuster/stream/topics"

	"go.uber.org/zap"
)

var (
	// ErrNoBrokers is for commands that need Kafka.
	ErrNoBrokers = errors.New("no Kafka brokers given: use --brokers HOST:PORT, or kafka.brokers in a configuration file")
	// ErrNoKey is for agents and miners without the key of their cluster.
	ErrNoKey = errors.New("keep.hash_key is not set: all agents and miners of a cluster need the same key\nmake one with openssl rand -hex 16, and set DUSTBUSTER_KEEP_HASH_KEY everywhere")
)

// Cluster names the settings of the group kafka by which any command reaches the brokers.
const Cluster = "brokers tls tls_ca tls_cert tls_key tls_server_name sasl sasl_user sasl_token_file"

// Ended returns nil for an error that only reports the program's end by a signal.
func Ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// OpenCluster connects to Kafka. Retried errors are passed to failed, which may be nil.
func OpenCluster(ctx context.Context, c *config.Config, failed func(error)) (*kafka.Cluster, error) {
	o, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	o.OnError = failed
	return kafka.Open(ctx, o)
}

// CheckTopics refuses topics with which a role's results would be wrong, and logs all other
// problems.
func CheckTopics(ctx context.Context, c *config.Config, cluster *kafka.Cluster, role topics.Role, log *zap.Logger) (topics.Facts, error) {
	facts, doubts, err := topics.Ready(ctx, cluster, c.TopicPlan().For(role))
	for _, d := range topics.Together(doubts) {
		log.Warn("topics: "+d.String(), zap.String("severity", string(d.Severity)))
	}
	return facts, err
}

// WatchTopics looks at the topics while a role uses them, and logs what is found, until the returned
// function is called. facts are those of CheckTopics.
func WatchTopics(c *config.Config, cluster *kafka.Cluster, role topics.Role, facts topics.Facts, log *zap.Logger) (w *topics.Watch, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	w = topics.NewWatch(cluster, c.TopicPlan().For(role), facts, func(f topics.Finding) {
		level := zap.WarnLevel
		if f.Severity == topics.Wrong {
			level = zap.ErrorLevel
		}
		log.Log(level, "topics: "+f.String(), zap.String("severity", string(f.Severity)))
	})
	var looking sync.WaitGroup
	looking.Go(func() { w.Run(ctx) })
	return w, func() { cancel(); looking.Wait() }
}

// PartitionsAdded is logged, with the number of partitions, by agents and miners.
const PartitionsAdded = "partitions were added to the topic of observations: they are not served, since the sites' next observations would lie elsewhere than those before; make topics under other names and move to them, as docs/kafka.md says under \"More partitions\""
