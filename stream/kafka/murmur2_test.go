package kafka

import (
	"math/rand/v2"
	"testing"

	kafkago "github.com/segmentio/kafka-go"
)

// The values are those of Kafka's own test of its hash.
func TestMurmur2(t *testing.T) {
	for key, want := range map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536,
		"a-little-bit-longer-string": -1486304829, "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971, "abc": 479470107,
	} {
		if got := int32(murmur2([]byte(key))); got != want {
			t.Errorf("%q: got %d, want %d", key, got, want)
		}
	}
}

func TestPartitionOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	balancer := kafkago.Murmur2Balancer{}
	for range 5000 {
		key := make([]byte, r.IntN(40))
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		partitions := make([]int, 1+r.IntN(50))
		for i := range partitions {
			partitions[i] = i
		}
		if got, want := PartitionOf(key, len(partitions)), balancer.Balance(kafkago.Message{Key: key}, partitions...); got != want && len(key) > 0 {
			t.Fatalf("%x of %d: got %d, want %d", key, len(partitions), got, want)
		}
	}
}
