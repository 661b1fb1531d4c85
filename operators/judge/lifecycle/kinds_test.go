package lifecycle_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/internal/planted"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Few clients ask for a route that changes something. The routes below are of real software;
// none of their words is needed to leave them alone.
func TestRoutesAreNotFetched(t *testing.T) {
	t.Logf("%d routes, with and without a query", len(planted.Routes))
	for _, route := range planted.Routes {
		for _, query := range []string{"", "?x=1"} {
			c := newCrowd()
			c.readers(300)
			for client := range uint8(2) { // of 300
				c.Asked(route+query, 7, client)
			}
			g := forms.NewGuard(forms.WindowOf(c.Mined), new(book.Options), nil)
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
		c.Asked(fmt.Sprintf("/story/%d", client%20), client%20, uint8(client%16))
		c.Asked(fmt.Sprintf("/story/%d?id=5", client%20), client%20, uint8(client%16))
	}
}

// What the public asks for is fetched, and what follows from it.
func TestPublicKinds(t *testing.T) {
	c := newCrowd()
	c.readers(300)
	c.Asked("/list?page=2&sid=4", 50, 1, 2, 3)
	c.Asked("/rare", 51, 1)
	c.Asked("/rare.html", 51, 1)
	window := forms.WindowOf(c.Mined)
	g := forms.NewGuard(window, new(book.Options), nil)
	for _, c := range []struct {
		name, from, to string
		want           bool
	}{
		{"a page of a public kind", "/story/1", "/story/999", true},
		{"a kind for which nobody asked, and sid has one value", "/list?page=2&sid=4", "/list?page=2", false},
		{"another parameter", "/list?page=2&sid=4", "/list?new=2", false},
		{"to a rare page", "/story/1", "/rare", false},
		{"from a rare page", "/rare", "/story/1", false},
		{"to a page of one client", "/story/1", "/rare.html", false},
		{"other spellings", "/story/1", "/Story//1/index.html", true},
		{"a new action", "/story/1", "/story/1?action=elsewise", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := g.Allows(c.from, c.to); got != c.want {
				t.Errorf("from %s to %s: allowed %v", c.from, c.to, got)
			}
		})
	}
	if p := forms.NewGuard(window, anyKind, nil).Privacy("/rare"); p != forms.Public {
		t.Errorf("with any kind, /rare is %v", p)
	}
}

// Where no line names a client, or all lines may be of one client, no kind is public.
func TestKindsOfOneClient(t *testing.T) {
	for _, c := range []struct {
		name    string
		clients []uint8
		kinds   book.Kinds
		want    forms.Privacy
	}{
		{"nobody", nil, book.PublicKinds, forms.Unasked},
		{"nobody, any kind", nil, book.AnyKind, forms.Public},
		{"one", []uint8{3}, book.PublicKinds, forms.Unasked},
		{"one, any kind", []uint8{3}, book.AnyKind, forms.Public},
		{"two", []uint8{3, 4}, book.PublicKinds, forms.Unasked},
		{"three", []uint8{3, 4, 5}, book.PublicKinds, forms.Public},
	} {
		crowd := newCrowd()
		crowd.Asked("/x", 1, c.clients...)
		if len(c.clients) == 0 {
			crowd.Mined.Fold(&evidence.Observation{URL: []byte("/x"), Min: 100, Max: 100})
		}
		o := madeup.Options()
		o.Kinds = c.kinds
		m := New("crowd", o)
		m.Load(forms.WindowOf(crowd.Mined), nil)
		p := m.Answers.Status().Private
		if got := lifecycle.GuardOf(m).Privacy("/x"); got != c.want || p.Single != (len(c.clients) == 1) || p.Nobody != (len(c.clients) == 0) || p.Any != (lifecycle.GuardOf(m).Kinds == nil) || p.Unasked != int(c.want/forms.Unasked) {
			t.Errorf("%s: %v, want %v; %+v", c.name, got, c.want, p)
		}
	}
}

// A rule is not tried if it changes more URLs that the public does not ask for than others: what
// holds for the others says little of them.
func TestMostPairsUnasked(t *testing.T) {
	for _, c := range []struct {
		name string
		rare int // pages
		want forms.Untried
	}{
		{"no page", 0, forms.Waits},
		{"half of the URLs", 80, forms.Waits},
		{"more than half", 81, forms.NotFetched},
		{"most", 200, forms.NotFetched},
	} {
		log := newCrowd()
		for i := range 40 {
			log.Asked(fmt.Sprintf("/story/%d", i), i, 1, 2, 3)
			log.Asked(fmt.Sprintf("/story/%d?v=1", i), i, 1, 2, 3)
		}
		for i := range c.rare {
			name := string(rune('a'+i%20)) + string(rune('a'+i/20))
			log.Asked("/"+name, 100+i, 1)
			log.Asked("/"+name+"?v=1", 100+i, 1)
		}
		o := madeup.Options()
		o.Kinds = book.PublicKinds
		m := New("crowd", o)
		m.Load(forms.WindowOf(log.Mined), forms.Candidates(log.Mined.AllRules()))
		m.Next(1)
		r := rule.Rule{Edit: rule.Drop{Param: "v"}}
		if got := m.Answers.Detail(lifecycle.Query{Likely: []rule.Rule{r}}, 1).Likely[0]; got.Untried != c.want {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
}

// Strangers may name URLs of the log and of public kinds only.
func TestStrangersName(t *testing.T) {
	c := newCrowd()
	c.readers(300)
	c.Asked("/door/open?id=5&x=1", 60, 1)
	window := forms.WindowOf(c.Mined)
	for _, c := range []struct {
		name        string
		url         string
		public, any bool // may be named, where kinds count and where they do not
	}{
		{"of the log", "/story/1", true, true},
		{"of a public kind", "/story/999", true, true},
		{"of no kind of the log", "/any.html", false, true},
		{"of one client", "/door/open?id=5&x=1", true, true},
		{"another value", "/door/open?id=6&x=1", false, true},
		{"without a parameter", "/door/open?id=5", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			public := forms.NewGuard(window, &book.Options{Kinds: book.PublicKinds}, nil).MayName(c.url)
			if any := forms.NewGuard(window, anyKind, nil).MayName(c.url); public != c.public || any != c.any {
				t.Errorf("%s may be named: %v, and with any kind %v", c.url, public, any)
			}
		})
	}
}
