package site

import (
	"slices"
	"time"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
)

// LookBytes is an upper bound for the memory of a look at the window of an ordinary site, for each URL.
const LookBytes = 1500

// last is what a site keeps of its last look.
type last struct {
	at      time.Time // when it began; zero: there was none, or it was interrupted
	changed bool      // the window, or the published rules, have changed since
	news    bool      // the result is not listed yet
	rules   []rule.Likely
	listed  []rule.Likely // with their weights
	Result
}

// Result is what a look says of the window.
type Result struct {
	Notes []notes.Note // what the log cannot tell; figures are of the pages looked at
	Waste *waste.Told  // by the published rules, or by the likely rules that people see if there are none; nil: not known
	Seen  *notes.Seen  // what the log shows; nil: there are rules
}

// Look is a look at a whole window.
type Look struct {
	o      *Options
	window *miner.Machine
	sample bool          // a large window is looked at in a sample
	listed []rule.Likely // rules of the site that are listed already; the look sets their weights
	valid  []rule.Record // published rules of the site
}

// Found is the result of a look.
type Found struct {
	Listed []rule.Likely // the listed rules with their weights
	Rules  []rule.Likely // the rules that belong behind the listed rules
	Days   []waste.Day   // the waste by day, by the same rules
	OK     bool          // false: the look was given up
	Result
}

// NeedsLook reports whether a look would find something new, and the last one began long enough ago.
func (s *Site) NeedsLook(now time.Time, every time.Duration) bool {
	return s.found.changed && now.Sub(s.found.at) >= every
}

// NeedLook says that a look would find something new.
func (s *Site) NeedLook() { s.found.changed = true }

// Look begins a look at a copy of the window, whose learners must be up to date. O(URLs).
func (s *Site) Look(now time.Time, valid []rule.Record) *Look {
	s.found.at, s.found.changed = now, false
	k := &Look{o: s.o, window: s.Content(), sample: true, listed: s.online(), valid: valid}
	s.Rest()
	return k
}

// LookHere begins a look at the window itself, which must not change before Run has ended. View(true) follows.
func (s *Site) LookHere(now time.Time, valid []rule.Record) *Look {
	s.found.at, s.found.changed, s.touched = now, false, false
	return &Look{o: s.o, window: s.Machine, listed: s.online(), valid: valid}
}

// ForgetLook forgets a look that has begun: the next may begin at once.
func (s *Site) ForgetLook() { s.found.at, s.found.changed = time.Time{}, true }

// TakeLook takes what a look has found. The next refinement lists the rules.
func (s *Site) TakeLook(f *Found) {
	s.found.rules, s.found.listed, s.found.Result, s.found.news = f.Rules, f.Listed, f.Result, true
}

// Run looks, until giveUp returns true. Any goroutine may call Run.
func (k *Look) Run(giveUp func() bool) *Found {
	w := k.window
	urls := w.Window()
	if most := k.o.LookURLs; k.sample && most > 0 {
		urls.Keep(most, k.o.Miner.Table.Rank)
	}
	pages := urls.Pages()
	days := w.Days()
	rules, ok := k.o.Miner.Learn(w.Site(), pages, days, k.listed, giveUp)
	f := &Found{Listed: k.listed, Rules: rules, OK: ok}
	left := w.LeftOut()
	if left > 0 {
		left += w.URLs() - len(pages)
	}
	split := k.o.Miner.Split(pages, days)
	said := k.o.Miner.Notes(split, w.Settled(), left)
	f.Notes = said.Notes
	if ok {
		f.Waste, f.Days = k.waste(pages, rules, said)
		f.Seen = k.see(split, rules)
	}
	return f
}

// waste returns the waste of the pages of the window, or of a sample of them, with the rules found in it, and
// the same by day. Both are nil if the rules are too many for a canonizer.
func (k *Look) waste(pages []evidence.Page, found []rule.Likely, n *notes.Site) (told *waste.Told, days []waste.Day) {
	told = &waste.Told{Sample: k.isSample(pages)}
	rules := k.published()
	told.Valid = len(rules)
	if told.Valid == 0 {
		likely, _ := shown.Choose(slices.Concat(k.listed, found), false)
		for i := range likely {
			if shown.Counts(&likely[i]) {
				rules = append(rules, likely[i].Rule)
			}
		}
		told.Likely = len(rules)
	}
	forms, err := miner.Forms(pages, rules, n)
	if err != nil {
		return nil, nil
	}
	all := miner.Told(forms, pages, k.window.Families(), n)
	told.Waste, told.Caught, told.Contents = all.Waste, all.Caught, all.Contents
	days = forms.ByDay(k.window.Visits())
	for i := range days {
		days[i].Valid, days[i].Likely, days[i].Sample = told.Valid, told.Likely, told.Sample
		if told.Valid == 0 {
			days[i].By = waste.Parts{} // an estimate saves nothing
		}
	}
	return told, days
}

// isSample reports whether the pages are not all URLs that the site has.
func (k *Look) isSample(pages []evidence.Page) bool {
	return k.window.Sampled() || len(pages) < k.window.URLs()
}

// published returns the published rules that this program can read.
func (k *Look) published() (rules []rule.Rule) {
	for i := range k.valid {
		if r, err := k.valid[i].Rule(); err == nil {
			rules = append(rules, r)
		}
	}
	return rules
}

// see returns what the pages of the window, or of a sample of them, show; nil if there are rules.
func (k *Look) see(pages []evidence.Page, found []rule.Likely) *notes.Seen {
	if len(k.listed)+len(found)+len(k.valid) > 0 {
		return nil
	}
	seen := k.o.Miner.See(pages)
	seen.Sample = k.isSample(pages)
	return &seen
}
