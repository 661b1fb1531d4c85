package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Wish takes in a decision of an operator. A vetoed rule, whatever its direction and scope, is
// neither tried nor published, and leaves the list with the next publication. A pinned rule
// that was valid stays if a trial is undecided; only a refutation or a URL without a form
// takes the rule out. A preferred text decides which direction of a pair is tried first. The
// error is ErrNoRule, ErrSettings, ErrMany, ErrText or ErrNoFile.
func (m *Machine) Wish(w book.Wish) error {
	if w.Drop != nil {
		return m.leaveFile(w.Drop)
	}
	next, err := m.book.Wish(w, m.ruleOf)
	if err != nil {
		return err
	}
	m.do(book.Act{Wishes: &next})
	return nil
}

// Take notes that an operator takes a file with published rules, so that Status tells when the file is outdated. A
// file with the rules that it had before changes nothing. The error is ErrMany: the file has too many rules to be
// remembered.
func (m *Machine) Take(f *book.File) error {
	if m.book.HasFile(f) {
		return nil
	}
	next, err := m.book.WithFile(f)
	if err == nil {
		m.do(book.Act{Files: &next})
	}
	return err
}

// leaveFile notes that a file is no longer in use. The error is ErrNoFile.
func (m *Machine) leaveFile(f *book.File) error {
	next, err := m.book.WithoutFile(f)
	if err == nil {
		m.do(book.Act{Files: &next})
	}
	return err
}

// hides reports whether the text of a rule must not be published.
func (m *Machine) hides(text string) bool {
	if m.guard == nil {
		return m.o.Veil.Hides(text)
	}
	return m.guard.Hides(text)
}

// ruleOf returns the rule with an id among the rules that were tried, published, mined or
// learned. Rules that the veil hides are not known.
func (m *Machine) ruleOf(id string) (rule.Rule, bool) {
	if e := m.book.Entries[id]; e != nil {
		return e.Rule, !m.hides(e.Rule.Text())
	}
	all := slices.Concat(m.candidates, m.book.Learnt)
	if m.view != nil {
		all = append(all, m.view.Drops...)
	}
	for i := range all {
		if all[i].ID == id {
			return all[i].Rule, !m.hides(all[i].Rule.Text())
		}
		if other, has := all[i].Rule.Reverse(); has && rule.ID(m.book.Site, &other) == id {
			return other, !m.hides(other.Text())
		}
	}
	return rule.Rule{}, false
}

// obey takes a rule out of L that a wish forbids: a vetoed rule, and a rule whose other direction is
// preferred and not refuted. It reports whether L changed.
func (m *Machine) obey(now int64) bool {
	var changing map[int]bool
	if texts := m.book.VetoedTexts(); m.publisher.unsure && len(texts) > 0 {
		changing = m.view.Changing(texts)
	}
	for place, e := range m.view.List {
		reason := ""
		if m.book.Vetoed(&e.Rule) || changing[place] {
			reason = book.ByVeto
		} else if other := m.book.Preferred(e.Rule); other != e.Rule && !m.book.Failed(&other) {
			reason = book.ByPreference
		}
		if reason == "" {
			continue
		}
		gone := *e
		gone.State, gone.Verdict.Reason, gone.Verdict.Time = rule.Retired, reason, now
		m.leave(m.view.List, place, &gone, now)
		return true
	}
	m.publisher.unsure = false
	return false
}

// vetoed reports whether a candidate must not be published.
func (c *chooser) vetoed(r *rule.Rule) bool {
	texts := c.Book.VetoedTexts()
	return c.Book.Vetoed(r) || len(texts) > 0 && c.View.Changes(r, texts)
}
