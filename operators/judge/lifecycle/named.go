package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule/report"
)

// A crawler that follows the rules may report two URLs that the rules join and whose pages
// it saw to differ. The report proposes the pair for a trial and decides nothing: the pages
// are fetched again. The first two pairs that are confirmed to be wrong become exceptions
// of the rule of the wrong step. The third sends the rule back to trial. A pair that is not
// wrong enters no estimate: a client could name pairs that it knows to be similar.

// Named counts the pairs that were named to a machine, since the machine was made.
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
	hour    int64              // start of the hour in which the pairs of seen were tried
	begun   int                // pairs begun in the hour
	seen    map[key]*triedPair // of the pairs of the hour
}

// triedPair is a pair that was tried within the hour.
type triedPair struct {
	result
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

// add takes in a pair. add returns false if too many pairs wait.
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
func (n *named) lately(k key, p *namedPair, now int64) *triedPair {
	t := n.seen[k]
	if t == nil || now >= n.hour+hour {
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
	if n.seen == nil || now >= n.hour+hour {
		n.hour, n.begun, n.seen = now, 0, map[key]*triedPair{}
	}
	if n.begun >= namedEachHour {
		return false
	}
	n.begun++
	n.counts.Tried++
	return true
}

// take takes in the result of a test.
func (n *named) take(t *Test, s trial.Seen, self float64, now int64) result {
	r := result{Looks{Seen: s}, now}
	was := n.seen[t.key]
	if t.Second && was != nil {
		r.Looks = was.Looks
		r.Second, r.Self = &s, self
	}
	if was == nil {
		was = &triedPair{}
	}
	if was.result = r; n.seen != nil {
		n.seen[t.key] = was
	}
	return r
}

// propose takes in a URL, and another URL of its form, that are said to be different pages: see
// Machine.Propose.
func (pl *planner) propose(p namedPair, v string) (report.Answer, error) {
	if answer := pl.answer(&p, v); answer != report.Taken {
		pl.named.counts.LeftOut++
		return answer, nil
	}
	other := namedPair{url: v, reporter: p.reporter, changed: p.changed, at: p.at, quiet: true}
	if !pl.named.add(p) || v != "" && !pl.named.add(other) {
		return report.NotTaken, report.ErrFull
	}
	return report.Taken, nil
}

// answer returns what becomes of a report. Before the first view all reports are taken.
func (pl *planner) answer(p *namedPair, v string) report.Answer {
	w := pl.view
	if w == nil {
		return report.Taken
	}
	form, end := w.canonizer.Canon(nil, []byte(p.url))
	joined := end.Changed()
	if v != "" {
		other, _ := w.canonizer.Canon(nil, []byte(v))
		joined = string(form) == string(other)
	}
	key := pl.book.memory.keys.pair(p.url, string(form))
	switch {
	case !joined:
		return report.Apart
	case !pl.guard.mayName(p.url) || v != "" && !pl.guard.mayName(v) || end.Changed() && !pl.guard.allows(p.url, string(form)):
		return report.Unasked
	case end.Changed() && pl.named.lately(key, p, p.at) != nil:
		return report.Lately
	}
	return report.Taken
}

// tryNamed continues the trials of named pairs, in the order of their arrival.
func (pl *planner) tryNamed(now int64) (Test, step) {
	n := &pl.named
	pl.posted.arrange(pl.view)
	if pl.book.publication.Sequence > 0 {
		pl.posted.propose(n, now)
	}
	for len(n.waiting) > 0 && pl.book.publication.Sequence > 0 {
		test, s := pl.tryNext(now)
		if s != ready {
			return test, s
		}
		n.waiting = n.waiting[1:]
	}
	return Test{}, nothing
}

// tryNext continues the trial of the first named pair. The step is ready when the trial has
// ended, and nothing if the trial must wait for the next hour.
func (pl *planner) tryNext(now int64) (Test, step) {
	n, first := &pl.named, &pl.named.waiting[0]
	form, end := pl.view.canonizer.Canon(nil, []byte(first.url))
	if !end.Changed() || !pl.guard.mayName(first.url) || !pl.guard.allows(first.url, string(form)) {
		n.leaveOut(first)
		return Test{}, ready
	}
	p := tryPair{pair: pair{u: first.url, v: string(form), key: pl.book.memory.keys.pair(first.url, string(form))}}
	switch {
	case pl.trials.awaited[p.key]:
		return Test{}, waiting
	case !first.begun && n.lately(p.key, first, now) != nil:
		n.leaveOut(first)
		return Test{}, ready
	case !first.begun && !n.begin(now):
		return Test{}, nothing
	case !first.begun:
		first.begun = true
		n.note(p.key, first.reporter)
		return pl.trials.test(Report, "", &p.pair), gave
	}
	tried := n.seen[p.key]
	if tried == nil || tried.at == 0 { // the test was released, or the hour has ended
		return pl.trials.test(Report, "", &p.pair), gave
	}
	r := tried.result
	c := pl.view.control(p.u)
	j, doubt := pl.judge(now).outcome(&r, p.u, p.v, &c)
	if doubt {
		p.seen = &r
		return pl.trials.second(Report, "", &p), gave
	}
	if !wrong(j) {
		return Test{}, ready
	}
	p.outcome = j
	return pl.convict(&p, r, first.at, now)
}

// note notes that a pair is tried for a reporter, and forgets what was measured of the pair.
func (n *named) note(k key, reporter string) {
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

// leaveOut counts a pair that is not tried, unless the pair was tried already.
func (n *named) leaveOut(p *namedPair) {
	if !p.begun && !p.quiet {
		n.counts.LeftOut++
	}
}

// convict takes in the fault of a rule for a pair that was confirmed to be wrong. The result of the pair
// becomes an act, so that the rule's next trial counts the pair.
func (pl *planner) convict(p *tryPair, r result, since, now int64) (Test, step) {
	r.URLs = pl.book.memory.keys.requested(p.u, p.v, &r.Seen)
	if known, has := pl.book.memory.results[p.key]; !has || known.at != r.at {
		pl.do(Act{Pair: &PairAct{Key: p.key, Looks: r.Looks, At: r.at}})
		pl.named.counts.Wrong++
	}
	valid := len(pl.view.list)
	test, s := pl.sendBack(&pl.view.part, p, Report, "", since, now)
	switch {
	case s == changed && len(pl.book.valid()) < valid:
		pl.named.counts.SentBack++
	case s == changed:
		pl.named.counts.Excepted++
	case s == nothing:
		s = ready
	}
	return test, s
}
