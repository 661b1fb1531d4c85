package lifecycle

import (
	"math"

	"dustbuster/operators/judge/trial"
)

// A pair whose documents were requested a short time ago costs no request: fetchers keep
// documents for a while. The memory therefore knows which documents were requested.

// documentsFor is the time, in seconds, for which a requested document counts as known. The
// default of fetchers is the same.
const documentsFor = hour

// use holds the requests for one document by the pairs in the memory.
type use struct {
	pairs int
	at    int64 // the last
}

// document returns the hash by which the memory knows the document of a URL.
func (h *hasher) document(url string) uint64 { return h.hash(url, 5) }

// requested returns the hashes of the documents that a pair of URLs requested. The document of
// v is not requested if u has none.
func (h *hasher) requested(u, v string, s *trial.Seen) (hashes [2]uint64) {
	hashes[0] = h.document(u)
	if s.Reason != trial.SourceFailed {
		hashes[1] = h.document(v)
	}
	return hashes
}

// costOf returns the number of documents requested for the test: those that were not requested a
// short time ago.
func (t *Test) costOf(m *memory, s *trial.Seen, now int64) (n int) {
	asked := m.keys.requested(t.U, t.V, s)
	for side, document := range asked {
		again := t.Fresh && (!t.OnlyV || side > 0)
		if document != 0 && (side == 0 || document != asked[0]) && (again || !m.has(document, now)) {
			n++
		}
	}
	return n
}

// has reports whether a document was requested a short time ago.
func (m *memory) has(document uint64, now int64) bool {
	d, known := m.fetches[document]
	return known && d.at >= m.since && now < d.at+documentsFor
}

// count counts a result that enters the memory, with 1, or leaves the memory, with -1.
func (m *memory) count(r *result, times int) {
	if r.Mixed {
		m.mixed += times
	}
	if r.Second != nil {
		m.seconds += times
		if r.isUnsteady() {
			m.unsteady += times
		}
	}
	for _, document := range r.URLs {
		if document == 0 {
			continue
		}
		d := m.fetches[document]
		d.pairs, d.at = d.pairs+times, max(d.at, r.at)
		m.fetches[document] = d
		if d.pairs == 0 {
			delete(m.fetches, document)
		}
	}
}

// isUnsteady reports whether the second look at a pair shows something else than the first.
func (r *result) isUnsteady() bool {
	first, second := r.Compared, r.Second.Compared
	if first == nil || second == nil {
		return first != second || r.Judgement != r.Second.Judgement
	}
	return r.Self < 1-margin || math.Abs(first.Alike-second.Alike) > margin
}

// isSteady reports whether second looks at the site's pages have confirmed first looks: at
// least confirmedNegatives did, and at most one look in unsteadyShare did not.
func (m *memory) isSteady() bool {
	return m.seconds-m.unsteady >= confirmedNegatives && unsteadyShare*m.unsteady <= m.seconds
}

const unsteadyShare = 20
