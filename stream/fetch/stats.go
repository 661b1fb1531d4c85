package fetch

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"dustbuster/operators/secret"
)

// Kind is what an Event is about.
type Kind string

// The kinds of events.
const (
	Requested Kind = "requested" // a request went to a server
	Refused   Kind = "refused"   // a Get ended without a document
	Rested    Kind = "rested"    // a site is left alone, as it has answered 429 or 503 several times in a row
	Slowed    Kind = "slowed"    // a server's answers take longer than at first, and requests come at a longer delay
)

// Event is one request, one refusal, or a change of how a server is asked.
type Event struct {
	Kind   Kind
	Site   string
	URL    string        // of a refusal, the mined string
	Status int           // of the answer; 0: there was none
	Bytes  int64         // of the body, as they came
	Took   time.Duration // from connecting to the last byte
	Held   time.Duration // for which the server wishes to be left alone, or is
	Row    int           // Rested: answers 429 and 503 in a row
	Delay  time.Duration // Slowed: between requests
	Reason Reason        // "" if there was an answer
	Err    error

	At        time.Time // Requested: when it began
	Purpose   string    // Requested: what for, see For; ForRobots for robots.txt
	Redirects int       // Requested: that led here
	Location  string    // Requested: where it is redirected to, as the server wrote it
}

// ForRobots is the purpose of requests for robots.txt.
const ForRobots = "robots"

type purpose struct{}

// For says what the requests that are made with a context are for. Events tell it.
func For(ctx context.Context, what string) context.Context {
	return context.WithValue(ctx, purpose{}, what)
}

func purposeOf(ctx context.Context) string {
	what, _ := ctx.Value(purpose{}).(string)
	return what
}

// Stats count since New.
type Stats struct {
	Requests    int64             // to servers: pages, redirects and robots.txt
	Bytes       int64             // of their bodies, as they came
	Status      [6]int64          // answers by the first digit of their status; 0: other digits, and requests without an answer
	NotModified int64             // 304s: an older answer still holds
	Hits        int64             // answers that were in the cache
	Refused     map[Reason]int64  // Gets without a document
	First       map[Reason]string // the first of each: its mined string, without what looks like a secret
	Waited      time.Duration     // for politeness, with the turn
}

// tally counts.
type tally struct {
	mu sync.Mutex
	n  Stats
}

// Stats returns the counts. Any goroutine may ask.
func (f *Fetcher) Stats() Stats {
	f.tally.mu.Lock()
	defer f.tally.mu.Unlock()
	n := f.tally.n
	n.Refused, n.First = maps.Clone(n.Refused), maps.Clone(n.First)
	return n
}

func (f *Fetcher) tell(e Event) {
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
			t.n.First[e.Reason] = secret.Mask(e.URL)
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
