package trials

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/url/secret"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// Refusals collects the reasons for which pairs came to nothing, for the user of validate
// and for run's log. Any goroutine may add a reason. The goroutine that prints takes the
// news.
type Refusals struct {
	veil  secret.Veil
	often func(what, like, remedy string, n int)

	mu     sync.Mutex
	n      map[string]int    // by reason
	like   map[string]string // the first of each
	news   []string
	rested bool // a server's wish for rest has been reported
}

// NewRefusals returns refusals whose examples a veil masks. often is called for each reason at counts
// of 10, 100, ..., and at once for refusals by dustbuster itself; may be nil.
func NewRefusals(veil secret.Veil, often func(what, like, remedy string, n int)) *Refusals {
	return &Refusals{veil: veil, often: often, n: map[string]int{}, like: map[string]string{}}
}

// longRest is the wait from which on each wait is reported.
const longRest = 30 * time.Second

// laterOnly are the reasons for which a pair is tried later, and not given up.
var laterOnly = map[fetch.Reason]bool{fetch.Budget: true, fetch.Spent: true, fetch.Held: true, fetch.Resting: true, fetch.Barred: true, fetch.Cancelled: true}

// Fetched takes in the event of a fetch or of a refusal.
func (r *Refusals) Fetched(e fetch.Event) {
	robots := strings.HasSuffix(e.URL, "/robots.txt")
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case e.Kind == fetch.Refused && !laterOnly[e.Reason]:
		r.add(string(e.Reason), e.Err.Error())
	case e.Kind == fetch.Requested && e.Status >= 400 && !robots:
		r.add(fmt.Sprintf("status %d", e.Status), e.URL)
	}
	if news := change(e); news != "" {
		r.news = append(r.news, r.veil.Mask(news))
	} else if e.Held >= longRest || e.Held > 0 && !r.rested {
		r.rested = true
		what := fmt.Sprintf("status %d", e.Status)
		if e.Status == 0 {
			what = "no answer in time"
		}
		r.news = append(r.news, fmt.Sprintf("%s at %s: the server is left alone for %v, and so after each such answer", what, r.veil.Mask(e.URL), e.Held.Round(time.Millisecond)))
	}
}

// change returns a message on a change in the way a server is asked; "" without a change.
func change(e fetch.Event) string {
	switch e.Kind {
	case fetch.Rested:
		return fmt.Sprintf("%d answers 429 or 503 in a row, at last %d at %s: the site rests for %v, and so after each further one",
			e.Row, e.Status, e.URL, e.Held.Round(time.Second))
	case fetch.Slowed:
		return fmt.Sprintf("answers take longer than at first, about %v now, as at %s: requests come at %v", e.Took.Round(time.Millisecond), e.URL, e.Delay)
	case fetch.Recovered:
		return fmt.Sprintf("answers take about as long as at first again, %v", e.Took.Round(time.Millisecond))
	}
	return ""
}

// Judged takes in a pair.
func (r *Refusals) Judged(t *prober.Judged) {
	if Unproven[t.Reason] && t.Pair.Purpose != lifecycle.Control {
		r.mu.Lock()
		r.add(t.Reason, t.Pair.Asked())
		r.mu.Unlock()
	}
}

func (r *Refusals) add(what, like string) {
	if r.n[what]++; r.n[what] == 1 {
		r.like[what] = r.veil.Mask(like)
	}
	if n := r.n[what]; r.often != nil && (isPower(n) || n == 1 && byUs[what]) && what != "status 404" && what != "status 410" { // not for missing pages
		r.often(what, r.like[what], remedies[what], n)
	}
}

// byUs are refusals by dustbuster itself. They are reported at once, since the cause may be
// a mistake in the settings.
var byUs = map[string]bool{string(fetch.Action): true, string(fetch.Pattern): true, string(fetch.Secret): true, string(fetch.Unasked): true}

// isPower reports whether n is a power of ten, from 10.
func isPower(n int) bool {
	for n >= 10 && n%10 == 0 {
		n /= 10
		if n == 1 {
			return true
		}
	}
	return false
}

// Take returns the news to print at once.
func (r *Refusals) Take() (news []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	news, r.news = r.news, nil
	return news
}

// remedies are hints for reasons whose remedy is not obvious.
var remedies = map[string]string{
	string(fetch.Robots):        "a group of its own in robots.txt (User-agent: dustbuster) may allow what others are forbidden",
	string(fetch.Action):        "it looks as if it did something; --never-fetch says which words do, and standard,-WORD leaves one out",
	string(fetch.Pattern):       "--never-fetch-path says so",
	string(fetch.Secret):        "it looks like a session, or a link that one person was given",
	string(fetch.Unasked):       "a redirect leads to a URL of a kind that fewer than three clients asked for; --fetch-kinds any lets it",
	string(fetch.Address):       "a private address is fetched from only where --origin or --site-origin names it, and --origin-network where that is a name",
	string(fetch.OffSite):       "what is sent to another host of the domain can be tried with --site-by domain; where the log names no host, --site says which it is",
	"status 401":                "nothing is sent that would identify us: what asks for a login cannot be tried",
	"status 403":                "let the user agent dustbuster/ pass where such are kept out, or ask the server behind what keeps them out",
	"status 429":                "give a longer --fetch-delay, or let the user agent dustbuster/ pass",
	trial.OtherPage.String():    "pages have other sizes in the log: " + aWall,
	trial.Everywhere.String():   "pages of all kinds show one text: " + aWall,
	trial.Uncontrolled.String(): "pages that the rule does not join look as much alike",
	trial.Disowned.String():     "the two pages name different canonical pages, and do not say the same",
	trial.Unsteady.String():     "the two pages differed at the first look and not at the second",
	trial.Static.String():       "when compared, many URLs showed one text, and these two the same bytes, as pages do whose content a script loads",
	trial.OtherLength.String():  "when compared, many URLs showed one text, and the log has another size of the page, or none",
	trial.FewWords.String():     "when compared, many URLs showed one text, and the text is short",
	trial.OtherMedia.String():   "when compared, many URLs showed one text, and these two showed other pictures",
}

const aWall = "a login, maintenance, an error? or another virtual host, where --site names none"

// Unproven are the reasons for which two fetched documents prove nothing.
var Unproven = map[string]bool{
	trial.OtherPage.String(): true, trial.Everywhere.String(): true, trial.Uncontrolled.String(): true, trial.Disowned.String(): true,
	trial.Unsteady.String(): true, trial.Static.String(): true, trial.OtherLength.String(): true, trial.FewWords.String(): true, trial.OtherMedia.String(): true,
}

// sum returns the count of each reason, with an example and a remedy.
func (r *Refusals) sum() (lines []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, what := range slices.Sorted(maps.Keys(r.n)) {
		line := fmt.Sprintf("dustbuster: %d × %s, first: %s", r.n[what], what, r.like[what])
		if remedy := remedies[what]; remedy != "" {
			line += "; " + remedy
		}
		lines = append(lines, line)
	}
	return lines
}

// Provisional are the reasons of strict trials. At first a trial looks at few different pages, and
// may cease to be strict.
var Provisional = map[string]bool{
	trial.Static.String(): true, trial.OtherLength.String(): true, trial.FewWords.String(): true, trial.OtherMedia.String(): true,
}
