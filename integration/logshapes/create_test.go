package logshapes

import (
	"net"
	"strconv"
	"testing"
	"time"

	"dustbuster/stream/kafka"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A broker that is slow to hear of a topic denies the topic after its making. Create
// waits for that broker longer than for a topic that may never have been made.
func TestCreateWaitsForSlowBrokers(t *testing.T) {
	t.Parallel()
	broker, err := kfake.NewCluster(kfake.NumBrokers(1))
	must(t, err)
	defer broker.Close()
	cluster, err := kafka.Open(t.Context(), kafka.Options{Brokers: broker.ListenAddrs()})
	must(t, err)
	defer cluster.Close()
	const slow = 8 * time.Second
	start := time.Now()
	broker.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
		broker.KeepControl()
		m := req.(*kmsg.MetadataRequest)
		if len(m.Topics) == 0 || time.Since(start) > slow {
			return nil, nil, false
		}
		return denied(t, m, broker.ListenAddrs()[0]), nil, true
	})
	if err := cluster.Create(t.Context(), kafka.Topic{Name: "late", Partitions: 1, Replicas: 1}); err != nil {
		t.Error(err)
	}
}

// denied is the answer of the one broker that has heard of no topic.
func denied(t *testing.T, req *kmsg.MetadataRequest, address string) kmsg.Response {
	t.Helper()
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		t.Error(err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Error(err)
	}
	res := req.ResponseKind().(*kmsg.MetadataResponse)
	res.Brokers = []kmsg.MetadataResponseBroker{{NodeID: 0, Host: host, Port: int32(port)}}
	for _, topic := range req.Topics {
		one := kmsg.NewMetadataResponseTopic()
		one.Topic, one.ErrorCode = topic.Topic, kerr.UnknownTopicOrPartition.Code
		res.Topics = append(res.Topics, one)
	}
	return res
}
