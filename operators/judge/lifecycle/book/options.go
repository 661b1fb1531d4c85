package book

import (
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/url/secret"
)

// Options of a machine. Times are seconds.
type Options struct {
	Trial     trial.Options
	MinGain   int           // MS: forms that a candidate must merge to be tried
	Tau       float64       // τ: resemblance at which two documents are similar, without noise
	Near      float64       // a trial is left undecided if the first pages are as alike as the threshold, give or take this
	Miner     miner.Options // of the machines that learn from forms; its size tolerance is t
	ByDomain  bool          // mined strings begin with their host, on sites that have a name
	Key       [2]uint64     // of the hash that draws the samples: one for a deployment
	GivenOnly bool          // only the given candidates and their followers are tried
	MaxRules  int           // rules in L
	MaxPairs  int           // pairs remembered, about 460 bytes each; the oldest go first
	MaxTried  int           // verdicts remembered of rules that are not in L; the oldest go first
	MaxLearnt int           // candidates kept of one look at the forms

	Has func(site, url string) bool // reports whether the page of a URL can be had at all; nil: always

	Groups map[string][]string // hosts of the sites that are groups: their mined strings begin with their host as well

	Veto   []string // ids of rules that are never published, whatever their direction and scope; they win over wishes
	Pin    []string // ids of rules that stay while nothing refutes them
	Prefer []string // texts: of two directions, the one into such a text is tried first

	VetoTexts []string // names and texts: no rule that edits one is published
	PinTexts  []string // names and texts: rules that edit one stay while nothing refutes them

	Kinds Kinds               // kinds of URLs that may be fetched
	Allow map[string][]string // by site: parameters NAME or NAME=VALUE that count as asked for by the public

	Off Levers // levers that are switched off

	Veil secret.Veil // rules hidden by the veil are neither tried nor published; examples pass through it

	LevelEvery     int64 // between two looks at the forms
	RetryRefuted   int64 // until a refuted rule is tried again, and until an outcome expires
	RetryUndecided int64 // the same for an undecided rule, and for a skip

	SecondAfter int64 // between the two looks at a pair that differs: a cache may show it the same for so long

	PublishFirst int64   // between the first valid rule and the first publication, while candidates are left
	PublishEvery int64   // between two publications, while candidates are left
	PublishAgain int64   // the same, if the rules merge enough more URLs
	ProvedOnly   bool    // no provisional rule is published
	HoldShare    float64 // if an update changes the form of a greater share of the URLs, the excess rules wait for an operator; 1: no rule waits

	RecheckEvery  int64   // between two rounds of rechecks; 0: no round begins without a request, not even for the newest sizes
	RecheckBudget int     // pairs tried for the rules in a round
	RecheckFloor  int     // of these pairs, the least number for each rule
	SetBudget     int     // pairs tried for the set as a whole in a round
	SetLimit      float64 // rounds continue until the bound of the set's negatives is below this limit
	SetRequests   int     // documents after which a set without negatives is published although the bound is not yet below ε
}

// Kinds says of which kinds URLs may be fetched.
type Kinds uint8

// The values of Kinds.
const (
	PublicKinds Kinds = iota // the kinds that the public asks for, see package public
	AnyKind
)

// Spans of time in seconds.
const (
	Hour = 60 * 60
	Day  = 24 * Hour
)

// Defaults returns the default options, without those of Miner.
func Defaults() Options {
	return Options{
		Trial: trial.Defaults(), MinGain: 3, Tau: 0.9, Near: 0.03,
		MaxRules: 256, MaxPairs: 1 << 15, MaxTried: 1 << 14, MaxLearnt: 1 << 12,
		LevelEvery: Hour, RetryRefuted: 7 * Day, RetryUndecided: Day,
		PublishEvery: Hour, PublishAgain: 10, HoldShare: 0.5,
		RecheckEvery: Day, RecheckBudget: 300, RecheckFloor: 10, SetBudget: 60, SetLimit: 0.01, SetRequests: 100,
	}
}

// Share returns a part divided by the whole, or 0 if there is no whole.
func Share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}
