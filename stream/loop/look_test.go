package loop

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/learn"
	"dustbuster/stream/records"
)

// lookOptions are the test options with the learner equal.
func lookOptions() Options {
	o := testOptions()
	o.NoWithhold, o.Learn, o.Miner.Window, o.Turn = true, time.Minute, []string{"equal"}, learn.NewTurn()
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
	inLoop(t, lookOptions(), func(t *testing.T, l *Loop, out *recorder) {
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
	inLoop(t, lookOptions(), func(t *testing.T, l *Loop, out *recorder) {
		looked := func() (at time.Duration) {
			for m := range l.sites.All() {
				if last := l.looks.last[m]; last != nil {
					return time.Since(last.at)
				}
			}
			return -1
		}
		for _, c := range []struct {
			pause time.Duration
			batch *records.Batch
			want  time.Duration // since the last look, at the end
		}{
			{3 * time.Second, crowd(""), 2 * time.Second},
			{30 * time.Second, see(1, 1, 7, 1, "/x"), 32 * time.Second}, // too soon
			{60 * time.Second, nil, 32 * time.Second},                   // a minute after the first
			{300 * time.Second, nil, 332 * time.Second},                 // nothing has changed
		} {
			batches := []*records.Batch{nil}
			if c.batch != nil {
				batches = []*records.Batch{c.batch, nil}
			}
			must(t, l.Run(t.Context(), &script{batches: batches, pause: c.pause}))
			if got := looked(); got.Round(time.Second) != c.want {
				t.Errorf("after %v: the last look was %v ago, want %v", c.pause, got, c.want)
			}
			if !slices.Contains(out.list, crowdRule) {
				t.Errorf("after %v: list %q", c.pause, out.list)
			}
		}
	})
}

// All sites are looked at, one after the other. A site that has gone is forgotten.
func TestLookSites(t *testing.T) {
	inLoop(t, lookOptions(), func(t *testing.T, l *Loop, _ *recorder) {
		source := &script{batches: []*records.Batch{crowd("a"), crowd("b"), crowd("c"), nil}, pause: 5 * time.Second}
		must(t, l.Run(t.Context(), source))
		found := map[string]bool{}
		for _, r := range likely(l) {
			if r.Learner == "equal" {
				found[r.Site] = true
			}
		}
		if !maps.Equal(found, map[string]bool{"a": true, "b": true, "c": true}) {
			t.Errorf("rules of %v", found)
		}
		l.unload("b")
		if len(l.looks.last) != 2 {
			t.Errorf("%d looks are remembered", len(l.looks.last))
		}
	})
}

// While another loop has the turn, no window is looked at.
func TestLookTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, out := lookOptions(), &recorder{}
		l := start(t, o, open(t, t.TempDir()), out)
		o.Turn.Take()
		run := func() {
			must(t, l.Run(t.Context(), &script{batches: []*records.Batch{crowd(""), nil}, pause: 5 * time.Second}))
		}
		if run(); slices.Contains(out.list, crowdRule) {
			t.Error("two loops look at a time")
		}
		o.Turn.Leave()
		if run(); !slices.Contains(out.list, crowdRule) || !o.Turn.Take() {
			t.Errorf("list %q, or the turn was not left", out.list)
		}
	})
}

// A look that a site's end or the run's end interrupts is forgotten, leaves the turn, and
// begins anew.
func TestLookInterrupted(t *testing.T) {
	o := lookOptions()
	l := start(t, o, open(t, t.TempDir()), &recorder{})
	l.fold(crowd("s"))
	l.live = true
	var m *miner.Machine
	for m = range l.sites.All() {
	}
	l.startLooks()
	l.beginLooks()
	if l.looks.at != m || o.Turn.Take() {
		t.Fatal("no look has begun")
	}
	l.unload("s")
	l.takeFound(<-l.looks.found())
	if len(l.looks.last) > 0 || l.looks.busy || len(l.touched) > 0 {
		t.Errorf("the look at a site that has gone left %+v", l.looks)
	}
	l.fold(crowd("s"))
	l.beginLooks()
	l.endLooks()
	for m = range l.sites.All() {
		if last := l.looks.last[m]; last == nil || !last.changed || !last.at.IsZero() {
			t.Errorf("the interrupted look is remembered as %+v", last)
		}
	}
	if !o.Turn.Take() {
		t.Error("the turn was not left")
	}
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
		check := func(l *Loop) {
			t.Helper()
			sites := l.State().Status.Sites
			if len(sites) != 2 || !slices.Equal(sites[0].Notes, want) || sites[1].Notes != nil {
				t.Errorf("sites %+v, want notes %+v of the first", sites, want)
			}
		}
		batches := []*records.Batch{same, crowd("b"), nil}
		l := start(t, lookOptions(), open(t, t.TempDir()), &recorder{})
		must(t, l.Run(t.Context(), &script{batches: batches, pause: 5 * time.Second}))
		check(l)
		for m := range l.sites.All() {
			l.looks.last[m].notes = nil
		}
		l.Look()
		l.share()
		check(l)
	})
}

// A look tells the waste of a site, and the status and the metrics have that of all sites. Another
// list of published rules is a reason to look again.
func TestLookWaste(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		batches := []*records.Batch{crowd("a"), crowd("b"), nil}
		for _, b := range batches[:2] {
			for i := range b.Records {
				b.Records[i].Families = 1 << (2 + i/2%2)
			}
		}
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
		l.trials = &trials{published: map[string]*book.Publication{"a": {Records: []rule.Record{{Schema: rule.Schema, Wire: *rule.NewWire(&rule.Rule{Kind: rule.Drop, Param: "sid"})}}}}}
		for m := range l.sites.All() {
			l.looks.last[m].changed = false
		}
		l.listValid()
		for m := range l.sites.All() {
			if changed := l.looks.last[m].changed; changed != (m.Site() == "a") {
				t.Errorf("site %s: looked at again %v", m.Site(), changed)
			}
		}
		l.Look()
		l.share()
		if got := l.State().Status.Sites[0].Waste; got.Valid != 1 || got.Likely != 0 || got.Crawlers() != (waste.Figure{Fetched: 36, Pages: 36}) {
			t.Errorf("by the published rule: %+v", got)
		}
	})
}
