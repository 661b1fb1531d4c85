package validator

import (
	"encoding/hex"
	"fmt"
	"strings"

	"dustbuster/operators/dust"
	"dustbuster/operators/trial"

	"github.com/dchest/siphash"
)

// key names a pair of URLs: 128 bits of a keyed hash, so that what is remembered
// of a pair has a bound. Two of 65,536 pairs are mistaken for one with a chance of
// 10^-29.
type key [2]uint64

// pairKey is the key of (u, v). No mined string holds a newline.
func (m *Machine) pairKey(u, v string) key {
	m.scratch = append(append(append(m.scratch[:0], u...), '\n'), v...)
	a, b := siphash.Hash128(m.o.Key[0], m.o.Key[1], m.scratch)
	return key{a, b}
}

// draw places a pair in the random order in which samples are taken: by what its
// two URLs have in common, the envelope (p, s) of the edit. So rules that edit the
// same place draw the same envelopes, and the documents that were fetched for one
// serve the next: X -> Y, Y -> Z and X -> Z need three of an envelope, not six.
// Envelopes of queries come in bunches of about eight of one path.
func (m *Machine) draw(form, v string) (bunch, within uint64) {
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
	trial.Judgement
	at int64
}

// memory holds the outcomes of the pairs tried last.
type memory struct {
	most    int
	results map[key]result
	queue   []stamp // in the order in which they came; of a pair that came again only the last counts
}

type stamp struct {
	key key
	at  int64
}

func newMemory(most int) *memory { return &memory{most: most, results: map[key]result{}} }

// put remembers an outcome, and forgets the oldest if there are too many.
// Amortized O(1).
func (m *memory) put(k key, r result) {
	m.results[k] = r
	m.queue = append(m.queue, stamp{k, r.at})
	for len(m.results) > m.most {
		if m.current(m.queue[0]) {
			delete(m.results, m.queue[0].key)
		}
		m.queue = m.queue[1:]
	}
	if len(m.queue) > 2*len(m.results)+16 {
		m.compact()
	}
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

// outcome is what counts of a pair at a time: an outcome since then that is not
// too old, of the pair or, where that says the same, of the pair turned round.
func (m *Machine) outcome(u, v string, since, now int64) (trial.Judgement, bool) {
	if r, ok := m.memory.results[m.pairKey(u, v)]; ok && m.fresh(r, since, now) {
		return r.Judgement, true
	}
	if r, ok := m.memory.results[m.pairKey(v, u)]; ok && r.Reason.Mutual() && m.fresh(r, since, now) {
		return r.Judgement, true
	}
	return trial.Judgement{}, false
}

func (m *Machine) fresh(r result, since, now int64) bool {
	term := m.o.RetryRefuted
	if r.Outcome == trial.Skip {
		term = m.o.RetryUndecided
	}
	return r.at >= since && now < r.at+term
}
