package prober

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/expect"
	_ "dustbuster/internal/fewgc"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
)

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
	origin  string        // of all sites; "": none
	windows sync.Map      // given, by site
}

func (w *world) CanFetch(site string) bool {
	return strings.HasSuffix(site, ".example") && site != "b.example"
}

// Origin, Opens, Ready and Pass let all sites be asked at any time, or if alone is set, one after the other.
func (w *world) Origin(string) string { return w.origin }

func (w *world) Ready(string) time.Time { return time.Now().Add(w.delay) }

func (w *world) Opens(string) time.Time {
	if w.alone != nil && w.alone.Load() > 0 {
		return time.Now().Add(time.Hour)
	}
	return time.Time{}
}

func (w *world) Pass(ctx context.Context, _ string) (context.Context, func()) {
	if w.alone == nil {
		return ctx, func() {}
	}
	w.alone.Add(1)
	return ctx, func() { w.alone.Add(-1) }
}

func (w *world) Where(site, target string) (string, error) { return "http://" + site + target, nil }

func (w *world) Left(string) int { return math.MaxInt - w.used }

func (w *world) Renews(string) time.Time { return w.renews }

func (w *world) LeftInAll() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.total == 0 {
		return math.MaxInt
	}
	return w.total - w.made
}

func (w *world) Get(ctx context.Context, site, target string) (fetch.Document, error) {
	if d, known := w.cached(target); known {
		return d, nil
	}
	return w.get(ctx, site, target)
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
	if w.closed {
		text = "<p>come back later"
	}
	size, _ := strconv.ParseInt(id, 10, 64)
	d := fetch.Document{Site: site, Target: target, Status: 200, Content: Digest("/", "text/html", []byte(text)), Sent: 1000 + 100*size, At: time.Now()}
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

// given is what windowOf returns.
type given struct {
	content    *miner.Machine
	candidates []rule.Candidate
}

func (w *world) windowOf(_ context.Context, site string) (*miner.Machine, []rule.Candidate) {
	g, _ := w.windows.Load(site)
	return g.(given).content, g.(given).candidates
}

func (w *world) Again(ctx context.Context, site, target string) (fetch.Document, error) {
	w.mu.Lock()
	w.again++
	w.mu.Unlock()
	return w.get(ctx, site, target)
}

func (w *world) States() []fetch.State        { return []fetch.State{{Site: "a.example", Used: len(w.asked)}} }
func (w *world) Restore(states []fetch.State) { w.states = states }
func (w *world) requests() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range w.asked {
		n += k
	}
	return n
}

func options(w *world, report func(Report)) Options {
	v := book.Defaults()
	v.Miner, v.Kinds = minerOptions(), book.AnyKind // these logs name no clients
	return Options{Lifecycle: v, Fetcher: w, Report: report}
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

// start returns a worker that is closed at the end of the test.
func start(t *testing.T, o Options) *Worker {
	w := New(o)
	t.Cleanup(w.Close)
	return w
}

func give(w *Worker, m *miner.Machine) {
	site, isWorld := w.o.Fetcher.(*world)
	if !isWorld {
		site = &world{}
	}
	candidates := forms.Candidates(m.Rules())
	site.windows.Store(m.Site(), given{m.Content(), candidates})
	if w.windows == nil {
		w.TakeWindows(site.windowOf)
	}
	w.Offer(m.Site(), candidates)
}

// run gives a site its window, and some time.
func run(w *Worker, m *miner.Machine, d time.Duration) {
	give(w, m)
	time.Sleep(d)
	synctest.Wait()
}

// tried runs, and drains the worker.
func tried(w *Worker, m *miner.Machine, d time.Duration) drained {
	run(w, m, d)
	return drain(w)
}

// onePublished tries a site until its one valid rule is published.
func onePublished(t *testing.T, w *Worker, m *miner.Machine) *book.Publication {
	t.Helper()
	p := tried(w, m, 2*time.Hour).published["a.example"]
	if p == nil || len(p.Records) != 1 {
		t.Fatalf("published %+v", p)
	}
	return p
}

// retires tries a site until its rule is retired.
func retires(t *testing.T, w *Worker, m *miner.Machine, id string) {
	t.Helper()
	if p := tried(w, m, time.Hour).published["a.example"]; p == nil || len(p.Retired) != 1 || p.Retired[0] != id {
		t.Errorf("published %+v", p)
	}
}

// A valid rule is published, once its acts are saved; a rule that does not hold is not.
func TestTryAndPublish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		var reports []Report
		var mu sync.Mutex
		w := start(t, options(site, func(r Report) { mu.Lock(); reports = append(reports, r); mu.Unlock() }))
		m := mined(40)
		if w.Needs("b.example") || !w.Needs("a.example") {
			t.Error("whose window is wanted")
		}
		give(w, m)
		if w.Needs("a.example") {
			t.Error("a new window is wanted at once")
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if s := w.Status()["a.example"]; s.Trial == nil || s.Trial.Rule == nil || s.Trial.Pairs < 10 || s.Open == 0 || s.Forms == 0 || s.URLs < s.Forms {
			t.Errorf("nothing is under test: %+v", s)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		taken := drain(w)
		p := taken.published["a.example"]
		if p == nil || p.Sequence != 2 || len(p.Records) == 0 || p.Records[0].Verdict.Step != "" || site.most != 1 { // provisional, then proved
			t.Fatalf("published %+v; %d requests at once", p, site.most)
		}
		rules := make([]rule.Rule, len(p.Records))
		for i := range p.Records {
			var err error
			rules[i], err = p.Records[i].Rule()
			must(t, err)
		}
		c, err := canon.Compile(rules)
		must(t, err)
		for url, want := range map[string]string{"/story?id=7": "/story_7", "/story_7": "/story_7", "/other_7": "/other_7"} {
			if got, _ := c.Canon(nil, []byte(url)); string(got) != want {
				t.Errorf("%s becomes %s, want %s", url, got, want)
			}
		}
		if again := drain(w); len(again.changes) != 0 {
			t.Errorf("drained again: %d changes", len(again.changes))
		}
		if s := w.Status()["a.example"]; s.States[rule.Valid] != len(p.Records) || s.States[rule.Refuted] == 0 || s.Trial != nil || s.Pairs == 0 {
			t.Errorf("status %+v", s)
		}
		verdicts := 0
		for _, r := range reports {
			if r.Verdict != nil {
				verdicts++
			}
		}
		if verdicts == 0 {
			t.Error("no verdict was reported")
		}
	})
}

// A machine that computes for long, as on a site that answers at once, delays no publication.
func TestDrainWhileComputing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(options(&world{asked: map[string]int{}}, nil))
		defer w.Close()
		run(w, mined(40), time.Hour)
		s := w.site("a.example")
		s.mu.Lock()
		defer s.mu.Unlock()
		if drain(w).published["a.example"] == nil {
			t.Error("the publication waits for the machine")
		}
	})
}

// A worker restored from the acts of another worker, in order, from the beginning or from a
// dump, continues there, and sends no request twice.
func TestResume(t *testing.T) {
	for _, dumped := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			m := mined(40)
			whole := &world{asked: map[string]int{}, took: time.Second}
			w := New(options(whole, nil))
			run(w, m, time.Hour)
			w.Close()

			site := &world{asked: map[string]int{}, took: time.Second}
			cut := 0 // runs cut short
			var saved []checkpoint.Change
			var published []*book.Publication
			for runs := 0; runs < 200; runs++ {
				w := New(options(site, nil))
				for _, c := range saved {
					w.Restore(stored(t, c))
				}
				give(w, m)
				time.Sleep(5 * time.Second) // some pairs
				synctest.Wait()
				if w.Busy() {
					cut++
				}
				w.Close()
				var got drained
				if dumped {
					got = drainedOf(slices.Collect(w.Dump()))
					saved = got.changes
					if rest := w.Drain(); len(rest) > 0 {
						t.Errorf("%d changes were not in the dump", len(rest))
					}
				} else {
					got = drain(w)
					saved = append(saved, got.changes...)
				}
				if p := got.published["a.example"]; p != nil && p.Sequence > int64(len(published)) {
					published = append(published, p)
				}
			}
			if got, most := site.requests(), whole.requests()+2*cut; got > most || cut < 10 {
				t.Errorf("dumped %v: %d requests in %d runs cut short, %d in one that was not", dumped, got, cut, whole.requests())
			}
			if n := len(published); n < 1 || n > 2 || published[n-1].Records[0].Verdict.Step != "" || len(site.states) != 1 { // provisional, which may be drained with the next, and proved
				t.Errorf("dumped %v: published %d times, want 1 or 2, proved at last; states %v", dumped, len(published), site.states)
			}
		})
	}
}

// While no request is allowed, the pair is postponed and counts as nothing. The reasons:
// the hour's budget is used up, the server is overloaded, or the server is down and its
// robots.txt cannot be fetched.
func TestWhatMayNotBeAskedNowIsTriedLater(t *testing.T) {
	for _, reason := range []fetch.Reason{fetch.Budget, fetch.Resting, fetch.Closed} {
		t.Run(string(reason), func(t *testing.T) { waitedFor(t, reason) })
	}
}

func waitedFor(t *testing.T, reason fetch.Reason) {
	synctest.Test(t, func(t *testing.T) {
		until := time.Now().Add(40 * time.Minute)
		site := &world{asked: map[string]int{}, failing: &fetch.Error{Reason: reason, Target: "/x", Until: until}}
		var waits []time.Time
		w := New(options(site, func(r Report) {
			if r.Wait != nil {
				waits = append(waits, r.Wait.Until)
			}
		}))
		defer w.Close()
		m := mined(40)
		run(w, m, 30*time.Minute)
		w.Resume()
		if !w.Needs("a.example") {
			t.Error("it waits although it need not any more")
		}
		give(w, m)
		synctest.Wait()
		if w.Needs("a.example") || len(waits) != 2 || !waits[0].Equal(until) {
			t.Errorf("wanted while nothing may be asked; waits %v", waits)
		}
		site.mu.Lock()
		site.failing = nil
		site.mu.Unlock()
		time.Sleep(15 * time.Minute)
		if !w.Needs("a.example") {
			t.Error("not wanted any more")
		}
		if p := tried(w, m, time.Hour).published["a.example"]; p == nil {
			t.Error("nothing published")
		}
	})
}

// An update that changes too many forms waits for approval by a person, even the first
// update. The wait is reported once.
func TestHeldUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []lifecycle.PendingUpdate
		o := options(&world{asked: map[string]int{}, took: time.Second}, func(r Report) {
			if r.Pending != nil {
				told = append(told, *r.Pending)
			}
		})
		o.Lifecycle.HoldShare = 0.2
		w := start(t, o)
		try := func(m *miner.Machine) *book.Publication {
			run(w, m, time.Hour)
			return drain(w).published["a.example"]
		}
		for n, c := range []struct {
			mined *miner.Machine
			share float64
		}{{mined(40), 1. / 3}, {mined(40, "/archive_%d"), 0.25}} {
			for range 2 {
				if p := try(c.mined); p != nil {
					t.Fatalf("update %d: published %+v", n, p)
				}
			}
			hold := statusOf(w).Pending["a.example"]
			if len(told) != n+1 || told[n].Mark != hold.Mark || len(hold.List) != 1 || hold.List[0].ID != hold.Mark || hold.Share != c.share || hold.Rules != 1 {
				t.Errorf("update %d: told %v, held %+v", n, told, hold)
			}
			if err := w.Decide("a.example", book.Decision{Mark: "another"}); err != book.ErrChanged {
				t.Errorf("update %d: another mark: %v", n, err)
			}
			if err := w.Decide("b.example", book.Decision{Mark: hold.Mark}); err != ErrNoSite {
				t.Errorf("update %d: another site: %v", n, err)
			}
			if err := w.Decide("a.example", book.Decision{Mark: hold.Mark}); err != nil || !w.Needs("a.example") || len(statusOf(w).Pending) > 0 {
				t.Errorf("update %d: what is approved, and what is wanted then", n)
			}
			if all := w.all(); len(all) != 1 {
				t.Errorf("update %d: a name that somebody invented is remembered", n)
			}
			if p := try(c.mined); p == nil || p.Sequence != int64(n+1) || len(statusOf(w).Pending) > 0 || len(told) != n+1 {
				t.Errorf("update %d: approved, and published %+v; held %v, told %d times", n, p, statusOf(w).Pending, len(told))
			}
		}
	})
}

// Recheck starts new trials of the published rules, and rules that no longer hold are
// retracted.
func TestRecheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		o := options(site, nil)
		o.Lifecycle.RecheckEvery = 0
		w := start(t, o)
		m := mined(40)
		if w.Recheck("a.example", "") == nil || w.Recheck("c.example", "") == nil || len(w.all()) > 0 {
			t.Error("what is not known is tried again")
		}
		p := onePublished(t, w, m)
		id := p.Records[0].ID
		give(w, m)
		synctest.Wait()
		asked := site.requests()
		site.move()
		if w.Needs("a.example") || w.Recheck("a.example", "another") == nil || w.Needs("a.example") || site.requests() != asked {
			t.Error("an unknown rule is tried again")
		}
		if w.Recheck("a.example", id) != nil || !w.Needs("a.example") {
			t.Fatal("not tried again")
		}
		if acts := drain(w).changes; len(acts) == 0 || acts[len(acts)-2].(checkpoint.Act).Round == nil {
			t.Errorf("the round is not to be saved: %d acts", len(acts))
		}
		retires(t, w, m, id)
	})
}

// A new window whose newest sizes contradict a rule causes its trial anew, at once.
func TestNewestSizes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pane = 2 * 3600
		site := &world{asked: map[string]int{}, took: time.Second}
		w := start(t, options(site, nil))
		mo := minerOptions()
		mo.Table.Window, mo.Table.Pane = 12*pane, pane
		m := miner.New("a.example", mo)
		see := func(at, grown int64) {
			for i := range int64(40) {
				m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/story?id=%d", i), Time: at, Min: 1000 + 100*i, Max: 1000 + 100*i})
				m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/story_%d", i), Time: at, Min: 1000 + 100*i + grown, Max: 1000 + 100*i + grown})
			}
		}
		see(pane, 0)
		onePublished(t, w, m)
		site.move()
		for grown, retired := range []int{0, 1} {
			see(pane*int64(2+grown), 5000*int64(grown))
			if p := tried(w, m, time.Hour).published["a.example"]; (p != nil) != (retired > 0) || p != nil && len(p.Retired) != retired {
				t.Errorf("sizes have changed: %v; published %+v", grown > 0, p)
			}
		}
	})
}

// Published rules are tried again with new documents. The first trial needs new documents
// only for its negative pair, which is looked at twice.
func TestAgainIsFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		w := start(t, options(site, nil))
		m := mined(40)
		run(w, m, 2*time.Hour)
		before, asked := site.again, site.requests()
		give(w, m)
		time.Sleep(23 * time.Hour)
		run(w, m, time.Hour)
		const decoys = 1 // there is one kind of page, which is no longer in the cache
		if n := site.requests() - asked; before != 2 || site.again == before || site.again-before != n-decoys {
			t.Errorf("%d new documents at first; a day later %d of %d", before, site.again-before, n)
		}
	})
}

// A site under trial gets a new window now and then, too.
func TestBusySiteIsRefreshed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, options(&world{asked: map[string]int{}, took: time.Hour}, nil))
		give(w, mined(40))
		time.Sleep(9 * time.Minute)
		early := w.Needs("a.example")
		time.Sleep(time.Minute)
		if early || !w.Needs("a.example") || !w.Busy() {
			t.Errorf("a new window is wanted after nine minutes %v, after ten %v", early, w.Needs("a.example"))
		}
	})
}

func TestDocuments(t *testing.T) {
	for reason, want := range map[fetch.Reason]string{
		fetch.Robots: "1", fetch.Closed: "1", fetch.Action: "2", fetch.Pattern: "2", fetch.Secret: "2", fetch.Unasked: "2", fetch.Timeout: "3", fetch.Network: "4", fetch.Encoding: "4", fetch.Address: "5",
		fetch.NoOrigin: "5", fetch.OffSite: "5", fetch.Target: "5", fetch.Loop: "6",
	} {
		if got := document(fetch.Document{}, &fetch.Error{Reason: reason}).Failure; fmt.Sprint(got) != want {
			t.Errorf("%s is %d, want %s", reason, got, want)
		}
	}
	if document(fetch.Document{Status: 200, Truncated: true}, nil).Failure == 0 {
		t.Error("a document that was cut passes for one")
	}
	if document(fetch.Document{}, errors.New("odd")).Failure == 0 {
		t.Error("an odd error passes for a document")
	}
	for _, reason := range []fetch.Reason{fetch.Budget, fetch.Spent, fetch.Held, fetch.Resting, fetch.Full, fetch.Barred, fetch.Cancelled} {
		if wait := postponed(nil, &fetch.Error{Reason: reason}); wait == nil || wait.Until.IsZero() {
			t.Errorf("%s counts as an outcome", reason)
		}
	}
	for target, whole := range map[string]bool{"/x": true, "www.a.example/x": false} {
		if wait := postponed(&fetch.Error{Reason: fetch.Closed, Target: target}); (wait != nil) != whole {
			t.Errorf("the host of %s is closed, and the site waits: %v", target, wait)
		}
	}
}

// If several workers share a Fetcher, each worker keeps the politeness of its own sites.
func TestPolitenessOfMine(t *testing.T) {
	for mine, want := range map[string]int{"a.example": 1, "b.example": 0} {
		o := options(&world{}, nil)
		o.Mine = func(site string) bool { return site == mine }
		w := New(o)
		if got := w.politeness(); len(got) != want || want > 0 && got[0].Site != mine {
			t.Errorf("%s: %+v", mine, got)
		}
		w.Close()
	}
}

// A test of pages that changed uses no document from before, and requests each document once.
func TestDocumentsSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := &world{asked: map[string]int{}}
		w := start(t, options(world, nil))
		s := w.site("a.example")
		test, begin := lifecycle.Look{U: "/story?id=1", V: "/story_1"}, time.Now().Unix()
		for i, c := range []struct {
			since int64
			again int
		}{{0, 0}, {begin, 0}, {begin + 1, 2}, {begin + 1, 2}} {
			test.Since = c.since
			if s.look(t.Context(), test); world.again != c.again || world.requests() != 2+c.again {
				t.Errorf("look %d: %d requests, %d of them for known documents", i, world.requests(), world.again)
			}
			time.Sleep(time.Minute)
		}
	})
}

// must ends a test at an error.
var must = expect.NoError

func statusOf(w *Worker) Status { return StatusOf([]*Worker{w}, nil, &Verdicts{}) }

// drained is the result of draining a worker.
type drained struct {
	changes   []checkpoint.Change
	published map[string]*book.Publication // the last one of each site
}

func drain(w *Worker) drained { return drainedOf(w.Drain()) }

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
