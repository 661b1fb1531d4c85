package loop

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"dustbuster/operators/admit"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"
)

// A daemon told to end during its start closes inputs whose goroutines are about to begin.
// The race detector checks this order.
func TestInputsEndAtTheirStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	for range 100 {
		follows, err := tail.Open(tail.Options{Paths: []string{path}, NoNotify: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := records.New(follows, records.Options{Admit: admit.Defaults(), Live: true})
		if err != nil {
			t.Fatal(err)
		}
		inputs := NewInputs([]Input{{Name: "input", Tail: follows, Records: r}})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := inputs.Read(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := inputs.Close(); err != nil {
			t.Error(err)
		}
	}
}
