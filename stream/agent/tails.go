package agent

import (
	"context"

	"dustbuster/stream/checkpoint"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"
)

// Tails are followed logs with positions kept in a journal. Tails is a Source whose files
// are generations of logs.
type Tails struct {
	*loop.Inputs
	journal *journal.Journal
}

// OpenTails returns the source that open makes of a journal's positions. The caller closes
// the journal after the source.
func OpenTails(j *journal.Journal, open func(loop.Saved) (*loop.Inputs, error)) (*Tails, error) {
	positions, err := checkpoint.LoadPositions(j)
	if err != nil {
		return nil, err
	}
	saved, err := loop.DecodePositions(positions)
	if err != nil {
		return nil, err
	}
	inputs, err := open(saved)
	if err != nil {
		return nil, err
	}
	return &Tails{inputs, j}, nil
}

// Commit saves the positions.
func (t *Tails) Commit(_ context.Context, ends map[uint64]int64) error {
	positions, err := t.Positions(ends)
	if err != nil {
		return err
	}
	return savePositions(t.journal, positions)
}

// savePositions saves positions in a journal.
func savePositions(j *journal.Journal, positions []byte) error {
	save := checkpoint.Journal{Journal: j}.Save
	if j.Bloated() {
		save = checkpoint.Journal{Journal: j}.Compact
	}
	return save(func(yield func(checkpoint.Change) bool) { yield(checkpoint.Positions(positions)) })
}
