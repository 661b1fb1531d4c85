package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// Purpose is the purpose of a test.
type Purpose uint8

// The purposes.
const (
	Trial      Purpose = iota // of a candidate
	SetTrial                  // of the set before it is published
	Recheck                   // of a published rule
	SetRecheck                // of the published set
	Control                   // of the control of a rule on trial: pages that the rule does not join
	Report                    // of a pair that a crawler reported
)

var purposes = [...]string{"trial", "set", "recheck", "recheck_set", "control", "report"}

// String is the purpose's name in JSON.
func (p Purpose) String() string { return purposes[p] }

// Test is a pair to fetch and compare.
type Test struct {
	U, V    string // mined strings
	Purpose Purpose
	Rule    string // id of the rule on trial; "" for a set
	Fresh   bool   // the documents of earlier tests must not be used
	Since   int64  // documents from before that time must not be used; 0: all may
	Second  bool   // the second look at a negative: both documents are fetched again and compared with the documents of the first look
	OnlyV   bool   // of a second look: u is not fetched
	key     book.Key
}

// trials are the trials under way, and the tests given out. All but the tests follows from
// the book and the view.
type trials struct {
	rule    *attempt.Attempt  // of a candidate
	recheck *attempt.Attempt  // of a published rule
	set     *attempt.Set      // of L as a whole
	awaited map[book.Key]bool // tests given out
}

// forget drops the trials. Tests given out stay awaited.
func (t *trials) forget() { t.rule, t.recheck, t.set = nil, nil, nil }

// test gives a pair out.
func (t *trials) test(purpose Purpose, rule string, p *forms.Pair) Test {
	t.awaited[p.Key] = true
	return Test{U: p.U, V: p.V, Purpose: purpose, Rule: rule, Fresh: purpose == Recheck || purpose == SetRecheck || purpose == Report, key: p.Key}
}

// second gives out a negative for a second look.
func (t *trials) second(purpose Purpose, rule string, p *attempt.Pair) Test {
	test := t.test(purpose, rule, &p.Pair)
	test.Fresh, test.Second = true, true
	test.OnlyV = p.Seen.Compared == nil
	return test
}

// receive passes a result to the trials that may wait for the pair.
func (t *trials) receive(j attempt.Judge, test *Test, r book.Result) {
	if t.rule != nil && !t.rule.Receive(test.key, r) {
		t.rule = nil
	}
	if t.recheck != nil && !t.recheck.Receive(test.key, r) {
		t.recheck = nil
	}
	if t.set != nil && (test.Rule != "" || !t.set.Receive(j, test.key, &r)) { // rules are tried again: the trial of the set would only take memory
		t.set = nil
	}
}

// controlOn returns the control of a test.
func (t *trials) controlOn(j attempt.Judge, test *Test) *rule.Control {
	for _, a := range []*attempt.Attempt{t.rule, t.recheck} {
		if a != nil && a.Candidate.ID == test.Rule {
			return &a.Control
		}
	}
	if test.Rule == "" && t.set != nil {
		c := t.set.Control(test.U)
		return &c
	}
	if test.Rule == "" && j.View != nil {
		c := j.View.Control(test.U)
		return &c
	}
	if e := j.Book.Entries[test.Rule]; e != nil {
		return &e.Verdict.Control
	}
	return &rule.Control{}
}

// release takes back a test without a result.
func (t *trials) release(test Test) {
	delete(t.awaited, test.key)
	t.forget()
}
