package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
)

// Machine manages the life of one site's rules. A machine belongs to one goroutine.
type Machine struct {
	*life
	Dialogue *Dialogue
	Operator *Operator
	Reports  *Reports
	Answers  *Answers

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

// Bytes returns the memory of what is known of pairs, about.
func (m *Machine) Bytes() int64 { return m.book.Memory.Bytes() }

// Pack keeps what is known of pairs in a quarter of the memory, until a pair is asked for. O(pairs).
func (m *Machine) Pack() { m.book.Memory.Pack() }

// Release takes back a look without an outcome. The pair is given out again.
func (di *Dialogue) Release(t Look) {
	di.ongoing.release(t)
}

// Rest limits or resumes the trials of rules. While the machine rests, it publishes rules already
// found to hold, after their trial as a set. Callers use Rest when few fetches are left.
func (m *Machine) Rest(r Rest) { m.rest = r }

// Acts returns the acts done since the last call, in order. The caller must save them before it
// forgets the outcomes that led to them. Acts may be saved late: the machine repeats lost acts.
func (m *Machine) Acts() []book.Act {
	return m.book.Take()
}

// Dump yields acts from which a new machine reaches the state of this machine.
func (m *Machine) Dump(yield func(book.Act) bool) {
	m.book.Dump(yield)
}

// Published returns the current publication. Callers must not modify it.
func (m *Machine) Published() book.Publication {
	return m.book.Publication
}

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
