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
		r.news = append(r.news, fmt.Sprintf("%s at %s: no request for %v, here and after each such answer", what, r.veil.Mask(e.URL), e.Held.Round(time.Millisecond)))
	}
}

// change returns a message on a change in the way a server is asked; "" without a change.
func change(e fetch.Event) string {
	switch e.Kind {
	case fetch.Rested:
		return fmt.Sprintf("%d answers 429 or 503 in a row, the last %d at %s: no request for %v, here and after each further one",
			e.Row, e.Status, e.URL, e.Held.Round(time.Second))
	case fetch.Slowed:
		return fmt.Sprintf("the server became slow, about %v now, for example at %s: one request every %v", e.Took.Round(time.Millisecond), e.URL, e.Delay)
	case fetch.Recovered:
		return fmt.Sprintf("the server is as fast as at first again, %v", e.Took.Round(time.Millisecond))
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
	string(fetch.Robots):        "a group for User-agent: dustbuster in robots.txt may allow it",
	string(fetch.Action):        "it looks like an action; if it is none, --never-fetch standard,-WORD allows the word",
	string(fetch.Pattern):       "--never-fetch-path forbids it",
	string(fetch.Secret):        "it looks like a session, or a link given to one person",
	string(fetch.Unasked):       "a redirect leads to a URL that few visitors ask for; --fetch-kinds any allows it",
	string(fetch.Address):       "private addresses need --origin or --site-origin, and a host name there needs --origin-network",
	string(fetch.OffSite):       "if the other host is yours, use --site-by domain; if the log names no host, name it with --site",
	"status 401":                "pages behind a login cannot be tested",
	"status 403":                "allow the user agent dustbuster/ in your firewall, or give --origin the server behind it",
	"status 429":                "use a longer --fetch-delay, or allow the user agent dustbuster/",
	trial.OtherPage.String():    "the page has another size than in the log: " + aWall,
	trial.Everywhere.String():   "unrelated pages show the same text: " + aWall,
	trial.Uncontrolled.String(): "unrelated pages look equally similar",
	trial.Disowned.String():     "the two pages name different canonical pages",
	trial.Unsteady.String():     "the pages changed between two fetches",
	trial.Static.String():       "the bytes are equal, which also happens when a script loads the content",
	trial.OtherLength.String():  "many pages show the same text, and this one had another size in the log",
	trial.FewWords.String():     "many pages show the same text, and this one has few words",
	trial.OtherMedia.String():   "many pages show the same text, and these two show different pictures",
}

const aWall = "is it a login, an error page, or another virtual host (--site)?"

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
		line := fmt.Sprintf("dustbuster: %d × %s, for example %s", r.n[what], what, r.like[what])
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
