package miners

import (
	"errors"
	"testing"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/table"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/rulelog"
)

// Offsets that are deleted before a partition's start are lost if nobody has read them, or if everything
// counts, once. What retention has deleted of a window, after it was read, is not lost.
func TestDeletedOffsets(t *testing.T) {
	for _, c := range []struct {
		name             string
		window           int64
		first, committed int64
		lost             int64
	}{
		{"nothing deleted", 86400, 0, -1, 0},
		{"read before", 86400, 500, 900, 0},
		{"some not read", 86400, 500, 300, 200},
		{"a new group", 86400, 500, -1, 0},
		{"everything counts", 0, 500, 900, 500},
		{"everything counts, a new group", 0, 500, -1, 500},
	} {
		p := &partition{member: New(Options{Loop: loop.Options{Miner: miner.Options{Table: table.Options{Window: c.window}}}})}
		for range 2 {
			p.loseDeleted(c.first, c.committed)
		}
		if got := p.lost.Load(); got != c.lost {
			t.Errorf("%s: %d lost, want %d", c.name, got, c.lost)
		}
	}
}

// A partition that its owner cannot claim or serve counts as unserved, until it is served. One that
// another member claims has an owner.
func TestUnserved(t *testing.T) {
	refused := claimError{errors.New("refused")}
	for _, c := range []struct {
		name     string
		err      error
		unserved int
		doing    string
	}{
		{"ended", nil, 0, ""},
		{"refused", refused, 1, "claim the partition, which nobody serves now"},
		{"claimed by another", claimError{rulelog.ErrNotOwner}, 0, "claim the partition"},
		{"failed", errors.New("broken"), 1, "serve the partition"},
		{"made again", kafka.ErrRecreated, 1, ""},
	} {
		doing := ""
		m := New(Options{Report: func(r Report) { doing = r.Doing }})
		p := &partition{member: m}
		m.owned[0] = p
		p.tell(t.Context(), c.err)
		if got := m.Unserved(); got != c.unserved || doing != c.doing || (m.failing() != nil) != (got > 0) {
			t.Errorf("%s: %d unserved, %q, %v", c.name, got, doing, m.failing())
		}
	}
}
