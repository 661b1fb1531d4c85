package lifecycle

import (
	"fmt"
	"math"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Each verdict counts for its own kind and grounds. Verdicts without samples and on narrowed
// rules do not count.
func TestChances(t *testing.T) {
	b := New("", book.Defaults()).book
	put := func(kind rule.Kind, g book.Grounds, s rule.State, samples int, prefix string) {
		id := fmt.Sprint(len(b.Entries))
		b.Entries[id] = &book.Entry{ID: id, Rule: rule.Rule{Edit: map[rule.Kind]rule.Edit{rule.KindSubstring: rule.Substring{}, rule.KindDrop: rule.Drop{}, rule.KindSet: rule.Set{}}[kind], Scope: rule.Scope{Prefix: prefix}}, State: s, Grounds: g, Verdict: rule.Verdict{Samples: samples}}
	}
	for range 3 {
		put(rule.KindSubstring, book.Strong, rule.Valid, 59, "")
		put(rule.KindSubstring, book.Strong, rule.Refuted, 0, "")
		put(rule.KindSubstring, book.Strong, rule.Refuted, 5, "/a/")
		put(rule.KindDrop, book.Weak, rule.Refuted, 5, "")
	}
	put(rule.KindSubstring, book.Strong, rule.Refuted, 5, "")
	c := b.Chances()
	for _, c := range []struct {
		name string
		got  [2]float64
	}{
		{"tried", [2]float64{c.By[rule.KindSubstring][book.Strong], (3 + 1) / (4 + 2.0)}},
		{"other kind", [2]float64{c.By[rule.KindDrop][book.Strong], 0.5}},
		{"weak", [2]float64{c.By[rule.KindDrop][book.Weak], 1 / (3 + 1/0.03)}},
		{"untried", [2]float64{c.By[rule.KindSubstring][book.Partial], 0.1}},
		{"without weight", [2]float64{c.By[rule.KindSubstring][book.Unknown], 0.1}},
	} {
		if math.Abs(c.got[0]-c.got[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got[0], c.got[1])
		}
	}
}

// Refused values of a name make others of the name unlikely, and nothing else. Values that hold do not make others likely.
func TestChancesOfNames(t *testing.T) {
	b := New("", book.Defaults()).book
	put := func(from, to string, s rule.State, times int) {
		for range times {
			id := fmt.Sprint(len(b.Entries))
			b.Entries[id] = &book.Entry{ID: id, Rule: rule.Rule{Edit: rule.Substring{From: from, To: to}}, State: s, Grounds: book.Strong, Verdict: rule.Verdict{Samples: 5}}
		}
	}
	put("?id=a&", "?id=b&", rule.Refuted, 30)
	put("/x/a", "/x/b", rule.Refuted, 10)
	put("?p=a", "?p=b", rule.Valid, 40)
	c, p := b.Chances(), (40.+1)/(80+2)
	for _, n := range []struct {
		name     string
		from, to string
		want     float64
	}{
		{"another value", "&id=c", "&id=d", 10 * p / (10 + 30)},
		{"part of a value", "id=c:e", "id=c:f", 10 * p / (10 + 30)},
		{"another name", "&no=c", "&no=d", p},
		{"folders", "/y/c/", "/y/d/", 10 * p / (10 + 10)},
		{"a name that holds", "?p=c", "?p=d", p},
		{"nothing before", "?id=c", "", p},
	} {
		if got := c.Of(&book.Candidate{Rule: rule.Rule{Edit: rule.Substring{From: n.from, To: n.to}}, Grounds: book.Strong}); math.Abs(got-n.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", n.name, got, n.want)
		}
	}
}

// The other direction of a refuted pair has grounds of its own; another follower has none.
func TestGroundsOfFollowers(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	m.derive(1)
	r := rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}
	other, _ := r.Reverse()
	narrow := r
	narrow.Scope.Prefix = "/b/p"
	n := book.Candidate{ID: "1", Rule: r, Grounds: book.Strong}
	for _, c := range []struct {
		f    rule.Rule
		want book.Grounds
	}{{other, book.Turned}, {narrow, book.Unknown}} {
		if got := chooserOf(m.life, 1).follower(&n, c.f).Grounds; got != c.want {
			t.Errorf("%+v: grounds %d, want %d", c.f, got, c.want)
		}
	}
}

// Of two rules of one gain, the rule with the better grounds is tried first.
func TestGroundsFirst(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	m.derive(1)
	r := rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}
	for _, g := range []book.Grounds{book.Weak, book.Strong} {
		open := []book.Candidate{{ID: "1", Rule: r, Grounds: g}, {ID: "2", Rule: r, Grounds: book.Strong + book.Weak - g, Order: 1}}
		want := map[book.Grounds]string{book.Strong: "1", book.Weak: "2"}[g]
		if c, _ := chooserOf(m.life, 1).choose(open); c.ID != want {
			t.Errorf("grounds %d first: chosen %+v", g, c)
		}
	}
}
