package drops

import (
	"cmp"

	"dustbuster/operators/window/evidence"
)

// Options are the options of the learner. The zero value is completed by the defaults.
type Options struct {
	MinSupport int                 // MS, the least number of similar pairs; default 3
	Similarity evidence.Similarity // the test of similar pages
}

// DefaultMinSupport is the default of MinSupport (DustBuster, WWW 2007, section 5.2).
const DefaultMinSupport = 3

func (o Options) orDefaults() Options {
	o.MinSupport = cmp.Or(o.MinSupport, DefaultMinSupport)
	return o
}

// Limits on what is considered of a URL. Package weight makes the same groups.
const (
	MaxPieces     = 32 // a URL of more pieces is in no group
	MaxPairNames  = 8  // a URL of more names has no targets of two names
	maxValues     = 40 // a name of more values gives neither own values nor conditions by value
	maxWhereNames = 6  // a rest with values of more names gives no two conditions
	maxSlashes    = 8  // a path of more slashes gets no wildcard
)
