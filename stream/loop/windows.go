package loop

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/urllist"
)

// asked is a site whose window is wanted: its turn in the trials has come, or its rules are exported.
type asked struct {
	site   string
	answer chan<- given // has room
}

// given is the content of a site's window, and its list of rules; nil: the site is gone.
type given struct {
	content *miner.Machine
	rules   rule.Packed
}

// windowWait is the longest wait for the loop, which does not run while a partition is between two owners.
const windowWait = 10 * time.Second

// windowOf returns the present window of a site and its candidates, for the goroutine of a trial; nil: the site
// is gone, or the loop does not run.
func (l *Loop) windowOf(ctx context.Context, site string) (*forms.Window, []rule.Candidate) {
	g := l.ofSite(ctx, site)
	if g.content == nil {
		return nil, nil
	}
	return forms.WindowOf(g.content), forms.Candidates(g.rules.Unpack())
}

// urlsOf returns the URLs of a site's present window, for another goroutine; nil as of windowOf.
func (l *Loop) urlsOf(ctx context.Context, site string) *urllist.Copy {
	if g := l.ofSite(ctx, site); g.content != nil {
		return g.content.Window()
	}
	return nil
}

// ofSite asks the loop for a site.
func (l *Loop) ofSite(ctx context.Context, site string) (g given) {
	ctx, cancel := context.WithTimeout(ctx, windowWait)
	defer cancel()
	answer := make(chan given, 1)
	select {
	case l.asked <- asked{site, answer}:
		return <-answer
	case <-ctx.Done():
		return g
	}
}

// give answers the goroutine that has asked.
func (l *Loop) give(a asked) {
	var g given
	if m := l.sites.Of(a.site); m != nil {
		g = given{m.Content(), l.lists[m]}
	}
	a.answer <- g
}
