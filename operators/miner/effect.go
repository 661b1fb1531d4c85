package miner

import (
	"dustbuster/operators/evidence"
	"dustbuster/operators/rule"
)

// Effect is the effect of a rule on the URLs of the window.
type Effect struct {
	URLs int // URLs that the rule merges into another form of their pages

	// The following are a tally, and no fold: hits seen twice count twice. They are 0 without
	// Options.Tally.
	Hits   int64 // on these URLs
	Bytes  int64 // sent for these URLs
	Stayed int64 // hits on the listed URLs into which the URLs are merged
}

// tally counts the hits of a URL.
type tally struct{ hits, bytes int64 }

// count counts the observation that the table has just taken in as one hit.
func (m *Machine) count(o *evidence.Observation) {
	id := m.table.Last()
	for int(id) >= len(m.tally) {
		m.tally = append(m.tally, tally{})
	}
	m.tally[id].hits++
	m.tally[id].bytes += max(o.Max, 0)
}

// hits returns the tally of a URL.
func (m *Machine) hits(id uint32) tally {
	if int(id) < len(m.tally) {
		return m.tally[id]
	}
	return tally{}
}

// forget clears the tally of a URL that is about to leave.
func (m *Machine) forget(id uint32) {
	if int(id) < len(m.tally) {
		m.tally[id] = tally{}
	}
}

// Effect returns the effect of a rule on the window. O(bytes of all URLs).
func (m *Machine) Effect(r *rule.Rule) (e Effect) {
	m.settle()
	forms := map[string]tally{} // of unlisted forms: the greatest tally so far, which stays
	into := map[uint32]bool{}
	for id := range m.urls.All() {
		form, changed := r.Apply(m.other[:0], m.urls.Text(id))
		if !changed {
			continue
		}
		m.other = form
		merged := m.hits(id)
		if to, listed := m.urls.Lookup(form); listed {
			into[to] = true
		} else if stays, seen := forms[string(form)]; !seen {
			forms[string(form)] = merged
			continue
		} else if merged.hits > stays.hits {
			forms[string(form)] = merged
			merged = stays
		}
		e.URLs++
		e.Hits += merged.hits
		e.Bytes += merged.bytes
	}
	for to := range into {
		e.Stayed += m.hits(to).hits
	}
	return e
}
