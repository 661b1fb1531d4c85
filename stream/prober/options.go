package prober

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/window/ours"
	"dustbuster/stream/fetch"
)

// Options configure trials.
type Options struct {
	Lifecycle book.Options
	Fetcher   Fetcher
	Mine      func(site string) bool // sites whose politeness this worker keeps, if several workers share a Fetcher; nil: all
	Turns     *Turns                 // of all workers of the process; nil: the worker's own
	Evidence  *Evidence              // of all workers of the process; nil: the worker's own
	Reserve   int                    // requests of a site's hour kept for the trial of a set
	Kept      int                    // the same of the requests in all, while there is something to publish
	Dry       bool                   // no site gets a window: see Plan
	Once      bool                   // no other hour follows: so is Reserve
	Every     time.Duration          // interval of new windows for a site with nothing left to try; 0: a minute
	Refresh   time.Duration          // interval for a site with trials left; 0: ten minutes
	Report    func(r Report)         // called with reports, from the site's goroutine; may be nil
	Ours      *ours.Sites            // sites that the settings name; nil: all sites are ours

	// Under asks the origin of a site under an invented host: see fetch.Fetcher. nil: origins are not asked.
	Under func(ctx context.Context, q fetch.Request, host string) (fetch.Told, error)
}

// Fetcher is the part of package fetch used here.
type Fetcher interface {
	CanFetch(site string) bool
	Where(site, target string) (string, error)       // the URL that is asked for
	Origin(site string) string                       // "": the site's own hosts are asked
	Opens(origin string) time.Time                   // an origin, or for "" any, may be asked by a further site
	Pass(site string) (pass *fetch.Pass, end func()) // counts a request before it is made
	Limits(site string) fetch.Limits                 // how many requests may be made
	Refusal(q fetch.Request) error                   // of a page that is never asked for, as far as that is known; nil: it may be asked for
	Get(ctx context.Context, q fetch.Request) (fetch.Document, error)
	States() []fetch.State
	Restore([]fetch.State)
}

// Report is an event in the trials of a site, for the operator.
type Report struct {
	Site      string
	Verdict   *book.Entry              // a rule was tried
	Published *book.Publication        // a set is to be published
	Pending   *lifecycle.PendingUpdate // an update waits for a person
	Private   *forms.Private           // URLs of the window never requested: reported at first, and when clients begin or cease to be distinguishable
	Idle      *lifecycle.Now           // nothing is tried, for a reason other than the last one
	Wait      *fetch.Error             // no request to the site is allowed before its Until; holds the reason
	Judged    *Judged                  // a pair was judged
	Rejudged  *lifecycle.Rejudged      // the outcome of a pair was judged anew for a verdict
	Origin    *Origin                  // the origin was asked whether it tells the host apart
	Strange   bool                     // rules of the site wait until somebody says that the site is ours; reported once
}

// Judged is one pair and its outcome.
type Judged struct {
	Pair    lifecycle.Look
	Outcome string
	Reason  string

	U, V        Visited
	Resemblance float64 // of the text of the two pages, 0 to 1
	Compared    bool    // both pages were there; else there is no Resemblance
}

// Visited is the outcome of fetching one URL.
type Visited struct {
	Status int          // of the last answer; 0: no answer
	Length int64        // of its body in bytes, decompressed
	Failed fetch.Reason // why there is no document; "": there is

	Target    string // of a page, the URL at the end of its redirects: a mined string
	Canonical string // the URL that the page names as its canonical one, likewise; of another host behind //; "": none, or several
}

// Origin is what an origin showed when it was asked whether it tells a site's host apart.
type Origin struct {
	Apart bool
	Words string
}
