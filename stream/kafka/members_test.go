package kafka

import (
	"reflect"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/consumer"
)

func TestAssignment(t *testing.T) {
	const userData = 4 // bytes of the length of no user data, at the end
	b, err := protocol.Marshal(0, consumer.Assignment{AssignedPartitions: []consumer.TopicPartition{{Topic: "a", Partitions: []int32{2, 0}}, {Topic: "b", Partitions: []int32{7}}}})
	must(t, err)
	want := map[string][]int{"a": {2, 0}, "b": {7}}
	if got, ok := assignment(b); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%v (%v), want %v", got, ok, want)
	}
	for n := range b { // truncated bytes, and bytes that claim great lengths
		if _, ok := assignment(b[:n]); ok && n < len(b)-userData {
			t.Errorf("%d of %d bytes are an assignment", n, len(b))
		}
		hostile := append([]byte(nil), b...)
		hostile[n] = 0x7f
		assignment(hostile)
	}
	if got, ok := assignment(nil); ok || len(got) > 0 {
		t.Errorf("of nothing %v (%v)", got, ok)
	}
}
