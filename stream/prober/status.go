package prober

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/metric"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/fetch"
)

// Status describes the trials of a program. Maps are by site. The zero Status is the status
// of a program that tries no rules.
type Status struct {
	On        bool
	Sites     map[string]SiteStatus
	Published map[string]*book.Publication
	Pending   map[string]lifecycle.PendingUpdate
	Reports   map[string]Reports
	Verdicts  map[Verdict]int // since the start
	Waiting   Waiting
	Whose     map[string]WhoseSite

	canTry func(site string) bool // nil: without workers
	queued map[string]bool        // sites that wait for a turn
}

// SiteStatus describes the trials of a site.
type SiteStatus struct {
	lifecycle.Status
	Left int  // requests that may be made within the hour; math.MaxInt: without limit
	Wait Wait // zero: the site does not wait
}

// StatusOf returns the status of the trials of some workers. Published and verdicts are as
// in Status.
func StatusOf(workers []*Worker, published map[string]*book.Publication, verdicts *Verdicts) Status {
	s := Status{On: true, Published: published, Pending: map[string]lifecycle.PendingUpdate{}, Reports: map[string]Reports{}, Verdicts: verdicts.counts(), queued: map[string]bool{}, Whose: map[string]WhoseSite{}}
	var sites []*site
	for _, w := range workers {
		sites = append(sites, w.all()...)
		s.Waiting = w.o.Turns.Waiting() // all workers have the same
		s.canTry = w.CanTry             // the configuration decides, so all workers do alike
	}
	s.Sites = make(map[string]SiteStatus, len(sites))
	for _, site := range sites {
		s.add(site)
	}
	return s
}

// Status returns the state of each site's rules as of the last request for a pair, by site.
// The caller must not change the result.
func (w *Worker) Status() map[string]SiteStatus {
	return StatusOf([]*Worker{w}, nil, &Verdicts{}).Sites
}

// add adds a site.
func (s *Status) add(of *site) {
	whose := of.whoseSite(time.Now())
	s.Whose[of.name] = whose
	see := of.seen()
	if of.worker.o.Turns.queued(of) {
		s.queued[of.name] = true
	}
	if see.held != nil {
		s.Pending[of.name] = *see.held
	}
	if see.heard != (Reports{}) {
		s.Reports[of.name] = see.heard
	}
	if see.status == nil {
		return
	}
	status, wait, may := *see.status, see.wait, of.worker.o.Fetcher.Limits(of.name)
	if !time.Now().Before(wait.Until) {
		wait = Wait{}
	}
	status.Now = of.nowOf(status.Now, wait)
	if whose.Why == "" && !whose.Due {
		status.Now = lifecycle.Now{Why: lifecycle.Strange}
	}
	s.Sites[of.name] = SiteStatus{status, min(may.Left, may.LeftInAll), wait}
}

// Verdict is the state of a rule, and the reason.
type Verdict struct {
	State  rule.State
	Reason string
}

// Verdicts counts verdicts. Any goroutine may use Verdicts.
type Verdicts struct {
	mu sync.Mutex
	n  map[Verdict]int
}

// Add counts the verdict of a report, if it has one.
func (v *Verdicts) Add(r *Report) {
	if r.Verdict == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.n == nil {
		v.n = map[Verdict]int{}
	}
	v.n[Verdict{r.Verdict.State, r.Verdict.Verdict.Reason}]++
}

func (v *Verdicts) counts() map[Verdict]int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.n)
}

// rules returns the number of published rules of all sites.
func (s *Status) rules() (n int) {
	for _, p := range s.Published {
		n += len(p.Records)
	}
	return n
}

// outdated returns the number of outdated files of all sites.
func (s *Status) outdated() (n int) {
	for _, site := range s.Sites {
		n += len(site.Outdated)
	}
	return n
}

// Metrics returns the state of the trials as metrics.
func (s *Status) Metrics() []metric.Metric {
	all := []metric.Metric{
		metric.Gauge("valid_rules", "Published rules.", s.rules()),
		metric.Gauge("unconfirmed_sites", "Sites whose rules wait until you say that the site is yours.", len(s.WaitingSites())),
		metric.Gauge("held_updates", "Sites with rules that wait for your approval.", len(s.Pending)),
		metric.Gauge("outdated_exports", "Exported files with rules that were withdrawn or changed.", s.outdated()),
		metric.Gauge("waiting_sites", "Sites with rules to test that wait for their turn.", s.Waiting.Sites),
	}
	for v, n := range s.Verdicts {
		all = append(all, metric.Counter("verdicts_total", "Results of tests of rules, by result and reason.", n,
			metric.Label{Name: "state", Value: string(v.State)}, metric.Label{Name: "reason", Value: v.Reason}))
	}
	var heard Reports
	for _, r := range s.Reports {
		heard.Different, heard.Alike, heard.Refused = heard.Different+r.Different, heard.Alike+r.Alike, heard.Refused+r.Refused
	}
	for result, n := range map[string]int{"different": heard.Different, "alike": heard.Alike, "refused": heard.Refused} {
		all = append(all, metric.Counter("reports_total", "Reports of crawlers about two pages, by what the crawler saw.", n, metric.Label{Name: "result", Value: result}))
	}
	states := map[rule.State]int{}
	for _, site := range s.Sites {
		for state, n := range site.States {
			states[state] += n
		}
	}
	for state, n := range states {
		all = append(all, metric.Gauge("tried_rules", "Rules that were tested and are remembered, by state.", n, metric.Label{Name: "state", Value: string(state)}))
	}
	return all
}

// StatusJSON is the part of a status document about trials.
type StatusJSON struct {
	On       bool                     `json:"on"`
	Rules    int                      `json:"valid_rules"`
	Lists    int                      `json:"published_sites"`        // sites with a published list
	Last     int64                    `json:"published_at,omitempty"` // the time of the last published list, in seconds; 0: there is none
	Waiting  Waiting                  `json:"waiting,omitzero"`
	Sites    map[string]SiteJSON      `json:"sites,omitempty"`
	Out      map[string]publishedJSON `json:"published,omitempty"` // by site
	Pending  map[string]pendingJSON   `json:"held_updates,omitempty"`
	Reports  map[string]Reports       `json:"reports,omitempty"`  // of crawlers, by site
	Wishes   map[string]wishesJSON    `json:"wishes,omitempty"`   // of operators, by site
	Verdicts map[string]int           `json:"verdicts,omitempty"` // by state and reason
	Now      map[string]NowJSON       `json:"now,omitempty"`      // by site; see NowOf for the other sites

	Unconfirmed []WhoseSite `json:"unconfirmed_sites,omitempty"` // the largest sites that wait until somebody says whose they are
	AllWaiting  int         `json:"unconfirmed,omitempty"`       // all of these
}

type (
	// SiteJSON is the trials of a site.
	SiteJSON struct {
		States      map[rule.State]int `json:"rules"`
		Provisional int                `json:"provisional"`          // of the valid rules
		Testing     string             `json:"under_test,omitempty"` // id
		Trial       *TrialJSON         `json:"trial,omitempty"`
		Open        int                `json:"candidates_left"`
		Pairs       int                `json:"pairs"`
		URLs        int                `json:"urls"`
		Forms       int                `json:"canonical_forms"`
		Merged      float64            `json:"merged"`      // by the published rules: share of the URLs
		WouldMerge  float64            `json:"would_merge"` // by the other valid rules: share of the URLs
		Left        *int               `json:"requests_left,omitempty"`
		Waits       *waitJSON          `json:"waits,omitempty"`
		LevelAt     time.Time          `json:"next_level,omitzero"`
		Private     forms.Private      `json:"never_asked"`
		NotTried    *forms.NotTried    `json:"not_tried,omitempty"` // nil: nothing
		Outdated    []OutdatedJSON     `json:"outdated_exports,omitempty"`
		Named       lifecycle.Named    `json:"reported"`
	}
	wishesJSON struct {
		Vetoes []string `json:"veto,omitempty"`        // ids
		Texts  []string `json:"veto_params,omitempty"` // parameters and texts
		Pins   []string `json:"pin,omitempty"`         // ids
		Prefer []string `json:"prefer,omitempty"`

		PinTexts []string          `json:"pin_params,omitempty"` // parameters and texts
		Allow    []string          `json:"allow,omitempty"`      // parameters NAME or NAME=VALUE
		Ours     bool              `json:"ours,omitempty"`       // the site was approved
		Names    map[string]string `json:"names,omitempty"`      // of these rules, in words, by id
	}
	// OutdatedJSON is a file with rules of the site that somebody took, and that is to be made anew.
	OutdatedJSON struct {
		Format   string    `json:"format"`
		Redirect bool      `json:"redirect,omitempty"`
		At       time.Time `json:"taken_at"`
		Rules    int       `json:"rules"`             // in the file
		Retired  int       `json:"retired,omitempty"` // of these
		Changed  int       `json:"changed,omitempty"` // of these: other exceptions
		IDs      []string  `json:"ids"`               // the first of the retired and changed rules
	}
	// TrialJSON is the trial under way.
	TrialJSON struct {
		Rule      string  `json:"rule,omitempty"` // in words, with the step of its trial
		Purpose   string  `json:"purpose"`
		Pairs     int     `json:"pairs"`
		Positives int     `json:"positives"`
		Negatives int     `json:"negatives"`
		Skipped   int     `json:"skipped"`
		Bound     float64 `json:"bound"`
	}
	// NowJSON is what becomes of the rules of a site at present.
	NowJSON struct {
		Why   lifecycle.Why    `json:"reason"`
		Words string           `json:"words"`
		Until time.Time        `json:"until,omitzero"`
		Left  []lifecycle.Left `json:"candidates,omitempty"` // that cannot be tried
	}
	waitJSON struct {
		Until  time.Time    `json:"until,omitzero"` // zero: no request is allowed again
		Reason fetch.Reason `json:"reason"`
	}
	publishedJSON struct {
		Sequence    int64       `json:"sequence"`
		At          int64       `json:"at"`
		Rules       int         `json:"rules"`
		Provisional int         `json:"provisional"` // of the rules
		Sample      rule.Sample `json:"sample"`
	}
	pendingJSON struct {
		Share float64    `json:"share"`
		Rules int        `json:"rules"`
		Mark  string     `json:"mark"`
		List  []heldJSON `json:"list"`
	}
	heldJSON struct {
		ID      string       `json:"id"`
		Words   string       `json:"words"`
		Share   float64      `json:"share"` // of the URLs: changed by the rule alone
		Verdict rule.Verdict `json:"verdict"`

		Effect *waste.EffectRecord `json:"touches"`
	}
)

func wishesOf(site string, s *lifecycle.Status) wishesJSON {
	w := s.Wishes
	out := wishesJSON{Texts: w.Texts, Pins: w.Pins, Prefer: w.Prefer, PinTexts: w.PinTexts, Allow: w.Allow, Ours: w.Ours, Names: map[string]string{}}
	for i := range w.Vetoes {
		id := rule.ID(site, &w.Vetoes[i])
		out.Vetoes = append(out.Vetoes, id)
		out.Names[id] = w.Vetoes[i].Words()
	}
	for id, r := range s.Pinned {
		out.Names[id] = r.Words()
	}
	return out
}

// mostIDs is the number of ids of an outdated file in a status document.
const mostIDs = 10

// OutdatedOf returns the outdated files of a site for people and programs.
func OutdatedOf(s *lifecycle.Status) (all []OutdatedJSON) {
	for i := range s.Outdated {
		f := &s.Outdated[i]
		ids := slices.Concat(f.Retired, f.Changed)
		all = append(all, OutdatedJSON{f.Format, f.Redirect, time.Unix(f.At, 0).UTC(), len(f.Marks), len(f.Retired), len(f.Changed), ids[:min(len(ids), mostIDs)]})
	}
	return all
}

// Words says what is wrong with the file.
func (o *OutdatedJSON) Words() string {
	kind := o.Format
	if o.Redirect {
		kind += " (with redirects)"
	}
	words := fmt.Sprintf("the file for %s taken %s: of its %d rules %d are retired", kind, o.At.Format("2 Jan 2006"), o.Rules, o.Retired)
	if o.Changed > 0 {
		words += fmt.Sprintf(", and %d have other exceptions", o.Changed)
	}
	return words
}

func nowOf(n lifecycle.Now) NowJSON {
	out := NowJSON{Why: n.Why, Words: n.Words(), Left: n.Left}
	if n.Until > 0 {
		out.Until = time.Unix(n.Until, 0).UTC()
	}
	return out
}

// NowOf returns what becomes of the rules of any site with hits. Now has no entry for the many sites whose
// first look is due, nor for any site if rules are not tried.
func (s *StatusJSON) NowOf(site string) NowJSON {
	switch now, known := s.Now[site]; {
	case known:
		return now
	case !s.On:
		return nowOf(lifecycle.Now{Why: lifecycle.Off})
	}
	return nowOf(lifecycle.Now{Why: lifecycle.FirstLook})
}

// JSON returns the state of the trials for a status document. sites are the sites with hits, or some of these;
// others adds the sites without hits that are tried or have a list.
func (s *Status) JSON(sites []string, others bool) StatusJSON {
	out := StatusJSON{On: s.On, Rules: s.rules(), Lists: len(s.Published), Waiting: s.Waiting, Sites: map[string]SiteJSON{}, Out: map[string]publishedJSON{}, Pending: map[string]pendingJSON{}, Reports: s.Reports, Wishes: map[string]wishesJSON{}, Verdicts: map[string]int{}, Now: map[string]NowJSON{}}
	tell := func(name string, now lifecycle.Now) {
		if now.Why != lifecycle.FirstLook {
			out.Now[name] = nowOf(now)
		}
	}
	tried := func(name string, site SiteStatus) {
		tell(name, site.Now)
		out.Sites[name] = site.json()
		if site.Wishes != nil {
			out.Wishes[name] = wishesOf(name, &site.Status)
		}
	}
	published := func(name string, p *book.Publication) {
		out.Out[name] = publishedJSON{p.Sequence, p.At, len(p.Records), p.Provisional(), p.Sample}
	}
	for _, name := range sites {
		if site, known := s.Sites[name]; known {
			tried(name, site)
		} else if s.On {
			tell(name, s.Now(name))
		}
		if p := s.Published[name]; p != nil {
			published(name, p)
		}
	}
	for name, site := range s.Sites {
		if _, told := out.Sites[name]; others && !told {
			tried(name, site)
		}
	}
	for name, p := range s.Published {
		out.Last = max(out.Last, p.At)
		if _, told := out.Out[name]; others && !told {
			published(name, p)
		}
	}
	for name, update := range s.Pending {
		out.Pending[name] = pendingOf(&update)
	}
	out.Unconfirmed = s.WaitingSites()
	out.AllWaiting = len(out.Unconfirmed)
	out.Unconfirmed = out.Unconfirmed[:min(mostUnconfirmed, out.AllWaiting)]
	for v, n := range s.Verdicts {
		out.Verdicts[string(v.State)+" "+v.Reason] = n
	}
	return out
}

func pendingOf(update *lifecycle.PendingUpdate) pendingJSON {
	pending := pendingJSON{Share: update.Share, Rules: update.Rules, Mark: update.Mark}
	for i := range update.List {
		h := &update.List[i]
		pending.List = append(pending.List, heldJSON{h.ID, h.Rule.Words(), h.Share, h.Verdict, h.Effect.Record()})
	}
	return pending
}

// mostUnconfirmed is the number of unconfirmed sites in a status document.
const mostUnconfirmed = 100

func (s *SiteStatus) json() SiteJSON {
	out := SiteJSON{States: s.States, Provisional: s.Provisional, Open: s.Open, Pairs: s.Pairs, URLs: s.URLs, Forms: s.Forms, Merged: s.Merged(), WouldMerge: s.WouldMerge(), Private: s.Private, Named: s.Named}
	out.NotTried, out.Outdated = s.NotTried, OutdatedOf(&s.Status)
	if s.Left < math.MaxInt {
		out.Left = &s.Left
	}
	if !s.Wait.Until.IsZero() {
		out.Waits = &waitJSON{s.Wait.Until.UTC(), s.Wait.Reason}
	}
	if s.Wait.Reason == fetch.Spent {
		out.Waits.Until = time.Time{}
	}
	if s.LevelAt > 0 {
		out.LevelAt = time.Unix(s.LevelAt, 0).UTC()
	}
	if t := s.Trial; t != nil {
		out.Testing = t.ID
		out.Trial = &TrialJSON{t.Words(), t.Purpose.String(), t.Pairs, t.Positives, t.Negatives, t.Skipped, t.Bound}
	}
	return out
}

// Now returns what becomes of the rules of any site.
func (s *Status) Now(site string) lifecycle.Now {
	known, tried := s.Sites[site]
	switch {
	case !s.On:
		return lifecycle.Now{Why: lifecycle.Off}
	case tried:
		return known.Now
	case s.queued[site]:
		return lifecycle.Now{Why: lifecycle.Queued}
	case s.isStrange(site):
		return lifecycle.Now{Why: lifecycle.Strange}
	case s.canTry != nil && !s.canTry(site):
		return lifecycle.Now{Why: lifecycle.NoOrigin}
	}
	return lifecycle.Now{Why: lifecycle.FirstLook}
}

// isStrange reports whether it is known of a site that nothing says that it is ours.
func (s *Status) isStrange(site string) bool {
	w, known := s.Whose[site]
	return known && w.Why == "" && !w.Due
}

// nowOf returns what becomes of the rules of a site at present, given what its machine said last.
func (s *site) nowOf(last lifecycle.Now, wait Wait) lifecycle.Now {
	switch w := s.worker; {
	case w.ctx.Err() != nil || w.finishing.Load():
		return lifecycle.Now{Why: lifecycle.Ended}
	case wait.Reason == fetch.Spent:
		return lifecycle.Now{Why: lifecycle.Spent}
	case wait.Reason != "":
		return lifecycle.Now{Why: waits[wait.Reason], Until: wait.Until.Unix()}
	case s.worker.o.Turns.queued(s):
		return lifecycle.Now{Why: lifecycle.Queued}
	case (last.Why == lifecycle.Trying || last.Why == lifecycle.Awaiting || last.Why == lifecycle.SecondLook) && !s.worker.o.Turns.busy(s):
		return lifecycle.Now{Why: lifecycle.NextLook} // a wait has ended
	}
	return s.until(last)
}
