package fetch

import (
	"maps"
	"time"

	"dustbuster/operators/metric"
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
	Purpose   string    // Requested: see Request; ForRobots for robots.txt
	Redirects int       // Requested: number of redirects that led here
	Location  string    // Requested: target of the redirect, as the server wrote it
}

// ForRobots is the purpose of requests for robots.txt.
const ForRobots = "robots"

// Stats counts since New. It is part of the status document.
type Stats struct {
	Requests int64             `json:"requests"`                // to servers: pages, redirects and robots.txt
	Bytes    int64             `json:"bytes"`                   // of their bodies, as received
	Hits     int64             `json:"cache_hits"`              // answers from the cache
	Refused  map[Reason]int64  `json:"refused,omitempty"`       // Gets without a document
	First    map[Reason]string `json:"refused_first,omitempty"` // the first of each: its mined string, through Options.Veil
	Waited   float64           `json:"waited_seconds"`          // for politeness, with the turn held
}

// Stats returns the counts. Any goroutine may call Stats.
func (f *Fetcher) Stats() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.stats
	n.Refused, n.First = maps.Clone(n.Refused), maps.Clone(n.First)
	return n
}

func (f *Fetcher) count(add func(*Stats)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	add(&f.stats)
}

// emit counts and reports an event.
func (f *Fetcher) emit(e Event) {
	f.count(func(n *Stats) {
		switch e.Kind {
		case Refused:
			n.refused(&e, f.o.Veil)
		case Requested:
			n.Requests++
			n.Bytes += e.Bytes
		}
	})
	f.o.Trace(e)
}

func (s *Stats) refused(e *Event, veil secret.Veil) {
	if s.Refused == nil {
		s.Refused, s.First = map[Reason]int64{}, map[Reason]string{}
	}
	if s.Refused[e.Reason]++; s.Refused[e.Reason] == 1 {
		s.First[e.Reason] = veil.Mask(e.URL)
	}
}

// shown are the reasons that are among the metrics even if nothing was refused for them, so
// that a first refusal is seen as an increase.
var shown = []Reason{Robots, Closed, Action, Pattern, Secret, Address, Timeout, Network}

// Metrics returns the counts as metrics.
func (s *Stats) Metrics() []metric.Metric {
	all := []metric.Metric{
		metric.Counter("fetch_requests_total", "Requests to sites, including those for robots.txt.", s.Requests),
		metric.Counter("fetch_bytes_total", "Bytes of fetched bodies, before decompression.", s.Bytes),
		metric.Counter("fetch_cache_hits_total", "Pages that were not fetched because they were known.", s.Hits),
		metric.Counter("fetch_waited_seconds_total", "Time waited between requests, to be polite.", s.Waited),
	}
	refused := map[Reason]int64{}
	for _, why := range shown {
		refused[why] = 0
	}
	maps.Copy(refused, s.Refused)
	for why, n := range refused {
		all = append(all, metric.Counter("fetch_refused_total", "Pages that were not fetched, by reason.", n, metric.Label{Name: "reason", Value: string(why)}))
	}
	return all
}
