package kafka

import (
	"reflect"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/consumer"
)

func TestAssignment(t *testing.T) {
	b, err := protocol.Marshal(0, consumer.Assignment{AssignedPartitions: []consumer.TopicPartition{{Topic: "a", Partitions: []int32{2, 0}}, {Topic: "b", Partitions: []int32{7}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := assignment(b), (map[string][]int{"a": {2, 0}, "b": {7}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for n := range b { // truncated bytes, and bytes that claim great lengths
		assignment(b[:n])
		hostile := append([]byte(nil), b...)
		hostile[n] = 0x7f
		assignment(hostile)
	}
	if got := assignment(nil); len(got) > 0 {
		t.Errorf("of nothing %v", got)
	}
}
