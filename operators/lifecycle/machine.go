package lifecycle

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// Machine manages the life of one site's rules. A machine belongs to one goroutine.
type Machine struct {
	site string
	o    *Options

	book *book
	keys *hasher

	// The last input of Load.
	window     *Window
	guard      *guard // of the window
	candidates []candidate

	view *view // of the window and L; nil until derived

	publisher *publisher
	rechecker *rechecker
	current   *attempt  // the current trial
	set       *setTrial // of L as a whole
	rechecked *attempt  // the current re-validation
	now       int64     // time of the current Next
	resting   bool      // no rules are tried: see Rest
	barred    int       // pairs left out of the trials that ended with a verdict
	closing   bool      // nothing more can be fetched: see Close

	awaited map[key]bool // tests given out
}

// New returns the machine of an unknown site.
func New(site string, o Options) *Machine {
	keys := &hasher{secret: o.Key}
	b := newBook(site, &o, keys)
	return &Machine{site: site, o: &o, keys: keys, book: b, publisher: &publisher{site: site, o: &o, book: b, length: -1},
		rechecker: &rechecker{o: &o, book: b, checked: map[string]bool{}},
		awaited:   map[key]bool{}}
}

// Status is a summary of the rules of a site.
type Status struct {
	States  map[rule.State]int // of the tried rules
	Testing string             // id of the rule on trial; "" if there is none
	Pairs   int                // outcomes remembered
	Forms   int                // canonical forms of the window's URLs; 0 before the first Next
	Private Private            // URLs that are never fetched
}

// Status returns a summary. O(rules tried).
func (m *Machine) Status() Status {
	s := Status{States: map[rule.State]int{}, Pairs: m.book.memory.tried(), Private: m.private()}
	for _, e := range m.book.entries {
		s.States[e.State]++
	}
	if m.view != nil {
		s.Forms = len(m.view.forms.texts)
	}
	for _, a := range []*attempt{m.current, m.rechecked} {
		if a != nil {
			s.Testing = a.c.id
		}
	}
	return s
}

// Load gives the machine the current window, and the site's candidates in order. L,
// outcomes and verdicts stay. The next Next recomputes all state derived from the window.
func (m *Machine) Load(w *Window, candidates []rule.Candidate) {
	m.window, m.guard, m.candidates = w, newGuard(w, m.o.Veil), m.candidates[:0]
	m.separate(w.separators)
	for i, c := range candidates {
		if c.Rule.Validate() == nil {
			m.candidates = append(m.candidates, candidate{rule.ID(m.site, &c.Rule), c.Rule, c.Support, i, false})
		}
	}
	m.forget()
}

// Rest stops or resumes the trials of rules. While the machine rests, the machine publishes
// rules already found to hold, after their trial as a set. Callers use Rest when few
// fetches are left.
func (m *Machine) Rest(resting bool) { m.resting = resting }

// forget drops the state derived from L and the window.
func (m *Machine) forget() {
	m.view, m.current, m.set, m.rechecked = nil, nil, nil, nil
	m.publisher.forget()
	m.rechecker.sought = false
}

// Purpose is the purpose of a test.
type Purpose uint8

// The purposes.
const (
	Trial      Purpose = iota // of a candidate
	SetTrial                  // of the set before it is published
	Recheck                   // of a published rule
	SetRecheck                // of the published set
	Control                   // of the control of a rule on trial: pages that the rule does not join
)

var purposes = [...]string{"trial", "set", "recheck", "recheck_set", "control"}

// String is the purpose's name in records.
func (p Purpose) String() string { return purposes[p] }

// Test is a pair to fetch and compare.
type Test struct {
	U, V    string // mined strings
	Purpose Purpose
	Rule    string // id of the rule on trial; "" for a set
	Fresh   bool   // the documents of earlier tests must not be used
	Second  bool   // the second look at a negative: both documents are fetched again and compared with the documents of the first look
	OnlyV   bool   // of a second look: u is not fetched
	key     key
}

// step is the result of one part of the machine.
type step uint8

const (
	nothing step = iota // there is nothing to do
	gave                // a test
	changed             // something changed; the caller looks again
	waiting             // for outcomes
	ready               // the part is done
)

// Next returns the pair to fetch next. Next returns false if there is no pair now: tests
// given out must first be settled, or time must pass, or an operator must decide. Next also
// gives verdicts, learns and publishes, so callers should read [Machine.Acts] and
// [Machine.Published] after each call. A pair that was given out is not given out again
// until the pair is settled or released.
//
// Usually O(1). O(window · rules) if L has grown or the window is new.
func (m *Machine) Next(now int64) (Test, bool) {
	if m.window == nil {
		return Test{}, false
	}
	m.now = now
	for {
		m.derive(now)
		switch test, s := m.step(now); s {
		case gave:
			if m.mayFetch(&test) {
				return test, true
			}
		case changed:
		default:
			return Test{}, false
		}
	}
}

// step takes the first possible step.
func (m *Machine) step(now int64) (Test, step) {
	if m.renew(now) {
		return Test{}, changed
	}
	if m.publisher.due(m.view, false, now) {
		if test, s := m.publish(now); s != nothing {
			return test, s
		}
	}
	if test, s := m.recheckAll(now); s != nothing {
		return test, s
	}
	if !m.resting {
		if test, s := m.try(now); s != nothing {
			return test, s
		}
	}
	if m.publisher.due(m.view, true, now) {
		if test, s := m.publish(now); s != nothing {
			return test, s
		}
	}
	if test, s := m.further(now); s != nothing {
		return test, s
	}
	if stage := m.book.learned.next(m.view); stage > 0 && !m.resting && !m.o.GivenOnly && now >= m.book.learned.At+m.o.LevelEvery {
		l := m.view.learn(stage, now)
		m.do(Act{Learnt: &l})
		return Test{}, changed
	}
	return Test{}, nothing
}

// try continues the trial of the best candidate.
func (m *Machine) try(now int64) (Test, step) {
	if m.current == nil {
		chooser := m.chooser(now)
		c, ok := chooser.choose(chooser.openCandidates())
		if !ok || len(m.view.list) >= m.o.MaxRules {
			return Test{}, nothing
		}
		m.current = newAttempt(m.judge(now), c, m.view.forms, m.view.moves(&c), 0, m.awaited)
		if e := m.book.entries[c.id]; e != nil {
			for _, against := range e.Sent {
				m.current.negative(against)
			}
		}
	}
	a := m.current
	missing := a.rejudge(m.judge(now))
	if test, s := m.trace(a, now); s != nothing {
		return test, s
	}
	if test, s := m.vouch(a, Trial, missing, now); s != nothing {
		return test, s
	}
	if v := verdictOn(a, m.o.Trial); v != trial.Open {
		m.decide(a, v, now)
		return Test{}, changed
	}
	return m.draw(a, Trial, now)
}

// draw gives out the next pair of an attempt, unless the outcome has become known in the
// meantime.
func (m *Machine) draw(a *attempt, purpose Purpose, now int64) (Test, step) {
	p := a.draw()
	if p == nil {
		return Test{}, waiting
	}
	if r, known := m.book.memory.known(p.u, p.v, a.since, now); known {
		a.receive(p.key, r)
		return Test{}, changed
	}
	return m.test(purpose, a.c.id, p), gave
}

// vouch continues the work that makes the outcomes of an attempt credible: second looks at
// negatives, the decoys, and the pairs of the control.
func (m *Machine) vouch(a *attempt, purpose Purpose, missing *pair, now int64) (Test, step) {
	if p, outstanding := a.doubtful(); p != nil {
		p.awaited = true
		return m.second(purpose, a.c.id, p), gave
	} else if outstanding {
		return Test{}, waiting
	}
	sum := a.tally.Sum()
	if sum.Positives >= leastPositives {
		if d := m.judge(now).decoyDue(); d != nil {
			return m.compare(a, d)
		}
	}
	if missing != nil && (sum.Outcomes()+sum.Skipped >= leastPositives || a.tally.Decide(m.o.Trial) != trial.Open) {
		return m.compare(a, missing)
	}
	return Test{}, nothing
}

// leastPositives is the number of positives needed before requests are spent on a control.
const leastPositives = 5

func (m *Machine) compare(a *attempt, p *pair) (Test, step) {
	if m.awaited[p.key] {
		return Test{}, waiting
	}
	return m.test(Control, a.c.id, p), gave
}

// second gives out a negative for a second look.
func (m *Machine) second(purpose Purpose, rule string, p *pair) Test {
	t := m.test(purpose, rule, p)
	t.Fresh, t.Second = true, true
	t.OnlyV = p.seen.Compared == nil
	return t
}

// verdictOn returns the verdict on a rule. The verdict is that of the outcomes, with two
// exceptions. A rule that is better tried in narrower scopes is refuted. A rule is undecided
// if the server fails or if the pages prove nothing. In a strict trial, one negative refutes
// the rule: many URLs show one text, so a client that invents such URLs controls their share
// of all pairs.
func verdictOn(a *attempt, o trial.Options) trial.Decision {
	v := a.tally.Decide(o)
	switch {
	case a.control.Strict && a.tally.Sum().Negatives > 0, v != trial.Refuted && keeps(a):
		return trial.Refuted
	case v == trial.Open && a.failing(), v != trial.Refuted && a.undecidable(o) != "":
		return trial.Undecided
	}
	return v
}

// decide gives a verdict.
func (m *Machine) decide(a *attempt, v trial.Decision, now int64) {
	e := Entry{ID: a.c.id, Rule: a.c.rule, Support: a.c.support, FirstSeen: now}
	m.barred += a.barred
	if was := m.book.entries[e.ID]; was != nil {
		e.FirstSeen, e.Change, e.Sent = was.FirstSeen, was.Change, was.Sent
	}
	reason := byTrial
	if a.tally.Returned > 0 {
		reason = byReturn
	}
	switch v {
	case trial.Valid:
		e.State = rule.Valid
		if _, rank := compile(with(m.view.forms.rules, a.c.rule)).Unsafe(m.window.bytes()); rank >= 0 {
			e.State, reason = rule.Refuted, byUnsafe
		} else {
			e.Rank, e.ValidatedAt, e.Sizes = m.book.lastRank()+1, now, m.view.sizesWith(a.c.rule)
		}
	case trial.Refuted:
		e.State, e.Followers = rule.Refuted, m.view.followers(a)
	default:
		e.State = rule.Undecided
		if a.failing() {
			reason = byServer
		} else if why := a.undecidable(m.o.Trial); why != "" {
			reason = why
		}
	}
	e.Verdict = a.verdict(m.judge(now), reason)
	m.do(Act{Rule: &e})
}

// test gives a pair out.
func (m *Machine) test(purpose Purpose, rule string, p *pair) Test {
	m.awaited[p.key] = true
	return Test{U: p.u, V: p.v, Purpose: purpose, Rule: rule, Fresh: purpose == Recheck || purpose == SetRecheck, key: p.key}
}

// Look returns the result of a test's two documents. Look calls compare only if both
// documents are pages.
func (m *Machine) Look(t Test, u, v trial.Document, compare func() trial.Compared) trial.Seen {
	return trial.Look(trial.Pair{U: t.U, V: t.V, Maps: func(target string) bool { return m.maps(&t, target) }}, u, v, compare)
}

// maps reports whether the rules on trial turn a URL into V.
func (m *Machine) maps(t *Test, target string) bool {
	if target == t.V {
		return false
	}
	rules := rulesOf(m.book.valid())
	if t.Rule == "" && m.publisher.length >= 0 {
		rules = rules[:m.publisher.length]
	}
	if e := m.book.entries[t.Rule]; e != nil && e.State != rule.Valid {
		rules = with(rules, e.Rule)
	}
	if m.current != nil && m.current.c.id == t.Rule {
		rules = with(rules, m.current.c.rule)
	}
	out, _ := compile(rules).Canon(nil, []byte(target))
	return string(out) == t.V
}

// Outcome takes in the result of a test, in any order of arrival. For a second look, self
// is the smaller of the resemblances of u and of v to themselves, or 1 if neither was
// measured. Outcome returns the judgement of the pair at present.
func (m *Machine) Outcome(t Test, s trial.Seen, self float64, now int64) trial.Judgement {
	delete(m.awaited, t.key)
	was, known := m.book.memory.results[t.key]
	r := result{Looks{Seen: s, Mixed: t.Purpose == Control}, now}
	switch {
	case t.Second:
		if was, known = m.book.memory.known(t.U, t.V, 0, now); !known {
			break // the pair was forgotten in the meantime, so this is the first look
		}
		r.Looks, r.Mixed = was.Looks, was.Mixed
		r.Second, r.Self = &s, self
		m.observe(self)
	case known && t.Purpose == Recheck:
		before, _ := m.judge(m.now).outcome(&was, t.U, t.V, m.controlOn(&t))
		r.Was = before.Outcome
	}
	j, doubt := m.judge(m.now).outcome(&r, t.U, t.V, m.controlOn(&t))
	p := PairAct{Key: t.key, Looks: r.Looks, At: now}
	if t.Purpose == Recheck && !doubt && r.Was != 0 && r.Was != trial.Skip && j.Outcome != trial.Skip {
		p.Rule, p.Changed = t.Rule, r.Was != j.Outcome
	}
	m.do(Act{Pair: &p})
	if t.Purpose != Control {
		m.receive(&t, r)
	}
	return j
}

// receive passes a result to the trials that may wait for the pair.
func (m *Machine) receive(t *Test, r result) {
	if m.current != nil && !m.current.receive(t.key, r) {
		m.current = nil
	}
	if m.rechecked != nil && !m.rechecked.receive(t.key, r) {
		m.rechecked = nil
	}
	if m.set != nil && (t.Rule != "" || !m.set.receive(m.judge(m.now), t.key, &r)) { // rules are tried again: the sample would only take memory
		m.set = nil
	}
}

// controlOn returns the control of a test.
func (m *Machine) controlOn(t *Test) *trial.Control {
	for _, a := range []*attempt{m.current, m.rechecked} {
		if a != nil && a.c.id == t.Rule {
			return &a.control
		}
	}
	if t.Rule == "" && m.view != nil {
		c := m.view.controlOf(m.view.canonizer, t.U)
		return &c
	}
	if e := m.book.entries[t.Rule]; e != nil {
		return &e.Verdict.Control
	}
	return &trial.Control{}
}

// observe takes in the resemblance to itself of a page that was fetched twice.
func (m *Machine) observe(self float64) {
	if n := m.book.noise; self < m.o.Tau && n.Observe(self-margin) {
		m.do(Act{Noise: n.Lost})
	}
}

// Release takes back a test without an outcome. The pair is given out again.
func (m *Machine) Release(t Test) {
	delete(m.awaited, t.key)
	m.current, m.rechecked, m.set = nil, nil, nil
}

// derive makes the view if there is none.
func (m *Machine) derive(now int64) {
	for m.view == nil {
		list, rank := m.book.valid(), 0
		if m.view, rank = m.newView(list); m.view == nil {
			m.leaveOut(list, rank, now)
		}
	}
}

// leaveOut takes out of L a rule that leaves a URL without a canonical form.
func (m *Machine) leaveOut(list []*Entry, place int, now int64) {
	e := *list[place]
	e.State, e.Verdict.Reason, e.Verdict.Time = rule.Undecided, byUnsafe, now
	m.leave(list, place, &e, now)
}
