package loop_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"
	"dustbuster/stream/records"
)

// load returns the changes in a journal. Lists of observations are not valid any more.
func load(t *testing.T, store checkpoint.Journal) (all []checkpoint.Change) {
	t.Helper()
	for c, err := range store.Load() {
		must(t, err)
		all = append(all, c)
	}
	return all
}

// marks lists the acts and the politeness among changes.
func marks(changes []checkpoint.Change) (all []string) {
	for _, c := range changes {
		switch c := c.(type) {
		case checkpoint.Act:
			all = append(all, c.Site+" "+c.Approved)
		case checkpoint.Politeness:
			all = append(all, "politeness of "+c[0].Site)
		}
	}
	return all
}

// While no rules are tried, the acts of an earlier process stay in the journal, even if it is
// written anew.
func TestUntriedActsAreKept(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := open(t, dir)
		load(t, store)
		saved := []checkpoint.Change{checkpoint.Act{Site: "a", Act: &book.Act{Approved: "one"}}, checkpoint.Politeness{{Site: "a"}},
			checkpoint.Act{Site: "b", Act: &book.Act{Approved: "two"}}}
		must(t, store.Save(slices.Values(saved)))
		damaged := &damaging{Journal: store}
		l := start(t, testOptions(), damaged, &recorder{})
		must(t, l.Run(t.Context(), &script{batches: append(stories(0, 3, 1), nil), pause: 5 * time.Second}))
		must(t, store.Close())
		store = open(t, dir)
		if got := marks(load(t, store)); damaged.compacted != 2 || !slices.Equal(got, marks(saved)) {
			t.Errorf("%q after %d compactions, want %q", got, damaged.compacted, marks(saved))
		}
	})
}

// A loop whose tables come from the source saves the acts, and neither observations nor
// lists. The loop reports how far each file is folded.
func TestDerived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, t.TempDir())
		o, ends := testOptions(), map[uint64]int64{}
		o.NoWithhold = true
		o.Folded = func(file uint64, end int64) {
			if end < ends[file] {
				t.Errorf("file %d is folded up to %d after %d", file, end, ends[file])
			}
			ends[file] = end
		}
		out := &recorder{}
		l := loop.NewDerived(o, store, out)
		_, err := l.Restore()
		must(t, err)
		must(t, l.Run(t.Context(), &script{batches: append(stories(0, 4, 1), nil), caught: 4, pause: 3 * time.Second}))
		if ends[1] != 3 || len(out.held) == 0 || len(l.State().Rules) == 0 {
			t.Errorf("folded up to %v, readers hold %v, rules %v", ends, out.held, l.State().Rules)
		}
		for _, c := range load(t, store) {
			if o, is := c.(checkpoint.Observations); is {
				t.Errorf("observations of %q are saved", o.Site)
			}
		}
	})
}

// closed is a fetcher for sites that must not be fetched from now.
type closed struct{ prober.Fetcher }

func (closed) CanFetch(string) bool  { return false }
func (closed) States() []fetch.State { return nil }
func (closed) Restore([]fetch.State) {}

// A publication names the parameter separators found in a line within moments, even though
// the site must not be fetched from now. A restart keeps the separators, even though the
// line's pane has left the window.
func TestSeparatorsAreTold(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		o := testOptions()
		o.Miner.Table.Window = 20
		run := func(acts []checkpoint.Change, batches ...*records.Batch) *book.Publication {
			t.Helper()
			store, out := open(t, dir), &recorder{}
			defer store.Close()
			o.Validate = prober.New(prober.Options{Lifecycle: book.Defaults(), Fetcher: closed{}})
			defer o.Validate.Close()
			l := start(t, o, store, out)
			for _, a := range acts {
				o.Validate.Restore(a)
			}
			must(t, l.Run(t.Context(), &script{batches: append(batches, nil), pause: 3 * time.Second}))
			p := l.State().Published[""]
			if p == nil || len(p.Records) != 1 || len(out.list) != 1 || !strings.Contains(out.list[0], "drop") {
				t.Fatalf("published %+v, listed %q", p, out.list)
			}
			return p
		}
		check := func(p *book.Publication, sequence int64, want urlnorm.Separators) {
			t.Helper()
			if s := p.Records[0].Separators; p.Sequence != sequence || s == nil || *s != want {
				t.Errorf("separators %v under %d, want %q under %d", s, p.Sequence, want, sequence)
			}
		}
		p := book.Publication{Sequence: 1, Records: []rule.Record{{ID: "1", State: rule.Valid,
			Wire: *rule.NewWire(&rule.Rule{Edit: rule.Drop{Param: "sid"}})}}}
		published := checkpoint.Act{Act: &book.Act{Publication: &p}}
		old := see(1, 1, 1000, 1, "/p?a=1&b=2")
		check(run([]checkpoint.Change{published}, old), 2, urlnorm.Ampersand)
		check(run(nil, see(1, 2, 1000, 1, "/p?a=1;b=2")), 3, urlnorm.Ampersand|urlnorm.Semicolon)
		later := see(1, 3, 1000, 1, "/p")
		later.Records[0].Time = 1000
		check(run(nil, later), 3, urlnorm.Ampersand|urlnorm.Semicolon)
		check(run(nil), 3, urlnorm.Ampersand|urlnorm.Semicolon)
	})
}
