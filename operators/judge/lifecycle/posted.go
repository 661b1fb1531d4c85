package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// A crawler may post pages that it fetched anyway. Posted pages cost no fetch and decide nothing,
// because a crawler may be wrong about them, or lie. Two posted pages of one form that differ propose
// a pair for a trial, like a report. The posted pairs of a candidate decide, together with the log,
// when it is tried: see chooser.chances.

// PostedPage is a page as a crawler saw it.
type PostedPage interface {
	Gone() bool                  // reports whether the URL had no page
	Alike(other PostedPage) bool // reports whether two pages that are not gone show the same
}

// Bounds of posted pages. Half of the named pairs stay free for reports.
const (
	mostPosted    = 1024 // pages of a site; the pages posted first are forgotten first
	postedWaiting = mostNamed / 2
	postedTried   = namedEachHour / 2 // pairs proposed in an hour
)

// Posted counts the pages that were posted to a machine.
type Posted struct {
	Kept     int `json:"kept"`
	Proposed int `json:"proposed"` // URLs whose page differs from another of their form, since the machine was made
}

// posted holds the pages. They are never saved.
type posted struct {
	pages    *lru.LRU[string, *postedPage] // by URL; nil before the first page
	view     *forms.View                   // that gave the pages their forms; may be nil
	of       map[string]*postedPage        // by form: the page that stands for the form
	suspects []string                      // URLs to be proposed
	hour     int64                         // start of the hour in which begun pairs were proposed
	begun    int
	proposed int
}

type postedPage struct {
	PostedPage
	url      string
	form     string
	proposed string // form of which the page was proposed not to be
}

// differs reports whether two URLs of one form had different pages. Pages that are gone tell
// nothing about each other.
func (p *postedPage) differs(q *postedPage) bool {
	return p.Gone() != q.Gone() || !p.Gone() && !p.Alike(q.PostedPage)
}

// add takes in a page, in place of an older page of the URL.
func (s *posted) add(url string, page PostedPage) {
	if s.pages == nil {
		pages, err := lru.NewLRU(mostPosted, s.evicted)
		if err != nil {
			panic(err) // its size is positive
		}
		s.pages = pages
	}
	p := &postedPage{PostedPage: page, url: url}
	if was, known := s.pages.Get(url); known && !was.differs(p) {
		p.proposed = was.proposed
	}
	s.pages.Remove(url)
	s.pages.Add(url, p)
	if s.view != nil {
		s.match(p)
	}
}

func (s *posted) evicted(_ string, p *postedPage) {
	if s.of[p.form] == p {
		delete(s.of, p.form)
	}
}

// forget drops all pages.
func (s *posted) forget() { *s = posted{hour: s.hour, begun: s.begun, proposed: s.proposed} }

// arrange gives all pages their forms under a view, if it is new. O(bytes of the URLs).
func (s *posted) arrange(w *forms.View) {
	if s.view == w || s.pages == nil {
		return
	}
	s.view, s.of = w, map[string]*postedPage{}
	for _, p := range s.pages.Values() {
		s.match(p)
	}
}

// match gives a page its form, and compares it with the page that stands for that form: the form's
// own, or the one posted first.
func (s *posted) match(p *postedPage) {
	form, _ := s.view.Canonizer.Canon(nil, []byte(p.url))
	p.form = string(form)
	stands := s.of[p.form]
	if stands == nil || p.url == p.form {
		s.of[p.form] = p
	}
	if stands == nil || !p.differs(stands) {
		return
	}
	for _, q := range [...]*postedPage{p, stands} {
		if q.url != q.form && q.proposed != q.form && !q.Gone() && len(s.suspects) < mostPosted {
			q.proposed = q.form
			s.suspects = append(s.suspects, q.url)
		}
	}
}

// mayPropose reports whether a pair is suspected, and may be tried within the hour.
func (s *posted) mayPropose(now int64) bool {
	return len(s.suspects) > 0 && (s.begun < postedTried || now >= s.hour+book.Hour)
}

// propose names suspected pairs, as many as may be tried.
func (s *posted) propose(n *named, now int64) {
	if now >= s.hour+book.Hour {
		s.hour, s.begun = now, 0
	}
	for s.mayPropose(now) && len(n.waiting) < postedWaiting {
		n.add(namedPair{url: s.suspects[0], at: now})
		s.suspects = s.suspects[1:]
		s.begun++
		s.proposed++
	}
}

func (s *posted) status() Posted {
	if s.pages == nil {
		return Posted{Proposed: s.proposed}
	}
	return Posted{s.pages.Len(), s.proposed}
}

// postedPairs returns the numbers of a candidate's pairs whose two pages were posted: of those that are
// alike, and of those that differ. O(forms that the rule may change).
func (c *chooser) postedPairs(n *book.Candidate) (alike, differ int) {
	if len(c.posted.of) < 2 || c.Options.Off.Posted {
		return 0, 0
	}
	among, _ := c.View.Index.MayChange(&n.Rule)
	m := forms.Mover{F: c.View.Forms, R: &n.Rule}
	for form := range among {
		u := c.posted.of[c.View.Forms.Texts[form]]
		if u == nil || u.Gone() {
			continue
		}
		move, changed, settled := m.Move(form)
		if v := c.posted.of[move.To]; !changed || !settled || v == nil {
			continue
		} else if u.differs(v) {
			differ++
		} else {
			alike++
		}
	}
	return alike, differ
}
