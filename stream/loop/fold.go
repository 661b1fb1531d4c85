package loop

import (
	"time"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/records"
	"dustbuster/stream/site"
)

// ClockSkew returns how far a line may be ahead of the clock: an hour, and at most an eighth of the
// window, since a line from a wrong clock moves the window on by as much. A window of 0 has no end.
func ClockSkew(window time.Duration) time.Duration {
	if window <= 0 {
		return time.Hour
	}
	return min(time.Hour, window/8)
}

// fold takes in a batch.
func (l *Loop) fold(b *records.Batch) {
	l.status.Counts.Add(&b.Counts)
	l.budget()
	for _, site := range b.Silent {
		l.unload(site)
	}
	l.forgot.note(b.Forgotten)
	latest := int64(0)
	if l.o.MaxClockSkew > 0 {
		latest = l.o.Now().Add(l.o.MaxClockSkew).Unix()
	}
	for i := range b.Records {
		r := &b.Records[i]
		if latest > 0 && r.Time > latest {
			l.status.Ahead++
			continue
		}
		l.foldOne(r.Site, &r.Observation)
	}
	l.noteCuts()
	if b.End > 0 { // else a line goes on in the next batch
		l.in.ends[b.File] = b.End
		l.o.Folded(b.File, b.End)
	}
	l.in.folded += b.Bytes
	l.save.due = true
	b.Release()
}

func (l *Loop) foldOne(name string, o *evidence.Observation) {
	m, outcome := l.sites.Fold(name, o)
	switch outcome {
	case table.Late:
		l.status.Late++
	case table.Shed, table.KeptInstead: // the other URL had at least one hit
		l.status.Shed++
	}
	s := l.of(m)
	s.Took(outcome)
	if n := m.Unsettled(); n > 0 {
		if l.changed.add(s); n > lagBefore {
			l.lagging.add(s)
		}
	}
	for _, m := range l.sites.Pruned() {
		l.drop(m)
	}
}

// of returns the site of a window.
func (l *Loop) of(m *miner.Machine) *site.Site {
	if l.last != nil && l.last.Machine == m {
		return l.last
	}
	s := l.known[m]
	if s == nil {
		s = site.New(m, &l.each)
		l.known[m] = s
	}
	l.last = s
	return s
}

// unload drops a site's table without an event. Readers keep the site's rules.
func (l *Loop) unload(name string) {
	if m := l.sites.Remove(name); m != nil {
		l.drop(m)
	}
}

// drop removes the state of a machine that has ended.
func (l *Loop) drop(m *miner.Machine) {
	s := l.of(m)
	l.last = nil
	delete(l.known, m)
	delete(l.cuts.cut, m)
	l.changed.remove(s)
	l.lagging.remove(s)
	l.asks.forget(m)
	l.refining.forget(s)
	l.looks.forget(s)
	l.events.readers.Forget(m.Site())
	l.curves.forget(m.Site())
}

// noteCuts notes the machines whose windows have been cut.
func (l *Loop) noteCuts() {
	for _, m := range l.sites.TakeCut() {
		l.cuts.cut[m] = true
		l.of(m).Touch()
	}
}
