package lifecycle_test

import (
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// said returns the separators of the published records, and "?" for a record without them.
func said(m *lifecycle.Machine) (all []string) {
	for _, r := range m.Published().Records {
		if r.Separators == nil {
			all = append(all, "?")
		} else {
			all = append(all, r.Separators.String())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Published records hold the separators seen before their verdict. A separator seen later
// changes the records once, at once, without a request. No separator is ever removed.
func TestSeparators(t *testing.T) {
	w := newTown(20)
	w.Add("/p?x=1&y=2", "one", 10)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	check := func(doing string, sequence int64, want string) {
		t.Helper()
		if got := said(m); !slices.Equal(got, []string{want}) || m.Published().Sequence != sequence {
			t.Errorf("%s: %q under %d, want %q under %d", doing, got, m.Published().Sequence, want, sequence)
		}
	}
	first := m.Published()
	check("published", first.Sequence, "&")
	m.Acts()

	m.See(urlnorm.Ampersand, now)
	m.See(0, now)
	check("known already", first.Sequence, "&")
	if acts := m.Acts(); len(acts) > 0 {
		t.Errorf("%d acts for nothing", len(acts))
	}

	m.See(urlnorm.Semicolon, now+1)
	check("seen later", first.Sequence+1, "&;")
	p := m.Published()
	if p.At != now+1 || p.Sample != first.Sample || len(p.Records) != len(first.Records) || len(p.Retired) > 0 {
		t.Errorf("published %+v", p)
	}
	if !slices.EqualFunc(p.Records, first.Records, func(a, b rule.Record) bool {
		return a.ID == b.ID && a.Rank == b.Rank && a.Support == b.Support && a.ValidatedAt == b.ValidatedAt && a.Verdict.Time == b.Verdict.Time
	}) {
		t.Error("more has changed than the separators")
	}

	m.Load(forms.NewWindow(slices.Clone(newTown(20).Pages)), w.Mine()) // has neither
	if w.live(m, now+2, func(u lifecycle.Look) { t.Errorf("asked for %+v", u) }); m.Published().Sequence != first.Sequence+1 {
		t.Errorf("published again under %d", m.Published().Sequence)
	}
}

// A window may bring separators that See has not reported yet.
func TestSeparatorsOfAWindow(t *testing.T) {
	w := newTown(20)
	m := w.machine(madeup.Options())
	now, sequence := w.live(m, 1, ignore), m.Published().Sequence
	if got := said(m); !slices.Equal(got, []string{""}) {
		t.Errorf("said %q", got)
	}
	w.Add("/p?x=1;y=2", "one", 10)
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
	m.Next(now)
	if got := said(m); !slices.Equal(got, []string{";"}) || m.Published().Sequence != sequence+1 {
		t.Errorf("said %q under %d", got, m.Published().Sequence)
	}
}

// Separators are an act. A machine restored from acts or from a dump has the separators and
// does not publish again. Records published before separators were known are published
// again.
func TestSeparatorsRestored(t *testing.T) {
	w := newTown(20)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	m.See(urlnorm.Semicolon, now)
	acts := m.Acts()
	restored := func(acts []book.Act) *lifecycle.Machine {
		n := New("town", madeup.Options())
		for i := range acts {
			n.Restore(recode(t, acts[i]))
		}
		return n
	}
	for _, c := range []struct {
		name string
		want *lifecycle.Machine
	}{{"acts", restored(acts)}, {"dump", restored(slices.Collect(m.Dump))}} {
		c.want.See(0, now)
		if got := said(c.want); !slices.Equal(got, []string{";"}) || separators(c.want) != urlnorm.Semicolon || len(c.want.Acts()) > 0 {
			t.Errorf("made of %s: said %q", c.name, got)
		}
	}
	var old []book.Act
	for _, a := range acts {
		if a.Separators = 0; a.Publication != nil {
			p := *a.Publication
			p.Records = slices.Clone(p.Records)
			for i := range p.Records {
				p.Records[i].Separators = nil
			}
			a.Publication = &p
		}
		old = append(old, a)
	}
	n := restored(old)
	if got := said(n); !slices.Equal(got, []string{"?"}) {
		t.Fatalf("said %q", got)
	}
	n.See(0, now)
	if got := said(n); !slices.Equal(got, []string{""}) || n.Published().Sequence != m.Published().Sequence+1 {
		t.Errorf("said %q under %d", got, n.Published().Sequence)
	}
	tried := New("town", madeup.Options()) // and has published nothing
	tried.See(urlnorm.Semicolon, now)
	if tried = restored(slices.Collect(tried.Dump)); separators(tried) != urlnorm.Semicolon {
		t.Errorf("a dump without rules: separators %q", separators(tried))
	}
	bare := restored(nil) // the records alone are enough
	p := m.Published()
	bare.Restore(book.Act{Publication: &p})
	if separators(bare) != urlnorm.Semicolon {
		t.Errorf("separators %q", separators(bare))
	}
}

// separators returns the separators that a machine dumps.
func separators(m *lifecycle.Machine) (all urlnorm.Separators) {
	for a := range m.Dump {
		all |= a.Separators
	}
	return all
}
