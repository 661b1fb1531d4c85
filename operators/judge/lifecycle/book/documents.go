package book

import (
	"dustbuster/operators/judge/trial"
)

// A pair whose documents were requested a short time ago costs no request: fetchers keep
// documents for a while. The memory therefore knows which documents were requested.

// DocumentsFor is the time, in seconds, for which a requested document counts as known. The
// default of fetchers is the same.
const DocumentsFor = Hour

// use counts the remembered pairs that requested a document.
type use struct {
	pairs int
	at    int64 // the last
}

// Document returns the hash by which the memory knows the document of a URL.
func (h *Hasher) Document(url string) uint64 { return h.Hash(url, 5) }

// Requested returns the hashes of the documents that a pair of URLs requested. The document of
// v is not requested if u has none, and neither is if v may not be.
func (h *Hasher) Requested(u, v string, s *trial.Seen) (hashes [2]uint64) {
	if s.Reason == trial.NotAllowed {
		return hashes
	}
	hashes[0] = h.Document(u)
	if s.Reason != trial.SourceFailed {
		hashes[1] = h.Document(v)
	}
	return hashes
}

// Has reports whether a document was requested a short time ago.
func (m *Memory) Has(document uint64, now int64) bool {
	m.unpack()
	d, known := m.Fetches[document]
	return known && d.at >= m.Since && now < d.at+DocumentsFor
}

// count counts a result that enters the memory, with 1, or leaves it, with -1.
func (m *Memory) count(r *Result, times int) {
	if r.Mixed {
		m.mixed += times
	}
	if r.Second != nil {
		m.Seconds += times
		if r.isUnsteady() {
			m.Unsteady += times
		}
	}
	for _, document := range r.URLs {
		if document == 0 {
			continue
		}
		d := m.Fetches[document]
		d.pairs, d.at = d.pairs+times, max(d.at, r.At)
		m.Fetches[document] = d
		if d.pairs == 0 {
			delete(m.Fetches, document)
		}
	}
}
