package integration

import (
	"context"
	"testing"
	"time"

	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
)

// What goes wrong with one partition, here that the topic of rules has none of its
// number, is told, and tried again and again, while the other goes on in the same
// generation.
func TestKafkaPartitionFails(t *testing.T) {
	t.Parallel()
	_, c := sharedKafka(t)
	topic, fewer := topicOf(t, c, 2, nil), topicOf(t, c, 1, nil)
	reports := make(chan miners.Report, 1000)
	m := miners.New(miners.Options{Cluster: c, Group: topic, Session: time.Minute, // nobody is given up on a busy machine
		Observations: topic, Partitions: 2, Rules: fewer, Events: fewer, Report: func(r miners.Report) { reports <- r },
		Loop: loop.Options{Pace: loop.Pace{Refine: time.Second, Checkpoint: time.Second, FlushTimeout: time.Second}}})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	late := time.After(patience)
	for failed, assigned := 0, 0; failed < 3 || assigned == 0; {
		select {
		case r := <-reports:
			t.Logf("partition %d %s %s: %v", r.Partition, r.Kind, r.Doing, r.Err)
			switch {
			case r.Partition == 1 && r.Kind == miners.Failed:
				failed++
			case r.Partition == 0 && r.Kind == miners.Assigned && assigned == 0:
				assigned++
			case r.Partition == 0 && r.Kind == miners.Revoked:
				t.Error("partition 0 was given up")
			}
		case <-late:
			t.Fatalf("failed %d times, assigned %d times", failed, assigned)
		}
	}
	eventually(t, func() bool { all := m.Partitions(); return len(all) == 2 && all[0].CaughtUp && !all[1].CaughtUp })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
