package validate

import (
	"context"
	"time"

	"dustbuster/operators/validator"
	"dustbuster/stream/fetch"
)

// Options say how sites are tried.
type Options struct {
	Validator validator.Options
	Fetcher   Fetcher
	Mine      func(site string) bool // sites whose politeness is kept here, where several workers have one Fetcher; nil: all
	Sites     int                    // tried at once; 0: MostSites, or one for each 500 requests, where those in all are limited
	MostSites int                    // see Sites; 0: 16
	Turns     *Turns                 // which several workers share, so that Sites is of all; nil: the worker's own
	Reserve   int                    // requests of a site's hour kept for the trial of what is published
	Kept      int                    // the same of the requests in all, while there is something to publish
	Dry       bool                   // no site wants a window: see Plan
	Once      bool                   // no other hour follows: so is Reserve
	Every     time.Duration          // a site that has nothing left to try gets a new window so often; 0: a minute
	Refresh   time.Duration          // and one that has, so often; 0: ten minutes
	Report    func(r Report)         // told what people want to know, from the site's goroutine; nil: nobody is
}

// Fetcher is what package fetch is here.
type Fetcher interface {
	CanFetch(site string) bool
	Left(site string) int // requests, within the hour
	LeftInAll() int       // requests of all sites; math.MaxInt: without limit
	Get(ctx context.Context, site, target string) (fetch.Document, error)
	Again(ctx context.Context, site, target string) (fetch.Document, error)
	States() []fetch.State
	Restore([]fetch.State)
}

// Report is something that people want to know of a site.
type Report struct {
	Site      string
	Verdict   *validator.Entry       // a rule was tried
	Published *validator.Publication // a set is to be published
	Held      *validator.Hold        // an update waits for a person
	Private   *validator.Private     // what of the window is never asked for: told at first, and when clients begin or cease to be told from each other
	Wait      *fetch.Error           // nothing may be asked of the site before its Until, and why
	Tested    *Tested                // a pair was tried
}

// Tested is one pair and what came of it.
type Tested struct {
	Test    validator.Test
	Outcome string
	Reason  string

	U, V        Visited
	Resemblance float64 // of what the two pages say, 0 to 1
	Compared    bool    // both pages were there; else there is no Resemblance
}

// Visited is what came of fetching one URL.
type Visited struct {
	Status int          // of the last answer; 0: there was none
	Length int64        // of its body in bytes, decompressed
	Failed fetch.Reason // why there is no document; "": there is
}

func (o Options) withDefaults() Options {
	if o.MostSites <= 0 {
		o.MostSites = 16
	}
	if o.Turns == nil {
		o.Turns = &Turns{}
	}
	if o.Every <= 0 {
		o.Every = time.Minute
	}
	if o.Refresh <= 0 {
		o.Refresh = 10 * time.Minute
	}
	if o.Report == nil {
		o.Report = func(Report) {}
	}
	return o
}
