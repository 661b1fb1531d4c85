package prober

import (
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/rule/report"
)

// Pages counts the pages of one site that crawlers posted, since the start.
type Pages struct {
	Taken   int `json:"taken"`
	Ignored int `json:"ignored"`       // with a status that tells nothing about the URL
	Unasked int `json:"not_asked_for"` // of URLs that are neither in the log nor public
}

// mostPosting is the number of sites whose posted pages are kept: the sites posted to last.
const mostPosting = 16

// nearTau is the error allowed to the sketches of posted pages. Pages that may be alike count as
// alike: a pair that is proposed costs requests.
const nearTau = 0.05

// postedPage is a page as lifecycle compares it.
type postedPage struct {
	sketch *sketch.Sketch // nil: the URL had no page
	least  float64        // resemblance of pages that are alike
}

func (p postedPage) Gone() bool { return p.sketch == nil }

func (p postedPage) Alike(other lifecycle.PostedPage) bool {
	q, ok := other.(postedPage)
	return ok && sketch.Resemblance(p.sketch, q.sketch) >= p.least
}

// Page takes in a page that a crawler fetched anyway: see lifecycle.Machine.Post. A pair that it proposes is
// tried with the next window, soon. The error is
// report.ErrNoSite or a *report.FieldError. A sketch of the page is kept, in memory only.
func (w *Worker) Page(p *report.Page) (report.Answer, error) {
	s := w.known(p.Site)
	if s == nil {
		return report.NotTaken, report.ErrNoSite
	}
	url, err := p.Mined(w.severalHosts(p.Site))
	if err != nil {
		return report.NotTaken, err
	}
	page := postedPage{least: w.o.Lifecycle.Tau - nearTau}
	switch p.Kind() {
	case report.Nothing:
		s.locked(func() { s.pages.Ignored++ })
		return report.Alike, nil
	case report.Shown:
		page.sketch = w.sketchOf(p)
	}
	w.mu.Lock()
	w.posting.Add(s.name, s)
	w.mu.Unlock()
	s.mu.Lock()
	s.forgetPosted()
	answer := s.machine.Post(url, page)
	named := s.machine.Suspects(time.Now().Unix())
	s.mu.Unlock()
	s.locked(func() {
		s.named = s.named || named
		if answer == report.Taken {
			s.pages.Taken++
		} else {
			s.pages.Unasked++
		}
	})
	return answer, nil
}

// sketchOf returns the sketch of a page. Sketches are made one at a time, so that posted pages take
// no more than one processor.
func (w *Worker) sketchOf(p *report.Page) *sketch.Sketch {
	w.sketching.Lock()
	defer w.sketching.Unlock()
	made := sketch.Of(p.ContentType, p.Body)
	return &made
}

// forgetPosted drops the posted pages if other sites have taken their place. The caller holds mu.
func (s *site) forgetPosted() {
	if s.forgets.Swap(false) {
		s.machine.ForgetPosted()
	}
}
