package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/trial"
)

// result is the remembered result of a pair.
type result struct {
	Looks
	at int64
}

// Looks is the measurement of a pair.
type Looks struct {
	trial.Seen
	Second *trial.Seen   `json:"second,omitempty"` // of the second look at a negative; nil if there was none
	Self   float64       `json:"self,omitempty"`   // resemblance of u or v to itself at the second look, the smaller of both; 1 if unknown
	Was    trial.Outcome `json:"was,omitempty"`    // outcome before the pair was tried again for a published rule
	Mixed  bool          `json:"mixed,omitempty"`  // a pair of a control: the rule does not join the pair
	Number int64         `json:"n,omitempty"`      // of the pair among the pairs tried, from 1; assigned when the act is applied
	URLs   [2]uint64     `json:"d,omitzero"`       // keyed hashes of the URLs whose documents were requested; 0: none, or unknown
}

// steadiness returns how much the pages of a pair resemble themselves, or 1 if unknown.
func (r *result) steadiness() float64 {
	if r.Second == nil {
		return 1
	}
	return r.Self
}

// memory holds the results of the pairs tried last.
type memory struct {
	o     *Options
	keys  *hasher
	mixed int   // number of results of controls
	last  int64 // number of the last pair tried
	since int64 // documents from before are not used: pages changed

	seconds  int            // number of results with a second look
	unsteady int            // number of these whose second look shows other documents than the first
	fetches  map[uint64]use // requests for documents, by hash of the URL

	queueMixed []stamp // results of controls, in order of arrival
	results    map[key]result
	told       map[key]trial.Judgement // of results: see Rejudged
	queue      []stamp                 // in order of arrival; only the last arrival of a pair counts
}

type stamp struct {
	key key
	at  int64
}

func newMemory(o *Options, keys *hasher) *memory {
	return &memory{o: o, keys: keys, results: map[key]result{}, told: map[key]trial.Judgement{}, fetches: map[uint64]use{}}
}

// number gives a pair the next number, unless the pair has one.
func (m *memory) number(p *PairAct) {
	if p.Number == 0 {
		p.Number = m.last + 1
	}
	m.last = max(m.last, p.Number)
}

// put stores a result and forgets the oldest results if there are too many. Amortized O(1).
func (m *memory) put(k key, r result) {
	m.forget(k)
	m.results[k] = r
	m.count(&r, 1)
	m.queue = append(m.queue, stamp{k, r.at})
	if r.Mixed {
		m.queueMixed = append(m.queueMixed, stamp{k, r.at})
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
func (m *memory) drop(queue []stamp, tooMany func() bool) []stamp {
	for len(queue) > 0 && tooMany() {
		if m.current(queue[0]) {
			m.forget(queue[0].key)
		}
		queue = queue[1:]
	}
	return queue
}

// tried returns the number of remembered pairs of rules.
func (m *memory) tried() int { return len(m.results) - m.mixed }

func (m *memory) forget(k key) {
	if r, known := m.results[k]; known {
		m.count(&r, -1)
		delete(m.results, k)
		delete(m.told, k)
	}
}

// outdate forgets pairs and documents of pages that changed.
func (m *memory) outdate(s *Stale) {
	m.since = max(m.since, s.Since)
	for _, k := range s.Pairs {
		m.forget(k)
	}
}

// stale returns an act that restores since; nil if since is 0.
func (m *memory) stale() *Stale {
	if m.since == 0 {
		return nil
	}
	return &Stale{Since: m.since}
}

func (m *memory) current(s stamp) bool {
	r, ok := m.results[s.key]
	return ok && r.at == s.at
}

func (m *memory) compact() {
	queue := make([]stamp, 0, len(m.results))
	seen := make(map[key]bool, len(m.results))
	for _, s := range m.queue {
		if m.current(s) && !seen[s.key] {
			seen[s.key] = true
			queue = append(queue, s)
		}
	}
	m.queue = queue
}

// turned returns the result as a result of the reversed pair.
func (r result) turned() (result, bool) {
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

// known returns the valid result of a pair at a time: a result from since or later that is
// not too old. If the reversed pair proves the same, the result of the reversed pair is
// used.
func (m *memory) known(u, v string, since, now int64) (result, bool) {
	if r, ok := m.results[m.keys.pair(u, v)]; ok && m.fresh(&r, since, now) {
		return r, true
	}
	if r, ok := m.results[m.keys.pair(v, u)]; ok && m.fresh(&r, since, now) {
		return r.turned()
	}
	return result{}, false
}

func (m *memory) fresh(r *result, since, now int64) bool {
	term := m.o.RetryRefuted
	if r.Outcome == trial.Skip { // if the documents were compared, only the rule's control decides whether the pair is a skip
		term = m.o.RetryUndecided
	}
	return r.at >= since && now < r.at+term
}

// recent returns the known result of a pair of a control.
func (m *memory) recent(k key, now int64) (result, bool) {
	r, ok := m.results[k]
	return r, ok && m.fresh(&r, 0, now)
}
