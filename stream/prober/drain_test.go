package prober

import (
	"testing"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/stream/checkpoint"
)

// drained is the result of draining a worker.
type drained struct {
	changes   []checkpoint.Change
	published map[string]*lifecycle.Publication // the last one of each site
}

func drain(w *Worker) drained { return drainedOf(w.Drain()) }

func drainedOf(changes []checkpoint.Change) drained {
	d := drained{changes, map[string]*lifecycle.Publication{}}
	for _, c := range d.changes {
		if a, ok := c.(checkpoint.Act); ok && a.Publication != nil {
			d.published[a.Site] = a.Publication
		}
	}
	return d
}

// stored returns a change as a store does.
func stored(t *testing.T, c checkpoint.Change) checkpoint.Change {
	t.Helper()
	a, ok := c.(checkpoint.Act)
	if !ok {
		return c
	}
	act, err := lifecycle.Decode(a.Encode())
	must(t, err)
	return checkpoint.Act{Site: a.Site, Act: &act}
}
