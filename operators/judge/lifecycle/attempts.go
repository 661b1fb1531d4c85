package lifecycle

import (
	"cmp"

	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// Purpose is the purpose of a look.
type Purpose uint8

// The purposes.
const (
	Trial      Purpose = iota // of a candidate
	SetTrial                  // of the set before it is published
	Recheck                   // of a published rule
	SetRecheck                // of the published set
	Control                   // of the control of a rule on trial: pages that the rule does not join
	Report                    // of a pair that a crawler reported
	Proof                     // of a provisional rule
)

var purposes = [...]string{"trial", "set", "recheck", "recheck_set", "control", "report", "proof"}

// String is the purpose's name in JSON.
func (p Purpose) String() string { return purposes[p] }

// Look is a pair to fetch and compare.
type Look struct {
	U, V    string // mined strings
	Purpose Purpose
	Rule    string // id of the rule on trial; "" for a set
	Fresh   bool   // the documents of earlier looks must not be used
	Since   int64  // documents from before that time must not be used; 0: all may
	Second  bool   // the second look at a negative: both documents are fetched again and compared with the documents of the first look
	OnlyV   bool   // of a second look: u is not fetched
	Ask     string // the stand-in that is fetched in the place of u, which is private; "": u itself is fetched
	key     book.Key
}

// Asked returns the URL that is fetched for u.
func (t *Look) Asked() string { return cmp.Or(t.Ask, t.U) }

// attempts are the trials under way, and the looks given out. All but the latter follows from the book
// and the view.
type attempts struct {
	rule    *attempt.Attempt  // of a candidate
	recheck *attempt.Attempt  // of a published rule
	set     *attempt.Set      // of L as a whole
	awaited map[book.Key]bool // looks given out
}

// forget drops the attempts. Looks given out stay awaited.
func (t *attempts) forget() { t.rule, t.recheck, t.set = nil, nil, nil }

// look gives a pair out.
func (t *attempts) look(purpose Purpose, rule string, p *forms.Pair) Look {
	t.awaited[p.Key] = true
	return Look{U: p.U, V: p.V, Purpose: purpose, Rule: rule, Fresh: purpose == Recheck || purpose == SetRecheck || purpose == Report, key: p.Key}
}

// second gives out a negative for a second look.
func (t *attempts) second(purpose Purpose, rule string, p *attempt.Pair) Look {
	look := t.look(purpose, rule, &p.Pair)
	look.Fresh, look.Second = true, true
	look.OnlyV = p.Seen.Compared == nil
	return look
}

// receive passes a result to the trials that may wait for the pair.
func (t *attempts) receive(j attempt.Judge, look *Look, r book.Result) {
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
func (t *attempts) controlOn(j attempt.Judge, look *Look) *rule.Control {
	for _, a := range []*attempt.Attempt{t.rule, t.recheck} {
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
func (t *attempts) unask(look Look) {
	if a := t.rule; a != nil && a.IsNew && a.Candidate.ID == look.Rule {
		delete(t.awaited, look.key)
		a.Release(look.key)
		return
	}
	t.release(look)
}

// release takes back a look without a result.
func (t *attempts) release(look Look) {
	delete(t.awaited, look.key)
	t.forget()
}
