package lifecycle

import (
	"maps"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
)

// ongoing are the trials under way, and the looks given out. All but the latter follows from the book
// and the view.
type ongoing struct {
	rule    *trials.Trial     // of a candidate
	recheck *trials.Trial     // of a published rule
	set     *trials.Set       // of L as a whole
	awaited map[book.Key]bool // looks given out
	aside   aside             // work that goes on later
}

// forget drops the trials. Looks given out stay awaited.
func (t *ongoing) forget() { t.rule, t.recheck, t.set = nil, nil, nil }

// look gives a pair out: for a first look, or again if it was seen once.
func (t *ongoing) look(purpose Purpose, rule string, p *trials.Pair) Look {
	t.awaited[p.Key] = true
	look := Look{U: p.U, V: p.V, Purpose: purpose, Rule: rule, key: p.Key, Second: p.Seen != nil}
	look.Fresh = look.Second || purpose == Recheck || purpose == SetRecheck || purpose == Report
	look.OnlyV = look.Second && p.Seen.Compared == nil
	return look
}

// receive passes a result to the trials that may wait for the pair.
func (t *ongoing) receive(j trials.Judge, look *Look, r book.Result) {
	if t.rule != nil && !t.rule.Receive(look.key, r) {
		t.rule = nil
	}
	if t.recheck != nil && !t.recheck.Receive(look.key, r) {
		t.recheck = nil
	}
	if t.set != nil && (look.Rule != "" || !t.set.Receive(j, look.key, &r)) { // rules are tried again: the trial of the set would only take memory
		t.set = nil
	}
}

// controlOn returns the control of a look.
func (t *ongoing) controlOn(j trials.Judge, look *Look) *rule.Control {
	for _, a := range []*trials.Trial{t.rule, t.recheck} {
		if a != nil && a.Candidate.ID == look.Rule {
			return &a.Control
		}
	}
	if look.Rule == "" && t.set != nil {
		c := t.set.Control(look.U)
		return &c
	}
	if look.Rule == "" && j.View != nil {
		c := j.View.Control(look.U)
		return &c
	}
	if e := j.Book.Entries[look.Rule]; e != nil {
		return &e.Verdict.Control
	}
	return &rule.Control{}
}

// unask takes back a look without a result. The trial of a candidate that asked for it goes on: to choose
// anew could begin another.
func (t *ongoing) unask(look Look) {
	if a := t.rule; a != nil && a.IsNew && a.Candidate.ID == look.Rule {
		delete(t.awaited, look.key)
		a.Release(look.key)
		return
	}
	t.release(look)
}

// release takes back a look without a result.
func (t *ongoing) release(look Look) {
	delete(t.awaited, look.key)
	t.forget()
}

// purposeOf returns the purpose of the looks of a trial of a candidate, or of a proof.
func purposeOf(a *trials.Trial) Purpose {
	if a.IsNew {
		return Trial
	}
	return Proof
}

// current returns the trial of a rule under way, or nil.
func (t *ongoing) current() *trials.Trial {
	if t.recheck != nil {
		return t.recheck
	}
	return t.rule
}

// aside has the trials, proofs and rechecks that wait for a second look: when they go on, by the rule; theSet is that of L.
// A server may show a page from a
// cache for a minute, so two looks within it tell nothing of whether the page stands still. The second look comes some time
// after the first, as long as the delay between requests is not shorter than usual, and other rules are tried meanwhile: see
// book.Options.SecondAfter. What is known of the pairs tells it anew after a restart.
type aside map[string]int64

const theSet = ""

// has reports whether the trial of a rule goes on later.
func (a aside) has(id string, now int64) bool { return now < a[id] }

// waits forgets the trials that go on, and reports whether others go on later.
func (a aside) waits(now int64) bool {
	maps.DeleteFunc(a, func(_ string, at int64) bool { return at <= now })
	return len(a) > 0
}

// without returns the candidates whose trials do not go on later.
func (a aside) without(open []book.Candidate, now int64) []book.Candidate {
	if !a.waits(now) {
		return open
	}
	return slices.DeleteFunc(slices.Clone(open), func(c book.Candidate) bool { return a.has(c.ID, now) })
}

// goesOn returns when the first of the trials that go on later does; 0: there is none.
func (a aside) goesOn(now int64) (at int64) {
	for _, due := range a {
		if due > now && (at == 0 || due < at) {
			at = due
		}
	}
	return at
}
