package miner

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

// noted returns a site of 100 URLs of one size, requested by the clients of a mask.
func noted(clients uint16, noSizes bool) (m *Machine) {
	o := Options{Table: table.Options{MaxURLs: 1 << 10, Key: [2]uint64{3, 4}}, Envelope: envelope.Defaults()}
	o.Envelope.Similarity.Off = noSizes
	m = New("s", o)
	for i := range 100 {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Min: 7, Max: 7, Clients: clients})
	}
	return m
}

// Notes are about the clients and, if sizes are compared, about the sizes. Lines without a
// client are no client.
func TestNotes(t *testing.T) {
	size := notes.Note{Kind: notes.OneSize, URLs: 100, Of: 100, Size: 7}
	alone := notes.Note{Kind: notes.OneClient, URLs: 100, Of: 100}
	for _, c := range []struct {
		clients uint16
		noSizes bool
		want    []notes.Note
	}{
		{1 << 9, false, []notes.Note{size, alone}},
		{1 << 9, true, []notes.Note{alone}},
		{0, false, []notes.Note{size}},
		{0, true, nil},
	} {
		m := noted(c.clients, c.noSizes)
		if got := m.Notes(); !slices.Equal(got, c.want) {
			t.Errorf("clients %b, no sizes %v: notes %+v, want %+v", c.clients, c.noSizes, got, c.want)
		}
		if got := m.o.Notes(m.Window().Pages(), m.Clients()); !slices.Equal(got, c.want) {
			t.Errorf("clients %b: notes on the copied window %+v, want %+v", c.clients, got, c.want)
		}
	}
}
