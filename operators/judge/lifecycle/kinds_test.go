package lifecycle

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Few clients ask for a route that changes something. The routes below are of real software;
// none of their words is needed to leave them alone.
func TestRoutesAreNotFetched(t *testing.T) {
	t.Logf("%d routes, with and without a query", len(routes))
	for _, route := range routes {
		for _, query := range []string{"", "?x=1"} {
			c := newCrowd(t)
			c.readers(300)
			for client := range uint8(2) { // of 300
				c.asked(route+query, 7, client)
			}
			g := forms.NewGuard(forms.WindowOf(c.mined), new(book.Options), nil)
			if p := g.Privacy(route + query); p == forms.Public {
				t.Errorf("%s is fetched", route+query)
			}
			if g.Allows("/story/3?id=5", route+query) {
				t.Errorf("a rule leads to %s", route+query)
			}
		}
	}
}

// readers adds pages that many clients read.
func (c *crowd) readers(clients int) {
	for client := range clients {
		c.asked(fmt.Sprintf("/story/%d", client%20), client%20, uint8(client%16))
		c.asked(fmt.Sprintf("/story/%d?id=5", client%20), client%20, uint8(client%16))
	}
}

// What the public asks for is fetched, and what follows from it.
func TestPublicKinds(t *testing.T) {
	c := newCrowd(t)
	c.readers(300)
	c.asked("/list?page=2&sid=4", 50, 1, 2, 3)
	c.asked("/rare", 51, 1)
	c.asked("/rare.html", 51, 1)
	window := forms.WindowOf(c.mined)
	g := forms.NewGuard(window, new(book.Options), nil)
	for pair, want := range map[[2]string]bool{
		{"/story/1", "/story/999"}:               true,
		{"/list?page=2&sid=4", "/list?page=2"}:   false, // nobody asked for this kind, and sid has one value
		{"/list?page=2&sid=4", "/list?new=2"}:    false,
		{"/story/1", "/rare"}:                    false,
		{"/rare", "/story/1"}:                    false,
		{"/story/1", "/rare.html"}:               false, // of one client
		{"/story/1", "/Story//1/index.html"}:     true,
		{"/story/1", "/story/1?action=elsewise"}: false,
	} {
		if got := g.Allows(pair[0], pair[1]); got != want {
			t.Errorf("%v: allowed %v", pair, got)
		}
	}
	if p := forms.NewGuard(window, anyKind, nil).Privacy("/rare"); p != forms.Public {
		t.Errorf("with any kind, /rare is %v", p)
	}
}

// Where no line names a client, or all lines may be of one client, no kind is public.
func TestKindsOfOneClient(t *testing.T) {
	for _, c := range []struct {
		clients []uint8
		kinds   book.Kinds
		want    forms.Privacy
	}{
		{nil, book.PublicKinds, forms.Unasked},
		{nil, book.AnyKind, forms.Public},
		{[]uint8{3}, book.PublicKinds, forms.Unasked},
		{[]uint8{3}, book.AnyKind, forms.Public},
		{[]uint8{3, 4}, book.PublicKinds, forms.Unasked},
		{[]uint8{3, 4, 5}, book.PublicKinds, forms.Public},
	} {
		crowd := newCrowd(t)
		crowd.asked("/x", 1, c.clients...)
		if len(c.clients) == 0 {
			crowd.mined.Fold(&evidence.Observation{URL: []byte("/x"), Min: 100, Max: 100})
		}
		o := madeup.Options()
		o.Kinds = c.kinds
		m := New("crowd", o)
		m.Load(forms.WindowOf(crowd.mined), nil)
		p := m.Answers.Status().Private
		if got := m.guard.Privacy("/x"); got != c.want || p.Single != (len(c.clients) == 1) || p.Nobody != (len(c.clients) == 0) || p.Any != (m.guard.Kinds == nil) || p.Unasked != int(c.want/forms.Unasked) {
			t.Errorf("clients %v, kinds %v: %v, want %v; %+v", c.clients, c.kinds, got, c.want, p)
		}
	}
}

// A rule is not tried if it changes more URLs that the public does not ask for than others: what
// holds for the others says little of them.
func TestMostPairsUnasked(t *testing.T) {
	for rare, want := range map[int]forms.Untried{0: forms.Waits, 80: forms.Waits, 81: forms.NotFetched, 200: forms.NotFetched} {
		c := newCrowd(t)
		for i := range 40 {
			c.asked(fmt.Sprintf("/story/%d", i), i, 1, 2, 3)
			c.asked(fmt.Sprintf("/story/%d?v=1", i), i, 1, 2, 3)
		}
		for i := range rare {
			name := string(rune('a'+i%20)) + string(rune('a'+i/20))
			c.asked("/"+name, 100+i, 1)
			c.asked("/"+name+"?v=1", 100+i, 1)
		}
		o := madeup.Options()
		o.Kinds = book.PublicKinds
		m := New("crowd", o)
		m.Load(forms.WindowOf(c.mined), forms.Candidates(c.mined.AllRules()))
		m.derive(1)
		r := rule.Rule{Edit: rule.Drop{Param: "v"}}
		if got := m.Answers.untriedBy(1)(&r); got.Why != want {
			t.Errorf("%d rare pages: %+v, want %v", rare, got, want)
		}
	}
}
