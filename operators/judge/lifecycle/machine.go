package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
)

// Machine manages the life of one site's rules. A machine belongs to one goroutine. It is a struct of subjects
// over one life: see the package comment. Callers use four of them by name.
type Machine struct {
	*life
	Dialogue *Dialogue // with pages
	Operator *Operator // what people decide
	Reports  *Reports  // of crawlers
	Answers  *Answers  // to people and callers

	state string // the name of the last state that had something to do

	learner  *learner
	prover   *prover
	trier    *trier
	verdicts *verdicts
	faults   *faults
	sets     *sets
	rechecks *rechecks
	asks     *asks
}

// newMachine returns the machine of a site of which nothing is known but its book.
func newMachine(b *book.Book) *Machine {
	m := &Machine{life: newLife(b)}
	m.asks = &asks{m.life}
	m.learner = &learner{m.life}
	m.Dialogue = &Dialogue{life: m.life, asks: m.asks}
	m.faults = &faults{m.life, m.Dialogue}
	m.prover = &prover{m.life, m.faults}
	m.verdicts = &verdicts{life: m.life, dialogue: m.Dialogue, faults: m.faults, prover: m.prover}
	m.trier = &trier{life: m.life, asks: m.asks, dialogue: m.Dialogue, learner: m.learner, faults: m.faults, prover: m.prover, verdicts: m.verdicts}
	m.sets = &sets{m.life, m.faults}
	m.rechecks = &rechecks{m.life, m.Dialogue, m.faults, m.verdicts, m.sets}
	m.Reports = &Reports{m.life, m.Dialogue, m.faults}
	m.Operator = &Operator{m.life}
	m.Answers = &Answers{m.life, m.asks, m.Dialogue, m.learner, m.prover, m.verdicts, m.trier}
	return m
}

// Maker returns a function that makes machines of unknown sites, which share their options and keys.
func Maker(o book.Options) func(site string) *Machine {
	if o.Off.TwoSteps {
		o.Trial.First = 0
	}
	keys := &book.Hasher{Secret: o.Key}
	return func(site string) *Machine {
		return newMachine(book.New(site, &o, keys))
	}
}

// Bytes returns the memory of what is known of pairs, and of what is kept for candidates, about.
func (m *Machine) Bytes() int64 {
	n := m.book.Memory.Bytes()
	if m.view != nil {
		n += m.view.Bytes()
	}
	return n
}

// Pack keeps what is known of pairs in a quarter of the memory, until a pair is asked for. O(pairs).
func (m *Machine) Pack() { m.book.Memory.Pack() }

// Rest limits or resumes the trials of rules. While the machine rests, it publishes rules already
// found to hold, after their trial as a set. Callers use Rest when few fetches are left.
func (m *Machine) Rest(r Rest) { m.rest = r }

// Acts returns the acts done since the last call, in order. The caller must save them before it
// forgets the outcomes that led to them. Acts may be saved late: the machine repeats lost acts.
func (m *Machine) Acts() []book.Act { return m.book.Take() }

// Dump yields acts from which a new machine reaches the state of this machine.
func (m *Machine) Dump(yield func(book.Act) bool) {
	m.book.Dump(yield)
}

// Published returns the current publication. Callers must not modify it.
func (m *Machine) Published() book.Publication { return m.book.Publication }

// Withdraw ends the publication of rules: it publishes an empty list if rules are published. The rules stay valid, so
// they are published again if the caller goes on with Next.
func (m *Machine) Withdraw(now int64) {
	p := &m.book.Publication
	if len(p.Records) == 0 {
		return
	}
	empty := &book.Publication{Sequence: p.Sequence + 1, At: now, Hour: p.LastHour()}
	for i := range p.Records {
		empty.Retired = append(empty.Retired, p.Records[i].ID)
	}
	m.do(book.Act{Publication: empty})
}

// Contradicted reports whether the newest sizes in the window of a miner contradict a rule of L, so that the rule is tested
// again with the next Load. Nothing changes. O(observations).
func (m *Machine) Contradicted(now *miner.Machine, at int64) bool {
	if m.o.RecheckEvery == 0 || m.book.Publication.Sequence == 0 {
		return false
	}
	list := m.book.Valid()
	for rank, s := range forms.NewestSizesOf(now, m.o, list) {
		if m.rechecker.isContradicted(list[rank], s, at) {
			return true
		}
	}
	return false
}

// Next returns the pair to fetch next, or false if there is none now: looks given out must first have
// outcomes, or time must pass, or an operator must decide. Next also gives verdicts, learns and
// publishes, so callers should read [Machine.Acts] and [Machine.Published] after each call. A pair
// that was given out is not given out again until it has an outcome or is released.
//
// Usually O(1). O(window · rules) if L has grown or the window is new.
func (m *Machine) Next(now int64) (Look, bool) {
	if m.window == nil {
		return Look{}, false
	}
	m.now = now
	defer func() { m.trier.sought = nil }()
	for {
		if m.derive(now) {
			m.coverage.add(Point{m.book.Compared, book.Share(len(m.window.Pages)-len(m.view.Forms.Texts), len(m.window.Pages))})
		}
		switch look, s := m.step(now); s {
		case gave:
			if look.Since = m.book.Memory.Since; m.Dialogue.mayFetch(&look) {
				m.present = Now{Why: Trying}
				return look, true
			}
		case changed:
		case waiting:
			m.present = m.waitsFor(now)
			return Look{}, false
		default:
			if m.present = m.idle(now); m.rest == NoRest && m.ongoing.aside.goesOn(now) > 0 {
				m.present = m.waitsFor(now)
			}
			return Look{}, false
		}
	}
}

// waitsFor returns what the machine waits for.
func (m *Machine) waitsFor(now int64) Now {
	if f := m.Dialogue.failing; f.rests(now) {
		return Now{Why: Failing, Until: f.until}
	}
	if at := m.ongoing.aside.goesOn(now); at > 0 && len(m.ongoing.awaited) == 0 {
		return Now{Why: SecondLook, Until: at}
	}
	return Now{Why: Awaiting}
}

// state is something that a site's machine can be doing.
type state struct {
	name string
	next func(m *Machine, now int64) (Look, step) // nothing: there is nothing to do
	why  func(m *Machine, now int64) Now          // the reason for which there is nothing to do; nil: none that matters to an operator
}

// states are in order: a state without anything to do passes on to the next.
var states = [...]state{
	{"update", (*Machine).update, nil}, // what is published lacks what is known now, or what operators wish
	{"outage", func(m *Machine, now int64) (Look, step) { return m.trier.outage(now) }, nil},
	{"publish", func(m *Machine, now int64) (Look, step) { return m.sets.publishIf(false, now) }, nil},
	{"report", func(m *Machine, now int64) (Look, step) { return m.Reports.next(now) }, func(m *Machine, _ int64) Now { return m.Reports.why() }},
	{"recheck", func(m *Machine, now int64) (Look, step) { return m.rechecks.next(now) }, nil},
	{"try", func(m *Machine, now int64) (Look, step) { return m.trier.next(now) }, func(m *Machine, now int64) Now { return m.trier.why(now) }},
	{"publish the rest", func(m *Machine, now int64) (Look, step) { return m.sets.publishIf(true, now) }, func(m *Machine, _ int64) Now { return m.publisher.why() }},
	{"learn", func(m *Machine, now int64) (Look, step) { return m.learner.next(now) }, func(m *Machine, now int64) Now { return m.learner.why(now) }},
	{"show the limit of the set", func(m *Machine, now int64) (Look, step) { return m.sets.further(now) }, nil},
}

// step takes the first possible step.
func (m *Machine) step(now int64) (Look, step) {
	for i := range states {
		if look, s := states[i].next(m, now); s != nothing {
			m.state = states[i].name
			return look, s
		}
	}
	m.state = ""
	return Look{}, nothing
}

// idle returns the reason for which no state has anything to do: that of the states which matters most.
func (m *Machine) idle(now int64) (present Now) {
	for i := range states {
		if states[i].why == nil {
			continue
		}
		if n := states[i].why(m, now); n.Why.weighsMore(present.Why) {
			present = n
		}
	}
	return present
}

func (m *Machine) update(now int64) (Look, step) {
	if m.renew(now) || m.Operator.obey(now) || m.prover.noteOverdue(now) {
		return Look{}, changed
	}
	return Look{}, nothing
}

// Close publishes the rules that hold before the machine is given up because no more pairs can be
// fetched. It publishes nothing if the set was not tried at all, or was found wrong.
func (m *Machine) Close(now int64) {
	m.rest, m.closing = FullRest, true
	if look, ok := m.Next(now); ok {
		m.ongoing.release(look)
	}
	m.closing = false
}
