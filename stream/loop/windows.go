package loop

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// asked is a site whose turn in the trials has come: its window is wanted.
type asked struct {
	site   string
	answer chan<- given // has room
}

// given is the content of a site's window, and its list of rules; nil: the site is gone.
type given struct {
	content *miner.Machine
	rules   []rule.Likely
}

// windowWait is the longest wait for the loop, which does not run while a partition is between two owners.
const windowWait = 10 * time.Second

// windowOf returns the present window of a site and its candidates, for the goroutine of a trial; nil: the site
// is gone, or the loop does not run.
func (l *Loop) windowOf(ctx context.Context, site string) (*forms.Window, []rule.Candidate) {
	ctx, cancel := context.WithTimeout(ctx, windowWait)
	defer cancel()
	answer := make(chan given, 1)
	select {
	case l.asked <- asked{site, answer}:
	case <-ctx.Done():
		return nil, nil
	}
	g := <-answer
	if g.content == nil {
		return nil, nil
	}
	return forms.WindowOf(g.content), forms.Candidates(g.rules)
}

// give answers the goroutine of a trial.
func (l *Loop) give(a asked) {
	var g given
	if m := l.sites.Of(a.site); m != nil {
		g = given{m.Content(), l.lists[m]} // a list is replaced, and never changed
	}
	a.answer <- g
}
