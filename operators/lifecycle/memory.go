package lifecycle

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/dust"
	"dustbuster/operators/trial"

	"github.com/dchest/siphash"
)

// key identifies a pair of URLs by 128 bits of a keyed hash, which bounds the memory for
// each pair. The probability that two of 65,536 pairs are confused is 10^-29.
type key [2]uint64

// PairKey is the key of a PairAct.
type PairKey = key

// pairKey is the key of (u, v). No mined string holds a newline.
func (m *Machine) pairKey(u, v string) key {
	m.scratch = append(append(append(m.scratch[:0], u...), '\n'), v...)
	a, b := siphash.Hash128(m.o.Key[0], m.o.Key[1], m.scratch)
	return key{a, b}
}

// turn places a pair in the random order in which samples are taken. The place depends on
// the text common to the two URLs, the envelope (p, s) of the edit. Rules that edit the
// same place therefore draw the same envelopes, and documents fetched for one rule serve
// the next: X -> Y, Y -> Z and X -> Z need three documents of an envelope, not six.
// Envelopes of queries come in bunches of about eight with one path.
func (m *Machine) turn(form, v string) (bunch, within uint64) {
	p, s := common(form, v)
	within = m.hash(p+"\n"+s, 1)
	path, _, query := strings.Cut(p, "?")
	if !query {
		return within, within
	}
	return m.hash(path, 1) ^ (within&m.window.bunches(path))*0x9e3779b97f4a7c15, within
}

// common returns the longest prefix and the longest suffix of whole tokens that two URLs
// share, without overlap.
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

// hash returns a keyed hash. Hashes of equal texts under different salts are unrelated.
func (m *Machine) hash(s string, salt uint64) uint64 {
	m.scratch = append(m.scratch[:0], s...)
	return siphash.Hash(m.o.Key[0], m.o.Key[1]^salt, m.scratch)
}

// MarshalText writes a key as 32 hexadecimal digits.
func (k key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x%016x", k[0], k[1]), nil }

// UnmarshalText reads a key written by MarshalText.
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
}

// self returns how much the pages of a pair resemble themselves, or 1 if unknown.
func (r *result) self() float64 {
	if r.Second == nil {
		return 1
	}
	return r.Self
}

// memory holds the results of the pairs tried last.
type memory struct {
	most  int
	mixed int // number of results of controls

	queueMixed []stamp // results of controls, in order of arrival
	results    map[key]result
	queue      []stamp // in order of arrival; only the last arrival of a pair counts
}

type stamp struct {
	key key
	at  int64
}

func newMemory(most int) *memory { return &memory{most: most, results: map[key]result{}} }

// put stores a result and forgets the oldest results if there are too many. Amortized O(1).
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

// known returns the valid result of a pair at a time: a result from since or later that is
// not too old. If the reversed pair proves the same, the result of the reversed pair is
// used.
func (m *Machine) known(u, v string, since, now int64) (result, bool) {
	if r, ok := m.memory.results[m.pairKey(u, v)]; ok && m.fresh(&r, since, now) {
		return r, true
	}
	if r, ok := m.memory.results[m.pairKey(v, u)]; ok && m.fresh(&r, since, now) {
		return r.turned()
	}
	return result{}, false
}

// turned returns the result as a result of the reversed pair.
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

// outcome returns the outcome of a pair under a control. doubt reports whether the outcome
// is a negative seen only once. known is false if the pair has no result.
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
	if r.Outcome == trial.Skip { // if the documents were compared, only the rule's control decides whether the pair is a skip
		term = m.o.RetryUndecided
	}
	return r.at >= since && now < r.at+term
}
