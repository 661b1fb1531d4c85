package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"
	"dustbuster/stream/prober"
)

// head is the head of all pages of a site.
type head struct {
	*row
	Tabs []choice
	Done string
	On   bool // rules are validated

	HoldShare float64 // as in Look
}

// This returns the site, for the buttons.
func (h head) This() *row { return h.row }

// ofSite makes a page of the site that is asked for.
func ofSite(tab, words string, data func(*request, head) any) maker {
	return func(r *request) (content, error) {
		h, err := r.head(tab)
		if err != nil {
			return content{}, err
		}
		return content{tab, words + title(h.Name), "", data(r, h)}, nil
	}
}

// head returns the head of the pages of the site that is asked for.
func (r *request) head(tab string) (head, error) {
	name := r.query.Get("site")
	site := r.seen.find(name)
	if site == nil {
		return head{}, r.unknown(name)
	}
	h := head{row: site, Done: acts[r.query.Get("done")].said, On: r.seen.Trials.On, HoldShare: r.seen.HoldShare}
	tested := 0
	if h.Trials != nil {
		for _, n := range h.Trials.States {
			tested += n
		}
	}
	numbered := func(text string, n int) string { return text + " (" + page.Number(n) + ")" }
	for _, t := range []choice{{Text: "Now", URL: "site"}, {Text: numbered("Published", h.Valid), URL: "rules"}, {Text: "Changes", URL: "history"}, {Text: numbered("Tested", tested), URL: "verdicts"}, {Text: numbered("Suggested", site.Likely), URL: "likely"}, {Text: "Export", URL: "export"}} {
		h.Tabs = append(h.Tabs, choice{t.Text, t.URL + "?" + url.Values{"site": {name}}.Encode(), t.URL == tab})
	}
	return h, nil
}

// unknown returns the error of a site without data here.
func (r *request) unknown(name string) error {
	if owner, elsewhere := r.d.daemon.Elsewhere(r.ctx, name); elsewhere {
		where := "it is not known which"
		if owner.Member != "" {
			where = fmt.Sprintf("%s at %s", page.Visible(owner.Member), page.Visible(owner.Host))
		}
		return &failure{http.StatusMisdirectedRequest, "Another member of the group has this site: " + where + "."}
	}
	return &failure{http.StatusNotFound, "No request for this site has been seen."}
}

type siteData struct {
	head
	Live       string // what the published rules cover; "" if none is published
	Saved      *page.Saved
	Counted    bool       // the waste is known, and of now
	Days       *page.Days // the waste by day; nil: robots came on fewer than two days
	Trend      string     // "" if there is none
	Course     *courseData
	Coverage   *page.Curve
	Detail     bool     // the site's machine gave an answer
	Now        *present // nil: a rule is on trial
	Wishes     *book.Wishes
	Whose      *prober.WhoseSite // nobody has said whose the site is; nil: it is ours
	Untested   []string          // the rules that were not tested, and what helps
	Outdated   []outdated        // files that are to be made anew
	Allowable  []string          // parameters that may be allowed
	Vetoed     []decided
	Pinned     []decided
	NextLevel  int64 // 0: not before the end of Now
	StateTable []state
}

type (
	present struct {
		Idle  bool // nothing is tested
		Words string
		Until int64    // 0: unknown, or for good
		Left  []string // rules that cannot be tested, by reason
	}
	outdated struct {
		Words string
		URL   string // of the page that has the new file
		File  string // for the button: see drop
	}
	decided struct {
		ID   string
		Rule *rule.Rule // nil: the rule is not known any more
	}
	state struct {
		State rule.State
		Count int
		URL   string
	}
)

// states are the states of rules that had a trial in the order of tables.
var states = []rule.State{rule.Valid, rule.Refuted, rule.Undecided, rule.Retired, rule.SentBack}

func site(r *request, h head) any {
	s := siteData{head: h, Counted: counted(h.Waste, h.Valid)}
	if h.Loop != nil {
		var live page.Live
		h.live(&live, waste.MostDays)
		s.Live, s.Saved = live.String(), live.Saved()
		days := slices.Collect(h.Loop.Curve.All())
		s.Days, s.Trend = page.NewDays(days), page.Trend(days)
	}
	if whose, known := r.seen.Trials.Whose[h.Name]; known && whose.Why == "" && !whose.Due {
		s.Whose = &whose
	}
	if t := h.Trials; t != nil {
		s.Wishes = t.Wishes
		s.Untested = page.Untested(t.NotTried, h.Name, &page.BySettings)
		s.Outdated = outdatedOf(h.Name, &t.Status)
		if t.NotTried != nil {
			for i := range t.NotTried.By {
				s.Allowable = append(s.Allowable, t.NotTried.By[i].Params...)
			}
		}
		if t.LevelAt > time.Now().Unix() {
			s.NextLevel = t.LevelAt
		}
		for _, of := range states {
			if n := t.States[of]; n > 0 {
				s.StateTable = append(s.StateTable, state{of, n, "verdicts?" + url.Values{"site": {h.Name}, "state": {string(of)}}.Encode()})
			}
		}
	}
	if now := r.seen.Trials.Now(h.Name); now.Why != lifecycle.Trying || h.Trial == nil {
		s.Now = presentOf(now)
		if s.NextLevel == now.Until {
			s.NextLevel = 0
		}
	}
	s.decided()
	if d, err := r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{}); err == nil {
		s.Detail, s.Course, s.Coverage = true, newCourse(d.Course), coverageCurve(d.Coverage)
	}
	return &s
}

// decided sets what operators have decided.
func (s *siteData) decided() {
	if s.Wishes == nil {
		return
	}
	for _, v := range s.Wishes.Vetoes {
		s.Vetoed = append(s.Vetoed, decided{rule.ID(s.Name, &v), &v})
	}
	for _, id := range s.Wishes.Pins {
		pinned := decided{ID: id}
		if r, known := s.Trials.Pinned[id]; known {
			pinned.Rule = &r
		}
		s.Pinned = append(s.Pinned, pinned)
	}
}

// presentOf says what becomes of a site's rules.
func presentOf(now lifecycle.Now) *present {
	p := &present{Idle: now.Why != lifecycle.Trying, Until: now.Until}
	for i := range now.Left {
		l := &now.Left[i]
		words := fmt.Sprintf("%s: %s, for example %s", page.Count(l.Rules, "rule"), l.Why.Words(), l.Example)
		if l.Needed > 0 {
			words += fmt.Sprintf(" (%s of %s)", page.Number(l.Number), page.Number(l.Needed))
		}
		p.Left = append(p.Left, words)
	}
	now.Left = nil
	p.Words = now.Words()
	return p
}

// outdatedOf returns the files of a site that are to be made anew.
func outdatedOf(site string, of *lifecycle.Status) (all []outdated) {
	files := prober.OutdatedOf(of)
	for i := range files {
		f := &files[i]
		o := outdated{f.Words(), exportAddress("export", site, f.Format, f.Redirect), f.Format}
		if f.Redirect {
			o.File += " redirect"
		}
		all = append(all, o)
	}
	return all
}

// title returns the name of a site for people.
func title(site string) string {
	if site == "" {
		return "Unnamed site"
	}
	return page.Cut(80, site)
}
