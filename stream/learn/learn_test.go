package learn

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
)

func options() miner.Options {
	return miner.Options{Table: table.Options{MaxURLs: 1 << 20}, Envelope: envelope.Defaults(), Window: []string{"equal"}}
}

// site returns the machine of a generated site of equal pages.
func site(n int) *miner.Machine {
	m := miner.New("s", options())
	for _, p := range oracle.Site(1, n) {
		m.Fold(&evidence.Observation{URL: []byte(p.URL), Min: p.Evidence[0].Min / 100 * 100, Max: p.Evidence[0].Min / 100 * 100})
	}
	return m
}

// The worker finds the rules of each window, in the order of the windows, while the machine
// goes on.
func TestWorker(t *testing.T) {
	m, w := site(1000), Start(Options{Miner: options()})
	defer w.Close()
	listed := m.Rules()
	want := m.AllRules()[len(listed):]
	for round := range 3 {
		w.Offer(Window{Machine: m.View(), Listed: listed})
		for i := range 500 {
			m.Fold(&evidence.Observation{URL: []byte{'/', byte('a' + round), byte('a' + i%26), byte('a' + i/26)}, Min: 7, Max: 7})
		}
		got := <-w.Found()
		if !got.OK || len(want) == 0 || round == 0 && !slices.Equal(got.Rules, want) {
			t.Errorf("round %d: %d rules (%v), want %d", round, len(got.Rules), got.OK, len(want))
		}
	}
}

// A look that is given up ends soon, without rules, and the next look is complete. Close
// ends a look whose result nobody takes.
func TestGiveUp(t *testing.T) {
	m, w := site(8000), Start(Options{Miner: options()})
	listed := m.Rules()
	w.Offer(Window{Machine: m.View(), Listed: listed})
	w.GiveUp()
	if got := <-w.Found(); got.OK || got.Rules != nil {
		t.Errorf("%d rules of a look that was given up", len(got.Rules))
	}
	w.Offer(Window{Machine: m.View(), Listed: listed})
	if got := <-w.Found(); !got.OK || len(got.Rules) == 0 {
		t.Errorf("%d rules (%v) of the next look", len(got.Rules), got.OK)
	}
	w.Offer(Window{Machine: m.View(), Listed: listed})
	closed := make(chan struct{})
	go func() {
		w.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Fatal("Close does not end")
	}
}

// Of a large window the worker looks at a sample: the URLs of smallest rank.
func TestSample(t *testing.T) {
	m, o := site(1000), options()
	w := Start(Options{Miner: o, MaxURLs: 300})
	defer w.Close()
	sample := m.Window()
	sample.Keep(300, o.Table.Rank)
	want, _ := o.Learn("s", sample.Pages(), m.Days(), nil, func() bool { return false })
	w.Offer(Window{Machine: m.View()})
	if got := <-w.Found(); !slices.Equal(got.Rules, want) || len(want) == 0 || len(sample.Pages()) != 300 {
		t.Errorf("%d rules, want %d", len(got.Rules), len(want))
	}
}

// Of a window that is a sample itself, the notes tell of how many URLs. A look at a part of it adds the others.
func TestSampledNotes(t *testing.T) {
	o := options()
	o.Table.MaxURLs = 500
	m := miner.New("s", o)
	for i := range 800 {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Min: int64(i), Max: int64(i)})
	}
	for _, looked := range []int{0, 300} {
		w := Start(Options{Miner: o, MaxURLs: looked})
		w.Offer(Window{Machine: m.View()})
		want := notes.Note{Kind: notes.Sample, URLs: cmp.Or(looked, 500), Of: 800}
		if got := <-w.Found(); len(got.Notes) == 0 || got.Notes[0] != want {
			t.Errorf("%+v, want %+v first", got.Notes, want)
		}
		w.Close()
	}
}

// One worker has the turn at a time. A nil turn is always free.
func TestTurn(t *testing.T) {
	turn := NewTurn()
	if !turn.Take() || turn.Take() {
		t.Error("the turn is taken by nobody, or by two")
	}
	if turn.Leave(); !turn.Take() {
		t.Error("the turn is not free after Leave")
	}
	var always Turn
	for range 2 {
		if !always.Take() {
			t.Error("a nil turn is taken")
		}
	}
	always.Leave()
}

// The waste is by the published rules, or without them by the likely rules that people see.
func TestWaste(t *testing.T) {
	m := miner.New("s", options())
	for i := range 20 {
		for _, query := range []string{"", "?sid=1", "?t=1"} {
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d%s", i, query), Min: int64(1000 + 1000*i), Max: int64(1000 + 1000*i), Families: 1<<2 | 1<<0})
		}
	}
	w := Start(Options{Miner: options()})
	defer w.Close()
	listed := m.Rules()
	valid := rule.Record{Schema: rule.Schema, Wire: *rule.NewWire(&rule.Rule{Kind: rule.Drop, Param: "sid"})}
	for _, c := range []struct {
		valid []rule.Record
		want  waste.Told
	}{
		{[]rule.Record{valid}, waste.Told{Waste: waste.Waste{0: {Fetched: 60, Pages: 40, Bytes: 210_000}, 2: {Fetched: 60, Pages: 40, Bytes: 210_000}, waste.Union: {Fetched: 60, Pages: 40, Bytes: 210_000}}, Valid: 1}},
		{nil, waste.Told{Waste: waste.Waste{0: {Fetched: 60, Pages: 20, Bytes: 420_000}, 2: {Fetched: 60, Pages: 20, Bytes: 420_000}, waste.Union: {Fetched: 60, Pages: 20, Bytes: 420_000}}, Likely: -1}},
	} {
		w.Offer(Window{Machine: m.Content(), Listed: listed, Valid: c.valid})
		got := *(<-w.Found()).Waste
		if c.want.Likely < 0 && got.Likely >= 2 {
			c.want.Likely = got.Likely
		}
		if got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	few := Start(Options{Miner: options(), MaxURLs: 30})
	defer few.Close()
	few.Offer(Window{Machine: m.Content(), Listed: listed})
	if got := (<-few.Found()).Waste; !got.Sample || got.Waste[2].Fetched > 30 {
		t.Errorf("of a sample: %+v", got)
	}
}
