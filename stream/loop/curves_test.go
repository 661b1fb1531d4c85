package loop_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
)

const hour, day = 3600, evidence.SecondsOfDay

// curveOptions are the options of looks at a window of a day.
func curveOptions() loop.Options {
	o := lookOptions()
	o.Miner.Table.Window, o.Miner.Table.Pane = day, 2*hour
	return o
}

// crawl returns a batch of hits of a crawler on so many stories of a site, some of which have two URLs.
func crawl(site string, time int64, stories, twice int) *records.Batch {
	b := new(records.Batch)
	for i := range stories {
		for _, query := range []string{"", "?sid=1"}[:1+max(0, min(1, twice-i))] {
			one := see(1, 1, int64(1000*(i+1)), 1, fmt.Sprintf("/%d%s", i, query))
			one.Records[0].Site, one.Records[0].Time, one.Records[0].Families = site, time, 1<<2
			b.Records = append(b.Records, one.Records...)
		}
	}
	return b
}

// failing is a store of which some checkpoints fail.
type failing struct {
	checkpoint.Store
	fail, compact bool
}

func (s *failing) Save(changes iter.Seq[checkpoint.Change]) error {
	if s.fail {
		return errors.New("no room")
	}
	return s.Store.Save(changes)
}

func (s *failing) Bloated() bool { return s.compact }

// Each day has the figures of its last look. A restart keeps the days, and those of a site that was not seen
// for long, also if a checkpoint failed, and if the store was compacted. The clock may go back.
func TestCurves(t *testing.T) {
	dir, hostile := t.TempDir(), "\xff<script>\u202e"
	want := map[string][]waste.Day{}
	synctest.Test(t, func(t *testing.T) {
		for n, c := range []struct {
			date, stories, twice int64
			fail, compact        bool
		}{{date: 10, stories: 9, twice: 5}, {date: 11, stories: 8, twice: 4}, {date: 12, stories: 7, twice: 7, compact: true}, {date: 11, stories: 5, twice: 5}, {date: 13, stories: 9, twice: 6, fail: true}, {date: 14, stories: 9, twice: 5}, {date: 700, stories: 9, twice: 5}} {
			store := &failing{openPane(t, dir, 2*hour), false, c.compact}
			l := start(t, curveOptions(), store, &recorder{})
			batches := []*records.Batch{crawl(hostile, c.date*day+22*hour, int(c.stories), int(c.twice)), nil, crawl(hostile, c.date*day+23*hour, int(c.stories)+1, 0), nil}
			if n == 0 {
				batches = append([]*records.Batch{crawl("seldom", 3*day, 9, 5)}, batches...)
				want["seldom"] = []waste.Day{{Date: 3, Crawlers: waste.Figure{Fetched: 14, Pages: 9, Bytes: 15000}}}
			}
			source := &script{batches: batches, pause: 2 * time.Minute}
			store.fail = c.fail
			err := l.Run(t.Context(), source)
			if (err != nil) != c.fail {
				t.Fatal(err)
			}
			if store.fail = false; c.fail {
				must(t, l.Save(source))
			}
			if c.date >= 12 || n < 3 { // else all hits are late
				bytes := 1000 * c.twice * (c.twice + 1) / 2
				want[hostile] = slices.Insert(want[hostile], 0, waste.Day{Date: c.date, Crawlers: waste.Figure{Fetched: int(c.stories + c.twice + 1), Pages: int(c.stories + 1), Bytes: bytes}})
			}
			sites := l.State().Status.Sites
			for _, s := range sites {
				got := slices.Collect(s.Curve.All())
				for i := range got {
					if got[i].Valid, got[i].Likely = 0, 0; !slices.Contains(want[s.Name], got[i]) {
						t.Errorf("run %d, %q: %+v", n, s.Name, got[i])
					}
				}
				if len(got) != len(want[s.Name]) {
					t.Errorf("run %d, %q:\n got %+v\nwant %+v", n, s.Name, got, want[s.Name])
				}
			}
			if len(sites) != 2 {
				t.Errorf("run %d: %d sites", n, len(sites))
			}
			must(t, store.Store.(checkpoint.Journal).Close())
		}
	})
}

// Sites that no robot asks for have no curve, nor has a site that is gone.
func TestCurvesCostNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := start(t, curveOptions(), openPane(t, t.TempDir(), 2*hour), &recorder{})
		people := crawl("people", day, 9, 5)
		for i := range people.Records {
			people.Records[i].Families = 1
		}
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{people, crawl("robots", day, 9, 5), nil}, pause: 2 * time.Minute}))
		days := func() (all []string) {
			for _, s := range l.State().Status.Sites {
				if n := len(slices.Collect(s.Curve.All())); n > 0 {
					all = append(all, fmt.Sprintf("%s %d", s.Name, n))
				}
			}
			return all
		}
		if got := days(); !slices.Equal(got, []string{"robots 1"}) {
			t.Errorf("curves of %q", got)
		}
		back := crawl("robots", 9*day, 9, 5)
		for i := range back.Records {
			back.Records[i].Families = 1
		}
		back.Silent = []string{"robots"}
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{back, nil}, pause: 2 * time.Minute}))
		if got := days(); len(got) != 0 || len(l.State().Status.Sites) != 2 {
			t.Errorf("after the site was gone: curves of %q", got)
		}
	})
}
