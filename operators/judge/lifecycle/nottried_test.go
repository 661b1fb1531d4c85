package lifecycle_test

import (
	"errors"
	"fmt"
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

// few is a log of n pages, each asked for plainly by several clients and, with a parameter, by one crawler each.
func few(n int, form string) *crowd {
	c := newCrowd()
	c.Many()
	for i := range n {
		c.Asked(fmt.Sprintf("/p/a%d.html", i), i, 1, 2, 3)
		url := fmt.Sprintf(form, i)
		c.Asked(url, i, 4)
		for _, one := range []string{url, fmt.Sprintf("/p/a%d.html", i)} {
			size := c.town.Size[one]
			c.Mined.Fold(&evidence.Observation{URL: []byte(one), Min: size, Max: size, Clients: 1 << 4, Families: 1 << 2})
		}
	}
	return c
}

func (c *crowd) notTried(o book.Options, rules ...rule.Rule) *lifecycle.Machine {
	o.GivenOnly = true
	m := New("", o)
	var all []rule.Candidate
	for _, r := range rules {
		all = append(all, rule.Candidate{Rule: r, Support: 40})
	}
	m.Load(forms.WindowOf(c.Mined), all)
	for _, ok := m.Next(1); ok; _, ok = m.Next(1) {
	}
	return m
}

// bytesOf is what a crawler fetched too much of n pages of two URLs of equal size.
func bytesOf(n int) (sum int64) {
	for i := range n {
		sum += int64(1000 + 37*i)
	}
	return sum
}

// What is not tried is counted, with the reason, the bytes of crawlers and the number of pairs that would be enough.
func TestNotTried(t *testing.T) {
	const n = 30
	for _, c := range []struct {
		name, form, param string
		want              forms.Bar
		params            []string
	}{
		{"unasked", "/p/a%d.html?x=9", "x", forms.BarUnasked, []string{"x"}},
		{"unasked word", "/p/a%d.html?x=hide", "x", forms.BarUnasked, []string{"x=hide"}},
		{"secret", "/p/a%d.html?sid=9f3c2b7d81e04a6f9f3c2b7d81e04a6f", "sid", forms.BarSecret, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			drop := rule.Rule{Edit: rule.Drop{Param: c.param}}
			log := few(n, c.form)
			if c.want == forms.BarSecret { // of one client it would be hidden
				for i := range n {
					log.Asked(fmt.Sprintf("/p/a%d.html?sid=%032x", i, 0x9f3c2b7d81e04a6f*uint64(i+1)), i, 4)
				}
			}
			m := log.notTried(madeup.Options(), drop)
			got := m.Answers.Status().NotTried
			if got == nil || got.Rules != 1 || got.URLs < n || len(got.By) != 1 || c.want == forms.BarUnasked && (got.URLs != n || got.Bytes != bytesOf(n)) {
				t.Fatalf("%+v, now %+v", got, m.Answers.Status().Now)
			}
			b := got.By[0]
			if b.Why != c.want || b.Rules != 1 || b.URLs != got.URLs || b.Bytes != got.Bytes || b.Number >= b.Needed || b.Example != drop.Words() || !slices.Equal(b.Params, c.params) {
				t.Errorf("%+v", b)
			}
		})
	}
}

// URLs that two rules would merge count once. Where the log does not tell clients apart, this is the reason.
func TestNotTriedTogether(t *testing.T) {
	const n = 30
	log := newCrowd()
	for i := range n {
		log.Asked(fmt.Sprintf("/p/a%d.html", i), i, 1)
		log.Asked(fmt.Sprintf("/p/a%d.html?act=9", i), i, 1)
		log.Asked(fmt.Sprintf("/p/a%d.html?act=9&by=8", i), i, 1)
	}
	m := log.notTried(madeup.Options(), rule.Rule{Edit: rule.Drop{Param: "act"}}, rule.Rule{Edit: rule.Drop{Param: "by"}})
	got := m.Answers.Status().NotTried
	if got == nil || got.Rules != 2 || got.URLs != 2*n || got.Bytes != 0 || len(got.By) != 1 || got.By[0].Why != forms.BarAlone || got.By[0].Params != nil {
		t.Errorf("%+v", got)
	}
}

// Nothing is counted where all rules can be tried, nor where pages are given.
func TestNothingNotTried(t *testing.T) {
	log := few(30, "/p/a%d.html?act=9")
	o := madeup.Options()
	o.Kinds = book.AnyKind
	drop := rule.Rule{Edit: rule.Drop{Param: "act"}}
	m := log.notTried(o, drop)
	m.Answers.LookNotTried(1)
	if got := m.Answers.Status().NotTried; got != nil {
		t.Errorf("%+v", got)
	}
}

// An allowed parameter lets its rule be tried; the decision is kept, and can be taken back. A name does not allow a word.
func TestAllow(t *testing.T) {
	tries := func(m *lifecycle.Machine) bool { _, ok := m.Next(2); return ok }
	for _, c := range []struct {
		name, form, allow string
		tried             bool
	}{
		{"a name", "/p/a%d.html?x=9", "x", true},
		{"another name", "/p/a%d.html?x=9", "y", false},
		{"a name for a word", "/p/a%d.html?x=hide", "x", false},
		{"a word", "/p/a%d.html?x=hide", "x=hide", true},
		{"another word", "/p/a%d.html?x=hide", "x=show", false},
		{"a name that dispatches", "/p/a%d.html?do=9", "do", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			name, _, _ := strings.Cut(strings.TrimPrefix(c.form, "/p/a%d.html?"), "=")
			drop := rule.Rule{Edit: rule.Drop{Param: name}}
			log := few(30, c.form)
			m := log.notTried(madeup.Options(), drop)
			if n := m.Answers.Status().NotTried; n == nil || n.Rules != 1 || tries(m) {
				t.Fatalf("%+v", m.Answers.Status().NotTried)
			}
			must(t, m.Operator.Wish(book.Wish{Allow: c.allow}))
			if got := tries(m); got != c.tried {
				t.Errorf("tried: %v, %+v", got, m.Answers.Status().NotTried)
			}
			twin := log.restored(t, m, drop)
			if got := tries(twin); got != c.tried || !slices.Equal(twin.Answers.Status().Wishes.Allow, []string{c.allow}) {
				t.Errorf("restored: tried %v, %+v", got, twin.Answers.Status().Wishes)
			}
			must(t, twin.Operator.Wish(book.Wish{Allow: c.allow, Undo: true}))
			if twin.Answers.Status().Wishes != nil || bookOf(twin, madeup.Options()).Allowed() != nil {
				t.Errorf("taken back: %+v", twin.Answers.Status().Wishes)
			}
			o := madeup.Options()
			o.Allow = map[string][]string{"": {c.allow}}
			set := log.notTried(o)
			set.Load(forms.WindowOf(log.Mined), []rule.Candidate{{Rule: drop, Support: 40}})
			if got := tries(set); got != c.tried {
				t.Errorf("by the settings: tried %v", got)
			}
		})
	}
}

// restored is a machine with the acts of another.
func (c *crowd) restored(t *testing.T, m *lifecycle.Machine, r rule.Rule) *lifecycle.Machine {
	t.Helper()
	o := madeup.Options()
	o.GivenOnly = true
	twin := New("", o)
	for a := range m.Dump {
		twin.Restore(recode(t, a))
	}
	twin.Load(forms.WindowOf(c.Mined), []rule.Candidate{{Rule: r, Support: 40}})
	return twin
}

// What is allowed must be a parameter, the settings win, and a site has a bounded number.
func TestAllowRefuses(t *testing.T) {
	o := madeup.Options()
	o.Allow = map[string][]string{"": {"fixed"}}
	m := New("", o)
	for _, c := range []struct{ name, wish string }{
		{"two parameters", "a&b"},
		{"two parameters apart by a semicolon", "a;b"},
		{"a path", "/p"},
		{"a value", "=v"},
		{"a space", "a b"},
		{"not ASCII", "é"},
	} {
		if err := m.Operator.Wish(book.Wish{Allow: c.wish}); !errors.Is(err, book.ErrParam) {
			t.Errorf("%s: %v, want %v", c.name, err, book.ErrParam)
		}
	}
	if err := m.Operator.Wish(book.Wish{Allow: "fixed", Undo: true}); !errors.Is(err, book.ErrSettings) {
		t.Error(err)
	}
	if err := m.Operator.Wish(book.Wish{Allow: "x", Undo: true}); !errors.Is(err, book.ErrNoRule) {
		t.Error(err)
	}
	for i := range book.MostSides {
		must(t, m.Operator.Wish(book.Wish{Allow: fmt.Sprint("p", i)}))
	}
	if err := m.Operator.Wish(book.Wish{Allow: "more"}); !errors.Is(err, book.ErrMany) {
		t.Error(err)
	}
}
