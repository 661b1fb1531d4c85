package lifecycle

import (
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
	key     key
}

// trials are the trials under way, and the tests given out. All but the tests follows from
// the book and the view.
type trials struct {
	rule    *attempt     // of a candidate
	recheck *attempt     // of a published rule
	set     *setTrial    // of L as a whole
	awaited map[key]bool // tests given out
}

// forget drops the trials. Tests given out stay awaited.
func (t *trials) forget() { t.rule, t.recheck, t.set = nil, nil, nil }

// test gives a pair out.
func (t *trials) test(purpose Purpose, rule string, p *pair) Test {
	t.awaited[p.key] = true
	return Test{U: p.u, V: p.v, Purpose: purpose, Rule: rule, Fresh: purpose == Recheck || purpose == SetRecheck || purpose == Report, key: p.key}
}

// second gives out a negative for a second look.
func (t *trials) second(purpose Purpose, rule string, p *tryPair) Test {
	test := t.test(purpose, rule, &p.pair)
	test.Fresh, test.Second = true, true
	test.OnlyV = p.seen.Compared == nil
	return test
}

// receive passes a result to the trials that may wait for the pair.
func (t *trials) receive(j judge, test *Test, r result) {
	if t.rule != nil && !t.rule.receive(test.key, r) {
		t.rule = nil
	}
	if t.recheck != nil && !t.recheck.receive(test.key, r) {
		t.recheck = nil
	}
	if t.set != nil && (test.Rule != "" || !t.set.receive(j, test.key, &r)) { // rules are tried again: the trial of the set would only take memory
		t.set = nil
	}
}

// controlOn returns the control of a test.
func (t *trials) controlOn(j judge, test *Test) *rule.Control {
	for _, a := range []*attempt{t.rule, t.recheck} {
		if a != nil && a.c.id == test.Rule {
			return &a.control
		}
	}
	if test.Rule == "" && t.set != nil {
		c := t.set.control(test.U)
		return &c
	}
	if test.Rule == "" && j.view != nil {
		c := j.view.control(test.U)
		return &c
	}
	if e := j.book.entries[test.Rule]; e != nil {
		return &e.Verdict.Control
	}
	return &rule.Control{}
}

// release takes back a test without a result.
func (t *trials) release(test Test) {
	delete(t.awaited, test.key)
	t.forget()
}
