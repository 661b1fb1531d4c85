package lifecycle

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
)

// postedText is a posted page that is alike only to a page of the same text; "" is gone.
type postedText string

func (p postedText) Gone() bool                  { return p == "" }
func (p postedText) Alike(other PostedPage) bool { return p == other }

// post posts pages of the town as they are.
func (w *town) post(m *Machine, urls ...string) {
	for _, u := range urls {
		m.Post(u, postedText(w.Text[u]))
	}
}

// Posted pages of one form that differ have the pair tried: a wrong rule is given two exceptions
// and then retired, as by reports. Pages that are alike cost no request.
func TestPostedPagesRetireWrongRule(t *testing.T) {
	w, m, now := ruled(t, 150, madeup.Options())
	for i := range 100 {
		w.post(m, fmt.Sprintf("/b/p%d.html", i), fmt.Sprintf("/a/p%d.html", i), fmt.Sprintf("/c/q%d.html", i))
	}
	now = w.live(m, now+1, func(test Look) { t.Errorf("alike, and tried: %+v", test) })
	w.change("/b/")
	reports := 0
	for i, page := range []string{"3", "9", "27"} {
		w.post(m, "/b/p"+page+".html")
		now = w.live(m, now+1, func(test Look) {
			if test.Purpose == Report {
				reports++
			}
		})
		if i == 0 && (m.formOf("/b/p3.html") != "/b/p3.html" || m.formOf("/b/p30.html") != "/a/p30.html") {
			t.Errorf("forms are %s and %s", m.formOf("/b/p3.html"), m.formOf("/b/p30.html"))
		}
	}
	if got := m.Status().Named; m.formOf("/b/p30.html") != "/b/p30.html" || got.Wrong != 3 || got.SentBack != 1 || reports != 6 {
		t.Errorf("%d looks, %+v", reports, got)
	}
	if got := m.Status().Posted; got != (Posted{Kept: 300, Proposed: 3}) {
		t.Errorf("%+v", got)
	}
}

// Posted pages that lie cost a bounded number of requests, and change nothing.
func TestPostedLies(t *testing.T) {
	w, m, now := ruled(t, 100, madeup.Options())
	m.Acts()
	before := len(m.Published().Records)
	lie := func() {
		for i := range 100 {
			m.Post(fmt.Sprintf("/b/p%d.html", i), postedText(fmt.Sprint("a lie ", i)))
			m.Post(fmt.Sprintf("/a/p%d.html", i), postedText("another lie"))
		}
	}
	looks := 0
	for range 5 {
		lie()
		w.live(m, now+1, func(test Look) {
			if looks++; test.Purpose != Report {
				t.Errorf("%+v", test)
			}
		})
	}
	if acts := m.Acts(); looks != postedTried || len(acts) > 0 || len(m.Published().Records) != before {
		t.Errorf("%d looks, acts %+v", looks, acts)
	}
	if answer, err := m.Propose("/b/p99.html", "", "", false, now+2); answer != report.Taken || err != nil {
		t.Error("lies leave no room for a report")
	}
	looks = 0
	w.live(m, now+3, func(Look) { looks++ })
	if looks != 1 {
		t.Errorf("%d looks for a report after the lies", looks)
	}
}

// A page is proposed once, not each time that it is posted.
func TestPostedAgain(t *testing.T) {
	w, m, now := ruled(t, 40, madeup.Options())
	looks := 0
	for hours := range int64(5) {
		m.Post("/a/p3.html", postedText("a page"))
		m.Post("/b/p3.html", postedText("another"))
		now = w.live(m, now+hours*book.Hour, func(Look) { looks++ })
	}
	if looks != 1 {
		t.Errorf("%d looks", looks)
	}
}

// A page that is gone differs from one that is there, and two such pages tell nothing about each
// other. No URL is proposed that is gone itself.
func TestPostedGone(t *testing.T) {
	w, m, now := ruled(t, 40, madeup.Options())
	var tried []string
	see := func(test Look) { tried = append(tried, test.U+" "+test.V) }
	m.Post("/b/p1.html", postedText(""))
	m.Post("/a/p1.html", postedText(""))
	m.Post("/b/p2.html", postedText(""))
	m.Post("/a/p2.html", postedText("a page"))
	now = w.live(m, now+1, see)
	if len(tried) != 0 {
		t.Errorf("tried %q", tried)
	}
	m.Post("/a/p3.html", postedText(""))
	m.Post("/b/p3.html", postedText("a page"))
	w.live(m, now+1, see)
	if len(tried) != 1 || tried[0] != "/b/p3.html /a/p3.html" {
		t.Errorf("tried %q", tried)
	}
}

// URLs that look like secrets are never fetched, whoever posts them.
func TestPostedSecrets(t *testing.T) {
	w, m, now := ruled(t, 40, madeup.Options())
	m.Post("/a/p3.html?token=5f4dcc3b5aa765d61d8327deb882cf99aa55", postedText("a page"))
	m.Post("/b/p3.html?token=5f4dcc3b5aa765d61d8327deb882cf99aa55", postedText("another"))
	w.live(m, now+1, func(test Look) { t.Errorf("%+v", test) })
}

// Posted pages are bounded, and can be forgotten.
func TestPostedAreBounded(t *testing.T) {
	w, m, now := ruled(t, 40, madeup.Options())
	for i := range 3 * mostPosted {
		m.Post(fmt.Sprintf("/a/new%d.html", i), postedText("one"))
		m.Post(fmt.Sprintf("/b/new%d.html", i), postedText(fmt.Sprint(i)))
		if i == 7 {
			w.live(m, now+1, nil)
		}
	}
	s := &m.posted
	if s.pages.Len() != mostPosted || len(s.of) > mostPosted || len(s.suspects) > mostPosted {
		t.Errorf("%d pages, %d forms, %d suspects", s.pages.Len(), len(s.of), len(s.suspects))
	}
	m.ForgetPosted()
	if got := m.Status().Posted; got.Kept != 0 || s.pages != nil || s.view != nil {
		t.Errorf("%+v", got)
	}
	m.Post("/a/p1.html", postedText("one"))
	w.live(m, now+2, nil)
}

// The posted pairs of candidates: alike for a rule that holds, and different for one that does not.
// The pages change the order of the trials, and no verdict.
func TestPostedPairsOfCandidates(t *testing.T) {
	w := newTown(60)
	m, other := w.machine(madeup.Options()), w.machine(madeup.Options())
	m.derive(1)
	sid, sort := rule.Rule{Kind: rule.Drop, Param: "sid"}, rule.Rule{Kind: rule.Drop, Param: "sort"}
	for i := range 20 {
		w.post(m, fmt.Sprintf("/list/%d", i), fmt.Sprintf("/list/%d?sid=%d0", i, i), fmt.Sprintf("/list/%d?sort=up", i))
	}
	c := m.chooser(1)
	for _, want := range []struct {
		r             rule.Rule
		alike, differ int
		more          bool
	}{{sid, 20, 0, true}, {sort, 0, 20, false}} {
		n := book.Candidate{ID: rule.ID("town", &want.r), Rule: want.r, Support: 60}
		if alike, differ := c.postedPairs(&n); alike != want.alike || differ != want.differ {
			t.Errorf("%s: %d pairs are alike and %d differ", want.r.Words(), alike, differ)
		}
		if with, without := c.chances()(&n), c.Book.Chances().Of(&n); with > without != want.more || with <= 0 || with >= 1 {
			t.Errorf("%s: chance %v with posted pages, %v without", want.r.Words(), with, without)
		}
	}
	w.live(m, 1, nil)
	w.live(other, 1, nil)
	verdicts := func(m *Machine) map[string]rule.State {
		states := map[string]rule.State{}
		for id, e := range m.book.Entries {
			states[id] = e.State
		}
		return states
	}
	for id, state := range verdicts(other) {
		if got, tried := verdicts(m)[id]; tried && got != state && (state == rule.Valid || got == rule.Valid) {
			t.Errorf("%s: %s with posted pages, %s without", id, got, state)
		}
	}
	if m.formOf("/list/7?sort=up") != "/list/7?sort=up" || m.formOf("/list/7?sid=71") != "/list/7" {
		t.Errorf("forms are %s and %s", m.formOf("/list/7?sort=up"), m.formOf("/list/7?sid=71"))
	}
}

// However many posted pages lie, every candidate is tried at last.
func TestPostedLiesPreventNoTrial(t *testing.T) {
	w := newTown(400)
	m := w.machine(madeup.Options())
	for i := range 400 {
		m.Post(fmt.Sprintf("/b/p%d.html", i), postedText(fmt.Sprint("a lie ", i)))
		m.Post(fmt.Sprintf("/a/p%d.html", i), postedText(fmt.Sprint("another ", i)))
	}
	if w.live(m, 1, nil); m.formOf("/b/p3.html") != "/a/p3.html" {
		t.Errorf("the form is %s", m.formOf("/b/p3.html"))
	}
}
