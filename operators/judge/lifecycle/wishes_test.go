package lifecycle_test

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// idOf returns the id of the rule of L that edits a URL.
func idOf(m *lifecycle.Machine, t *testing.T, u string) string {
	t.Helper()
	list := validOf(m)
	ranks := forms.ChainOf(forms.Compile(rulesOf(m)), u)
	if len(ranks) == 0 {
		t.Fatalf("no rule edits %s", u)
	}
	return list[ranks[0]].ID
}

func publishes(m *lifecycle.Machine, id string) bool {
	return slices.ContainsFunc(m.Published().Records, func(r rule.Record) bool { return r.ID == id })
}

// A veto takes a rule out, and keeps out its other direction and all its scopes. Without the
// veto the rule comes back. A machine restored from the acts obeys as well.
func TestVeto(t *testing.T) {
	w, m, now := ruled(t, 60, madeup.Options())
	id := idOf(m, t, "/b/p3.html")
	must(t, m.Operator.Wish(book.Wish{Veto: id}))
	now = w.live(m, now+1, func(test lifecycle.Look) {
		if e := entry(m, test.Rule); test.Purpose == lifecycle.Trial || e != nil && e.ID == id {
			t.Errorf("tried: %+v", test)
		}
	})
	if publishes(m, id) || formOf(m, "/b/p3.html") != "/b/p3.html" || formOf(m, "/list/7?sid=71") != "/list/7" {
		t.Errorf("published: %+v", m.Published().Records)
	}
	if e := entry(m, id); e.State != rule.Retired || e.Verdict.Reason != book.ByVeto {
		t.Errorf("%+v", e)
	}
	other := entry(m, id).Rule.Opposite()
	narrow := entry(m, id).Rule
	narrow.Scope = rule.Scope{Prefix: "/b/p"}
	known := bookOf(m, madeup.Options())
	for _, r := range []rule.Rule{other, narrow} {
		if !known.Vetoed(&r) {
			t.Errorf("not vetoed: %s", madeup.Words([]rule.Rule{r}))
		}
	}
	twin := New("town", madeup.Options())
	for _, a := range m.Acts() {
		twin.Restore(recode(t, a))
	}
	twin.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
	w.live(twin, now+1, func(test lifecycle.Look) { t.Errorf("the twin tries %+v", test) })
	if got, want := dump(twin), dump(m); !reflect.DeepEqual(got, want) {
		t.Errorf("the twin differs")
	}
	must(t, m.Operator.Wish(book.Wish{Veto: id, Undo: true}))
	if w.live(m, now+2, ignore); !publishes(m, id) {
		t.Errorf("without the veto: %+v", m.Published().Records)
	}
}

// A veto of a parameter or text keeps out every rule that edits it, in whatever clothes, and no
// other.
func TestVetoOfText(t *testing.T) {
	w, m, now := ruled(t, 60, madeup.Options())
	id := idOf(m, t, "/list/7?sid=71")
	must(t, m.Operator.Wish(book.Wish{Text: "sid"}))
	now = w.live(m, now+1, ignore)
	if publishes(m, id) || formOf(m, "/list/7?sid=71") != "/list/7?sid=71" || formOf(m, "/b/p3.html") == "/b/p3.html" {
		t.Errorf("published: %+v", m.Published().Records)
	}
	template, err := rule.NewTemplate([]rule.Key{{Name: "/0", Any: true}, {Name: "sid", Any: true, Edit: rule.DropKey}})
	must(t, err)
	known := bookOf(m, madeup.Options())
	for _, c := range []struct {
		name string
		r    rule.Rule
		want bool
	}{
		{"a drop within a scope", rule.Rule{Edit: rule.Drop{Param: "sid"}, Scope: rule.Scope{Prefix: "/a"}}, true},
		{"another parameter of a drop", rule.Rule{Edit: rule.Drop{Param: "a", Other: "sid"}}, true},
		{"a set value", rule.Rule{Edit: rule.Set{Param: "sid", Value: "1"}}, true},
		{"a text with the name at its start", rule.Rule{Edit: rule.Substring{From: "?sid=home"}}, true},
		{"a text that becomes the name", rule.Rule{Edit: rule.Substring{From: "/a", To: "/b?sid=1"}}, true},
		{"a template", rule.Rule{Edit: rule.Rewrite{Template: template}}, true},
		{"a longer name", rule.Rule{Edit: rule.Drop{Param: "sids"}}, false},
		{"a text with a longer name", rule.Rule{Edit: rule.Substring{From: "?sids=home"}}, false},
		{"a condition", rule.Rule{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{Where: rule.With("sid")}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if known.Vetoed(&c.r) != c.want {
				t.Errorf("vetoed is %v: %s", !c.want, madeup.Words([]rule.Rule{c.r}))
			}
		})
	}
	must(t, m.Operator.Wish(book.Wish{Text: "sid", Undo: true}))
	if err := m.Operator.Wish(book.Wish{Text: "sid", Undo: true}); err != book.ErrNoRule {
		t.Errorf("taken back twice: %v", err)
	}
	if w.live(m, now+2, ignore); !publishes(m, id) {
		t.Errorf("without the veto: %+v", m.Published().Records)
	}
}

// A rule that edits the value of a vetoed parameter does not come back either, although its texts do not
// have the name: as a candidate, and when it is valid already. So it is by the settings, and after a
// restart.
func TestVetoWithinValue(t *testing.T) {
	w := noTown()
	for i := range 60 {
		for _, from := range []string{"home", "mail"} {
			w.Add(fmt.Sprintf("/a/%d?ref=%s", i, from), fmt.Sprint("story ", i), int64(1000+37*i))
		}
	}
	within := []rule.Candidate{{Rule: rule.Rule{Edit: rule.Substring{From: "mail", To: "home", AtEnd: true}}, Support: 60}}
	start := func(text string) *lifecycle.Machine {
		o := madeup.Options()
		o.GivenOnly = true
		if text != "" {
			o.VetoTexts = []string{text}
		}
		m := New("town", o)
		m.Load(forms.NewWindow(slices.Clone(w.Pages)), within)
		return m
	}
	const u = "/a/3?ref=mail"
	for _, c := range []struct{ name, text, want string }{
		{"no text", "", "/a/3?ref=home"},
		{"a longer name", "reference", "/a/3?ref=home"},
		{"the name", "ref", u},
		{"the name and its value", "ref=mail", u},
		{"the value", "mail", u},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := start(c.text)
			if w.live(m, 1, ignore); formOf(m, u) != c.want {
				t.Errorf("vetoed by the settings %q: %s", c.text, formOf(m, u))
			}
		})
	}
	if err := start("ref").Operator.Wish(book.Wish{Text: "ref", Undo: true}); err != book.ErrSettings {
		t.Errorf("taken back although the settings have it: %v", err)
	}
	m := start("")
	now := w.live(m, 1, ignore)
	if formOf(m, u) == u {
		t.Fatal("the rule is not valid")
	}
	must(t, m.Operator.Wish(book.Wish{Text: "ref"}))
	for _, c := range []struct {
		name string
		acts iter.Seq[book.Act]
	}{
		{"acts", slices.Values(m.Acts())},
		{"dump", m.Dump},
	} {
		t.Run("restored from "+c.name, func(t *testing.T) {
			twin := start("")
			for a := range c.acts {
				twin.Restore(recode(t, a))
			}
			if w.live(twin, now+1, ignore); formOf(twin, u) != u || len(twin.Published().Records) > 0 {
				t.Errorf("%s, %+v", formOf(twin, u), twin.Published().Records)
			}
		})
	}
	if now = w.live(m, now+1, ignore); formOf(m, u) != u || len(m.Published().Records) > 0 {
		t.Errorf("vetoed: %s, %+v", formOf(m, u), m.Published().Records)
	}
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), within)
	if now = w.live(m, now+8*book.Day, ignore); formOf(m, u) != u {
		t.Errorf("later: %s", formOf(m, u))
	}
	must(t, m.Operator.Wish(book.Wish{Text: "ref", Undo: true}))
	if w.live(m, now+1, ignore); formOf(m, u) == u {
		t.Error("the rule does not come back without the veto")
	}
}

// A veto in the options holds as soon as the rule is seen, and cannot be taken back.
func TestVetoInOptions(t *testing.T) {
	_, m, _ := ruled(t, 60, madeup.Options())
	id := idOf(m, t, "/b/p3.html")
	o := madeup.Options()
	o.Veto = []string{id}
	w := newTown(60)
	m = w.machine(o)
	if w.live(m, 1, ignore); publishes(m, id) || formOf(m, "/b/p3.html") != "/b/p3.html" || formOf(m, "/list/7?sid=71") != "/list/7" {
		t.Errorf("published: %+v", m.Published().Records)
	}
	for _, wish := range []book.Wish{{Veto: id, Undo: true}, {Pin: id}} {
		if err := m.Operator.Wish(wish); !errors.Is(err, book.ErrSettings) {
			t.Errorf("%+v: %v", wish, err)
		}
	}
}

// Of two directions that both hold, the preferred one is taken, before and after the rule is
// valid. If the preferred direction fails, the other direction stays.
func TestPrefer(t *testing.T) {
	both := func() *town {
		w := noTown()
		for i := range 60 {
			size, text := int64(1000+37*i), fmt.Sprint("story ", i)
			w.Add(fmt.Sprintf("/story/%d", i), text, size)
			w.Add(fmt.Sprintf("/s?id=%d", i), text, size)
		}
		return w
	}
	for _, c := range []struct {
		name           string
		settings, wish []string
		fails          bool
		want           string
	}{
		{"nothing", nil, nil, false, "/s?id=3"},
		{"the settings", []string{"/story/"}, nil, false, "/story/3"},
		{"a wish", nil, []string{"/story/"}, false, "/story/3"},
		{"settings win", []string{"/s?id="}, []string{"/story/"}, false, "/s?id=3"},
		{"another text", nil, []string{"/tale/"}, false, "/s?id=3"},
		{"does not hold there", nil, []string{"/story/"}, true, "/s?id=3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := madeup.Options()
			o.Prefer = c.settings
			w := both()
			if c.fails {
				for i := range 40 { // pages that exist only in the short form
					w.Add(fmt.Sprintf("/s?id=x%d", i), fmt.Sprint("only ", i), int64(100_000+999*i))
				}
			}
			m := w.machine(o)
			must(t, m.Operator.Wish(book.Wish{Prefer: c.wish}))
			w.live(m, 1, ignore)
			if formOf(m, "/story/3") != c.want || formOf(m, "/s?id=3") != c.want {
				t.Errorf("%s and %s, want %s", formOf(m, "/story/3"), formOf(m, "/s?id=3"), c.want)
			}
			if c.settings == nil && c.wish != nil { // a wish that comes late has the same effect
				m := w.machine(o)
				late := w.live(m, 1, ignore)
				must(t, m.Operator.Wish(book.Wish{Prefer: c.wish}))
				w.live(m, late+1, ignore)
				if formOf(m, "/story/3") != c.want || formOf(m, "/s?id=3") != c.want {
					t.Errorf("late: %s and %s, want %s", formOf(m, "/story/3"), formOf(m, "/s?id=3"), c.want)
				}
			}
		})
	}
}

func TestWishErrors(t *testing.T) {
	m := New("", madeup.Options())
	r := rule.Rule{Edit: rule.Substring{From: "b", To: "a"}}
	m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 1, Verdict: rule.Verdict{Time: 1}}})
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/b"}}), []rule.Candidate{{Rule: rule.Rule{Edit: rule.Substring{From: "token=5f4dcc3b5aa765d61d8327deb882cf99aa55", To: ""}}}})
	hidden := rule.ID("", &rule.Rule{Edit: rule.Substring{From: "token=5f4dcc3b5aa765d61d8327deb882cf99aa55", To: ""}})
	id := rule.ID("", &r)
	for _, c := range []struct { // in order: each wish finds what those before it left
		name string
		wish book.Wish
		want error
	}{
		{"a veto of an unknown rule", book.Wish{Veto: "x"}, book.ErrNoRule},
		{"a pin of an unknown rule", book.Wish{Pin: "x"}, book.ErrNoRule},
		{"a veto of a hidden rule", book.Wish{Veto: hidden}, book.ErrNoRule},
		{"no veto to take back", book.Wish{Veto: id, Undo: true}, book.ErrNoRule},
		{"no pin to take back", book.Wish{Pin: id, Undo: true}, book.ErrNoRule},
		{"no text", book.Wish{Prefer: []string{""}}, book.ErrText},
		{"a text with a space", book.Wish{Prefer: []string{"a b"}}, book.ErrText},
		{"a text that is not ASCII", book.Wish{Prefer: []string{"é"}}, book.ErrText},
		{"a long text", book.Wish{Prefer: []string{strings.Repeat("a", 1025)}}, book.ErrText},
		{"no preference to take back", book.Wish{Prefer: []string{"/a/"}, Undo: true}, book.ErrNoRule},
		{"nothing to take back", book.Wish{Undo: true}, nil},
		{"a veto of a text with a space", book.Wish{Text: "a b"}, book.ErrText},
		{"a pin of a text with a space", book.Wish{PinText: "a b"}, book.ErrText},
		{"no pin of a text to take back", book.Wish{PinText: "a", Undo: true}, book.ErrNoRule},
		{"a pin of a text", book.Wish{PinText: "a"}, nil},
		{"a pin of a text is taken back", book.Wish{PinText: "a", Undo: true}, nil},
		{"a preference", book.Wish{Prefer: []string{"/a/"}}, nil},
		{"a preference once more", book.Wish{Prefer: []string{"/a/"}}, nil},
		{"a preference is taken back", book.Wish{Prefer: []string{"/a/"}, Undo: true}, nil},
		{"a pin", book.Wish{Pin: id}, nil},
		{"a pin once more", book.Wish{Pin: id}, nil},
		{"a pin is taken back", book.Wish{Pin: id, Undo: true}, nil},
	} {
		if err := m.Operator.Wish(c.wish); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	for i := range book.MostSides + 1 {
		if err := m.Operator.Wish(book.Wish{Prefer: []string{fmt.Sprintf("/%d/", i)}}); (err != nil) != (i == book.MostSides) || err != nil && !errors.Is(err, book.ErrMany) {
			t.Errorf("text %d: %v", i, err)
		}
	}
	if w := m.Answers.Status().Wishes; len(w.Prefer) != book.MostSides || len(w.Pins) != 0 || len(w.Vetoes) != 0 {
		t.Errorf("%+v", w)
	}
}
