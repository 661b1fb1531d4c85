package loop

import (
	"slices"
	"time"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/learn"
)

// looks are the looks of learners at whole windows. A worker looks at one window at a time.
// A site is looked at again once its window has changed and Pace.Learn has passed.
type looks struct {
	worker *learn.Worker  // nil: no learner looks
	at     *miner.Machine // its window is being looked at; nil: no window is, or the site is gone
	busy   bool           // the worker has a window
	due    []*miner.Machine
	last   map[*miner.Machine]*look
	news   bool // some look's result is not listed yet
}

// look is the last look at a site's window.
type look struct {
	at      time.Time // when the look began
	changed bool      // the window has changed since
	rules   rule.Packed
	listed  rule.Packed  // with their weights
	notes   []notes.Note // what the log cannot tell
	waste   *waste.Told  // nil: not known
	seen    *notes.Seen  // nil: there are rules
	news    bool         // the result is not listed yet
}

// take takes the result.
func (k *look) take(f learn.Found) {
	k.rules, k.listed, k.notes, k.waste, k.seen, k.news = rule.Pack(f.Rules), rule.Pack(f.Listed), f.Notes, f.Waste, f.Seen, true
}

// startLooks starts the worker. The caller must call endLooks.
func (l *Loop) startLooks() {
	if l.o.Learn > 0 {
		l.looks.worker = learn.Start(learn.Options{Miner: l.o.Miner, MaxURLs: l.o.LookURLs})
	}
}

// endLooks gives up the look under way.
func (l *Loop) endLooks() {
	k := &l.looks
	if k.worker == nil {
		return
	}
	k.worker.Close()
	if last := k.last[k.at]; last != nil { // the next look begins at once
		last.at, last.changed = time.Time{}, true
	}
	if k.busy {
		l.o.Turn.Leave()
	}
	k.worker, k.at, k.busy, k.due = nil, nil, false, nil
}

// found returns the channel of the worker's results; nil without a worker.
func (k *looks) found() <-chan learn.Found {
	if k.worker == nil {
		return nil
	}
	return k.worker.Found()
}

// takeFound takes the result of a look. The next refinement lists the rules.
func (l *Loop) takeFound(f learn.Found) {
	k := &l.looks
	m := k.at
	k.at, k.busy = nil, false
	l.o.Turn.Leave()
	if last := k.last[m]; last != nil && f.OK {
		last.take(f)
		l.measure(m, f.Days)
		k.news = true
	}
	l.nextLook()
}

// beginLooks begins to look at the windows of the sites that are due.
func (l *Loop) beginLooks() {
	k := &l.looks
	if k.worker == nil || !l.live {
		return
	}
	if len(k.due) == 0 {
		l.findDue()
	}
	l.nextLook()
}

func (l *Loop) findDue() {
	k := &l.looks
	for m := range l.sites.All() {
		last := k.last[m]
		if last == nil {
			last = &look{changed: true}
			k.last[m] = last
		}
		if last.changed && time.Since(last.at) >= l.o.Learn {
			k.due = append(k.due, m)
		}
	}
}

// nextLook offers the worker the next window that is due, unless another loop's worker is
// looking.
func (l *Loop) nextLook() {
	k := &l.looks
	if k.busy || len(k.due) == 0 {
		return
	}
	m := k.due[0]
	if !m.Settle(slice) {
		l.lagging[m] = true // the next refinement begins the look
		return
	}
	if !l.o.Turn.Take() {
		return
	}
	k.due = k.due[1:]
	k.at, k.busy = m, true
	k.last[m].at, k.last[m].changed = time.Now(), false
	k.worker.Offer(l.window(m, m.Content()))
	m.Rest()
}

// window returns what is looked at of a site: m, or the content of m.
func (l *Loop) window(m, content *miner.Machine) learn.Window {
	w := learn.Window{Machine: content, Listed: l.online(m)}
	if p := l.shown[m.Site()]; p != nil {
		w.Valid = p.Records
	}
	return w
}

// online returns the listed rules of a site that no look has found.
func (l *Loop) online(m *miner.Machine) []rule.Likely {
	list := l.lists[m].Unpack()
	n := slices.IndexFunc(list, func(r rule.Likely) bool { return slices.Contains(l.o.Miner.Window, r.Learner) })
	if n < 0 {
		return list
	}
	return list[:n]
}

// has reports whether a look at a site has a result that is not listed yet.
func (k *looks) has(m *miner.Machine) bool { return k.last[m] != nil && k.last[m].news }

// noteChange notes that a site's window has changed.
func (k *looks) noteChange(m *miner.Machine) {
	if last := k.last[m]; last != nil {
		last.changed = true
	}
}

// forget drops a site.
func (k *looks) forget(m *miner.Machine) {
	delete(k.last, m)
	k.due = slices.DeleteFunc(k.due, func(d *miner.Machine) bool { return d == m })
	if k.at == m && k.worker != nil {
		k.at = nil
		k.worker.GiveUp()
	}
}

// Look looks at the windows of all sites at once and lists the rules, when Run has ended.
func (l *Loop) Look() {
	for m := range l.sites.All() {
		last, w, pages := &look{at: time.Now()}, l.window(m, m), m.Window().Pages()
		found, _ := l.o.Miner.Learn(m.Site(), pages, m.Days(), w.Listed, func() bool { return false })
		said := m.Notes()
		wasted, days := learn.Waste(&w, pages, found, said)
		last.take(learn.Found{Listed: w.Listed, Rules: found, Notes: said.Notes, Waste: wasted, Seen: learn.See(&w, pages, found, &l.o.Miner)})
		l.measure(m, days)
		l.looks.last[m] = last
		r := (&view{Machine: m.View(), changed: true, look: *last}).refine(&l.o)
		last.news = false
		l.setList(m, &r)
	}
	l.tellFigures()
}
