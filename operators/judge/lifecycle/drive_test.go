package lifecycle_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// These tests drive a machine as its callers do, and see what its callers see.

// must ends a test at an error.
var must = expect.NoError

// New returns the machine of an unknown site.
func New(site string, o book.Options) *lifecycle.Machine { return lifecycle.Maker(o)(site) }

// town is a made-up town and the looks that a machine takes at it.
type town struct{ *madeup.Town }

func newTown(n int) *town { return &town{madeup.NewTown(n)} }
func noTown() *town       { return &town{madeup.EmptyTown()} }

// see returns the result of a look at the town.
func (w *town) see(m *lifecycle.Machine, t lifecycle.Look) trial.Seen {
	return m.Dialogue.Measure(t, w.Fetch(t.U), w.Fetch(t.V), func() trial.Compared {
		return madeup.Compared(w.Shown(t.U), w.Shown(t.V))
	})
}

func (w *town) machine(o book.Options) *lifecycle.Machine {
	m := New("town", o)
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
	return m
}

// live runs a machine to the end and returns the time. Each look is passed to see.
func (w *town) live(m *lifecycle.Machine, now int64, see func(lifecycle.Look)) int64 {
	for range 100_000 {
		test, ok := m.Next(now)
		if wake := cmp.Or(m.Answers.Status().LevelAt, book.Defaults().LevelEvery); !ok && now < wake {
			now = wake
			continue
		}
		if !ok {
			return now
		}
		if see != nil {
			see(test)
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		now++
	}
	panic("the machine does not end")
}

func ignore(lifecycle.Look) {}

// entries returns what is known of the tried rules of a state, the newest first; "": of all.
func entries(m *lifecycle.Machine, state rule.State) []book.Entry {
	return m.Answers.Detail(lifecycle.Query{State: state, Most: math.MaxInt}, 0).Tried
}

// entry returns what is known of a rule, or nil if it was not tried.
func entry(m *lifecycle.Machine, id string) *book.Entry {
	if e, known := m.Answers.Entry(id); known {
		return &e
	}
	return nil
}

// validOf returns the list L.
func validOf(m *lifecycle.Machine) []book.Entry {
	list := entries(m, rule.Valid)
	slices.SortFunc(list, func(a, b book.Entry) int { return a.Rank - b.Rank })
	return list
}

// rulesOf returns the rules of L.
func rulesOf(m *lifecycle.Machine) (rules []rule.Rule) {
	for _, e := range validOf(m) {
		rules = append(rules, e.Rule)
	}
	return rules
}

// formOf returns the canonical form of a URL under L.
func formOf(m *lifecycle.Machine, u string) string {
	form, _ := forms.Compile(rulesOf(m)).Canon(nil, []byte(u))
	return string(form)
}

// hasUpdate reports whether the published list is not L.
func hasUpdate(m *lifecycle.Machine) bool {
	list := validOf(m)
	return !slices.EqualFunc(list, m.Published().Records, func(e book.Entry, r rule.Record) bool { return e.ID == r.ID })
}

// recode encodes and decodes an act, as saving does.
func recode(t testing.TB, a book.Act) book.Act {
	b, err := book.Decode(a.Encode())
	must(t, err)
	return b
}

// checkSafe checks that the published rules give each URL of a log one stable form.
func checkSafe(t testing.TB, m *lifecycle.Machine, urls []string) {
	t.Helper()
	var rules []rule.Rule
	for _, r := range m.Published().Records {
		rule, err := r.Rule()
		must(t, err)
		rules = append(rules, rule)
	}
	c := forms.Compile(rules)
	for _, u := range urls {
		form, end := c.Canon(nil, []byte(u))
		if end.End != canon.Settled || end.Rounds >= canon.MaxRounds {
			t.Fatalf("%s does not settle: %v", u, end)
		}
		if again, _ := c.Canon(nil, form); string(again) != string(form) {
			t.Fatalf("%s becomes %s and then %s", u, form, again)
		}
	}
}

// saved returns the entries of a dump: all that is known of the tried rules, with their followers.
func saved(m *lifecycle.Machine) (all []book.Entry) {
	for a := range m.Dump {
		if a.Rule != nil {
			all = append(all, *a.Rule)
		}
	}
	return all
}

// ruled returns a town whose rules have been found and published.
func ruled(t *testing.T, pages int, o book.Options) (w *town, m *lifecycle.Machine, now int64) {
	t.Helper()
	w = newTown(pages)
	m = w.machine(o)
	now = w.live(m, 1, ignore)
	if n := len(validOf(m)); n < 2 || hasUpdate(m) {
		t.Fatalf("%d rules, news %v", n, hasUpdate(m))
	}
	return w, m, now
}

// bookOf returns the book of a site as its machine would be restored.
func bookOf(m *lifecycle.Machine, o book.Options) *book.Book {
	b := book.New("town", &o, &book.Hasher{Secret: o.Key})
	for a := range m.Dump {
		b.Apply(&a)
	}
	return b
}
