package prober

import (
	"context"
	"time"

	"dustbuster/operators/rule/report"
)

// reportWait is the longest wait of a report for the next window of an idle site.
const reportWait = 10 * time.Second

// Report takes in a report. The error is report.ErrNoSite, report.ErrFull, report.ErrBusy, or a
// *report.FieldError. A pair that is taken is tried with the next window, soon. Waiting reports are
// not saved.
func (w *Worker) Report(r *report.Report) (report.Answer, error) {
	s := w.known(r.Site)
	if s == nil {
		return report.NotTaken, report.ErrNoSite
	}
	found, canonical, err := r.Mined(w.severalHosts(r.Site))
	if err != nil {
		return report.NotTaken, err
	}
	answer, now := report.Alike, time.Now().Unix()
	busy := s.ask(context.Background(), func() {
		if !r.Alike() {
			changed := s.measured.differ(found, r.SHA256[0]) || s.measured.differ(canonical, r.SHA256[1])
			answer, err = s.machine.Reports.Propose(found, canonical, r.By(), changed, now)
		}
		s.now.heard.count(answer, err)
		s.now.heard.Rules = r.Rules
		s.now.named = s.now.named || answer == report.Taken
	})
	if busy != nil {
		return report.NotTaken, busy
	}
	return answer, err
}

// severalHosts reports whether the mined strings of a site begin with their host.
func (w *Worker) severalHosts(site string) bool {
	_, group := w.o.Lifecycle.Groups[site]
	return group || w.o.Lifecycle.ByDomain && site != ""
}
