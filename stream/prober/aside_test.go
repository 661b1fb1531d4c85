package prober_test

import (
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

// secondLooks say when second looks come, and whether a true rule holds then behind a cache of a minute.
var secondLooks = []struct {
	name  string
	after int64
	holds int
}{{"at once", 0, 0}, {"later", 60, 1}}

// A server whose cache shows each page unchanged for a minute does not decide a trial: the second look comes later. If it
// came at once, what is new on each page would be the page's own.
func TestCacheOfAMinute(t *testing.T) {
	for _, c := range secondLooks {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				site := &world{asked: map[string]int{}, took: time.Second, keeps: time.Minute}
				o := options(site, nil)
				o.Lifecycle.SecondAfter, o.Once = c.after, true
				w := start(t, o)
				give(w, mined(40))
				for w.Busy() {
					time.Sleep(time.Second)
				}
				if s := w.Status()["a.example"]; s.States[rule.Valid] != c.holds {
					t.Errorf("%+v with %d requests: %+v", s.States, site.requests(), s.Now)
				}
			})
		})
	}
}

// The same cache, put before a site whose rule is published: a recheck looks again later as well.
func TestRecheckThroughACache(t *testing.T) {
	for _, c := range secondLooks {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				site := &world{asked: map[string]int{}, took: time.Second}
				o := options(site, nil)
				o.Lifecycle.SecondAfter = c.after
				w, m := start(t, o), mined(40)
				p := onePublished(t, w, m)
				site.cacheFor(time.Minute)
				must(t, w.Recheck("a.example", p.Records[0].ID))
				run(w, m, 2*time.Hour) // without another turn from outside
				if s := w.Status()["a.example"]; s.States[rule.Valid] != c.holds || c.holds > 0 && site.requests() < 150 {
					t.Errorf("%+v with %d requests: %+v", s.States, site.requests(), s.Now)
				}
			})
		})
	}
}

// While nothing is left but second looks, the site has a turn when the first of them is due, and one at once if somebody
// decides something.
func TestTurnAtTheSecondLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, keeps: time.Hour}
		o := options(site, nil)
		o.Lifecycle.SecondAfter = 60
		w := start(t, o)
		begun := time.Now()
		give(w, mined(40))
		synctest.Wait()
		now := nowOfA(w)
		if now.Why != lifecycle.SecondLook || now.Until != begun.Unix()+60 || !w.Busy() {
			t.Fatalf("%+v at %v", now, begun)
		}
		made := site.requests()
		if give(w, mined(40)); !w.Busy() {
			t.Error("new candidates took the turn away")
		}
		synctest.Wait()
		if again := nowOfA(w); again.Why != now.Why || again.Until != now.Until {
			t.Errorf("with new candidates %+v", again)
		}
		time.Sleep(59 * time.Second)
		synctest.Wait()
		if n := site.requests(); n != made {
			t.Errorf("%d requests before the second look is due", n-made)
		}
		if time.Sleep(2 * time.Second); site.requests() == made {
			t.Error("no request after a minute")
		}
	})
}
