package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// Now says what becomes of a site's rules at present: pairs are tried, or for some reason nothing is.
type Now struct {
	Why   Why
	Until int64  // the reason holds until then; 0: unknown, or for good
	Left  []Left // for Unable: the candidates that are left, by reason, the most candidates first
}

// Why is what becomes of a site's rules, or the reason for which nothing is tried. Reasons below the
// line are those of callers of a machine.
type Why string

// The reasons.
const (
	Trying     Why = "trying"         // pairs are tried
	Awaiting   Why = "awaiting"       // pairs given out have no outcome yet
	Kept       Why = "kept"           // the requests that are left are kept for the trial of the set
	ListFull   Why = "list_full"      // L has the most rules
	Unable     Why = "unable"         // none of the candidates that are left can be tried: see Left
	Approval   Why = "approval"       // nothing is left to try, and an update waits for an operator
	Level      Why = "next_level"     // nothing is left to try, and the forms are mined later
	AllTried   Why = "all_tried"      // all likely rules were tried
	NoneLikely Why = "nothing_likely" // the log suggests no rule
	FirstLook  Why = "first_look"     // the machine has no window yet
	// ---
	NextLook Why = "next_look"    // trials go on with the next look at the window
	Queued   Why = "queued"       // other sites come first
	Budget   Why = "budget"       // the requests of the hour are made
	Spent    Why = "spent"        // all requests are made
	Rests    Why = "server_rests" // the server wished to rest, or was overloaded
	Robots   Why = "robots"       // robots.txt cannot be fetched
	Hosts    Why = "hosts"        // enough hosts were asked within the hour
	Moved    Why = "moved"        // another member may own the site
	Ended    Why = "ended"        // the program ends, or trials are over
	Strange  Why = "whose_site"   // it is not known that the site is the operator's
	NoOrigin Why = "no_origin"    // the configuration allows no request to the site
	Off      Why = "off"          // rules are not tried
)

var whyWords = map[Why]string{
	Trying:     "pairs of pages are tried",
	Awaiting:   "the outcomes of pairs under way are awaited",
	Kept:       "the requests that are left are kept for the trial of all valid rules together; more candidates are tried when there are more requests",
	ListFull:   "the list of valid rules has the greatest number of rules",
	Unable:     "none of the candidates that are left can be tried",
	Approval:   "nothing is left to try, and an update waits for approval",
	Level:      "all candidates were tried; the canonical forms are searched for more",
	AllTried:   "all likely rules were tried; a rule is tried again when the log says more for it, or when its verdict is old",
	NoneLikely: "the log suggests no rule yet",
	FirstLook:  "the first look at the site is due once the logs are read",
	NextLook:   "trials go on with the next look at the site",
	Queued:     "other sites come first, since their next requests promise more",
	Budget:     "the requests of this hour are made",
	Spent:      "all requests are made",
	Rests:      "the server is given a rest",
	Robots:     "robots.txt cannot be fetched",
	Hosts:      "enough hosts were asked within the hour",
	Moved:      "another member may own the site now",
	Ended:      "the trials have ended",
	Strange:    "is this site yours? Anybody can send the name of a host. Name the site with hosts, or approve it (POST /api/v1/sites)",
	NoOrigin:   "no origin is configured from which the pages of the site may be fetched",
	Off:        "rules are not tried, since no origin is configured",
}

// Words describes the state in words, without the time of its end.
func (n *Now) Words() string {
	if len(n.Left) == 0 {
		return whyWords[n.Why]
	}
	var parts []string
	for i := range n.Left {
		parts = append(parts, n.Left[i].words())
	}
	return whyWords[n.Why] + ": " + strings.Join(parts, "; ")
}

// Left counts candidates that cannot be tried for one reason.
type Left struct {
	Why     forms.Untried `json:"reason"`
	Rules   int           `json:"rules"`
	Example string        `json:"example"`          // the first of the rules, in words
	Number  int           `json:"number,omitempty"` // of the example: pairs, or for LittleGain merged forms
	Needed  int           `json:"needed,omitempty"` // so many of these are needed
}

func (l *Left) words() string {
	text := fmt.Sprintf("%d: %s, such as %s", l.Rules, l.Why.Words(), l.Example)
	if l.Needed > 0 {
		text += fmt.Sprintf(" (%d of %d)", l.Number, l.Needed)
	}
	return text
}

// idle returns the reason for which next gives out no look. waits reports whether looks given out
// have no outcome.
func (tr *trier) idle(waits bool, now int64) Now {
	if waits {
		return Now{Why: Awaiting}
	}
	chooser := tr.chooser(now)
	base, open := chooser.base(), chooser.openCandidates()
	tr.open = tr.view.MayGain(open)
	tr.noteNotTried(open)
	level := tr.learner.levelAt()
	switch {
	case tr.rest > NoRest && (tr.open > 0 || len(tr.dialogue.named.waiting) > 0 || tr.view.NextStage(&tr.book.Learned) > 0 && tr.learner.mayLearn(now)):
		return Now{Why: Kept}
	case tr.open > 0 && len(tr.view.List) >= tr.o.MaxRules:
		return Now{Why: ListFull}
	case tr.publisher.pending().Mark != "":
		return Now{Why: Approval}
	case len(open) > 0:
		return Now{Why: Unable, Until: level, Left: leftOf(tr.view, open)}
	case level > 0:
		return Now{Why: Level, Until: level}
	case len(base) > 0:
		return Now{Why: AllTried}
	}
	return Now{Why: NoneLikely}
}

// noteNotTried notes which candidates cannot be tried, since too few of their pairs may be fetched, once for each view.
func (tr *trier) noteNotTried(open []book.Candidate) {
	if tr.notTriedOf != tr.view {
		tr.notTried, tr.notTriedOf = nil, tr.view
		if found := tr.view.NotTried(open); found.Rules > 0 {
			tr.notTried = &found
		}
	}
}

// LookNotTried notes what Status.NotTried has, although candidates are left to try. O(candidates · moves).
func (an *Answers) LookNotTried(now int64) {
	if an.view != nil && an.guard.Has == nil {
		an.trier.noteNotTried(an.chooser(now).openCandidates())
	}
}

// levelAt returns the time from which the forms may be mined again; 0 if they were not mined yet, or
// are not mined again.
func (le *learner) levelAt() int64 {
	if le.o.GivenOnly || le.book.Learned.At == 0 || le.view.NextStage(&le.book.Learned) == 0 {
		return 0
	}
	return le.book.Learned.At + le.o.LevelEvery
}

// leftOf counts candidates by the reasons for which they cannot be tried. O(candidates · moves) once for
// each view.
func leftOf(w *forms.View, open []book.Candidate) (all []Left) {
	for i := range open {
		s := w.Shortfall(&open[i])
		at := slices.IndexFunc(all, func(l Left) bool { return l.Why == s.Why })
		if at < 0 {
			at = len(all)
			all = append(all, Left{Why: s.Why, Example: open[i].Rule.Words(), Number: s.Number, Needed: s.Needed})
		}
		all[at].Rules++
	}
	slices.SortStableFunc(all, func(a, b Left) int { return cmp.Compare(b.Rules, a.Rules) })
	return all
}

// untriedBy returns a function that returns the reason for which a likely rule without a verdict is
// not tried.
func (an *Answers) untriedBy(now int64) func(r *rule.Rule) forms.Shortfall {
	if an.view == nil {
		return func(*rule.Rule) forms.Shortfall { return forms.Shortfall{Why: forms.Unseen} }
	}
	c := &chooser{Judge: an.judge(now), given: an.candidates}
	base := map[string]book.Candidate{}
	for _, n := range c.base() {
		if _, known := base[n.ID]; !known {
			base[n.ID] = n
		}
	}
	return func(r *rule.Rule) forms.Shortfall {
		n, known := base[rule.ID(an.book.Site, r)]
		if toward := r.Shrinking(); !known {
			n, known = base[rule.ID(an.book.Site, &toward)]
		}
		if !known {
			return forms.Shortfall{Why: map[bool]forms.Untried{true: forms.Pattern, false: forms.Unseen}[r.Scope.IsWild()]}
		}
		n = c.preferred(n)
		switch {
		case c.View.Guard.Hides(n.Rule.Text()):
			return forms.Shortfall{Why: forms.Hidden}
		case c.vetoed(&n.Rule):
			return forms.Shortfall{Why: forms.Vetoed}
		}
		n = n.WithExceptions(c.Book.Entries[n.ID])
		return c.View.Shortfall(&n)
	}
}
