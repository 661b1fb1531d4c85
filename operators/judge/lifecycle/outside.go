package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
)

// Names of the parts by which callers know a machine.
type (
	Act         = book.Act
	Change      = book.Change
	Entry       = book.Entry
	Options     = book.Options
	PairAct     = book.PairAct
	PairKey     = book.PairKey
	Publication = book.Publication
	Round       = book.Round
	Stale       = book.Stale
	Wish        = book.Wish
	Wishes      = book.Wishes
	Private     = forms.Private
	Window      = forms.Window
)

// The same of values.
var (
	Decode      = book.Decode
	Defaults    = book.Defaults
	ErrNoRule   = book.ErrNoRule
	ErrSettings = book.ErrSettings
	ErrMany     = book.ErrMany
	ErrText     = book.ErrText
	NewWindow   = forms.NewWindow
	WindowOf    = forms.WindowOf
	Candidates  = forms.Candidates
)

// The same of constants.
const (
	AnyKind     = book.AnyKind
	KnownKinds  = book.KnownKinds
	PublicKinds = book.PublicKinds
	FewPairs    = forms.FewPairs
	NotFetched  = forms.NotFetched
	Vetoed      = forms.Vetoed
	Waits       = forms.Waits
)
