package loop

import "time"

// Withheld counts the likely rules of a site that are neither told nor tried.
type Withheld struct {
	Secret    int `json:"secret,omitempty"`     // the rule's text looks like a secret
	OneClient int `json:"one_client,omitempty"` // all URLs that speak for the rule come from a single client
}

// Sum returns the number of rules.
func (w Withheld) Sum() int { return w.Secret + w.OneClient }

// hiddenEvery is the least interval between reports of withheld rules.
const hiddenEvery = time.Hour

// reportHidden reports the withheld rules of all sites if the counts have changed and the last
// report is older than hiddenEvery. What was there at the start must have been folded.
func (l *Loop) reportHidden() {
	var all Withheld
	sites := 0
	for _, w := range l.withheld {
		if w.Sum() > 0 {
			all.Secret, all.OneClient, sites = all.Secret+w.Secret, all.OneClient+w.OneClient, sites+1
		}
	}
	if l.o.Hidden == nil || !l.status.CaughtUp || sites == 0 || all == l.hidden || !l.hiddenAt.IsZero() && time.Since(l.hiddenAt) < hiddenEvery {
		return
	}
	l.hidden, l.hiddenAt = all, time.Now()
	l.o.Hidden(all, sites)
}
