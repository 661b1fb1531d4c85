package miner

import (
	"dustbuster/operators/budget"
	"dustbuster/operators/table"
	"dustbuster/operators/urllist"
)

// held is the memory that the machine is charged for, in bytes: what its URLs cost,
// or what it takes if that is more; and for URLs that the indexes have not taken in
// yet, the most that they can add.
func (m *Machine) held() int64 {
	return max(budget.Site+m.table.Cost(), m.bytes()) + budget.Worst(m.unsettled())
}

// bytes is what the machine takes. O(panes).
func (m *Machine) bytes() int64 {
	n := m.urls.Bytes() + m.table.Bytes() + int64(cap(m.inside))
	for _, l := range m.learn {
		n += l.Bytes()
	}
	return n
}

// unsettled is how many tokens the URLs have that came since the indexes were last
// brought up to the table.
func (m *Machine) unsettled() int64 { return m.table.Tokens() - m.settled }

// sparse reports whether the machine has room for many more URLs than it holds, as
// after a busy pane has left the window.
func (m *Machine) sparse() bool { return 4*m.urls.Len() < 3*m.urls.Cap() }

// shed cuts the window down to URLs that take about so many bytes: those of smallest
// hash.
func (m *Machine) shed(to int64) {
	share := float64(to) / float64(m.held())
	before := m.table.Len()
	m.table.AddCut(m.table.CutTo(int64(share * float64(m.table.Cost()))))
	m.rebuild()
	m.cutURLs += before - m.table.Len()
}

// rebuild puts the table into arrays that have the size that it needs, without the
// URLs that have been cut, and makes the indexes anew. They go first: their memory
// is wanted for the new table.
func (m *Machine) rebuild() {
	m.learn, m.index, m.params, m.inside = nil, nil, nil, nil
	urls := urllist.New()
	m.table = m.table.Copy(urls)
	m.urls, m.settled = urls, 0
	m.learn = m.learners()
	m.settle()
}

// Cuts are the acts by which memory was kept within its budget: see table.Cut. Not to
// be changed.
func (m *Machine) Cuts() []table.Cut { return m.table.Cuts() }

// CutURLs is how many URLs they have taken out of the window so far.
func (m *Machine) CutURLs() int { return m.cutURLs }

// restore does what cuts say that were made before, here or by another owner.
func (m *Machine) restore(cuts []table.Cut) {
	news := false
	for _, c := range cuts {
		news = m.table.AddCut(c) || news
	}
	if news && m.urls.Len() > 0 {
		m.rebuild()
	}
}
