package miners

import (
	"errors"
	"testing"

	"dustbuster/stream/kafka"
)

// An owner that begins anew, and the next owner, do not count losses again that were counted. New ones they do.
func TestLossesCountOnce(t *testing.T) {
	told := 0
	m := New(Options{Observations: "o", Report: func(Report) { told++ }})
	p := newPartition(m, 3, 4)
	first := &kafka.Generation{Partitions: map[string][]kafka.Assigned{"o": {{Partition: 2, Committed: 90}, {Partition: 3, Committed: -1}}}}
	next := &kafka.Generation{Partitions: map[string][]kafka.Assigned{"o": {{Partition: 3, Committed: 50}}}}
	why := errors.New("its checksum is wrong")
	for i, step := range []struct {
		of       *kafka.Generation // begins; nil: none does
		end      int64             // of the partition
		upto, n  int64             // lost
		sum, say int64
	}{
		{first, 100, 20, 7, 7, 1},
		{nil, 0, 40, 3, 10, 2},
		{first, 100, 20, 7, 10, 2}, // again
		{nil, 0, 40, 3, 10, 2},
		{next, 100, 45, 5, 10, 2}, // counted by another owner
		{nil, 0, 60, 1, 11, 3},
	} {
		if step.of != nil {
			p.countFrom(step.of, kafka.Range{End: step.end})
		}
		p.loseOnce(step.upto, step.n, why)
		if p.lost.Load() != step.sum || int64(told) != step.say {
			t.Errorf("step %d: %d lost, told %d times, want %d and %d", i, p.lost.Load(), told, step.sum, step.say)
		}
	}
	other := newPartition(m, 3, 4)
	other.countFrom(next, kafka.Range{End: 30}) // the commit is of another topic
	if other.loseOnce(10, 2, why); other.lost.Load() != 2 {
		t.Errorf("%d lost", other.lost.Load())
	}
}
