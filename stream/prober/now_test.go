package prober_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule/report"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// nowOfA returns what the status says of the site a.example.
func nowOfA(w *worker) lifecycle.Now {
	s := statusOf(w)
	return s.Now("a.example")
}

// Each reason for which no request may be made is told, with its end, and trials go on at the next
// look once the wait has ended.
func TestNowWhileWaiting(t *testing.T) {
	for _, c := range []struct {
		reason fetch.Reason // and the name
		want   lifecycle.Why
	}{
		{fetch.Budget, lifecycle.Budget}, {fetch.Spent, lifecycle.Spent}, {fetch.Held, lifecycle.Rests}, {fetch.Resting, lifecycle.Rests},
		{fetch.Closed, lifecycle.Robots}, {fetch.Full, lifecycle.Hosts}, {fetch.Barred, lifecycle.Moved}, {fetch.Cancelled, lifecycle.Ended},
	} {
		t.Run(string(c.reason), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				until := time.Now().Add(40 * time.Minute)
				w := start(t, options(&world{asked: map[string]int{}, failing: &fetch.Error{Reason: c.reason, Target: "/", Until: until}}, nil))
				give(w, mined(40))
				synctest.Wait()
				if now := nowOfA(w); now.Why != c.want || c.want != lifecycle.Spent && now.Until != until.Unix() || now.Words() == "" {
					t.Errorf("%s: %+v", c.reason, now)
				}
				time.Sleep(41 * time.Minute)
				if now := nowOfA(w); c.want != lifecycle.Spent && now.Why != lifecycle.NextLook {
					t.Errorf("after %s: %+v", c.reason, now)
				}
			})
		})
	}
}

// The other reasons of a site that is not tried at present.
func TestNowOfSites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(&world{asked: map[string]int{}, took: time.Minute, alone: new(atomic.Int32)}, nil)
		w := open(o)
		give(w, siteOf("first.example", 20))
		synctest.Wait()
		give(w, siteOf("a.example", 20))
		s := statusOf(w)
		for _, c := range []struct {
			name string // of the site
			want lifecycle.Why
		}{{"first.example", lifecycle.Trying}, {"a.example", lifecycle.Queued}, {"b.example", lifecycle.NoOrigin}, {"new.example", lifecycle.FirstLook}} {
			if now := s.Now(c.name); now.Why != c.want || now.Words() == "" {
				t.Errorf("%s: %+v, want %s", c.name, now, c.want)
			}
		}
		w.Close()
		s = statusOf(w)
		if now := s.Now("first.example"); now.Why != lifecycle.Ended {
			t.Errorf("after the end: %+v", now)
		}
		off := prober.Status{}
		if now := off.Now("a.example"); now.Why != lifecycle.Off {
			t.Errorf("without trials: %+v", now)
		}
	})
}

// Requests that are kept for the trial of the set are a reason, with the end of the hour. The reason is
// reported once.
func TestNowWhileRequestsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var idle []lifecycle.Why
		site := &world{asked: map[string]int{}, used: math.MaxInt - 10, renews: time.Now().Add(14 * time.Minute)}
		o := options(site, func(r prober.Report) {
			mu.Lock()
			defer mu.Unlock()
			if r.Idle != nil {
				idle = append(idle, r.Idle.Why)
			}
		})
		o.Reserve = 10
		w := start(t, o)
		for range 5 {
			run(w, mined(40), time.Minute)
			if now, s := nowOfA(w), w.Status()["a.example"]; now.Why != lifecycle.Kept || now.Until != site.renews.Unix() || s.Open == 0 || s.Left != 10 {
				t.Errorf("%d candidates, %d requests left: %+v", s.Open, s.Left, now)
			}
			if n := site.requests(); n != 0 || w.Busy() {
				t.Errorf("%d requests", n)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if !slices.Equal(idle, []lifecycle.Why{lifecycle.Kept}) {
			t.Errorf("reported: %v", idle)
		}
	})
}

// busySite is what people and crawlers ask of a site.
var busySite = []struct {
	name string
	ask  func(t *testing.T, w *worker) error
}{
	{"detail", func(t *testing.T, w *worker) error {
		_, err := w.Detail(t.Context(), "a.example", lifecycle.Query{})
		return err
	}},
	{"decision", func(_ *testing.T, w *worker) error { return w.Decide("a.example", book.Decision{Mark: "m"}) }},
	{"file", func(_ *testing.T, w *worker) error { return w.Take("a.example", &book.File{Format: "nginx"}) }},
	{"wish", func(_ *testing.T, w *worker) error { return w.Wish("a.example", book.Wish{Text: "sid"}) }},
	{"recheck", func(_ *testing.T, w *worker) error { return w.Recheck("a.example", "") }},
	{"look", func(_ *testing.T, w *worker) error { _, err := w.LookNow("a.example", "x", 0); return err }},
	{"report", func(_ *testing.T, w *worker) error {
		_, err := w.Report(&report.Report{Site: "a.example", Found: "http://a.example/story?id=1", Canonical: "http://a.example/story_1", SHA256: [2]string{strings.Repeat("0", 64), strings.Repeat("1", 64)}})
		return err
	}},
}

// An operator sees the trial under way, and later what came of all trials.
func TestDetail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &world{asked: map[string]int{}, took: time.Second}
		w := start(t, options(site, nil))
		if _, err := w.Detail(t.Context(), "a.example", lifecycle.Query{}); !errors.Is(err, prober.ErrNoSite) || len(statusOf(w).Whose) > 0 {
			t.Error("an unknown site was made up")
		}
		run(w, mined(40), 20*time.Second)
		d, err := w.Detail(t.Context(), "a.example", lifecycle.Query{Most: 10})
		if err != nil || d.Course == nil || len(d.Course.Tried) == 0 || d.Course.Epsilon == 0 {
			t.Errorf("%v, %+v", err, d)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		d, err = w.Detail(t.Context(), "a.example", lifecycle.Query{Most: 3})
		if err != nil || d.Course != nil || len(d.History) == 0 || len(d.Tried) != 3 || d.Counted < 3 || len(d.Coverage) < 2 {
			t.Errorf("%v, %+v", err, d)
		}
	})
}

// A busy site keeps nobody waiting for more than two seconds, and a client that has gone not even so long.
func TestBusySite(t *testing.T) {
	for _, c := range busySite {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, free := busy(t)
				defer free()
				if begun, err := time.Now(), c.ask(t, w); !errors.Is(err, report.ErrBusy) || time.Since(begun) != 2*time.Second {
					t.Errorf("%v after %v", err, time.Since(begun))
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		w, free := busy(t)
		defer free()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := w.Detail(gone, "a.example", lifecycle.Query{}); err == nil {
			t.Error("a client that has gone got an answer")
		}
	})
}

// A busy site keeps neither the loop nor those who see it waiting. What the loop has said meanwhile counts afterwards, of
// several offers the last. A decision that heard that the site is busy is not taken afterwards.
func TestWhileBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, free := busy(t)
		defer free()
		m := mined(40)
		m.Fold(&evidence.Observation{URL: []byte("/x?a=1;b=2"), Min: 1100, Max: 1100})
		time.Sleep(time.Hour)
		if !w.Needs("a.example") {
			t.Fatal("no window is wanted after an hour")
		}
		begun := time.Now()
		if err := w.Wish("a.example", book.Wish{Text: "id"}); !errors.Is(err, report.ErrBusy) {
			t.Error(err)
		}
		begun = begun.Add(2 * time.Second)
		for range 3 {
			give(w, m)
			w.See(m)
		}
		if w.Needs("a.example") {
			t.Error("a window is wanted though one waits for the site")
		}
		if s := statusOf(w); len(s.Sites) != 1 || w.Published()["a.example"] == nil || !time.Now().Equal(begun) {
			t.Errorf("status of %d sites after %v", len(s.Sites), time.Since(begun))
		}
		free()
		time.Sleep(time.Minute)
		synctest.Wait()
		d, err := w.Detail(t.Context(), "a.example", lifecycle.Query{Most: 3})
		if wishes := statusOf(w).Sites["a.example"].Wishes; err != nil || wishes != nil && len(wishes.Texts) > 0 {
			t.Errorf("the withdrawn decision was taken: %+v, %v", d, err)
		}
		for _, r := range drain(w).published["a.example"].Records {
			if r.Separators == nil || !r.Separators.Has(urlnorm.Semicolon) {
				t.Errorf("the separators that came while the site was busy are not in %q", r.Separators)
			}
		}
	})
}
