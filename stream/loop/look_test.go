package loop_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/learn/notes"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/job"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
)

// lookOptions are the test options with the learner equal.
func lookOptions() loop.Options {
	o := testOptions()
	o.NoWithhold, o.Learn, o.Miner.Window, o.Jobs = true, time.Minute, []string{"equal"}, job.NewQueue()
	return o
}

// crowd returns a batch of three folders of twelve pages. Two pages of each folder are
// equal, and only the learner of equal pages finds that.
func crowd(site string) *records.Batch {
	b := new(records.Batch)
	for folder := range 3 {
		for page := range 12 {
			one := see(1, 1, int64(1000*(folder+1)+max(page, 1)*50), uint8(1+page%2), fmt.Sprintf("/%d/%c", folder, 'a'+page))
			one.Records[0].Site = site
			b.Records = append(b.Records, one.Records...)
		}
	}
	return b
}

const crowdRule = "/b\n/a"

// The rules that a look finds are listed behind the others, and are in no event.
func TestLook(t *testing.T) {
	inLoop(t, lookOptions(), func(t *testing.T, l *loop.Loop, out *recorder) {
		batches := slices.Concat([]*records.Batch{crowd("")}, stories(1, 4, 1), []*records.Batch{nil, nil})
		source := &script{batches: batches, pause: 3 * time.Second}
		must(t, l.Run(t.Context(), source))
		if n := len(out.list); n < 2 || out.list[n-1] != crowdRule || slices.Contains(out.list[:n-1], crowdRule) {
			t.Errorf("list %q", out.list)
		}
		if told := fmt.Sprint(out.events, out.held); strings.Contains(told, crowdRule) || !strings.Contains(told, "?id=") {
			t.Errorf("events %q", told)
		}
		rules := likely(l)
		if last := rules[len(rules)-1]; last.Learner != "equal" {
			t.Errorf("last rule %+v", last)
		}
		for _, r := range rules {
			if !r.Weighed {
				t.Errorf("rule %+v has no weight", r)
			}
		}
	})
}

// A site is looked at once in an interval, and not again until its window has changed.
func TestLookInterval(t *testing.T) {
	o := lookOptions()
	o.Checkpoint = time.Hour // else a checkpoint may show a look before it is listed
	inLoop(t, o, func(t *testing.T, l *loop.Loop, out *recorder) {
		began, last := time.Now(), (*waste.Told)(nil)
		var looks []time.Duration // when each was listed
		stop := make(chan struct{})
		go func() {
			for tick := time.NewTicker(100 * time.Millisecond); ; {
				select {
				case <-tick.C:
				case <-stop:
					return
				}
				if s := l.State().Status.Sites; len(s) == 1 && s[0].Waste != last {
					last, looks = s[0].Waste, append(looks, time.Since(began).Round(time.Second))
				}
			}
		}()
		pause := func(seconds int) []*records.Batch { return make([]*records.Batch, seconds) }
		batches := slices.Concat([]*records.Batch{fetched(crowd(""))}, pause(3), []*records.Batch{see(1, 1, 7, 1, "/x")}, pause(30)) // too soon
		batches = slices.Concat(batches, pause(60), pause(300))                                                                      // a minute after the first, and then nothing has changed
		must(t, l.Run(t.Context(), &script{batches: batches, pause: time.Second}))
		close(stop)
		synctest.Wait()
		if want := []time.Duration{2 * time.Second, 62 * time.Second}; !slices.Equal(looks, want) {
			t.Errorf("looks were listed after %v, want %v", looks, want)
		}
		if !slices.Contains(out.list, crowdRule) {
			t.Errorf("list %q", out.list)
		}
	})
}

// fetched lets crawlers request what is in a batch.
func fetched(b *records.Batch) *records.Batch {
	for i := range b.Records {
		b.Records[i].Families = 1 << (2 + i/2%2)
	}
	return b
}

// All sites are looked at, one after the other. A site that has gone is forgotten.
func TestLookSites(t *testing.T) {
	inLoop(t, lookOptions(), func(t *testing.T, l *loop.Loop, _ *recorder) {
		source := &script{batches: []*records.Batch{crowd("a"), crowd("b"), crowd("c"), nil}, pause: 5 * time.Second}
		must(t, l.Run(t.Context(), source))
		found := func() string {
			sites := map[string]bool{}
			for _, r := range likely(l) {
				if r.Learner == "equal" {
					sites[r.Site] = true
				}
			}
			return strings.Join(slices.Sorted(maps.Keys(sites)), " ")
		}
		if got := found(); got != "a b c" {
			t.Errorf("rules of %q", got)
		}
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{{Silent: []string{"b"}}, nil}, pause: 5 * time.Second}))
		if got := found(); got != "a c" {
			t.Errorf("after b is gone: rules of %q", got)
		}
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{crowd("b"), nil}, pause: 5 * time.Second})) // within the minute
		if got := found(); got != "a b c" {
			t.Errorf("after b is back: rules of %q", got)
		}
	})
}

// While another loop looks, no window is looked at. A loop that ends does not wait for its turn.
func TestLookTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, out := lookOptions(), &recorder{}
		l := start(t, o, open(t, t.TempDir()), out)
		other, done := o.Jobs.NewHost(), make(chan bool)
		other.Go(job.Look, func() job.Run {
			return func() job.Take {
				<-done
				return func(context.Context) {}
			}
		})
		run := func() {
			must(t, l.Run(t.Context(), &script{batches: []*records.Batch{crowd(""), nil}, pause: 5 * time.Second}))
		}
		if run(); slices.Contains(out.list, crowdRule) {
			t.Error("two loops look at a time")
		}
		close(done)
		other.Wait(t.Context(), job.Look)
		if run(); !slices.Contains(out.list, crowdRule) {
			t.Errorf("list %q", out.list)
		}
		other.Go(job.Look, func() job.Run { return nil })
		if other.Busy(job.Look) {
			t.Error("the turn was not left")
		}
	})
}

// A look notes what the log of a site cannot tell, and the status shows the notes of each
// site. Without looks, Look does the same.
func TestLookNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		same := see(1, 1, 7, 1)
		for i := range 60 {
			same.Records = append(same.Records, see(1, 1, 7, uint8(i), fmt.Sprintf("/%d", i)).Records...)
		}
		for i := range same.Records {
			same.Records[i].Site = "a"
		}
		want := []notes.Note{{Kind: notes.OneSize, URLs: 60, Of: 60, Size: 7, Example: "/0"}}
		for _, o := range []loop.Options{lookOptions(), withoutLooks()} {
			b := *same
			b.Records = slices.Clone(same.Records)
			l := start(t, o, open(t, t.TempDir()), &recorder{})
			must(t, l.Run(t.Context(), &script{batches: []*records.Batch{&b, crowd("b"), nil}, pause: 5 * time.Second}))
			if o.Learn == 0 {
				lookNow(t, l)
			}
			if sites := l.State().Status.Sites; len(sites) != 2 || !slices.Equal(sites[0].Notes, want) || sites[1].Notes != nil {
				t.Errorf("learn every %v: sites %+v, want notes %+v of the first", o.Learn, sites, want)
			}
		}
	})
}

// withoutLooks are the options of looks, but nobody looks in the background.
func withoutLooks() loop.Options {
	o := lookOptions()
	o.Learn = 0
	return o
}

// lookNow looks at all windows. The state has the result after the next checkpoint.
func lookNow(t *testing.T, l *loop.Loop) {
	t.Helper()
	l.Look()
	must(t, l.Run(t.Context(), &script{batches: []*records.Batch{nil}}))
}

// A look tells the waste of a site, and the status and the metrics have that of all sites.
func TestLookWaste(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		batches := []*records.Batch{fetched(crowd("a")), fetched(crowd("b")), nil}
		l := start(t, lookOptions(), open(t, t.TempDir()), &recorder{})
		must(t, l.Run(t.Context(), &script{batches: batches, pause: 5 * time.Second}))
		status := l.State().Status
		if one, all := status.Sites[0].Waste, status.Waste(); one.Crawlers().Fetched != 36 || all.Crawlers().Fetched != 72 || one.Crawlers().Waste() == 0 || one.Likely == 0 || all.Likely != 2*one.Likely {
			t.Errorf("%+v of one site, %+v of all", one, all)
		}
		shown := fmt.Sprint(status.Metrics())
		for _, want := range []string{"fetched_urls", "fetched_pages", "waste_bytes", "{family Googlebot}", "{family bingbot}"} {
			if !strings.Contains(shown, want) {
				t.Errorf("the metrics lack %s", want)
			}
		}
	})
}
