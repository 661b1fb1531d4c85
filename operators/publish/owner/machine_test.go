package owner

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"

	"github.com/dchest/siphash"
)

// town is a small synthetic site. /a/ and /b/ mirror each other, /c/ has the sizes of /d/
// but other pages, and sid has no effect.
type town struct {
	pages []evidence.Page
	size  map[string]int64
	text  map[string]string // page of each URL; a URL without a page answers 404
}

func newTown(n int) *town {
	w := &town{text: map[string]string{}, size: map[string]int64{}}
	add := func(u, text string, size int64) {
		w.text[u], w.size[u] = text, size
		w.pages = append(w.pages, evidence.Page{URL: u, Evidence: evidence.Spans{{Min: size, Max: size}}})
	}
	for i := range n {
		size := int64(1000 + 37*i)
		add(fmt.Sprintf("/a/p%d.html", i), fmt.Sprint("page ", i), size)
		add(fmt.Sprintf("/b/p%d.html", i), fmt.Sprint("page ", i), size)
		add(fmt.Sprintf("/c/q%d.html", i), fmt.Sprint("left ", i), size)
		add(fmt.Sprintf("/d/q%d.html", i), fmt.Sprint("right ", i), size)
		add(fmt.Sprintf("/list/%d", i), fmt.Sprint("list ", i), size)
		for sid := range 3 {
			add(fmt.Sprintf("/list/%d?sid=%d%d", i, i, sid), fmt.Sprint("list ", i), size)
		}
	}
	return w
}

func townOptions() book.Options {
	o, e := book.Defaults(), envelope.Defaults()
	o.Miner = miner.Options{Table: table.Options{MaxURLs: 1_000_000}, Envelope: e, Params: params.Options{Similarity: e.Similarity}}
	o.RecheckEvery, o.RecheckBudget = 3000, 40
	return o
}

// load gives a machine the current town.
func (w *town) load(m *lifecycle.Machine) {
	mined := miner.New("town", townOptions().Miner)
	for _, p := range w.pages {
		for _, s := range p.Evidence {
			mined.Fold(&evidence.Observation{URL: []byte(p.URL), Min: s.Min, Max: s.Max})
		}
	}
	m.Load(forms.NewWindow(slices.Clone(w.pages)), forms.Candidates(mined.Rules()))
}

// see returns the result of a test on the town.
func (w *town) see(m *lifecycle.Machine, t lifecycle.Look) trial.Seen {
	fetch := func(u string) trial.Document {
		if w.text[u] == "" {
			return trial.Document{Status: 404}
		}
		return trial.Document{Status: 200}
	}
	shown := func(u string) trial.Shown {
		return trial.Shown{HTML: true, Words: 100, Text: siphash.Hash(1, 1, []byte(w.text[u])), Sent: w.size[u], Length: w.size[u]}
	}
	return m.Dialogue.Measure(t, fetch(t.U), fetch(t.V), func() trial.Compared {
		c := trial.Compared{U: shown(t.U), V: shown(t.V)}
		if w.text[t.U] == w.text[t.V] {
			c.Alike, c.SameText = 1, true
		}
		return c
	})
}

// bare returns the acts of a dump as a ledger keeps them. The history of the published list
// stays with its owner.
func bare(m *lifecycle.Machine) (all []string) {
	for a := range m.Dump {
		if a.Pair != nil {
			continue
		}
		a.History = nil
		if a.Rule != nil {
			e := *a.Rule
			e.Verdict.Examples, e.Sent = nil, nil
			a.Rule = &e
		}
		if a.Publication != nil {
			p := *a.Publication
			p.Records = slices.Clone(p.Records)
			for i := range p.Records {
				p.Records[i].Verdict.Examples = nil
			}
			a.Publication = &p
		}
		all = append(all, string(a.Encode()))
	}
	return all
}

func pairs(m *lifecycle.Machine) (all []string) {
	for a := range m.Dump {
		if a.Pair != nil {
			all = append(all, string(a.Encode()))
		}
	}
	return all
}

// missing returns the texts of some that are missing in others.
func missing(some, others []string) (lost []string) {
	there := map[string]bool{}
	for _, s := range others {
		there[s] = true
	}
	for _, s := range some {
		if !there[s] {
			lost = append(lost, s)
		}
	}
	return lost
}

// A machine that a new owner restores from the log equals the one that wrote it, except
// for old pairs and evidence, at every moment of a life. In the end the new machine has
// found the same rules, although pages have changed and rules were retired.
func TestMachinesFromTheLog(t *testing.T) {
	retired, rounds, held := 0, 0, 0
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 9))
		w, town := newWorld(t, seed), newTown(20)
		o := w.newOwner()
		w.write(o, true)
		w.follow(o)
		options := townOptions()
		if seed%2 == 0 {
			options.HoldShare = 0.4                     // the mirror is held back
			options.PublishFirst = options.PublishEvery // and valid before the first publication
		}
		m, now := lifecycle.Maker(options)("town"), int64(1)
		town.load(m)
		var unsaved []Act
		save := func() {
			for _, a := range m.Acts() {
				unsaved = append(unsaved, Act{Site: "town", Act: a})
				if a.Round != nil && a.Round.SetEnd {
					rounds++
				}
				if a.Publication != nil && a.Publication.Held != nil {
					held++
				}
			}
			w.queue(o, o.Write(unsaved, nil))
			unsaved = nil
			for len(o.out) > 0 {
				w.write(o, true)
			}
		}
		for step := range 6000 {
			test, ok := m.Next(now)
			if ok {
				m.Dialogue.Outcome(test, town.see(m, test), 1, now)
				now++
			} else {
				now += 500
			}
			switch step { // URLs outside every window
			case 1500:
				m.See(urlnorm.Ampersand, now)
			case 4500:
				m.See(urlnorm.Semicolon, now)
			}
			if step == 3000 { // the mirror ends
				for i := range 20 {
					town.text[fmt.Sprintf("/b/p%d.html", i)] = fmt.Sprint("other ", i)
				}
			}
			switch rng.IntN(400) {
			case 0, 1, 2, 3:
				save()
			case 4:
				save()
				w.queue(o, o.Compact(dumpOf(m), nil))
				for len(o.out) > 0 {
					w.write(o, true)
				}
				w.compact()
			case 5: // another owner
				save()
				w.gen++
				next := w.newOwner()
				w.write(next, true)
				if w.follow(next); !next.Sure() {
					t.Fatal("the claim is not in the log")
				}
				o = next
				restored := lifecycle.Maker(options)("town")
				o.Acts(func(err error) { t.Fatal(err) }, func(a Act) bool { restored.Restore(a.Act); return true })
				if got, want := fmt.Sprint(bare(restored)), fmt.Sprint(bare(m)); got != want {
					t.Fatalf("seed %d: the new owner has\n%s\nwant\n%s", seed, got, want)
				}
				old, kept := pairs(m), pairs(restored)
				if wrong := missing(kept, old); len(wrong) > 0 || len(kept) < min(len(old), blockPairs*(mostBlocks-1)) {
					t.Fatalf("seed %d: the new owner has %d pairs of %d, %d of them wrong", seed, len(kept), len(old), len(wrong))
				}
				m = restored
				town.load(m)
			}
		}
		save()
		w.settle(o)
		for a := range m.Dump {
			if a.Rule != nil && a.Rule.State == rule.Retired {
				retired++
			}
		}
		if p := m.Published(); p.Sequence == 0 || len(p.Records) == 0 {
			t.Errorf("seed %d: nothing is published", seed)
		} else if s := p.Records[0].Separators; s == nil || s.String() != "&;" {
			t.Errorf("seed %d: separators %v", seed, s)
		}
	}
	if retired == 0 || rounds == 0 || held == 0 {
		t.Errorf("%d rules retired, %d rounds over, %d beginnings published: the machines' lives are too short", retired, rounds, held)
	}
}

func dumpOf(m *lifecycle.Machine) (all []Act) {
	for a := range m.Dump {
		all = append(all, Act{Site: "town", Act: a})
	}
	return all
}

// Partitions that move during a trial, of one rule or of the set, cost next to no fetch.
// The next owner continues each trial.
func TestTrialSurvivesMove(t *testing.T) {
	const until = 2500 // before the first re-validation
	live := func(moves int) (fetches int, state string) {
		w, town := newWorld(t, 1), newTown(20)
		o := w.newOwner()
		w.write(o, true)
		w.follow(o)
		m := lifecycle.Maker(townOptions())("town")
		town.load(m)
		for now := int64(1); now < until; {
			test, ok := m.Next(now)
			if ok {
				m.Dialogue.Outcome(test, town.see(m, test), 1, now)
				fetches++
				now++
			} else {
				now += 500
			}
			var all []Act
			for _, a := range m.Acts() {
				all = append(all, Act{Site: "town", Act: a})
			}
			w.queue(o, o.Write(all, nil))
			for len(o.out) > 0 {
				w.write(o, true)
			}
			if fetches > 3000 {
				break
			}
			if ok && moves > 0 && fetches%moves == 0 {
				w.gen++
				next := w.newOwner()
				w.write(next, true)
				w.follow(next)
				o, m = next, lifecycle.Maker(townOptions())("town")
				o.Acts(func(err error) { t.Fatal(err) }, func(a Act) bool { m.Restore(a.Act); return true })
				town.load(m)
			}
		}
		return fetches, fmt.Sprint(m.Answers.Status().States)
	}
	want, state := live(0)
	for _, moves := range []int{10, 50} {
		if got, is := live(moves); got > want+5 || is != state {
			t.Errorf("with a move each %d fetches: %d fetches, %s; alone %d, %s", moves, got, is, want, state)
		}
	}
	if want < 100 {
		t.Errorf("%d fetches show little", want)
	}
}

// The number of keys for a site's pairs is bounded. The newest pairs are kept.
func TestPairsAreBounded(t *testing.T) {
	w := newWorld(t, 1)
	o := w.newOwner()
	w.write(o, true)
	w.follow(o)
	const most = blockPairs * mostBlocks
	for n := range 3 * most {
		w.queue(o, o.Write([]Act{{Site: "town", Act: book.Act{Pair: &book.PairAct{Key: book.PairKey{0, uint64(n)}, At: int64(n)}}}}, nil))
		o.out = nil
	}
	keys, kept := map[string]bool{}, map[int64]bool{}
	for name := range o.l.Names("town", ledger.Pairs) {
		keys[name] = true
	}
	o.Acts(func(err error) { t.Fatal(err) }, func(a Act) bool {
		if a.Act.Pair != nil {
			kept[a.Act.Pair.At] = true
		}
		return true
	})
	if len(keys) != mostBlocks || len(kept) != most || !kept[3*most-1] || !kept[2*most] {
		t.Errorf("%d keys, %d pairs", len(keys), len(kept))
	}
}

// Only some sites have their pairs decoded. Those of any other site are found in the log again.
func TestPairsOfManySites(t *testing.T) {
	w := newWorld(t, 1)
	o := w.newOwner()
	w.write(o, true)
	w.follow(o)
	const sites, turns = 2 * mostNewest, blockPairs + 3
	for n := range turns {
		var acts []Act
		for site := range sites {
			acts = append(acts, Act{Site: fmt.Sprint("site", site), Act: book.Act{Pair: &book.PairAct{Key: book.PairKey{1, uint64(n)}, At: int64(n)}}})
		}
		slices.Reverse(acts[:n*sites/turns])
		w.queue(o, o.Write(append(acts, acts...), nil))
		o.out = nil
	}
	kept := map[string][]int64{}
	o.Acts(func(err error) { t.Fatal(err) }, func(a Act) bool {
		if a.Act.Pair != nil {
			kept[a.Site] = append(kept[a.Site], a.Act.Pair.At)
		}
		return true
	})
	for site, at := range kept {
		if len(at) != turns || !slices.IsSorted(at) {
			t.Errorf("%s has the pairs %d", site, at)
		}
	}
	if len(kept) != sites {
		t.Errorf("%d sites have pairs", len(kept))
	}
}

// A block that is cut, or lies under another key, is an error.
func TestBlock(t *testing.T) {
	b := &block{Number: 40, Pairs: []book.PairAct{{Key: book.PairKey{1, 2}, At: 3}, {Key: book.PairKey{4, 5}, At: 6}}}
	k, value := b.key("town"), b.encode()
	if got, err := readBlock(k, value); err != nil || !reflect.DeepEqual(got, b) {
		t.Fatalf("%+v, %v", got, err)
	}
	for n := range len(value) {
		if _, err := readBlock(k, value[:n]); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(value))
		}
	}
	fewer, other := slices.Clone(value), slices.Clone(value)
	fewer[9], other[0] = 1, blockVersion+1
	for _, c := range []struct {
		name  string
		wrong []byte
	}{{"fewer keys", fewer}, {"another version", other}, {"an earlier build", []byte(`{"v":1,"n":40,"pairs":[]}`)}, {"another number", (&block{Number: 41}).encode()}, {"a negative one", (&block{Number: -8}).encode()}} {
		if _, err := readBlock(k, c.wrong); err == nil {
			t.Errorf("%s: it is read", c.name)
		}
	}
}
