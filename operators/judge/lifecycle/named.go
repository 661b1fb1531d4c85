package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
)

// A crawler that follows the rules may report two URLs that they join and whose pages it saw to
// differ. The report proposes the pair for a trial and decides nothing: the pages are fetched again.
// The first two pairs that are confirmed to be wrong become exceptions of the rule of the wrong step.
// The third sends the rule back to trial. A pair that is not wrong enters no estimate: a client could
// name pairs that it knows to be similar.

// Named counts the pairs that were named to a machine, since it was made.
type Named struct {
	Waiting  int `json:"waiting"`
	Tried    int `json:"tried"`     // pairs whose pages were fetched
	Wrong    int `json:"wrong"`     // of these, the pairs that were confirmed to be wrong
	Excepted int `json:"excepted"`  // rules that were given an exception
	SentBack int `json:"sent_back"` // rules sent back to trial
	LeftOut  int `json:"left_out"`  // pairs not tried: the rules do not join the URLs, or one URL is never fetched, or the pair was tried within the hour
}

// Bounds of named pairs.
const (
	mostNamed     = 64 // pairs that wait
	namedEachHour = 60 // pairs tried
)

// named holds the pairs that were named and not yet tried. They are never saved.
type named struct {
	counts  Named
	waiting []namedPair
	hour    int64                   // start of the hour in which the pairs of seen were tried
	begun   int                     // pairs begun in the hour
	seen    map[book.Key]*triedPair // of the pairs of the hour
}

// triedPair is a pair that was tried within the hour.
type triedPair struct {
	book.Result
	reporters []string // for which the pair was tried
}

// mostAgain is the number of times that one pair is tried in an hour.
const mostAgain = 4

// namedPair is a URL whose form is said to be another page.
type namedPair struct {
	url   string
	at    int64 // time at which the pair was named
	quiet bool  // not counted if left out: usually a canonical form, which no rule edits
	begun bool  // the first look was given out

	reporter string // "": nobody
	changed  bool   // the reporter saw other pages than were measured within the hour
}

// add takes in a pair. It returns false if too many wait.
func (n *named) add(p namedPair) bool {
	if slices.ContainsFunc(n.waiting, func(q namedPair) bool { return q.url == p.url }) {
		return true
	}
	if len(n.waiting) >= mostNamed {
		return false
	}
	n.waiting = append(n.waiting, p)
	return true
}

// lately returns the result of a pair that need not be tried again within the hour; nil if the pair
// is to be tried.
func (n *named) lately(k book.Key, p *namedPair, now int64) *triedPair {
	t := n.seen[k]
	if t == nil || now >= n.hour+book.Hour {
		return nil
	}
	again := p.changed || p.reporter != "" && !slices.Contains(t.reporters, p.reporter)
	if again && len(t.reporters) < mostAgain {
		return nil
	}
	return t
}

// begin reports whether another pair may be tried in the present hour, and counts the pair.
func (n *named) begin(now int64) bool {
	if n.seen == nil || now >= n.hour+book.Hour {
		n.hour, n.begun, n.seen = now, 0, map[book.Key]*triedPair{}
	}
	if n.begun >= namedEachHour {
		return false
	}
	n.begun++
	n.counts.Tried++
	return true
}

// take takes in the result of a look.
func (n *named) take(t *Look, s trial.Seen, self float64, now int64) book.Result {
	r := book.Result{Looks: book.Looks{Seen: s, Ask: t.ask(now)}, At: now}
	was := n.seen[t.key]
	if t.Second && was != nil {
		r.Looks = was.Looks
		r.Second, r.Self = &s, self
	}
	if was == nil {
		was = &triedPair{}
	}
	if was.Result = r; n.seen != nil {
		n.seen[t.key] = was
	}
	return r
}

// note notes that a pair is tried for a reporter, and forgets what was measured of it.
func (n *named) note(k book.Key, reporter string) {
	t := n.seen[k]
	if t == nil {
		t = &triedPair{}
	}
	n.seen[k] = &triedPair{reporters: append(t.reporters, reporter)}
}

// status returns the counts.
func (n *named) status() Named {
	s := n.counts
	s.Waiting = len(n.waiting)
	return s
}

// leaveOut counts a pair that is not tried, unless it was tried already.
func (n *named) leaveOut(p *namedPair) {
	if !p.begun && !p.quiet {
		n.counts.LeftOut++
	}
}
