package fetch

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"dustbuster/operators/url/secret"
)

// Kind is the subject of an Event.
type Kind string

// The kinds of events.
const (
	Requested Kind = "requested" // a request went to a server
	Refused   Kind = "refused"   // a Get ended without a document
	Rested    Kind = "rested"    // a site is left alone after several consecutive answers 429 or 503
	Slowed    Kind = "slowed"    // a server's answers take longer than at first, half a second or more, and the delay has grown
	Recovered Kind = "recovered" // after a Slowed, a server's answers take about as long as at first
)

// Event is one request, one refusal, or a change in the treatment of a server.
type Event struct {
	Kind   Kind
	Site   string
	URL    string        // of a refusal, the mined string
	Status int           // of the answer; 0: no answer
	Bytes  int64         // of the body, as received
	Took   time.Duration // from connecting to the last byte; Slowed, Recovered: the median of the last answers
	Held   time.Duration // time for which the server is left alone
	Row    int           // Rested: consecutive answers 429 and 503
	Delay  time.Duration // Slowed, Recovered: between requests
	Reason Reason        // "" if there was an answer
	Err    error

	At        time.Time // Requested: start of the request
	Purpose   string    // Requested: see For; ForRobots for robots.txt
	Redirects int       // Requested: number of redirects that led here
	Location  string    // Requested: target of the redirect, as the server wrote it
}

// ForRobots is the purpose of requests for robots.txt.
const ForRobots = "robots"

type purpose struct{}

// For sets the purpose of the requests made with a context. Events report the purpose.
func For(ctx context.Context, what string) context.Context {
	return context.WithValue(ctx, purpose{}, what)
}

func purposeOf(ctx context.Context) string {
	what, _ := ctx.Value(purpose{}).(string)
	return what
}

type leading struct{}

// Leading bounds the redirects that are followed with a context: may reports whether a redirect
// of the mined string from may be followed to the mined string to. Of a chain of redirects, from
// is the string of the request. may must be safe for use by the goroutine of the request.
func Leading(ctx context.Context, may func(from, to string) bool) context.Context {
	return context.WithValue(ctx, leading{}, may)
}

func mayLead(ctx context.Context, from, to string) bool {
	may, _ := ctx.Value(leading{}).(func(from, to string) bool)
	return may == nil || may(from, to)
}

// Stats counts since New.
type Stats struct {
	Requests    int64             // to servers: pages, redirects and robots.txt
	Bytes       int64             // of their bodies, as received
	Status      [6]int64          // answers by the first digit of their status; 0: other digits, and requests without an answer
	NotModified int64             // 304s: an older answer still holds
	Hits        int64             // answers from the cache
	Refused     map[Reason]int64  // Gets without a document
	First       map[Reason]string // the first of each: its mined string, through Options.Veil
	Waited      time.Duration     // for politeness, with the turn held
}

// tally holds the counts.
type tally struct {
	veil secret.Veil
	mu   sync.Mutex
	n    Stats
}

// Stats returns the counts. Any goroutine may call Stats.
func (f *Fetcher) Stats() Stats {
	f.tally.mu.Lock()
	defer f.tally.mu.Unlock()
	n := f.tally.n
	n.Refused, n.First = maps.Clone(n.Refused), maps.Clone(n.First)
	return n
}

func (f *Fetcher) emit(e Event) {
	f.tally.count(e)
	f.o.Trace(e)
}

func (t *tally) count(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.Kind == Refused {
		if t.n.Refused == nil {
			t.n.Refused, t.n.First = map[Reason]int64{}, map[Reason]string{}
		}
		if t.n.Refused[e.Reason]++; t.n.Refused[e.Reason] == 1 {
			t.n.First[e.Reason] = t.veil.Mask(e.URL)
		}
		return
	}
	if e.Kind != Requested {
		return
	}
	t.n.Requests++
	t.n.Bytes += e.Bytes
	if e.Status == http.StatusNotModified {
		t.n.NotModified++
	}
	class := e.Status / 100
	if class >= len(t.n.Status) {
		class = 0
	}
	t.n.Status[class]++
}

func (t *tally) hit() {
	t.mu.Lock()
	t.n.Hits++
	t.mu.Unlock()
}

func (t *tally) waited(d time.Duration) {
	t.mu.Lock()
	t.n.Waited += d
	t.mu.Unlock()
}
