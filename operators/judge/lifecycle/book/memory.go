package book

import (
	"math"
	"slices"

	"dustbuster/operators/judge/trial"
)

// Result is the remembered result of a pair.
type Result struct {
	Looks
	At int64
}

// Looks is the measurement of a pair.
type Looks struct {
	trial.Seen
	Second *trial.Seen   `json:"second,omitempty"` // of the second look at a negative; nil if there was none
	Self   float64       `json:"self,omitempty"`   // resemblance of u or v to itself at the second look, the smaller of both; 1 if unknown
	Was    trial.Outcome `json:"was,omitempty"`    // outcome before the pair was tried again for a published rule
	Mixed  bool          `json:"mixed,omitempty"`  // a pair of a control: the rule does not join it
	Number int64         `json:"n,omitempty"`      // of the pair among the pairs tried, from 1; assigned when the act is applied
	URLs   [2]uint64     `json:"d,omitzero"`       // keyed hashes of the URLs whose documents were requested; 0: none, or unknown
	Ask    *Ask          `json:"ask,omitempty"`    // what was asked for in the place of u; nil: u itself
}

// Steadiness returns how much the pages of a pair resemble themselves, or 1 if unknown.
func (r *Result) Steadiness() float64 {
	if r.Second == nil {
		return 1
	}
	return r.Self
}

// Memory holds the results of the pairs tried last. Its maps are nil before the first result, since most of many sites
// wait for their first pair, and after Pack.
type Memory struct {
	o     *Options
	Keys  *Hasher
	mixed int   // number of results of controls
	Last  int64 // number of the last pair tried
	Since int64 // documents from before are not used: pages changed

	Seconds  int // number of results with a second look
	Unsteady int // number of these whose second look shows other documents than the first

	Fetches    map[uint64]use // requests for documents, by hash of the URL
	queueMixed []stamp        // results of controls, in order of arrival
	results    map[Key]Result
	told       map[Key]trial.Judgement // the outcomes last told: see Tell
	queue      []stamp                 // in order of arrival; only the last arrival of a pair counts

	packed *packed // what Pack makes of these; nil: they are not packed
}

type stamp struct {
	key Key
	at  int64
}

func newMemory(o *Options, keys *Hasher) *Memory {
	return &Memory{o: o, Keys: keys}
}

// number gives a pair the next number, unless it has one.
func (m *Memory) number(p *PairAct) {
	if p.Number == 0 {
		p.Number = m.Last + 1
	}
	m.Last = max(m.Last, p.Number)
}

// Put stores a result and forgets the oldest results if there are too many. Amortized O(1).
func (m *Memory) Put(k Key, r Result) {
	m.unpack()
	if m.results == nil {
		m.results, m.told, m.Fetches = map[Key]Result{}, map[Key]trial.Judgement{}, map[uint64]use{}
	}
	m.forget(k)
	m.results[k] = r
	m.count(&r, 1)
	m.queue = append(m.queue, stamp{k, r.At})
	if r.Mixed {
		m.queueMixed = append(m.queueMixed, stamp{k, r.At})
	}
	m.queue = m.drop(m.queue, func() bool { return len(m.results) > m.o.MaxPairs })
	m.queueMixed = m.drop(m.queueMixed, func() bool { return m.mixed > mostMixedKept })
	if len(m.queue) > 2*len(m.results)+16 {
		m.compact()
	}
	if len(m.queueMixed) > 2*mostMixedKept {
		m.queueMixed = slices.DeleteFunc(m.queueMixed, func(s stamp) bool { return !m.current(s) })
	}
}

// mostMixedKept bounds the number of remembered pairs of controls: at least the pairs of
// the last 40 trials.
const mostMixedKept = 1 << 12

// drop forgets the oldest pairs of a queue while tooMany returns true.
func (m *Memory) drop(queue []stamp, tooMany func() bool) []stamp {
	for len(queue) > 0 && tooMany() {
		if m.current(queue[0]) {
			m.forget(queue[0].key)
		}
		queue = queue[1:]
	}
	return queue
}

// Tried returns the number of remembered pairs of rules.
func (m *Memory) Tried() int { return m.Len() - m.mixed }

// Len returns the number of remembered pairs.
func (m *Memory) Len() int {
	if m.packed != nil {
		return m.packed.pairs
	}
	return len(m.results)
}

// Results returns the results, which callers must not modify, by pair.
func (m *Memory) Results() map[Key]Result {
	m.unpack()
	return m.results
}

func (m *Memory) forget(k Key) {
	if r, known := m.results[k]; known {
		m.count(&r, -1)
		delete(m.results, k)
		delete(m.told, k)
	}
}

// outdate forgets pairs and documents of pages that changed.
func (m *Memory) outdate(s *Stale) {
	m.unpack()
	m.Since = max(m.Since, s.Since)
	for _, k := range s.Pairs {
		m.forget(k)
	}
}

// stale returns an act that restores Since; nil if it is 0.
func (m *Memory) stale() *Stale {
	if m.Since == 0 {
		return nil
	}
	return &Stale{Since: m.Since}
}

func (m *Memory) current(s stamp) bool {
	r, ok := m.results[s.key]
	return ok && r.At == s.at
}

func (m *Memory) compact() {
	queue := make([]stamp, 0, len(m.results))
	seen := make(map[Key]bool, len(m.results))
	for _, s := range m.queue {
		if m.current(s) && !seen[s.key] {
			seen[s.key] = true
			queue = append(queue, s)
		}
	}
	m.queue = queue
}

// turned returns the result of the reversed pair.
func (r Result) turned() (Result, bool) {
	var ok, both bool
	r.URLs[0], r.URLs[1] = r.URLs[1], r.URLs[0]
	r.Seen, ok = r.Turned()
	if r.Second == nil || !ok {
		return r, ok
	}
	var second trial.Seen
	second, both = r.Second.Turned()
	r.Second = &second
	return r, both
}

// Known returns the valid result of a pair at a time: a result from since or later that is not too
// old. If there is none, that of the reversed pair is used where it proves the same.
func (m *Memory) Known(u, v string, since, now int64) (Result, bool) {
	results := m.Results()
	if r, ok := results[m.Keys.Pair(u, v)]; ok && m.fresh(&r, since, now) {
		return r, true
	}
	if r, ok := results[m.Keys.Pair(v, u)]; ok && m.fresh(&r, since, now) {
		return r.turned()
	}
	return Result{}, false
}

func (m *Memory) fresh(r *Result, since, now int64) bool {
	term := m.o.RetryRefuted
	if r.Outcome == trial.Skip { // if the documents were compared, only the rule's control decides whether it is a skip
		term = m.o.RetryUndecided
	}
	return r.At >= since && now < r.At+term
}

// Recent returns the known result of a pair of a control.
func (m *Memory) Recent(k Key, now int64) (Result, bool) {
	r, ok := m.Results()[k]
	return r, ok && m.fresh(&r, 0, now)
}

// Tell notes the outcome told of a pair, and reports whether another outcome was told before. If the
// result is that of the reversed pair, its outcome counts.
func (m *Memory) Tell(u, v string, j trial.Judgement) (differs bool) {
	for _, k := range [...]Key{m.Keys.Pair(u, v), m.Keys.Pair(v, u)} {
		if _, known := m.Results()[k]; known {
			differs = m.told[k] != j
			m.told[k] = j
			return differs
		}
	}
	return false
}

// isUnsteady reports whether the second look at a pair shows something else than the first.
func (r *Result) isUnsteady() bool {
	first, second := r.Compared, r.Second.Compared
	if first == nil || second == nil {
		return first != second || r.Judgement != r.Second.Judgement
	}
	return r.Self < 1-Margin || math.Abs(first.Alike-second.Alike) > Margin
}

// IsSteady reports whether second looks at the site's pages have confirmed first looks: at least
// ConfirmedNegatives did, and at most one look in unsteadyShare did not.
func (m *Memory) IsSteady() bool {
	return m.Seconds-m.Unsteady >= ConfirmedNegatives && unsteadyShare*m.Unsteady <= m.Seconds
}

const unsteadyShare = 20

// ConfirmedNegatives is the number of a rule's negatives that a second look must confirm. Further ones
// count after one look. If the second looks of the site have confirmed the first, the negatives of a
// candidate that is hopeless anyway count after one look as well.
const ConfirmedNegatives = 5

// Margin bounds how much less similar the two compared visits may be than two other visits
// to one page.
const Margin = 0.05
