package loop

import "time"

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
