package prober_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/expect"
	_ "dustbuster/internal/fewgc"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// siteOf returns the machine of a site with a log like that of mined, with more forms of
// its stories.
func siteOf(name string, stories int) *miner.Machine {
	m := miner.New(name, minerOptions())
	for i := range stories {
		for _, form := range []string{"/story?id=%d", "/story_%d", "/other_%d", "/archive_%d", "/news?n=%d"} {
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, i), Min: int64(1000 + 100*i), Max: int64(1000 + 100*i)})
		}
	}
	return m
}

// world is a site: /story?id=N and /story_N are the same page, /other_N is another page.
type world struct {
	mu      sync.Mutex
	asked   map[string]int
	cache   map[string]fetch.Document
	at      int           // requests at this moment
	most    int           // at any
	took    time.Duration // for each
	failing error
	states  []fetch.State
	used    int // requests of the hour
	made    int // requests in all
	renews  time.Time
	total   int           // most requests; 0: any number
	again   int           // documents requested anew
	alone   *atomic.Int32 // passes; nil: any number
	delay   time.Duration // between two turns of a site
	closed  bool          // all URLs have the same page
	moved   bool          // /story?id=N is another page than /story_N
	tokens  bool          // pages are long, and have words of each request
	keeps   time.Duration // pages have news of the time at which the server's cache took them; for so long it shows them; 0: none have
	kept    map[string]time.Time
	never   string   // what the paths of pages that are never asked for begin with; "": any page may be asked for
	origin  string   // of all sites; "": none
	windows sync.Map // given, by site
}

func (w *world) CanFetch(site string) bool {
	return strings.HasSuffix(site, ".example") && site != "b.example"
}

// Origin, Opens and Pass let all sites be asked at any time, or if alone is set, one after the other.
func (w *world) Origin(string) string { return w.origin }

func (w *world) Opens(string) time.Time {
	if w.alone != nil && w.alone.Load() > 0 {
		return time.Now().Add(time.Hour)
	}
	return time.Time{}
}

func (w *world) Pass(string) (*fetch.Pass, func()) {
	if w.alone == nil {
		return nil, func() {}
	}
	w.alone.Add(1)
	return nil, func() { w.alone.Add(-1) }
}

func (w *world) Where(site, target string) (string, error) { return "http://" + site + target, nil }

func (w *world) Limits(string) fetch.Limits {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := fetch.Limits{Left: math.MaxInt - w.used, LeftInAll: math.MaxInt, Renews: w.renews, Ready: time.Now().Add(w.delay)}
	if w.total > 0 {
		l.LeftInAll = w.total - w.made
	}
	return l
}

func (w *world) Refusal(q fetch.Request) error {
	if w.never != "" && strings.HasPrefix(q.Target, w.never) {
		return &fetch.Error{Reason: fetch.Action, Site: q.Site, Target: q.Target}
	}
	return nil
}

func (w *world) Get(ctx context.Context, q fetch.Request) (fetch.Document, error) {
	if err := w.Refusal(q); err != nil {
		return fetch.Document{}, err
	}
	if d, known := w.cached(q.Target); known && !q.Fresh {
		return d, nil
	}
	if q.Fresh {
		w.mu.Lock()
		w.again++
		w.mu.Unlock()
	}
	return w.get(ctx, q.Site, q.Target)
}

// cached returns the site's last response for a target, for an hour.
func (w *world) cached(target string) (fetch.Document, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d, known := w.cache[target]
	return d, known && w.failing == nil && time.Since(d.At) < time.Hour
}

func (w *world) get(ctx context.Context, site, target string) (fetch.Document, error) {
	w.mu.Lock()
	if w.failing != nil {
		defer w.mu.Unlock()
		return fetch.Document{}, w.failing
	}
	if w.total > 0 && w.made >= w.total {
		defer w.mu.Unlock()
		return fetch.Document{}, &fetch.Error{Reason: fetch.Spent}
	}
	w.made++
	w.asked[target]++
	w.at++
	w.most = max(w.most, w.at)
	w.mu.Unlock()
	select {
	case <-time.After(w.took):
	case <-ctx.Done():
	}
	w.mu.Lock()
	w.at--
	w.mu.Unlock()
	if ctx.Err() != nil {
		return fetch.Document{}, &fetch.Error{Reason: fetch.Cancelled, Err: ctx.Err()}
	}
	id := target[strings.LastIndexAny(target, "=_")+1:]
	text := "<p>" + strings.Repeat("the story number "+id+" of many, told at length ", 5)
	if strings.HasPrefix(target, "/other") {
		text = "<p>something else altogether, which is page " + id + " of this kind and has its own words to say"
	}
	if w.isMoved() && strings.HasPrefix(target, "/story?") {
		text = "<p>moved away to somewhere else, and nothing is left of what was here but the number " + id
	}
	if w.tokens {
		text = w.tokened(text)
	}
	text += w.news(text, target)
	if w.closed {
		text = "<p>come back later"
	}
	size, _ := strconv.ParseInt(id, 10, 64)
	d := fetch.Document{Site: site, Target: target, Status: 200, Content: prober.Digest("/", "text/html", []byte(text)), Sent: 1000 + 100*size, At: time.Now()}
	if w.closed {
		d.Sent = int64(len(text))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cache == nil {
		w.cache = map[string]fetch.Document{}
	}
	w.cache[target] = d
	return d, nil
}

// move moves the pages at /story?id=N.
func (w *world) move() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.moved = true
}

// cacheFor puts a cache before the site.
func (w *world) cacheFor(keeps time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.keeps = keeps
}

func (w *world) isMoved() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.moved
}

// tokened returns a long page about a text, with a few words that differ in each request:
// two such pages resemble each other by 0.89, about.
func (w *world) tokened(text string) string {
	n := w.requests()
	var b strings.Builder
	fmt.Fprintf(&b, "<p>request %d at %dZ took %dms for %dX <p>", n, 7919*n, n%97, 104729*n)
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	rng := rand.New(rand.NewPCG(h.Sum64(), 0))
	for range 180 {
		fmt.Fprintf(&b, "w%d ", rng.IntN(5000))
	}
	return b.String()
}

// news returns three words of the time at which the server's cache took a page.
func (w *world) news(text, target string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.keeps == 0 {
		return ""
	}
	if w.kept == nil {
		w.kept = map[string]time.Time{}
	}
	if at, known := w.kept[target]; !known || time.Since(at) >= w.keeps {
		w.kept[target] = time.Now()
	}
	n := w.kept[target].Unix()
	return strings.Repeat(text, 3) + fmt.Sprintf("<p>read about news%d and rain%d and sport%d today", n, n, n)
}

// given is what windowOf returns.
type given struct {
	content    *miner.Machine
	candidates []rule.Candidate
}

func (w *world) windowOf(_ context.Context, site string) (*miner.Machine, []rule.Candidate) {
	g, _ := w.windows.Load(site)
	return g.(given).content, g.(given).candidates
}

func (w *world) States() []fetch.State { return []fetch.State{{Site: "a.example", Used: len(w.asked)}} }

func (w *world) Restore(states []fetch.State) { w.states = states }

func (w *world) requests() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range w.asked {
		n += k
	}
	return n
}

func options(w *world, report func(prober.Report)) prober.Options {
	v := book.Defaults()
	v.Miner, v.Kinds = minerOptions(), book.AnyKind // these logs name no clients
	return prober.Options{Lifecycle: v, Fetcher: w, Report: report}
}

func minerOptions() miner.Options {
	phase1 := envelope.Defaults()
	return miner.Options{Table: table.Options{MaxURLs: 10_000}, Envelope: phase1,
		Params: params.Options{MinSupport: phase1.MinSupport, Similarity: phase1.Similarity}}
}

// mined returns a site's machine after folding its log, with further forms of the stories.
func mined(stories int, more ...string) *miner.Machine {
	m := miner.New("a.example", minerOptions())
	for i := range stories {
		for _, form := range append([]string{"/story?id=%d", "/story_%d", "/other_%d"}, more...) {
			size := int64(1000 + 100*i)
			if form == "/other_%d" {
				size += 20 // close enough to count as equal
			}
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, i), Min: size, Max: size})
		}
	}
	return m
}

// worker is a Worker, and the world in which its windows are.
type worker struct {
	*prober.Worker
	site *world
}

// open returns a worker. If its Fetcher is no world, only its windows are from one.
func open(o prober.Options) *worker {
	site, isWorld := o.Fetcher.(*world)
	if !isWorld {
		site = &world{}
	}
	w := &worker{prober.New(o), site}
	w.TakeWindows(site.windowOf)
	return w
}

// start returns a worker that is closed at the end of the test.
func start(t *testing.T, o prober.Options) *worker {
	w := open(o)
	t.Cleanup(w.Close)
	return w
}

func give(w *worker, m *miner.Machine) {
	candidates := forms.Candidates(m.Rules())
	w.site.windows.Store(m.Site(), given{m.Content(), candidates})
	w.Offer(m.Site(), candidates)
}

// run gives a site its window, and some time.
func run(w *worker, m *miner.Machine, d time.Duration) {
	give(w, m)
	time.Sleep(d)
	synctest.Wait()
}

// tried runs, and drains the worker.
func tried(w *worker, m *miner.Machine, d time.Duration) drained {
	run(w, m, d)
	return drain(w)
}

// onePublished tries a site until its one valid rule is published.
func onePublished(t *testing.T, w *worker, m *miner.Machine) *book.Publication {
	t.Helper()
	p := tried(w, m, 2*time.Hour).published["a.example"]
	if p == nil || len(p.Records) != 1 {
		t.Fatalf("published %+v", p)
	}
	return p
}

// retires tries a site until its rule is retired.
func retires(t *testing.T, w *worker, m *miner.Machine, id string) {
	t.Helper()
	if p := tried(w, m, time.Hour).published["a.example"]; p == nil || len(p.Retired) != 1 || p.Retired[0] != id {
		t.Errorf("published %+v", p)
	}
}

// must ends a test at an error.
var must = expect.NoError

func statusOf(w *worker) prober.Status {
	return prober.StatusOf([]*prober.Worker{w.Worker}, nil, &prober.Verdicts{})
}

// drained is the result of draining a worker.
type drained struct {
	changes   []checkpoint.Change
	published map[string]*book.Publication // the last one of each site
}

func drain(w *worker) drained { return drainedOf(w.Drain()) }

func drainedOf(changes []checkpoint.Change) drained {
	d := drained{changes, map[string]*book.Publication{}}
	for _, c := range d.changes {
		if a, ok := c.(checkpoint.Act); ok && a.Publication != nil {
			d.published[a.Site] = a.Publication
		}
	}
	return d
}

// stored returns a change as a store does.
func stored(t *testing.T, c checkpoint.Change) checkpoint.Change {
	t.Helper()
	a, ok := c.(checkpoint.Act)
	if !ok {
		return c
	}
	act, err := book.Decode(a.Encode())
	must(t, err)
	return checkpoint.Act{Site: a.Site, Act: &act}
}
