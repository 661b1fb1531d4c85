package checkpoint

import (
	"iter"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/fetch"
)

// Change is one change of the state: an Observations, Forgotten, Cuts, Act, Evidence, Politeness, Days or Positions.
type Change interface{ isChange() }

// Observations are observations of a site. They are a fold: any number of them, in any
// order, repeated or not, equal their union. The list and its URLs are valid until the
// iteration goes on.
type Observations struct {
	Site string
	List []evidence.Observation
}

// Forgotten is the newest time, in Unix seconds, of an observation that has lost its clients: they were
// read by another version of the rules for clients. The greatest counts.
type Forgotten int64

// Cuts are all current cuts of a site's window. They come before observations, so that a
// process that restores the state never holds more than the one that saved it.
type Cuts struct {
	Site string
	Cuts []table.Cut
}

// Act is an act of a site's rules. Acts of one site are in order. An act that is saved again
// after a failure is the same pointer.
type Act struct {
	Site string
	*book.Act
}

// Evidence is the pairs of a rule's verdict as people look at them, with words of pages. A journal keeps them, and
// no topic does. The last of a rule counts.
type Evidence struct {
	Site  string        `json:"-"`
	Rule  string        `json:"rule"` // id
	Pairs []book.Opened `json:"pairs"`
}

// Politeness is what the fetcher must remember of each site. The last Politeness counts.
type Politeness []fetch.State

// Days are what crawlers asked for of a site on some days. Each replaces the day of its date.
type Days struct {
	Site string
	List []waste.Day
}

// Positions says where the input continues, in the source's own form. The last Positions
// counts.
type Positions []byte

func (Observations) isChange() {}
func (Forgotten) isChange()    {}
func (Cuts) isChange()         {}
func (Act) isChange()          {}
func (Evidence) isChange()     {}
func (Politeness) isChange()   {}
func (Days) isChange()         {}
func (Positions) isChange()    {}

// CutsError says that the cuts of a site cannot be read. The window is then cut anew.
type CutsError struct {
	Site string
	Err  error
}

// Error returns the cause.
func (e *CutsError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *CutsError) Unwrap() error { return e.Err }

// Store keeps changes.
type Store interface {
	// Load yields all changes, oldest first. A CutsError does not end the iteration; any
	// other error does. Load comes before all else.
	Load() iter.Seq2[Change, error]

	// Save appends changes, which take effect together or not at all. After an error its
	// acts must come again, first among those of the next Save.
	Save(changes iter.Seq[Change]) error

	// Compact replaces all changes by the given changes. After an error the store is as
	// before.
	Compact(all iter.Seq[Change]) error

	Bloated() bool // Compact is worthwhile
	Size() (now, compacted int64)
}
