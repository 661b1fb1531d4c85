package jsonl

import (
	"io"

	"dustbuster/operators/learn/notes"
)

type note struct {
	Record string `json:"kind"` // always "note"
	Site   string `json:"site"`
	notes.Note
	Text string `json:"text"`
}

// WriteNotes writes the notes on a site in their order.
func WriteNotes(w io.Writer, site string, all []notes.Note) error {
	l := make(List, len(all))
	for i, n := range all {
		l[i] = note{"note", site, n, n.String()}
	}
	return l.Write(w)
}
