package site_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"dustbuster/internal/oracle"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/site"
)

// options are those of a miner with the learner equal.
func options() *miner.Options {
	return &miner.Options{Table: table.Options{MaxURLs: 1 << 20}, Envelope: envelope.Defaults(), Window: []string{"equal"}}
}

func never() bool { return false }

// madeUp returns a generated site of equal pages.
func madeUp(n, looked int) *site.Site {
	o := options()
	m := miner.New("s", *o)
	for _, p := range oracle.Site(1, n) {
		m.Fold(&evidence.Observation{URL: []byte(p.URL), Min: p.Evidence[0].Min / 100 * 100, Max: p.Evidence[0].Min / 100 * 100})
	}
	s := site.New(m, &site.Options{Miner: o, LookURLs: looked, NoWithhold: true})
	refine(s)
	return s
}

// refine refines a site at once.
func refine(s *site.Site) { s.Take(s.View(true).Refine()) }

// A look finds the rules of the window of its moment, while the window goes on. The next refinement lists them behind the
// rules that are always up to date.
func TestLookIsOfItsMoment(t *testing.T) {
	s := madeUp(1000, 0)
	online := len(s.List())
	want := s.AllRules()[online:]
	for round := range 2 {
		look := s.Look(time.Now(), nil)
		for i := range 500 {
			s.Fold(&evidence.Observation{URL: []byte{'/', byte('a' + round), byte('a' + i%26), byte('a' + i/26)}, Min: 7, Max: 7})
		}
		got := look.Run(never)
		if !got.OK || len(want) == 0 || round == 0 && !slices.Equal(got.Rules, want) {
			t.Errorf("round %d: %d rules (%v), want %d", round, len(got.Rules), got.OK, len(want))
		}
		if s.TakeLook(got); !s.HasNews() {
			t.Errorf("round %d: nothing is to be listed", round)
		}
		refine(s)
		if n := len(s.List()); s.HasNews() || round == 0 && n != online+len(want) {
			t.Errorf("round %d: %d rules are listed, want %d", round, n, online+len(want))
		}
	}
}

// A look that is given up ends without rules, and the next look is complete.
func TestGiveUp(t *testing.T) {
	s := madeUp(8000, 0)
	if got := s.Look(time.Now(), nil).Run(func() bool { return true }); got.OK || got.Rules != nil {
		t.Errorf("%d rules of a look that was given up", len(got.Rules))
	}
	if s.NeedsLook(time.Now(), 0) {
		t.Error("a look is needed though nothing has changed")
	}
	if s.ForgetLook(); !s.NeedsLook(time.Now(), time.Hour) {
		t.Error("the look that was given up is remembered")
	}
	if got := s.Look(time.Now(), nil).Run(never); !got.OK || len(got.Rules) == 0 {
		t.Errorf("%d rules (%v) of the next look", len(got.Rules), got.OK)
	}
}

// Of a large window a sample is looked at: the URLs of smallest rank. A look at the window itself is at all of it.
func TestSample(t *testing.T) {
	s, o := madeUp(4000, 1500), options()
	sample := s.Window()
	sample.Keep(1500, o.Table.Rank)
	want, _ := o.Learn("s", sample.Pages(), s.Days(), s.List(), never)
	if got := s.Look(time.Now(), nil).Run(never); !slices.Equal(got.Rules, want) || len(want) == 0 || len(sample.Pages()) != 1500 {
		t.Errorf("%d rules, want %d", len(got.Rules), len(want))
	}
	if all := s.LookHere(time.Now(), nil).Run(never); all.Notes != nil && all.Notes[0].Kind == notes.Sample {
		t.Errorf("a look at the window itself is at a sample: %+v", all.Notes[0])
	}
}

// Of a window that is a sample itself, the notes tell of how many URLs. A look at a part of it adds the others.
func TestSampledNotes(t *testing.T) {
	o := options()
	o.Table.MaxURLs = 500
	m := miner.New("s", *o)
	for i := range 800 {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Min: int64(i), Max: int64(i)})
	}
	for _, looked := range []int{0, 300} {
		want := notes.Note{Kind: notes.Sample, URLs: cmp.Or(looked, 500), Of: 800}
		s := site.New(m, &site.Options{Miner: o, LookURLs: looked})
		refine(s)
		got := s.Look(time.Now(), nil).Run(never)
		if len(got.Notes) == 0 || got.Notes[0] != want {
			t.Errorf("%+v, want %+v first", got.Notes, want)
		}
	}
}

// The waste is by the published rules, or without them by the likely rules that people see.
func TestWaste(t *testing.T) {
	window := func() *miner.Machine {
		m := miner.New("s", *options())
		for i := range 20 {
			for _, query := range []string{"", "?sid=1", "?t=1"} {
				m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d%s", i, query), Min: int64(1000 + 1000*i), Max: int64(1000 + 1000*i), Families: 1<<2 | 1<<0})
			}
		}
		return m
	}
	published := rule.Record{Schema: rule.Schema, Wire: *rule.NewWire(&rule.Rule{Edit: rule.Drop{Param: "sid"}})}
	for _, c := range []struct {
		name  string
		valid []rule.Record
		want  waste.Waste
		rules int
	}{
		{"published", []rule.Record{published}, waste.Waste{0: {Fetched: 60, Pages: 40, Bytes: 210_000}, 2: {Fetched: 60, Pages: 40, Bytes: 210_000}, waste.Union: {Fetched: 60, Pages: 40, Bytes: 210_000}}, 1},
		{"likely", nil, waste.Waste{0: {Fetched: 60, Pages: 20, Bytes: 420_000}, 2: {Fetched: 60, Pages: 20, Bytes: 420_000}, waste.Union: {Fetched: 60, Pages: 20, Bytes: 420_000}}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := site.New(window(), &site.Options{Miner: options(), NoWithhold: true})
			refine(s)
			got := s.Look(time.Now(), c.valid).Run(never).Waste
			if got.Waste != c.want || got.Valid != c.rules || c.rules == 0 && got.Likely < 2 {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	few := site.New(window(), &site.Options{Miner: options(), LookURLs: 30})
	refine(few)
	if got := few.Look(time.Now(), nil).Run(never).Waste; !got.Sample || got.Waste[2].Fetched > 30 {
		t.Errorf("of a sample: %+v", got)
	}
}
