package loop_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
	sites "dustbuster/stream/site"
)

// flood returns many pages of one site, in batches.
func flood(site string, n int) (batches []*records.Batch) {
	for i := 0; i < n; i += 500 {
		b := new(records.Batch)
		b.File, b.End = 1, int64(i+500)
		for k := range 500 {
			b.Records = append(b.Records, records.Record{Site: site, Observation: evidence.Observation{
				URL: fmt.Appendf(nil, "/%d", i+k), Min: int64(i + k), Max: int64(i + k)}})
		}
		batches = append(batches, b)
	}
	return batches
}

// held lists the URLs held by the machines.
func held(l *loop.Loop) (all []string) {
	for _, m := range machines(l) {
		for o := range m.Observations() {
			all = append(all, fmt.Sprintf("%s%s %d", m.Site(), o.URL, o.Max))
		}
	}
	slices.Sort(all)
	return all
}

// A flood stays within the budget, and the small site loses no URL. Each cut is an act,
// which a restart restores, with or without room for all URLs. A window that was cut takes
// no URL back in.
func TestSharesAreKept(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := open(t, dir)
		out := &recorder{}
		o := testOptions()
		o.Miner.Table.MaxURLs = 100_000
		o.Memory = loop.NewMemory(1 << 20)
		var told []loop.Shed
		o.Shed = func(s loop.Shed) { told = append(told, s) }
		l := start(t, o, store, out)
		batches := append(stories(0, 20, 1), flood("flood", 6000)...)
		must(t, l.Run(t.Context(), &script{batches: append(batches, nil), pause: 2 * time.Second}))
		want, s := held(l), l.State().Status
		if len(want) < 200 || len(want) > 3000 || s.MemoryUsed > s.MemoryBudget || s.MemoryBudget != 1<<20 {
			t.Fatalf("%d observations are held, %d bytes of %d used", len(want), s.MemoryUsed, s.MemoryBudget)
		}
		if len(told) != 1 || told[0].URLs == 0 || told[0].Sites != 1 || told[0].Budget != 1<<20 {
			t.Errorf("told within the first hour: %+v", told)
		}
		for _, site := range s.Sites {
			if site.Name == "" && (site.URLs != 40 || site.Shed != 0 || site.Rules == 0) || site.Name == "flood" && site.Shed == 0 {
				t.Errorf("%+v", site)
			}
		}
		must(t, store.Close())
		for _, memory := range []*loop.Memory{nil, loop.NewMemory(1 << 20), loop.NewMemory(1 << 30)} {
			o.Memory = memory
			store = open(t, dir)
			again := start(t, o, store, out)
			if got := held(again); !slices.Equal(got, want) {
				t.Errorf("%d observations after the restart, want %d", len(got), len(want))
			}
			must(t, again.Run(t.Context(), &script{batches: flood("flood", 6000)}))
			if got := held(again); !slices.Equal(got, want) {
				t.Errorf("%d observations after the same hits, want %d", len(got), len(want))
			}
			must(t, store.Close())
		}
	})
}

// Unreadable cuts are reported, and do not prevent the start.
func TestBadCuts(t *testing.T) {
	const kindCuts = 2
	for _, value := range []string{"", "x", `{"v":1,"cuts":[]}`, `{"v":3,"cuts":[]}`, `{"v":2,"cuts":[{"pane":0,"key":"x"}]}`} {
		store := open(t, t.TempDir())
		if all := load(t, store); len(all) > 0 {
			t.Fatalf("a new journal holds %v", all)
		}
		bad := []journal.Entry{{Kind: kindCuts, Name: "a", Value: []byte(value)}, {Kind: kindCuts, Name: "a", Value: []byte(`{"v":2,"cuts":[{"pane":0,"key":"7","url":"0"}]}`)}}
		must(t, store.Journal.Save(slices.Values(bad)))
		failed := 0
		o := testOptions()
		o.Failed = func(string, error) { failed++ }
		l := loop.New(o, store, nil, nil)
		if _, err := l.Restore(); err != nil || failed != 1 {
			t.Errorf("%q: %v, told %d times", value, err, failed)
		}
		if s := l.State().Status; s.Errors[loop.RestoreFailed] != 1 || s.LastError == "" {
			t.Errorf("%q: counted %v, last %q", value, s.Errors, s.LastError)
		}
		sites := 0
		for _, m := range machines(l) {
			sites++
			if cuts := m.Cuts(); len(cuts) != 1 || cuts[0].Key != 7 {
				t.Errorf("%q: cuts %v after it", value, cuts)
			}
		}
		if sites != 1 {
			t.Errorf("%q: %d sites, want 1", value, sites)
		}
	}
}

func TestMerge(t *testing.T) {
	one := &loop.State{Validates: true, Listed: true, Rules: []rule.List{{Site: "b"}, {Site: "d"}},
		Published: map[string]*book.Publication{"b": {Sequence: 1}},
		Status: loop.Status{Started: time.Unix(5, 0), Saved: time.Unix(9, 0), CaughtUp: true, Counts: records.Counts{Lines: 1}, Late: 2, Shed: 3, Beyond: 4,
			Ahead: 5, Events: 6, Errors: loop.Errors{7}, LastError: "x", Failing: loop.Failing{loop.SaveFailed: "save"}, SaveTook: 8, StateBytes: 9, Sites: []sites.Status{{Name: "b"}, {Name: "d"}}}}
	two := &loop.State{Rules: []rule.List{{Site: "a"}, {Site: "c"}},
		Published: map[string]*book.Publication{"c": {Sequence: 2}},
		Status: loop.Status{Started: time.Unix(6, 0), Saved: time.Unix(8, 0), CaughtUp: true, Counts: records.Counts{Lines: 10}, Late: 20, Shed: 30, Beyond: 40,
			Ahead: 50, Events: 60, Errors: loop.Errors{70}, Failing: loop.Failing{loop.EmitFailed: "emit"}, SaveTook: 7, StateBytes: 90, Sites: []sites.Status{{Name: "a"}, {Name: "c"}}}}
	want := &loop.State{Validates: true, Rules: []rule.List{{Site: "a"}, {Site: "b"}, {Site: "c"}, {Site: "d"}},
		Published: map[string]*book.Publication{"b": {Sequence: 1}, "c": {Sequence: 2}},
		Status: loop.Status{Started: time.Unix(5, 0), Saved: time.Unix(8, 0), CaughtUp: true, Counts: records.Counts{Lines: 11}, Late: 22, Shed: 33, Beyond: 44,
			Ahead: 55, Events: 66, Errors: loop.Errors{77}, LastError: "x", Failing: loop.Failing{loop.SaveFailed: "save", loop.EmitFailed: "emit"}, SaveTook: 8, StateBytes: 99, Sites: []sites.Status{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}}}
	if got := loop.Merge([]*loop.State{one, two}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	two.Status.CaughtUp = false
	if loop.Merge([]*loop.State{one, two}).Status.CaughtUp || loop.Merge(nil).Status.CaughtUp || !loop.Merge([]*loop.State{one}).Status.CaughtUp {
		t.Error("caught up only if all have, and there are some")
	}
}
