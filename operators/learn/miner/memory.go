package miner

import (
	"unsafe"

	"dustbuster/operators/window/budget"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
)

// held returns the memory charged to the machine, in bytes: the cost of its URLs, or the
// memory really used if larger; plus, for URLs that are not in the indexes yet, the most
// that such URLs can add. A small machine that rests is charged what it uses, since it soon rests again.
func (m *Machine) held() int64 {
	if !m.awake && m.small() {
		return budget.Site + m.bytes()
	}
	return max(budget.Site+m.table.Cost(), m.bytes()) + budget.Worst(m.unsettled())
}

// bytes returns the memory used by the machine. O(panes).
func (m *Machine) bytes() int64 {
	n := m.urls.Bytes() + m.table.Bytes() + int64(cap(m.inside)) + int64(cap(m.tally))*int64(unsafe.Sizeof(tally{})) + m.visits.bytes()
	for _, l := range m.learn {
		n += l.Bytes()
	}
	return n
}

// unsettled returns the number of tokens of the URLs that arrived since the last update of
// the indexes.
func (m *Machine) unsettled() int64 { return m.table.Tokens() - m.settled }

// sparse reports whether the machine has room for many more URLs than it holds, as after a
// busy pane has left the window.
func (m *Machine) sparse() bool { return 4*m.urls.Len() < 3*m.urls.Cap() }

// shed cuts the window down to the first URLs in the order of shedding that take about the given number
// of bytes.
func (m *Machine) shed(to int64) {
	share := float64(to) / float64(m.held())
	before := m.table.Len()
	m.table.AddCut(m.table.CutTo(int64(share * float64(m.table.Cost()))))
	m.rebuild()
	m.cutURLs += before - m.table.Len()
}

// batchShare bounds the memory of a batch of pairs: for templates of eleven or thirteen pages of one size it is
// up to twelve times the cost of the URLs.
const batchShare = 16

// fit cuts the window of a finished machine by halves until the batch of its pairs fits into the budget, which
// has the cost of ordinary URLs. The pairs are kept for Rules. A machine that is small for the budget fits.
func (m *Machine) fit() {
	if !m.o.Finished || m.o.NoEnvelope || m.table.Cost() <= m.room/batchShare || m.room == 0 {
		return
	}
	for m.settlePages(m.pages()); m.urls.Len() > 1 && !m.learn[0].(*wholePairs).hold(max(1, m.room-m.bytes())); {
		m.shed(m.held() / 2)
	}
}

// rebuild copies the table into arrays of the exact size, without the cut URLs, and builds
// the indexes again. The old indexes are released first, since their memory is needed for
// the new table.
func (m *Machine) rebuild() {
	m.learn, m.index, m.params, m.inside, m.awake, m.woken = nil, nil, nil, nil, false, 0
	urls, tallies, visited := urllist.New(), m.tally, m.visits
	m.tally, m.visits = nil, visits{}
	m.table = m.table.Copy(urls, func(from, to uint32) {
		if m.o.Tally {
			*m.tallyOf(to) = tallies.of(from)
			m.visits.join(to, &visited, from)
		}
	})
	m.urls, m.settled = urls, 0
	m.settle()
}

// Cuts returns the acts that kept the memory within the budget: see table.Cut. Callers must
// not modify the result.
func (m *Machine) Cuts() []table.Cut { return m.table.Cuts() }

// CutURLs returns the number of URLs taken out of the window by cuts so far.
func (m *Machine) CutURLs() int { return m.cutURLs }

// restore repeats cuts made earlier, here or by another owner.
func (m *Machine) restore(cuts []table.Cut) {
	news := false
	for _, c := range cuts {
		news = m.table.AddCut(c) || news
	}
	if news && m.urls.Len() > 0 {
		m.rebuild()
	}
}
