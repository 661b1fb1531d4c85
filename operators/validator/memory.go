package validator

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/dust"
	"dustbuster/operators/trial"

	"github.com/dchest/siphash"
)

// key names a pair of URLs: 128 bits of a keyed hash, so that what is remembered
// of a pair has a bound. Two of 65,536 pairs are mistaken for one with a chance of
// 10^-29.
type key [2]uint64

// PairKey is the key of a PairAct.
type PairKey = key

// pairKey is the key of (u, v). No mined string holds a newline.
func (m *Machine) pairKey(u, v string) key {
	m.scratch = append(append(append(m.scratch[:0], u...), '\n'), v...)
	a, b := siphash.Hash128(m.o.Key[0], m.o.Key[1], m.scratch)
	return key{a, b}
}

// turn places a pair in the random order in which samples are taken: by what its
// two URLs have in common, the envelope (p, s) of the edit. So rules that edit the
// same place draw the same envelopes, and the documents that were fetched for one
// serve the next: X -> Y, Y -> Z and X -> Z need three of an envelope, not six.
// Envelopes of queries come in bunches of about eight of one path.
func (m *Machine) turn(form, v string) (bunch, within uint64) {
	p, s := common(form, v)
	within = m.hash(p+"\n"+s, 1)
	path, _, query := strings.Cut(p, "?")
	if !query {
		return within, within
	}
	return m.hash(path, 1) ^ (within&m.window.bunches(path))*0x9e3779b97f4a7c15, within
}

// common is the longest prefix and the longest suffix of whole tokens that two
// URLs have in common, without overlap.
func common(u, v string) (prefix, suffix string) {
	n, most := 0, min(len(u), len(v))
	for n < most && u[n] == v[n] {
		n++
	}
	for !dust.Boundary(u, n) || !dust.Boundary(v, n) {
		n--
	}
	k := 0
	for k < most-n && u[len(u)-1-k] == v[len(v)-1-k] {
		k++
	}
	for !dust.Boundary(u, len(u)-k) || !dust.Boundary(v, len(v)-k) {
		k--
	}
	return u[:n], u[len(u)-k:]
}

// hash is keyed; equal texts have unrelated hashes under different salts.
func (m *Machine) hash(s string, salt uint64) uint64 {
	m.scratch = append(m.scratch[:0], s...)
	return siphash.Hash(m.o.Key[0], m.o.Key[1]^salt, m.scratch)
}

// MarshalText writes a key as 32 hexadecimal digits.
func (k key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x%016x", k[0], k[1]), nil }

// UnmarshalText reads them.
func (k *key) UnmarshalText(text []byte) error {
	var b [16]byte
	if len(text) != 32 {
		return fmt.Errorf("read key %q: want 32 digits", text)
	}
	if _, err := hex.Decode(b[:], text); err != nil {
		return fmt.Errorf("read key %q: %w", text, err)
	}
	for i, c := range b {
		k[i/8] = k[i/8]<<8 | uint64(c)
	}
	return nil
}

// result is what is remembered of a pair.
type result struct {
	Looks
	at int64
}

// Looks is what was seen of a pair.
type Looks struct {
	trial.Seen
	Second *trial.Seen   `json:"second,omitempty"` // at the second look at a negative; nil if there was none
	Self   float64       `json:"self,omitempty"`   // how much u or v resembled itself then, the lesser of both; 1 if that was not seen
	Was    trial.Outcome `json:"was,omitempty"`    // before it was tried again for a published rule
	Mixed  bool          `json:"mixed,omitempty"`  // a pair of a control: the rule does not join it
}

// self is how much the pages of a pair resemble themselves; 1 if that is not known.
func (r *result) self() float64 {
	if r.Second == nil {
		return 1
	}
	return r.Self
}

// memory holds the outcomes of the pairs tried last.
type memory struct {
	most  int
	mixed int // results that are of controls

	queueMixed []stamp // of those, in the order in which they came
	results    map[key]result
	queue      []stamp // in the order in which they came; of a pair that came again only the last counts
}

type stamp struct {
	key key
	at  int64
}

func newMemory(most int) *memory { return &memory{most: most, results: map[key]result{}} }

// put remembers an outcome, and forgets the oldest if there are too many.
// Amortized O(1).
func (m *memory) put(k key, r result) {
	m.forget(k)
	m.results[k] = r
	if r.Mixed {
		m.mixed++
	}
	m.queue = append(m.queue, stamp{k, r.at})
	if r.Mixed {
		m.queueMixed = append(m.queueMixed, stamp{k, r.at})
	}
	m.queue = m.drop(m.queue, func() bool { return len(m.results) > m.most })
	m.queueMixed = m.drop(m.queueMixed, func() bool { return m.mixed > mostMixedKept })
	if len(m.queue) > 2*len(m.results)+16 {
		m.compact()
	}
	if len(m.queueMixed) > 2*mostMixedKept {
		m.queueMixed = slices.DeleteFunc(m.queueMixed, func(s stamp) bool { return !m.current(s) })
	}
}

// mostMixedKept bounds the pairs of controls that are remembered: those of the last 40
// trials and more.
const mostMixedKept = 1 << 12

// drop forgets the oldest pairs of a queue while there are too many.
func (m *memory) drop(queue []stamp, tooMany func() bool) []stamp {
	for len(queue) > 0 && tooMany() {
		if m.current(queue[0]) {
			m.forget(queue[0].key)
		}
		queue = queue[1:]
	}
	return queue
}

// tried is how many pairs of rules are remembered.
func (m *memory) tried() int { return len(m.results) - m.mixed }

func (m *memory) forget(k key) {
	if m.results[k].Mixed {
		m.mixed--
	}
	delete(m.results, k)
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

// known is what counts of a pair at a time: what was seen since then and is not too
// old, of the pair or, where that says the same, of the pair turned round.
func (m *Machine) known(u, v string, since, now int64) (result, bool) {
	if r, ok := m.memory.results[m.pairKey(u, v)]; ok && m.fresh(&r, since, now) {
		return r, true
	}
	if r, ok := m.memory.results[m.pairKey(v, u)]; ok && m.fresh(&r, since, now) {
		return r.turned()
	}
	return result{}, false
}

// turned is what is known of the pair turned round.
func (r result) turned() (result, bool) {
	var ok, both bool
	r.Seen, ok = r.Turned()
	if r.Second == nil || !ok {
		return r, ok
	}
	var second trial.Seen
	second, both = r.Second.Turned()
	r.Second = &second
	return r, both
}

// outcome is what a pair says under a control; doubt tells that it is a negative which
// was seen once only. None if nothing is known.
func (m *Machine) outcome(u, v string, c *trial.Control, since, now int64) (j trial.Judgement, doubt, known bool) {
	r, known := m.known(u, v, since, now)
	if !known {
		return j, false, false
	}
	j, doubt = m.judge(&r, u, v, c)
	return j, doubt, true
}

func (m *Machine) fresh(r *result, since, now int64) bool {
	term := m.o.RetryRefuted
	if r.Outcome == trial.Skip { // of what was compared it depends on the rule whether that is a skip
		term = m.o.RetryUndecided
	}
	return r.at >= since && now < r.at+term
}
