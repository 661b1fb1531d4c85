package prober

import (
	"time"

	"dustbuster/operators/report"
)

// Reports counts the reports of one site since the start.
type Reports struct {
	Different int    `json:"different"`       // the crawler saw different pages
	Alike     int    `json:"alike"`           // the crawler saw equal pages: nothing is tried
	Refused   int    `json:"refused"`         // too many waited
	Rules     string `json:"rules,omitempty"` // version of the rules named by the last report
}

// proposal is a pair of URLs that a crawler reported, as mined strings.
type proposal struct{ found, canonical string }

// reportWait is the longest wait of a report for the next window of an idle site.
const reportWait = 10 * time.Second

// mostReports is the number of reports of one site that wait until the site's machine has
// time.
const mostReports = 64

// ErrNoSite is the error of a site without rules.
var ErrNoSite = report.ErrNoSite

// Report takes in a report. The error is report.ErrNoSite, report.ErrFull, or a
// *report.FieldError. The pair is tried with the next window, soon. Waiting reports are not saved.
func (w *Worker) Report(r *report.Report) error {
	s := w.known(r.Site)
	if s == nil {
		return report.ErrNoSite
	}
	found, canonical, err := r.Mined(w.severalHosts(r.Site))
	if err != nil {
		return err
	}
	s.slots.Lock()
	defer s.slots.Unlock()
	switch s.heard.Rules = r.Rules; {
	case r.Alike():
		s.heard.Alike++
		return nil
	case len(s.reports) >= mostReports:
		s.heard.Refused++
		return report.ErrFull
	}
	s.heard.Different++
	s.reports = append(s.reports, proposal{found, canonical})
	return nil
}

// severalHosts reports whether the mined strings of a site begin with their host.
func (w *Worker) severalHosts(site string) bool {
	_, group := w.o.Lifecycle.Groups[site]
	return group || w.o.Lifecycle.ByDomain && site != ""
}

// propose passes the waiting reports to the machine, as many as the machine takes. The caller
// holds mu.
func (s *site) propose(now int64) {
	s.slots.Lock()
	waiting := s.reports
	s.reports = nil
	s.slots.Unlock()
	for i, p := range waiting {
		if !s.machine.Propose(p.found, p.canonical, now) {
			s.slots.Lock()
			s.reports = append(waiting[i:], s.reports...)
			s.slots.Unlock()
			return
		}
	}
}

// Reports returns the counts of the reports of each site that has had some, by site.
func (w *Worker) Reports() map[string]Reports {
	all := map[string]Reports{}
	for _, s := range w.all() {
		s.slots.Lock()
		if s.heard != (Reports{}) {
			all[s.name] = s.heard
		}
		s.slots.Unlock()
	}
	return all
}
