package forms_test

import (
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/evidence"
)

// A trial holds a page that some clients get packed against both sizes, and not against all between them.
func TestLoggedDouble(t *testing.T) {
	o := madeup.MinerOptions()
	o.Table.Days = true
	m := miner.New("", o)
	for day, size := range []int64{12_000, 3000, 12_010} {
		m.Fold(&evidence.Observation{URL: []byte("/double"), Time: int64(day) * evidence.SecondsOfDay, Min: size, Max: size})
		m.Fold(&evidence.Observation{URL: []byte("/grows"), Time: int64(day) * evidence.SecondsOfDay, Min: 9000 + 2500*int64(day), Max: 9000 + 2500*int64(day)})
	}
	w := forms.WindowOf(m)
	if got, want := w.Logged("/double").Sizes, []trial.Size{{Min: 3000, Max: 3000}, {Min: 12_000, Max: 12_010}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := w.Logged("/grows").Sizes, []trial.Size{{Min: 9000, Max: 14_000}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
