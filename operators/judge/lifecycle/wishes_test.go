package lifecycle

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// idOf returns the id of the rule of L that edits a URL.
func (m *Machine) idOf(t *testing.T, u string) string {
	t.Helper()
	_, ranks := m.view.Walk(&m.view.Part, u)
	if len(ranks) == 0 {
		t.Fatalf("no rule edits %s", u)
	}
	return m.view.List[ranks[0]].ID
}

func (m *Machine) publishes(id string) bool {
	return slices.ContainsFunc(m.Published().Records, func(r rule.Record) bool { return r.ID == id })
}

// A veto takes a rule out, and keeps out its other direction and all its scopes. Without the
// veto the rule comes back. A machine restored from the acts obeys as well.
func TestVeto(t *testing.T) {
	w, m, now := ruled(t, 60, madeup.Options())
	id := m.idOf(t, "/b/p3.html")
	must(t, m.Operator.Wish(book.Wish{Veto: id}))
	now = w.live(m, now+1, func(test Look) {
		if e := m.book.Entries[test.Rule]; test.Purpose == Trial || e != nil && e.ID == id {
			t.Errorf("tried: %+v", test)
		}
	})
	if m.publishes(id) || m.formOf("/b/p3.html") != "/b/p3.html" || m.formOf("/list/7?sid=71") != "/list/7" {
		t.Errorf("published: %+v", m.Published().Records)
	}
	if e := m.book.Entries[id]; e.State != rule.Retired || e.Verdict.Reason != book.ByVeto {
		t.Errorf("%+v", e)
	}
	other := m.book.Entries[id].Rule.Opposite()
	narrow := m.book.Entries[id].Rule
	narrow.Scope = rule.Scope{Prefix: "/b/p"}
	for _, r := range []rule.Rule{other, narrow} {
		if !m.book.Vetoed(&r) {
			t.Errorf("not vetoed: %s", madeup.Words([]rule.Rule{r}))
		}
	}
	twin := New("town", madeup.Options())
	for _, a := range m.Acts() {
		twin.Restore(recode(t, a))
	}
	twin.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
	w.live(twin, now+1, func(test Look) { t.Errorf("the twin tries %+v", test) })
	if got, want := dump(twin), dump(m); !reflect.DeepEqual(got, want) {
		t.Errorf("the twin differs")
	}
	must(t, m.Operator.Wish(book.Wish{Veto: id, Undo: true}))
	if w.live(m, now+2, ignore); !m.publishes(id) {
		t.Errorf("without the veto: %+v", m.Published().Records)
	}
}

// A veto of a parameter or text keeps out every rule that edits it, in whatever clothes, and no
// other.
func TestVetoOfText(t *testing.T) {
	w, m, now := ruled(t, 60, madeup.Options())
	id := m.idOf(t, "/list/7?sid=71")
	must(t, m.Operator.Wish(book.Wish{Text: "sid"}))
	now = w.live(m, now+1, ignore)
	if m.publishes(id) || m.formOf("/list/7?sid=71") != "/list/7?sid=71" || m.formOf("/b/p3.html") == "/b/p3.html" {
		t.Errorf("published: %+v", m.Published().Records)
	}
	template, err := rule.NewTemplate([]rule.Key{{Name: "/0", Any: true}, {Name: "sid", Any: true, Edit: rule.DropKey}})
	must(t, err)
	for _, c := range []struct {
		r    rule.Rule
		want bool
	}{
		{rule.Rule{Edit: rule.Drop{Param: "sid"}, Scope: rule.Scope{Prefix: "/a"}}, true},
		{rule.Rule{Edit: rule.Drop{Param: "a", Other: "sid"}}, true},
		{rule.Rule{Edit: rule.Set{Param: "sid", Value: "1"}}, true},
		{rule.Rule{Edit: rule.Substring{From: "?sid=home"}}, true},
		{rule.Rule{Edit: rule.Substring{From: "/a", To: "/b?sid=1"}}, true},
		{rule.Rule{Edit: rule.Rewrite{Template: template}}, true},
		{rule.Rule{Edit: rule.Drop{Param: "sids"}}, false},
		{rule.Rule{Edit: rule.Substring{From: "?sids=home"}}, false},
		{rule.Rule{Edit: rule.Drop{Param: "a"}, Scope: rule.Scope{Where: rule.With("sid")}}, false},
	} {
		if m.book.Vetoed(&c.r) != c.want {
			t.Errorf("vetoed is %v: %s", !c.want, madeup.Words([]rule.Rule{c.r}))
		}
	}
	must(t, m.Operator.Wish(book.Wish{Text: "sid", Undo: true}))
	if err := m.Operator.Wish(book.Wish{Text: "sid", Undo: true}); err != book.ErrNoRule {
		t.Errorf("taken back twice: %v", err)
	}
	if w.live(m, now+2, ignore); !m.publishes(id) {
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
	start := func(text string) *Machine {
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
	for text, want := range map[string]string{"": "/a/3?ref=home", "reference": "/a/3?ref=home", "ref": u, "ref=mail": u, "mail": u} {
		m := start(text)
		if w.live(m, 1, ignore); m.formOf(u) != want {
			t.Errorf("vetoed by the settings %q: %s", text, m.formOf(u))
		}
	}
	if err := start("ref").Operator.Wish(book.Wish{Text: "ref", Undo: true}); err != book.ErrSettings {
		t.Errorf("taken back although the settings have it: %v", err)
	}
	m := start("")
	now := w.live(m, 1, ignore)
	if m.formOf(u) == u {
		t.Fatal("the rule is not valid")
	}
	must(t, m.Operator.Wish(book.Wish{Text: "ref"}))
	for name, give := range map[string]func(yield func(book.Act)){
		"acts": func(yield func(book.Act)) {
			for _, a := range m.Acts() {
				yield(a)
			}
		},
		"dump": func(yield func(book.Act)) { m.Dump(func(a book.Act) bool { yield(a); return true }) },
	} {
		twin := start("")
		give(func(a book.Act) { twin.Restore(recode(t, a)) })
		if w.live(twin, now+1, ignore); twin.formOf(u) != u || len(twin.Published().Records) > 0 {
			t.Errorf("restored from %s: %s, %+v", name, twin.formOf(u), twin.Published().Records)
		}
	}
	if now = w.live(m, now+1, ignore); m.formOf(u) != u || len(m.Published().Records) > 0 {
		t.Errorf("vetoed: %s, %+v", m.formOf(u), m.Published().Records)
	}
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), within)
	if now = w.live(m, now+8*book.Day, ignore); m.formOf(u) != u {
		t.Errorf("later: %s", m.formOf(u))
	}
	must(t, m.Operator.Wish(book.Wish{Text: "ref", Undo: true}))
	if w.live(m, now+1, ignore); m.formOf(u) == u {
		t.Error("the rule does not come back without the veto")
	}
}

// A veto in the options holds as soon as the rule is seen, and cannot be taken back.
func TestVetoInOptions(t *testing.T) {
	_, m, _ := ruled(t, 60, madeup.Options())
	id := m.idOf(t, "/b/p3.html")
	o := madeup.Options()
	o.Veto = []string{id}
	w := newTown(60)
	m = w.machine(o)
	if w.live(m, 1, ignore); m.publishes(id) || m.formOf("/b/p3.html") != "/b/p3.html" || m.formOf("/list/7?sid=71") != "/list/7" {
		t.Errorf("published: %+v", m.Published().Records)
	}
	for _, wish := range []book.Wish{{Veto: id, Undo: true}, {Pin: id}} {
		if err := m.Operator.Wish(wish); !errors.Is(err, book.ErrSettings) {
			t.Errorf("%+v: %v", wish, err)
		}
	}
}

// A pinned rule that was valid survives a trial that decides nothing, and not a refutation.
func TestPin(t *testing.T) {
	for _, by := range []string{"", "id", "text", "settings"} {
		pinned, want, o := by != "", rule.Undecided, madeup.Options()
		if by == "settings" {
			o.PinTexts = []string{"/b/"}
		}
		w, m, now := ruled(t, 60, o)
		id := m.idOf(t, "/b/p3.html")
		switch by {
		case "id":
			must(t, m.Operator.Wish(book.Wish{Pin: id}))
			if r, known := m.Answers.Status().Pinned[id]; !known || rule.ID("town", &r) != id {
				t.Errorf("%+v", m.Answers.Status().Pinned)
			}
		case "text":
			must(t, m.Operator.Wish(book.Wish{PinText: "/b/"}))
		}
		if pinned {
			want = rule.Valid
		}
		m.derive(now)
		place := slices.IndexFunc(m.view.List, func(e *book.Entry) bool { return e.ID == id })
		m.faults.send(place, rule.Example{U: "/b/p3.html", V: "/a/p3.html", Outcome: "different"}, Report, now, now)
		m.derive(now)
		w.Fails = func(u string) bool { return strings.HasPrefix(u, "/a/") } // v answers 500
		w.live(m, now+1, ignore)
		if e := m.book.Entries[id]; e.State != want || e.Pinned != pinned || pinned && e.Verdict.Reason != book.ByPin {
			t.Errorf("pinned %v: %+v", pinned, e)
		}
		w.Fails = nil
		w.change("/b/")
		m.Operator.Recheck(id, now+2)
		w.live(m, now+book.Day, ignore)
		if e := m.book.Entries[id]; e.State == rule.Valid || e.Pinned != pinned {
			t.Errorf("refuted, pinned %v: %+v", pinned, e)
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
	for name, c := range map[string]struct {
		settings, wish []string
		fails          bool
		want           string
	}{
		"nothing":             {nil, nil, false, "/s?id=3"},
		"the settings":        {[]string{"/story/"}, nil, false, "/story/3"},
		"a wish":              {nil, []string{"/story/"}, false, "/story/3"},
		"settings win":        {[]string{"/s?id="}, []string{"/story/"}, false, "/s?id=3"},
		"another text":        {nil, []string{"/tale/"}, false, "/s?id=3"},
		"does not hold there": {nil, []string{"/story/"}, true, "/s?id=3"},
	} {
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
		now := w.live(m, 1, ignore)
		if m.derive(now); m.formOf("/story/3") != c.want || m.formOf("/s?id=3") != c.want {
			t.Errorf("%s: %s and %s, want %s", name, m.formOf("/story/3"), m.formOf("/s?id=3"), c.want)
		}
		if c.settings == nil && c.wish != nil { // a wish that comes late has the same effect
			m, late := w.machine(o), int64(0)
			late = w.live(m, 1, ignore)
			must(t, m.Operator.Wish(book.Wish{Prefer: c.wish}))
			late = w.live(m, late+1, ignore)
			if m.derive(late); m.formOf("/story/3") != c.want || m.formOf("/s?id=3") != c.want {
				t.Errorf("%s, late: %s and %s, want %s", name, m.formOf("/story/3"), m.formOf("/s?id=3"), c.want)
			}
		}
	}
}

func TestWishErrors(t *testing.T) {
	m := New("", madeup.Options())
	r := rule.Rule{Edit: rule.Substring{From: "b", To: "a"}}
	m.Restore(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 1, Verdict: rule.Verdict{Time: 1}}})
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/b"}}), []rule.Candidate{{Rule: rule.Rule{Edit: rule.Substring{From: "token=5f4dcc3b5aa765d61d8327deb882cf99aa55", To: ""}}}})
	hidden := rule.ID("", &rule.Rule{Edit: rule.Substring{From: "token=5f4dcc3b5aa765d61d8327deb882cf99aa55", To: ""}})
	for _, c := range []struct {
		wish book.Wish
		want error
	}{
		{book.Wish{Veto: "x"}, book.ErrNoRule}, {book.Wish{Pin: "x"}, book.ErrNoRule}, {book.Wish{Veto: hidden}, book.ErrNoRule},
		{book.Wish{Veto: rule.ID("", &r), Undo: true}, book.ErrNoRule}, {book.Wish{Pin: rule.ID("", &r), Undo: true}, book.ErrNoRule},
		{book.Wish{Prefer: []string{""}}, book.ErrText}, {book.Wish{Prefer: []string{"a b"}}, book.ErrText}, {book.Wish{Prefer: []string{"é"}}, book.ErrText}, {book.Wish{Prefer: []string{strings.Repeat("a", 1025)}}, book.ErrText},
		{book.Wish{Prefer: []string{"/a/"}, Undo: true}, book.ErrNoRule}, {book.Wish{Undo: true}, nil},
		{book.Wish{Text: "a b"}, book.ErrText}, {book.Wish{PinText: "a b"}, book.ErrText}, {book.Wish{PinText: "a", Undo: true}, book.ErrNoRule}, {book.Wish{PinText: "a"}, nil}, {book.Wish{PinText: "a", Undo: true}, nil},
		{book.Wish{Prefer: []string{"/a/"}}, nil}, {book.Wish{Prefer: []string{"/a/"}}, nil}, {book.Wish{Prefer: []string{"/a/"}, Undo: true}, nil},
		{book.Wish{Pin: rule.ID("", &r)}, nil}, {book.Wish{Pin: rule.ID("", &r)}, nil}, {book.Wish{Pin: rule.ID("", &r), Undo: true}, nil},
	} {
		if err := m.Operator.Wish(c.wish); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.wish, err, c.want)
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
