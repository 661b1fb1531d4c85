package checkpoint

import (
	"slices"
	"testing"

	"dustbuster/operators/read/client"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/journal"
)

// Clients that another version of the rules has read do not come back from a journal. The newest time of
// such an observation does.
func TestForgottenClients(t *testing.T) {
	list := []evidence.Observation{{URL: []byte("/a"), Time: 120, Min: 1, Max: 1, Clients: 1 << 5}, {URL: []byte("/b"), Time: 180, Min: 1, Max: 1}}
	for _, c := range []struct {
		name string
		rule uint8
		want []Change // before the observations
	}{
		{"this version", client.Version, nil},
		{"another version", client.Version + 1, []Change{Forgotten(120)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			value, _ := evidence.Append(nil, evidence.Head{Pane: 60, Rule: c.rule}, list)
			j := open(t, dir)
			_ = loaded(t, j)
			must(t, j.Journal.Save(slices.Values([]journal.Entry{{Kind: kindObservations, Name: "a", Value: value}})))
			must(t, j.Close())
			got := loaded(t, open(t, dir))
			n := len(got) - 1
			if n != len(c.want) || n > 0 && got[0] != c.want[0] {
				t.Fatalf("%v, want %v", got, c.want)
			}
			if o := got[n].(Observations).List; len(o) != 2 || (o[0].Clients == 0) != (n > 0) {
				t.Errorf("%+v", o)
			}
		})
	}
}
