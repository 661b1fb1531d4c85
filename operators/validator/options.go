package validator

import (
	"dustbuster/operators/miner"
	"dustbuster/operators/secret"
	"dustbuster/operators/trial"
)

// Options of a machine. Times are seconds.
type Options struct {
	Trial     trial.Options
	MinGain   int           // MS: forms that a candidate must merge to be tried
	Tau       float64       // τ: resemblance at which two documents are similar, without noise
	Miner     miner.Options // of the machines that learn from forms; its size tolerance is t
	ByDomain  bool          // mined strings begin with their host, of sites that have a name
	Key       [2]uint64     // of the hash that draws the samples: one for a deployment
	GivenOnly bool          // only the candidates given are tried, and what follows from them
	MaxRules  int           // rules in L
	MaxPairs  int           // pairs remembered, about 300 bytes each; the oldest go first
	MaxTried  int           // verdicts remembered of rules that are not in L; the oldest go first
	MaxLearnt int           // candidates kept of one look at the forms

	Groups map[string][]string // hosts of the sites that are groups: their mined strings begin with their host as well

	Veil secret.Veil // rules that it hides are neither tried nor published; examples go through it

	LevelEvery     int64 // between two looks at the forms
	RetryRefuted   int64 // after which a refuted rule is tried again, and an outcome counts no more
	RetryUndecided int64 // the same for an undecided rule, and for a skip

	PublishEvery int64   // between two publications, while candidates are left
	HoldShare    float64 // rules with which an update would change the form of a greater share of the URLs wait for a person; 1: none do

	AgainEvery  int64   // between two rounds of re-validation; 0: none begins by itself, for the newest sizes neither
	AgainBudget int     // pairs that a round tries for the rules
	AgainFloor  int     // of which every rule has so many
	SetBudget   int     // pairs that a round tries for the set as a whole
	SetLimit    float64 // until the bound of the set's negatives is below this
	SetRequests int     // documents after which a set of which none was wrong is published, its bound not yet below ε
}

// hour and day are in seconds.
const (
	hour = 3600
	day  = 24 * hour
)

// Defaults are those of the design; Miner is left to the caller.
func Defaults() Options {
	return Options{
		Trial: trial.Defaults(), MinGain: 3, Tau: 0.9,
		MaxRules: 256, MaxPairs: 1 << 15, MaxTried: 1 << 14, MaxLearnt: 1 << 12,
		LevelEvery: hour, RetryRefuted: 7 * day, RetryUndecided: day,
		PublishEvery: hour, HoldShare: 0.5,
		AgainEvery: day, AgainBudget: 300, AgainFloor: 10, SetBudget: 60, SetLimit: 0.01, SetRequests: 100,
	}
}
