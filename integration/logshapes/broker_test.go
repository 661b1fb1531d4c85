package logshapes

import (
	"dustbuster/internal/expect"
	"fmt"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// broker serves logs, one to a topic, over kfake, which answers all but fetches
// and questions for offsets.
type broker struct {
	*kfake.Cluster
	mutex   sync.Mutex
	topics  []string
	ids     map[[16]byte]string
	logs    map[string]*log
	torn    bool
	most    int     // bytes of a response; 0: as asked
	trouble []int16 // error codes of the next answers
	remote  int64   // offsets below it lie in a remote storage, of which a request gets one partition
	slow    int     // so many answers come before it has been read
}

func serve(t *testing.T, logs []*log) *broker {
	t.Helper()
	b := &broker{ids: map[[16]byte]string{}, logs: map[string]*log{}}
	for i, l := range logs {
		name := fmt.Sprintf("log-%03d", i)
		b.topics = append(b.topics, name)
		b.logs[name] = l
	}
	var err error
	b.Cluster, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, b.topics...))
	must(t, err)
	t.Cleanup(b.Close)
	for _, name := range b.topics {
		b.ids[b.TopicInfo(name).TopicID] = name
	}
	b.ControlKey(int16(kmsg.Fetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.KeepControl()
		return b.fetch(req.(*kmsg.FetchRequest)), nil, true
	})
	b.ControlKey(int16(kmsg.ListOffsets), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.KeepControl()
		return b.list(req.(*kmsg.ListOffsetsRequest)), nil, true
	})
	return b
}

func (b *broker) fetch(req *kmsg.FetchRequest) kmsg.Response {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	res := req.ResponseKind().(*kmsg.FetchResponse)
	full, most := 0, int(req.MaxBytes)
	if b.most > 0 {
		most = b.most
	}
	for _, t := range req.Topics {
		name := t.Topic
		if name == "" {
			name = b.ids[t.TopicID]
		}
		rt := kmsg.NewFetchResponseTopic()
		rt.Topic, rt.TopicID = t.Topic, t.TopicID
		for _, p := range t.Partitions {
			l := b.logs[name]
			rp := kmsg.NewFetchResponseTopicPartition()
			rp.Partition, rp.HighWatermark, rp.LastStableOffset, rp.LogStartOffset = p.Partition, l.end, l.stable, l.first
			rp.RecordBatches = []byte{}
			switch {
			case len(b.trouble) > 0:
				rp.ErrorCode, b.trouble = b.trouble[0], b.trouble[1:]
			case p.FetchOffset < l.first || p.FetchOffset > l.end:
				rp.ErrorCode = kerr.OffsetOutOfRange.Code
			case p.FetchOffset < b.remote && (b.slow > 0 || full > 0):
				b.slow = max(0, b.slow-1)
			case full < most || full == 0: // a response that is full says nothing of the other partitions' records
				records, aborted := l.fetch(p.FetchOffset, int(p.PartitionMaxBytes), b.torn)
				full += len(records)
				rp.RecordBatches = records
				for _, a := range aborted {
					ra := kmsg.NewFetchResponseTopicPartitionAbortedTransaction()
					ra.ProducerID, ra.FirstOffset = a.producer, a.first
					rp.AbortedTransactions = append(rp.AbortedTransactions, ra)
				}
			}
			rt.Partitions = append(rt.Partitions, rp)
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}

func (b *broker) list(req *kmsg.ListOffsetsRequest) kmsg.Response {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	res := req.ResponseKind().(*kmsg.ListOffsetsResponse)
	for _, t := range req.Topics {
		l := b.logs[t.Topic]
		rt := kmsg.NewListOffsetsResponseTopic()
		rt.Topic = t.Topic
		for _, p := range t.Partitions {
			rp := kmsg.NewListOffsetsResponseTopicPartition()
			rp.Partition, rp.Offset = p.Partition, l.end
			if p.Timestamp == -2 {
				rp.Offset = l.first
			} else if req.IsolationLevel == 1 {
				rp.Offset = l.stable
			}
			rt.Partitions = append(rt.Partitions, rp)
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}

// must ends a test at an error.
var must = expect.NoError
