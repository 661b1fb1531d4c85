package prober_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// A valid rule is published, once its acts are saved; a rule that does not hold is not.
func TestTryAndPublish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		var reports []prober.Report
		var mu sync.Mutex
		w := start(t, options(site, func(r prober.Report) { mu.Lock(); reports = append(reports, r); mu.Unlock() }))
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
		for _, form := range []struct{ url, want string }{{"/story?id=7", "/story_7"}, {"/story_7", "/story_7"}, {"/other_7", "/other_7"}} {
			if got, _ := c.Canon(nil, []byte(form.url)); string(got) != form.want {
				t.Errorf("%s becomes %s, want %s", form.url, got, form.want)
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

// If one page of a pair is never asked for, the other is not asked for either.
func TestPairsOfWhatIsNeverAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second, never: "/story_"}
		o := options(site, nil)
		o.Once = true
		w := start(t, o)
		give(w, mined(40))
		for w.Busy() {
			time.Sleep(time.Second)
		}
		if n := site.requests(); n > 4 { // for the rules that lead elsewhere
			t.Errorf("%d requests: %v", n, site.asked)
		}
	})
}

// A rule without exceptions is published within 90 seconds, at a request a second.
func TestFirstListComesSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		o := options(site, nil)
		o.Lifecycle.SecondAfter = 60
		w := start(t, o)
		if p := tried(w, mined(40), 90*time.Second).published["a.example"]; p == nil || p.Sequence != 1 || len(p.Records) != 1 {
			t.Errorf("published %+v after %d requests", p, site.requests())
		}
	})
}

// A machine that is busy for long, as with a report that nobody takes, delays no publication.
func TestDrainWhileBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, free := busy(t)
		defer free()
		if drain(w).published["a.example"] == nil {
			t.Error("the publication waits for the machine")
		}
	})
}

// busy returns a worker with one published list, not drained yet, whose machine is busy until free is called: the report
// of its second held update is not taken.
func busy(t *testing.T) (w *worker, free func()) {
	t.Helper()
	until, held := make(chan struct{}), 0
	o := options(&world{asked: map[string]int{}}, func(r prober.Report) {
		if r.Pending == nil {
			return
		}
		if held++; held == 2 {
			<-until
		}
	})
	o.Lifecycle.HoldShare = 0.2
	w = start(t, o)
	run(w, mined(40), time.Hour)
	must(t, w.Decide("a.example", book.Decision{Mark: statusOf(w).Pending["a.example"].Mark}))
	run(w, mined(40), time.Hour)
	run(w, mined(40, "/archive_%d"), time.Hour)
	if held != 2 {
		t.Fatalf("%d updates are held", held)
	}
	return w, sync.OnceFunc(func() { close(until) })
}

// A worker restored from the acts of another worker, in order, from the beginning or from a
// dump, continues there, and sends no request twice.
func TestResume(t *testing.T) {
	for _, dumped := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			m := mined(40)
			whole := &world{asked: map[string]int{}, took: time.Second}
			w := open(options(whole, nil))
			run(w, m, time.Hour)
			w.Close()

			site := &world{asked: map[string]int{}, took: time.Second}
			cut := 0 // runs cut short
			var saved []checkpoint.Change
			var published []*book.Publication
			for runs := 0; runs < 200; runs++ {
				w := open(options(site, nil))
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
		w := open(options(site, func(r prober.Report) {
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
		o := options(&world{asked: map[string]int{}, took: time.Second}, func(r prober.Report) {
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
			if err := w.Decide("b.example", book.Decision{Mark: hold.Mark}); err != prober.ErrNoSite {
				t.Errorf("update %d: another site: %v", n, err)
			}
			if err := w.Decide("a.example", book.Decision{Mark: hold.Mark}); err != nil || !w.Needs("a.example") || len(statusOf(w).Pending) > 0 {
				t.Errorf("update %d: what is approved, and what is wanted then", n)
			}
			if all := statusOf(w).Whose; len(all) != 1 {
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
		if w.Recheck("a.example", "") == nil || w.Recheck("c.example", "") == nil || len(statusOf(w).Whose) > 0 {
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

// If several workers share a Fetcher, each worker keeps the politeness of its own sites.
func TestPolitenessOfMine(t *testing.T) {
	for _, c := range []struct {
		name string
		want int
	}{{"a.example", 1}, {"b.example", 0}} {
		t.Run(c.name, func(t *testing.T) {
			o := options(&world{}, nil)
			o.Mine = func(site string) bool { return site == c.name }
			changes := slices.Collect(start(t, o).Dump())
			if got, is := changes[len(changes)-1].(checkpoint.Politeness); !is || len(got) != c.want || c.want > 0 && got[0].Site != c.name {
				t.Errorf("%+v", changes)
			}
		})
	}
}
