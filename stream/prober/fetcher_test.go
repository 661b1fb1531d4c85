package prober

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/fetch"
)

// The tests in package prober, not prober_test, see what no door shows: how documents are compared, which pages are
// fetched twice, how few sites begin, which pairs are kept, and how much memory a view takes.

// pages is a Fetcher of which the URLs with one number at the end have one page, but for /other_N.
type pages struct {
	mu      sync.Mutex
	asked   map[string]int // requests, by URL
	again   int            // requests for documents that were known
	cache   map[string]fetch.Document
	changes bool          // each request gives a page with other words
	took    time.Duration // for each request
	delay   time.Duration // between two turns of a site
	total   int           // requests left; 0: any number
	failing error
}

func (p *pages) CanFetch(string) bool                      { return true }
func (p *pages) Where(site, target string) (string, error) { return "http://" + site + target, nil }
func (p *pages) Origin(string) string                      { return "" }
func (p *pages) Opens(string) time.Time                    { return time.Time{} }
func (p *pages) States() []fetch.State                     { return nil }
func (p *pages) Restore([]fetch.State)                     {}
func (p *pages) Pass(string) (*fetch.Pass, func())         { return nil, func() {} }

func (p *pages) Limits(string) fetch.Limits {
	l := fetch.Limits{Left: math.MaxInt, LeftInAll: math.MaxInt, Ready: time.Now().Add(p.delay)}
	if p.total > 0 {
		l.LeftInAll = p.total
	}
	return l
}

func (p *pages) Get(ctx context.Context, q fetch.Request) (fetch.Document, error) {
	p.mu.Lock()
	d, known := p.cache[q.Target]
	if q.Fresh {
		p.again++
	}
	p.mu.Unlock()
	if known && !q.Fresh && p.failing == nil && time.Since(d.At) < time.Hour {
		return d, nil
	}
	return p.request(ctx, q.Site, q.Target)
}

func (p *pages) Refusal(fetch.Request) error { return nil }

func (p *pages) request(ctx context.Context, site, target string) (fetch.Document, error) {
	if p.failing != nil {
		return fetch.Document{}, p.failing
	}
	select {
	case <-time.After(p.took):
	case <-ctx.Done():
		return fetch.Document{}, &fetch.Error{Reason: fetch.Cancelled, Err: ctx.Err()}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked == nil {
		p.asked, p.cache = map[string]int{}, map[string]fetch.Document{}
	}
	p.asked[target]++
	id := target[strings.LastIndexAny(target, "=_")+1:]
	text := strings.Repeat("the story number "+id+" of many, told at length ", 5)
	if strings.HasPrefix(target, "/other") {
		text = "something else altogether, which is page " + id + " of this kind and has its own words to say"
	}
	if p.changes {
		text += fmt.Sprint(" request ", p.requests(), " of all")
	}
	size := int64(0)
	_, _ = fmt.Sscan(id, &size)
	d := fetch.Document{Site: site, Target: target, Status: 200, Content: Digest("/", "text/html", []byte("<p>"+text)), Sent: 1000 + 100*size, At: time.Now()}
	p.cache[target] = d
	return d, nil
}

// requests returns the number of all requests.
func (p *pages) requests() (n int) {
	for _, k := range p.asked {
		n += k
	}
	return n
}

// start returns a worker of these pages that is closed at the end of the test.
func start(t *testing.T, p *pages) *Worker {
	t.Helper()
	w := New(optionsOf(p))
	t.Cleanup(w.Close)
	return w
}

func optionsOf(p *pages) Options {
	v := book.Defaults()
	v.Miner, v.Kinds = minerOptions(), book.AnyKind // these logs name no clients
	return Options{Lifecycle: v, Fetcher: p}
}

func minerOptions() miner.Options {
	phase1 := envelope.Defaults()
	return miner.Options{Table: table.Options{MaxURLs: 10_000}, Envelope: phase1,
		Params: params.Options{MinSupport: phase1.MinSupport, Similarity: phase1.Similarity}}
}

// siteOf returns the machine of a site with some stories, each in several forms.
func siteOf(name string, stories int) *miner.Machine {
	m := miner.New(name, minerOptions())
	for i := range stories {
		for _, form := range []string{"/story?id=%d", "/story_%d", "/other_%d", "/archive_%d", "/news?n=%d"} {
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, i), Min: int64(1000 + 100*i), Max: int64(1000 + 100*i)})
		}
	}
	return m
}

// must ends a test at an error.
var must = expect.NoError
