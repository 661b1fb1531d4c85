package loop

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// windowWait is the longest wait for the loop, which does not run while a partition is between two owners.
const windowWait = 10 * time.Second

// windowOf returns a miner with the present window of a site, and the candidates, for another goroutine; nil: the site
// is gone, or the loop does not run.
func (l *Loop) windowOf(ctx context.Context, site string) (*miner.Machine, []rule.Candidate) {
	ctx, cancel := context.WithTimeout(ctx, windowWait)
	defer cancel()
	answer := make(chan given, 1)
	select {
	case l.asked <- asked{site, answer}:
		g := <-answer
		return g.content, forms.Candidates(g.rules)
	case <-ctx.Done():
		return nil, nil
	}
}

// give answers the goroutine that has asked.
func (l *Loop) give(a asked) {
	var g given
	if m := l.sites.Of(a.site); m != nil {
		g = given{m.Content(), l.of(m).List()}
	}
	a.answer <- g
}
