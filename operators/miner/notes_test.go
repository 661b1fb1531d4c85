package miner

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/operators/envelope"
	"dustbuster/operators/evidence"
	"dustbuster/operators/notes"
	"dustbuster/operators/table"

	"github.com/dchest/siphash"
)

// noted returns the notes on a site of 100 URLs of one size, requested by a client.
func noted(client string, noSizes bool) (m *Machine) {
	o := Options{Table: table.Options{MaxURLs: 1 << 10, Key: [2]uint64{3, 4}}, Envelope: envelope.Defaults()}
	o.Envelope.Similarity.Off = noSizes
	m = New("s", o)
	c := uint8(siphash.Hash(3, 4, []byte(client)))
	for i := range 100 {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Min: 7, Max: 7, ClientMin: c, ClientMax: c})
	}
	return m
}

// Notes are about the clients and, if sizes are compared, about the sizes. Lines without a
// client are no client.
func TestNotes(t *testing.T) {
	size := notes.Note{Kind: notes.OneSize, URLs: 100, Of: 100, Size: 7}
	alone := notes.Note{Kind: notes.OneClient, URLs: 100, Of: 100}
	for _, c := range []struct {
		client  string
		noSizes bool
		want    []notes.Note
	}{
		{"192.0.2.1", false, []notes.Note{size, alone}},
		{"192.0.2.1", true, []notes.Note{alone}},
		{"", false, []notes.Note{size}},
		{"", true, nil},
	} {
		m := noted(c.client, c.noSizes)
		if got := m.Notes(); !slices.Equal(got, c.want) {
			t.Errorf("client %q, no sizes %v: notes %+v, want %+v", c.client, c.noSizes, got, c.want)
		}
		if got := m.o.Notes(m.Window().Pages(), m.Clients()); !slices.Equal(got, c.want) {
			t.Errorf("client %q: notes on the copied window %+v, want %+v", c.client, got, c.want)
		}
	}
}
