package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
	"dustbuster/operators/url/urlnorm"
)

// Machine manages the life of one site's rules. A machine belongs to one goroutine.
type Machine struct {
	book    *book.Book // what the acts add up to; saved
	planner *planner   // what to do next; derived from the book, the window and the candidates
}

// Maker returns a function that makes machines of unknown sites, which share their options and keys.
func Maker(o book.Options) func(site string) *Machine {
	if o.Off.TwoSteps {
		o.Trial.First = 0
	}
	keys := &book.Hasher{Secret: o.Key}
	return func(site string) *Machine {
		b := book.New(site, &o, keys)
		return &Machine{b, newPlanner(b)}
	}
}

// Load gives the machine the current window, and the site's candidates in order. L,
// outcomes and verdicts stay. The next Next recomputes all state derived from the window.
func (m *Machine) Load(w *forms.Window, candidates []rule.Candidate) {
	m.planner.load(w, candidates)
}

// Bytes returns the memory of what is known of pairs, about.
func (m *Machine) Bytes() int64 { return m.book.Memory.Bytes() }

// Pack keeps what is known of pairs in a quarter of the memory, until a pair is asked for. O(pairs).
func (m *Machine) Pack() { m.book.Memory.Pack() }

// Unload drops the window and what is derived from it, to save memory. The machine gives out no look until
// the next Load, after which it continues.
func (m *Machine) Unload() { m.planner.unload() }

// Next returns the pair to fetch next, or false if there is none now: looks given out must first have
// outcomes, or time must pass, or an operator must decide. Next also gives verdicts, learns and
// publishes, so callers should read [Machine.Acts] and [Machine.Published] after each call. A pair
// that was given out is not given out again until it has an outcome or is released.
//
// Usually O(1). O(window · rules) if L has grown or the window is new.
func (m *Machine) Next(now int64) (Look, bool) {
	return m.planner.next(now)
}

// Measure returns what a look's two documents show. It calls compare only if both
// documents are pages.
func (m *Machine) Measure(t Look, u, v trial.Document, compare func() trial.Compared) trial.Seen {
	return m.planner.measure(t, u, v, compare)
}

// Outcome takes in the result of a look, in any order of arrival. For a second look, self
// is the smaller of the resemblances of u and of v to themselves, or 1 if neither was
// measured. Outcome returns the judgement of the pair at present.
func (m *Machine) Outcome(t Look, s trial.Seen, self float64, now int64) trial.Judgement {
	return m.planner.outcome(t, s, self, now)
}

// Release takes back a look without an outcome. The pair is given out again.
func (m *Machine) Release(t Look) {
	m.planner.attempts.release(t)
}

// Rest limits or resumes the trials of rules. While the machine rests, it publishes rules already
// found to hold, after their trial as a set. Callers use Rest when few fetches are left.
func (m *Machine) Rest(r Rest) { m.planner.rest = r }

// Owes reports whether the machine has unpublished rules that hold and that would be published after a
// trial of the set. Rules of which it is not known yet whether they are held back count.
func (m *Machine) Owes() bool {
	return m.planner.owes()
}

// Close publishes the rules that hold before the machine is given up because no more pairs can be
// fetched. It publishes nothing if the set was not tried at all, or was found wrong.
func (m *Machine) Close(now int64) {
	m.planner.close(now)
}

// Expected returns the number of forms that a site's next trial is expected to merge, for each pair
// that the trial takes. It uses the support of the site's candidates, the verdicts on other candidates
// of the same kind, and the work waiting for proofs, the trial of the set or a recheck. It is called for every
// site, to choose which is tried first, and takes no gains, which are costly to compute. Without
// candidates, the candidates of the last Load count. O(candidates · log).
func (m *Machine) Expected(candidates []rule.Candidate, now int64) float64 {
	return m.planner.expected(candidates, now)
}

// Plan returns the next trials of the machine, in order, with the first few pairs of each: first the
// trials due for valid rules, then all candidates by their worth. Each verdict changes the trials
// after it. Plan gives out no look, and changes only state that Next would change before its next
// look. O(window · rules + moves of all candidates · log).
func (m *Machine) Plan(first int, now int64) (plan []Planned) {
	return m.planner.plan(first, now)
}

// Recheck begins a round over all rules of L, or over the rule with an id. Recheck returns
// false if L is empty, if L holds no rule with the id, or if nothing has been published.
func (m *Machine) Recheck(id string, now int64) bool {
	return m.planner.requestRound(id, now)
}

// Propose takes in the report that two URLs are different pages although the published rules give them
// one form. The pairs of each URL and its form are tried soon, before the trials of rules, and a pair
// confirmed to be wrong sends a rule back to trial. v may be empty: then the page of u differs from
// that of its form. A pair that was tried within the hour is tried again for another reporter, or if
// its pages have changed since. The error is report.ErrFull. Pairs that wait are not saved.
func (m *Machine) Propose(u, v, reporter string, changed bool, now int64) (report.Answer, error) {
	return m.planner.propose(namedPair{url: u, reporter: reporter, changed: changed, at: now}, v)
}

// Post takes in a page that a crawler fetched anyway. If two posted pages of one form differ,
// their pairs are tried soon, like those of Propose. Posted pages also decide, together with the log, which
// candidate is tried next. No verdict counts a posted page. The pages are not saved.
func (m *Machine) Post(url string, page PostedPage) report.Answer {
	if g := m.planner.guard; g != nil && !g.MayName(url) {
		return report.Unasked
	}
	m.planner.posted.add(url, page)
	return report.Taken
}

// Suspects reports whether Next names pairs of posted pages at a time.
func (m *Machine) Suspects(now int64) bool { return m.planner.posted.mayPropose(now) }

// ForgetPosted drops all posted pages.
func (m *Machine) ForgetPosted() { m.planner.posted.forget() }

// Wish takes in a decision of an operator. A vetoed rule, whatever its direction and scope, is
// neither tried nor published, and leaves the list with the next publication. A pinned rule
// that was valid stays if a trial is undecided; only a refutation or a URL without a form
// takes the rule out. A preferred text decides which direction of a pair is tried first. The
// error is ErrNoRule, ErrSettings, ErrMany or ErrText.
func (m *Machine) Wish(w book.Wish) error { return m.planner.wish(w) }

// See takes in the separators of parameters in the site's queries. Published records
// without these separators are renewed at once.
func (m *Machine) See(s urlnorm.Separators, now int64) {
	m.planner.see(s, now)
}

// Acts returns the acts done since the last call, in order. The caller must save them before it
// forgets the outcomes that led to them. Acts may be saved late: the machine repeats lost acts.
func (m *Machine) Acts() []book.Act {
	return m.book.Take()
}

// Restore applies a saved act. A machine that is given all acts of another machine, in order and
// before the first window, continues where the other machine stopped. If the last acts were lost, they
// are done again.
func (m *Machine) Restore(a book.Act) {
	m.planner.restore(a)
}

// Dump yields acts from which a new machine reaches the state of this machine.
func (m *Machine) Dump(yield func(book.Act) bool) {
	m.book.Dump(yield)
}

// Published returns the current publication. Callers must not modify it.
func (m *Machine) Published() book.Publication {
	return m.book.Publication
}

// PendingUpdate returns the rules of L that are held back, if there are any.
func (m *Machine) PendingUpdate() (PendingUpdate, bool) {
	u := m.planner.publisher.pending()
	return u, u.Mark != ""
}

// Decide takes in what an operator says to the pending update. Approved rules are published, however many
// URLs change. Rejected rules are vetoed. The error is ErrNotHeld, ErrChanged if the mark is that of
// another update, ErrNoRule if the update has not the one rule, or an error of Wish.
func (m *Machine) Decide(d book.Decision) error { return m.planner.decideHeld(d) }
