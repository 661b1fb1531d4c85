package loop

// The tests of this file set or read private parts. What they test has no door: pairs that cross while a view
// is refined, a look that is interrupted, shares of memory, what is noted of publications, and what one fold
// costs.

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/job"
	"dustbuster/stream/journal"
	"dustbuster/stream/records"
	"dustbuster/stream/site"
)

const day = evidence.SecondsOfDay

// must ends a test at an error.
var must = expect.NoError

// ended is a source that has ended.
type ended struct{}

func (ended) Read(context.Context) (*records.Batch, error) { return nil, io.EOF }

func (ended) CaughtUp(int64) bool { return true }

func (ended) Positions(map[uint64]int64) ([]byte, error) { return nil, nil }

// readers are sinks that keep what readers of events hold.
type readers map[string]bool

func (readers) Publish(context.Context, jsonl.List) error { return nil }

func (r readers) Emit(_ context.Context, events []event.Event) error {
	for _, e := range events {
		switch e.Kind {
		case event.Snapshot:
			clear(r)
			for _, held := range e.Rules {
				r[held.Rule.Text()] = true
			}
		case event.Likely:
			r[e.Rule.Rule.Text()] = true
		case event.Faded:
			delete(r, e.Rule.Rule.Text())
		}
	}
	return nil
}

// options are small ones.
func options() Options {
	phase1 := envelope.Defaults()
	return Options{
		Miner: miner.Options{Table: table.Options{Pane: 10, MaxURLs: 1000}, Envelope: phase1,
			Params: params.Options{MinSupport: phase1.MinSupport, Similarity: phase1.Similarity}},
		MaxSites: 10, Pace: Pace{Refine: time.Second, Checkpoint: time.Second, FlushTimeout: time.Second},
	}
}

// begin returns a loop restored from the journal of a directory.
func begin(t testing.TB, o Options, dir string, out readers) (*Loop, *journal.Journal) {
	t.Helper()
	store, err := journal.Open(journal.Options{Dir: dir, Pane: o.Miner.Table.Pane})
	must(t, err)
	t.Cleanup(func() { _ = store.Close() }) // again, if the test has
	l := New(o, checkpoint.Journal{Journal: store}, out, out)
	_, err = l.Restore()
	must(t, err)
	return l, store
}

// page is a batch of one hit.
func page(site, url string, size, at int64, client int) *records.Batch {
	b := new(records.Batch)
	b.Add(site, &evidence.Observation{URL: []byte(url), Time: at, Min: size, Max: size, Clients: 1 << (client % 16)})
	return b
}

// benchURLs is the number of URLs in a benchmark's table.
const benchURLs = 50_000

// benchBatches returns batches of 1,000 observations: one for each URL, of the given size.
func benchBatches(size int64) (all []*records.Batch) {
	for i := 0; i < benchURLs; i += 1000 {
		b := new(records.Batch)
		b.File, b.End = 1, int64(i+1000)
		for k := i; k < i+1000; k++ {
			b.Records = append(b.Records, records.Record{Site: fmt.Sprintf("www%d.example.org", i/1000%4), Observation: evidence.Observation{
				URL: fmt.Appendf(nil, "/stories/2026/%02d/the-story-of-%d.html?page=%d", k%12, k/7, k%7), Min: size + int64(k), Max: size + int64(k)}})
		}
		all = append(all, b)
	}
	return all
}

func benchLoop(b *testing.B, dir string) (*Loop, *journal.Journal) {
	o := options()
	o.NoWithhold, o.Miner.Table.MaxURLs = true, 10*benchURLs
	return begin(b, o, dir, readers{})
}

// benchFold folds copies of batches, since a batch is released after the fold.
func benchFold(ctx context.Context, l *Loop, batches []*records.Batch) {
	for _, batch := range batches {
		b := new(records.Batch)
		b.File, b.End = batch.File, batch.End
		b.Records = append(b.Records, batch.Records...)
		l.fold(b)
		l.emitPairs(ctx)
	}
}

// BenchmarkKnown measures the loop's work for an observation of a known URL.
func BenchmarkKnown(b *testing.B) {
	l, store := benchLoop(b, b.TempDir())
	defer store.Close()
	batches, source := benchBatches(1000), ended{}
	benchFold(b.Context(), l, batches)
	l.catchUp(source)
	l.endRefining(b.Context())
	b.ReportAllocs()
	for b.Loop() {
		benchFold(b.Context(), l, batches)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/observation")
}

// BenchmarkSave measures a checkpoint of an observation.
func BenchmarkSave(b *testing.B) {
	l, store := benchLoop(b, b.TempDir())
	defer store.Close()
	b.ReportAllocs()
	for size := int64(1000); b.Loop(); size += benchURLs {
		b.StopTimer()
		benchFold(b.Context(), l, benchBatches(size))
		b.StartTimer()
		must(b, l.saveNow(b.Context(), ended{}))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/observation")
}

// BenchmarkRestore measures the restoring of an observation.
func BenchmarkRestore(b *testing.B) {
	dir := b.TempDir()
	l, store := benchLoop(b, dir)
	benchFold(b.Context(), l, benchBatches(1000))
	must(b, l.saveNow(b.Context(), ended{}))
	must(b, store.Close())
	b.ReportAllocs()
	for b.Loop() {
		_, store := benchLoop(b, dir)
		b.StopTimer()
		must(b, store.Close())
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/observation")
}

// A publication is noted once, on the newest day of its site, and looks do not take it away.
func TestMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options()
		o.Miner.Table.Window, o.Miner.Table.Pane = day, 7200
		l, _ := begin(t, o, t.TempDir(), readers{})
		for i := range 14 { // nine pages, five of them under two URLs
			b := page("s", fmt.Sprintf("/%d%s", i%9, []string{"", "?sid=1"}[i/9]), int64(1000*(i%9+1)), 5*day, 1)
			b.Records[0].Families = 1 << 2
			l.fold(b)
		}
		l.Look()
		l.trials = newTrials(nil, l.markChange)
		publish := func(site string, sequence int64, ids ...string) {
			p := book.Publication{Sequence: sequence}
			for _, id := range ids {
				p.Records = append(p.Records, rule.Record{ID: id})
			}
			for range 2 { // a dump notes it again
				l.trials.note(checkpoint.Act{Site: site, Act: &book.Act{Publication: &p}})
			}
		}
		publish("s", 1, "a", "b")
		publish("s", 2, "b", "c", "d")
		l.trials.takeOutgoing()
		publish("s", 2, "b", "c", "d")
		publish("s", 3)
		publish("none", 1, "a")
		l.Look()
		got := slices.Collect(l.curves.of["s"].All())
		if len(got) != 1 || got[0].Date != 5 || got[0].Came != 4 || got[0].Left != 4 || got[0].Crawlers.Fetched != 14 || len(l.curves.of) != 1 {
			t.Errorf("days %+v, %d curves", got, len(l.curves.of))
		}
	})
}

// The days of waste are charged to the memory, and of too many the oldest go.
func TestCurvesAreCharged(t *testing.T) {
	o := options()
	o.Memory = NewMemory(1 << 20)
	l, _ := begin(t, o, t.TempDir(), readers{})
	for n := range 40 {
		site, days := fmt.Sprintf("s%d", n), make([]waste.Day, waste.MostDays)
		l.foldOne(site, &page(site, "/", 1000, 0, 1).Records[0].Observation)
		for i := range days {
			days[i] = waste.Day{Date: int64(20_000 + i), Crawlers: waste.Figure{Fetched: 1 << 20, Pages: 1 << 10, Bytes: 1 << 40}}
		}
		l.curves.restore(checkpoint.Days{Site: site, List: days})
	}
	whole := l.used()
	l.budget()
	var bytes int64
	for site, c := range l.curves.of {
		bytes += c.Bytes()
		if days := slices.Collect(c.All()); len(days) != waste.MostDays/2 || days[0].Date != 20_000+waste.MostDays-1 {
			t.Fatalf("%s has %d days, the newest %d", site, len(days), days[0].Date)
		}
	}
	if bytes != l.curves.bytes || bytes > 1<<20/curvesShare || l.used() != l.sites.Used()+bytes || whole < l.used() || len(l.curves.of) != 40 {
		t.Errorf("%d bytes of curves, charged %d; %d used, %d before", bytes, l.curves.bytes, l.used(), whole)
	}
	for n := range 40 {
		l.unload(fmt.Sprintf("s%d", n))
	}
	if l.curves.bytes != 0 {
		t.Errorf("%d bytes of no curves", l.curves.bytes)
	}
}

// A look that a site's end or the run's end interrupts is forgotten, leaves the turn, and
// begins anew.
func TestLookInterrupted(t *testing.T) {
	o := options()
	o.Learn, o.Miner.Window, o.Jobs = time.Minute, []string{"equal"}, job.NewQueue()
	l, _ := begin(t, o, t.TempDir(), readers{})
	free := func() (free bool) {
		h := o.Jobs.NewHost()
		h.Go(job.Look, func() job.Run {
			free = true
			return nil
		})
		h.Cancel(job.Look)
		return free
	}
	l.fold(page("s", "/a", 1000, 1, 1))
	l.in.live, l.looks.on = true, true
	l.beginLooks()
	if at := l.looks.at; at == nil || at.Site() != "s" || free() {
		t.Fatal("no look has begun")
	}
	l.unload("s")
	l.jobs.Wait(t.Context(), job.Look)
	if len(l.known) > 0 || l.looks.at != nil || l.looks.due.len() > 0 {
		t.Errorf("the look at a site that has gone left %+v", l.looks)
	}
	l.fold(page("s", "/a", 1000, 1, 1))
	l.beginLooks()
	l.looks.giveUp.Store(true)
	l.endLooks(t.Context())
	for _, s := range l.known {
		if !s.NeedsLook(time.Now(), time.Minute) && !s.HasNews() {
			t.Error("the interrupted look is remembered")
		}
	}
	if !free() {
		t.Error("the turn was not left")
	}
}

// Loops share a budget: each loop may use the part left by the others, and at least an
// equal part.
func TestMemoryIsShared(t *testing.T) {
	m, a, b := NewMemory(100), &Loop{}, &Loop{}
	for _, c := range []struct {
		l          *Loop
		used, want int64
	}{{a, 90, 100}, {b, 0, 50}, {a, 90, 100}, {b, 45, 50}, {a, 90, 55}, {a, 20, 55}, {b, 45, 80}} {
		if got := m.room(c.l, c.used); got != c.want {
			t.Errorf("using %d: room for %d, want %d", c.used, got, c.want)
		}
	}
	a.o.Memory = m
	a.Close()
	if got := m.room(b, 45); got != 100 {
		t.Errorf("alone: room for %d", got)
	}
}

// Pairs that become likely or fade while a view is refined stay as their events said. The next
// refinement finds what several clients, or parameters, have changed.
func TestCrossedSinceView(t *testing.T) {
	crossed := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		o, out := options(), readers{}
		o.NoWithhold = seed%2 == 0
		o.Miner.Table.Window = 30
		l, _ := begin(t, o, t.TempDir(), out)
		fold := func(at int) {
			for range 1 + rng.IntN(6) {
				i := rng.IntN(10)
				client, form := rng.IntN(12), []string{"/story?id=%d", "/story_%d", "/page?id=%d", "/page_%d"}[rng.IntN(4)]
				l.fold(page("", fmt.Sprintf(form, i), int64(1000+100*(i%5)), int64(5*at), client))
			}
			l.emitPairs(t.Context())
		}
		for at := range 30 {
			fold(at)
		}
		l.catchUp(ended{})
		l.endRefining(t.Context())
		for at := 30; at < 60; at++ {
			l.beginRefinement(t.Context())
			l.goOn(t.Context())
			if fold(at); l.jobs.Busy(job.Refine) { // beside the goroutine
				take := <-l.jobs.Inbox()
				fold(at)
				crossed += len(l.refining.crossed)
				take(t.Context())
				l.doMore(t.Context())
			}
			l.endRefining(t.Context())
			for len(l.asks) > 0 {
				l.answer(t.Context())
			}
			if rng.IntN(3) == 0 {
				l.refine(t.Context())
				if want := likelyOf(l); !maps.Equal(out, want) {
					t.Fatalf("seed %d, %d: readers hold %v, want %v", seed, at, out, want)
				}
			} else if l.o.NoWithhold { // pairs are exact at each moment
				for m := range l.sites.All() {
					for _, r := range m.Likely() {
						if r.Learner == "envelope" && !out[r.Rule.Text()] {
							t.Fatalf("seed %d, %d: readers do not hold %v", seed, at, r.Rule.Text())
						}
					}
				}
			}
		}
	}
	if crossed < 100 {
		t.Errorf("%d pairs crossed while a view was refined", crossed)
	}
}

// likelyOf lists the likely rules of all sites, without those that are withheld.
func likelyOf(l *Loop) map[string]bool {
	all := map[string]bool{}
	for m := range l.sites.All() {
		likely := m.Likely()
		alone, hidden := m.OneClient(likely), m.Hidden(likely, secret.Veil{})
		for i, r := range likely {
			if l.o.NoWithhold || !alone[i] && !hidden[i] {
				all[r.Rule.Text()] = true
			}
		}
	}
	return all
}

// A line has each site once, in the order in which they came. All are taken in the order of their names.
func TestLine(t *testing.T) {
	var n line
	all := map[string]*site.Site{}
	for _, name := range []string{"c", "a", "d", "b", "a", "c"} {
		if all[name] == nil {
			all[name] = site.New(miner.New(name, options().Miner), nil)
		}
		n.add(all[name])
	}
	names := func(sites []*site.Site) (text string) {
		for _, s := range sites {
			text += s.Site()
		}
		return text
	}
	for _, step := range []struct{ remove, left string }{{"d", "cab"}, {"c", "ab"}, {"c", "ab"}, {"d", "ab"}} {
		if n.remove(all[step.remove]); names(n.all) != step.left || n.len() != len(step.left) || n.first() != all[step.left[:1]] {
			t.Errorf("without %s: %s, want %s", step.remove, names(n.all), step.left)
		}
	}
	n.add(all["c"])
	n.remove(all["a"])
	n.add(all["a"])
	if got := names(n.takeAll()); got != "abc" || n.len() > 0 {
		t.Errorf("taken %s, %d are left", got, n.len())
	}
	if n.add(all["a"]); names(n.all) != "a" {
		t.Errorf("%s after all were taken", names(n.all))
	}
}

// Another list of published rules is a reason to look again, and the next look tells the waste by these rules.
func TestPublishedListIsLookedAt(t *testing.T) {
	o := options()
	o.Learn, o.Miner.Window, o.NoWithhold = time.Minute, []string{"equal"}, true
	l, _ := begin(t, o, t.TempDir(), readers{})
	for _, site := range []string{"a", "b"} {
		for i := range 36 {
			b := page(site, fmt.Sprintf("/%d/%c", i/12, 'a'+i%12), int64(1000*(i/12+1)+max(i%12, 1)*50), 1, 1+i%2)
			b.Records[0].Families = 1 << 2
			l.fold(b)
		}
	}
	l.Look()
	l.trials = &trials{published: map[string]*book.Publication{"a": {Records: []rule.Record{{Schema: rule.Schema, Wire: *rule.NewWire(&rule.Rule{Edit: rule.Drop{Param: "sid"}})}}}}}
	l.listValid()
	for m := range l.sites.All() {
		if changed := l.of(m).NeedsLook(time.Now(), 0); changed != (m.Site() == "a") {
			t.Errorf("site %s: looked at again %v", m.Site(), changed)
		}
	}
	l.Look()
	l.in.live = true
	l.share()
	if got := l.State().Status.Sites[0].Waste; got.Valid != 1 || got.Likely != 0 || got.Crawlers() != (waste.Figure{Fetched: 36, Pages: 36}) {
		t.Errorf("by the published rule: %+v", got)
	}
}
