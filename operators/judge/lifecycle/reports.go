package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule/report"
)

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

// why returns the reason for which no named pair is tried.
func (rp *Reports) why() Now {
	if rp.rest > NoRest && len(rp.dialogue.named.waiting) > 0 {
		return Now{Why: Kept}
	}
	return Now{}
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
	case rp.ongoing.awaited[pair.Key]:
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
	case !trials.Wrong(p.Outcome):
		return Look{}, ready
	}
	return rp.convict(p, first.at, now)
}

// convict takes in the fault of a rule for a pair that was confirmed to be wrong. Its result becomes
// an act, so that the rule's next trial counts it.
func (rp *Reports) convict(p *trials.Pair, since, now int64) (Look, step) {
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
