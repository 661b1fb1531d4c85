package loop

import (
	"dustbuster/stream/site"
)

// NewMemory returns a budget of so many bytes.
func NewMemory(bytes int64) *Memory { return &Memory{total: bytes, used: map[*Loop]int64{}} }

// room notes the bytes used by a loop, and returns how many it may use.
func (m *Memory) room(l *Loop, used int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used[l] = used
	room := m.total
	for other, used := range m.used {
		if other != l {
			room -= used
		}
	}
	return max(room, m.total/int64(len(m.used)))
}

// leave removes a closed loop.
func (m *Memory) leave(l *Loop) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.used, l)
}

// Close returns the loop's part of the memory. The loop must not be used any more.
func (l *Loop) Close() {
	if l.o.Memory != nil {
		l.o.Memory.leave(l)
	}
}

// curvesShare is the part of the memory, one in so many, for the days of waste of all sites: the machines have
// the rest. With as many sites as --max-sites lets by itself, 16 KiB each, a site keeps 130 days of 15 bytes.
const curvesShare = 8

// budget sets the memory limits of the machines, and of the days of waste.
func (l *Loop) budget() {
	if l.o.Memory != nil {
		room := l.o.Memory.room(l, l.used())
		l.curves.fit(room / curvesShare)
		l.sites.SetBudget(max(1, room-l.curves.bytes))
	}
}

// used returns the memory charged to the loop, in bytes.
func (l *Loop) used() int64 { return l.sites.Used() + l.curves.bytes }

// report reports what an operator must hear of, and no line does.
func (l *Loop) report() {
	l.reportShed()
	l.reportHidden()
	l.reportLate()
}

// reportShed reports shed URLs if the counts have grown.
func (l *Loop) reportShed() {
	s := Shed{Hits: l.status.Shed, Beyond: l.sites.Beyond(), Used: l.sites.Used()}
	if l.o.Memory != nil {
		s.Budget = l.o.Memory.total
	}
	for m := range l.sites.Held() {
		if n := m.CutURLs(); n > 0 {
			s.URLs, s.Sites = s.URLs+n, s.Sites+1
		}
	}
	more := s.URLs > l.told.shed.URLs || s.Hits > l.told.shed.Hits || s.Beyond > l.told.shed.Beyond
	if l.o.Shed != nil && more && l.told.sheds.take() {
		l.told.shed = s
		l.o.Shed(s)
	}
}

// reportHidden reports the withheld rules of all sites if the counts have changed. What was there
// at the start must have been folded.
func (l *Loop) reportHidden() {
	var all site.Withheld
	sites := 0
	for _, s := range l.known {
		if w := s.Withheld(); w.Sum() > 0 {
			all.Secret, all.OneClient, sites = all.Secret+w.Secret, all.OneClient+w.OneClient, sites+1
		}
	}
	if l.o.Hidden != nil && l.status.CaughtUp && sites > 0 && all != l.told.hidden && l.told.hides.take() {
		l.told.hidden = all
		l.o.Hidden(all, sites)
	}
}
