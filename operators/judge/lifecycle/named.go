package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule/report"
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

// Reports takes in what crawlers report.
type Reports struct {
	*life
	dialogue *Dialogue
	faults   *faults
}

// Propose takes in the report that two URLs are different pages although the published rules give them
// one form. The pairs of each URL and its form are tried soon, before the trials of rules, and a pair
// confirmed to be wrong sends a rule back to trial. v may be empty: then the page of u differs from
// that of its form. A pair that was tried within the hour is tried again for another reporter, or if
// its pages have changed since. The error is report.ErrFull. Pairs that wait are not saved.
func (rp *Reports) Propose(u, v, reporter string, changed bool, now int64) (report.Answer, error) {
	p := namedPair{url: u, reporter: reporter, changed: changed, at: now}
	if answer := rp.answer(&p, v); answer != report.Taken {
		rp.dialogue.named.counts.LeftOut++
		return answer, nil
	}
	other := namedPair{url: v, reporter: reporter, changed: changed, at: now, quiet: true}
	if !rp.dialogue.named.add(p) || v != "" && !rp.dialogue.named.add(other) {
		return report.NotTaken, report.ErrFull
	}
	return report.Taken, nil
}

// answer returns what becomes of a report. Before the first view all reports are taken.
func (rp *Reports) answer(p *namedPair, v string) report.Answer {
	w := rp.view
	if w == nil {
		return report.Taken
	}
	form, end := w.Canonizer.Canon(nil, []byte(p.url))
	joined := end.Changed()
	if v != "" {
		other, _ := w.Canonizer.Canon(nil, []byte(v))
		joined = string(form) == string(other)
	}
	key := rp.book.Memory.Keys.Pair(p.url, string(form))
	switch {
	case !joined:
		return report.Apart
	case !rp.guard.MayName(p.url) || v != "" && !rp.guard.MayName(v) || end.Changed() && !rp.mayLook(p.url, string(form)):
		return report.Unasked
	case end.Changed() && rp.dialogue.named.lately(key, p, p.at) != nil:
		return report.Lately
	}
	return report.Taken
}

// mayLook reports whether a reported pair may be tried, if need be with a stand-in.
func (rp *Reports) mayLook(u, form string) bool {
	return rp.view.Asks(rp.view.Forms, nil, nil).Privacy(u, form) == forms.Public
}

// next continues the dialogues about named pairs, in the order of their arrival.
func (rp *Reports) next(now int64) (Look, step) {
	if rp.rest != NoRest {
		return Look{}, nothing
	}
	n := &rp.dialogue.named
	for len(n.waiting) > 0 && rp.book.Publication.Sequence > 0 {
		look, s := rp.first(now)
		if s != ready {
			return look, s
		}
		n.waiting = n.waiting[1:]
	}
	return Look{}, nothing
}

// first continues the dialogue about the first named pair. The step is ready when the trial has ended, and
// nothing if it must wait for the next hour.
func (rp *Reports) first(now int64) (Look, step) {
	n, first := &rp.dialogue.named, &rp.dialogue.named.waiting[0]
	form, end := rp.view.Canonizer.Canon(nil, []byte(first.url))
	if !end.Changed() || !rp.guard.MayName(first.url) || !rp.mayLook(first.url, string(form)) {
		n.leaveOut(first)
		return Look{}, ready
	}
	pair := forms.Pair{U: first.url, V: string(form), Key: rp.book.Memory.Keys.Pair(first.url, string(form))}
	switch {
	case rp.attempts.awaited[pair.Key]:
		return Look{}, waiting
	case !first.begun && n.lately(pair.Key, first, now) != nil:
		n.leaveOut(first)
		return Look{}, ready
	case !first.begun && !n.begin(now):
		return Look{}, nothing
	case !first.begun:
		first.begun = true
		n.note(pair.Key, first.reporter)
	}
	var r *book.Result
	if tried := n.seen[pair.Key]; tried != nil && tried.At > 0 { // else it is a first look; or the look was released, or the hour has ended
		r = new(tried.Result)
	}
	c := rp.view.Control(pair.U)
	p := rp.judge(now).PairOf(pair, r, &c)
	switch {
	case p.Asks():
		return rp.dialogue.ask(Report, "", p)
	case !attempt.Wrong(p.Outcome):
		return Look{}, ready
	}
	return rp.convict(p, first.at, now)
}

// why returns the reason for which no named pair is tried.
func (rp *Reports) why() Now {
	if rp.rest > NoRest && len(rp.dialogue.named.waiting) > 0 {
		return Now{Why: Kept}
	}
	return Now{}
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

// convict takes in the fault of a rule for a pair that was confirmed to be wrong. Its result becomes
// an act, so that the rule's next trial counts it.
func (rp *Reports) convict(p *attempt.Pair, since, now int64) (Look, step) {
	r := p.Seen
	r.URLs = rp.book.Memory.Keys.Requested(p.Asked(), p.V, &r.Seen)
	if known, has := rp.book.Memory.Results()[p.Key]; !has || known.At != r.At {
		rp.do(book.Act{Pair: &book.PairAct{Key: p.Key, Looks: r.Looks, At: r.At}})
		rp.dialogue.named.counts.Wrong++
	}
	valid := len(rp.view.List)
	look, s := rp.faults.sendBack(&rp.view.Part, p, Report, "", since, now)
	switch {
	case s == changed && len(rp.book.Valid()) < valid:
		rp.dialogue.named.counts.SentBack++
	case s == changed:
		rp.dialogue.named.counts.Excepted++
	case s == nothing:
		s = ready
	}
	return look, s
}
