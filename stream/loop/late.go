package loop

import "time"

// Late is a site most of whose newest hits are older than its window.
type Late struct {
	Site   string
	Hits   int       // of the newest 64, how many are late
	Newest time.Time // start of the newest pane
}

// lateSites returns the sites most of whose newest hits are late, in the order of their names.
func (l *Loop) lateSites() (all []Late) {
	for m := range l.sites.Held() {
		if s := l.of(m); s.Late() > 0 {
			all = append(all, Late{m.Site(), s.Late(), time.Unix(s.Pane(), 0).UTC()})
		}
	}
	return all
}

// reportLate reports late sites, at once when there is the first, and then once an hour.
func (l *Loop) reportLate() {
	if sites := l.lateSites(); len(sites) > 0 && l.o.Late != nil && l.told.late.take() {
		l.o.Late(sites)
	}
}
