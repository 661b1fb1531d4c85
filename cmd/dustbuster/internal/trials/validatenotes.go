package trials

import (
	"fmt"
	"io"
	"slices"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
)

// mostNoted is the number of sites whose notes are said before rules are tried.
const mostNoted = 10

// sayNotes says what the log cannot tell about the first sites whose rules are tried.
func (t *trying) sayNotes(w io.Writer, sites *miner.Sites, asJSON bool) error {
	noted := t.sites[:min(mostNoted, len(t.sites))]
	for m := range sites.All() {
		if !slices.Contains(noted, m.Site()) {
			continue
		}
		if asJSON {
			if err := jsonl.WriteNotes(w, m.Site(), m.Notes()); err != nil {
				return err
			}
			continue
		}
		of := "" // the log names no host
		if m.Site() != "" {
			of = fmt.Sprintf(" on %q", m.Site())
		}
		for _, n := range m.Notes() {
			fmt.Fprintf(w, "dustbuster: note%s: %s\n", of, n)
		}
	}
	return nil
}
