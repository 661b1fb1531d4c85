package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
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
	SecondLook Why = "second_look"    // pages that differed are fetched again later
	Kept       Why = "kept"           // the requests that are left are kept for the trial of the set
	ListFull   Why = "list_full"      // L has the most rules
	Unable     Why = "unable"         // none of the candidates that are left can be tried: see Left
	Approval   Why = "approval"       // nothing is left to try, and an update waits for an operator
	LittleLeft Why = "little_left"    // the last requests merged hardly a URL more, and no candidate promises more
	Failing    Why = "server_fails"   // the last ten looks failed, and so did an unrelated page
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
	Trying:     "pairs of pages are compared",
	Awaiting:   "answers of the server are awaited",
	SecondLook: "pages that differ are fetched again a minute after the first time",
	Kept:       "the remaining requests are kept to test all confirmed rules together; other rules are tested when there are more requests",
	ListFull:   "the list of confirmed rules is full",
	Unable:     "none of the remaining rules can be tested",
	Approval:   "all rules are tested, and some wait for your approval",
	LittleLeft: "the last 300 requests merged fewer than 1 in 500 URLs, and no rule that is left promises more",
	Failing:    "the last 10 pages in a row gave no answer or an error of the server, and so did an unrelated page",
	Level:      "all rules are tested, and more are searched among the canonical forms",
	AllTried:   "all suggested rules are tested; a rule is tested again when the log has more for it, or when its test is old",
	NoneLikely: "the log suggests no rule yet",
	FirstLook:  "the first look at the site comes once the logs are read",
	NextLook:   "tests continue with the next look at the site",
	Queued:     "other sites come first, since a request there promises more",
	Budget:     "the hourly limit of requests is used up",
	Spent:      "the total limit of requests is used up",
	Rests:      "a pause for the server",
	Robots:     "robots.txt cannot be read, so nothing is fetched",
	Hosts:      "the hourly limit of hosts is used up",
	Moved:      "another member of the group may have the site now",
	Ended:      "the tests have ended",
	Strange:    "is this site yours? Name it with hosts, or approve it (POST /api/v1/sites): anybody can send the name of a host",
	NoOrigin:   "no origin is set from which pages of the site may be fetched",
	Off:        "rules are not tested, since no origin is set",
}

// byWeight are the reasons of idle states: of several, an operator is told the first.
var byWeight = []Why{Kept, ListFull, Approval, Unable, LittleLeft, Level, AllTried, NoneLikely}

// weighsMore reports whether a reason is told rather than another; "" is none.
func (w Why) weighsMore(than Why) bool {
	return than == "" || w != "" && slices.Index(byWeight, w) < slices.Index(byWeight, than)
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
