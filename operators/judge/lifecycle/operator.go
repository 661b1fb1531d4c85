package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Operator takes in what operators decide.
type Operator struct{ *life }

// Wish takes in a decision of an operator. A vetoed rule, whatever its direction and scope, is
// neither tried nor published, and leaves the list with the next publication. A pinned rule
// that was valid stays if a trial is undecided; only a refutation or a URL without a form
// takes the rule out. A preferred text decides which direction of a pair is tried first. The
// error is ErrNoRule, ErrSettings, ErrMany, ErrText or ErrNoFile.
func (op *Operator) Wish(w book.Wish) error {
	if w.Drop != nil {
		return op.leaveFile(w.Drop)
	}
	next, err := op.book.Wish(w, op.ruleOf)
	if err != nil {
		return err
	}
	op.do(book.Act{Wishes: &next})
	return nil
}

// Take notes that an operator takes a file with published rules, so that Status tells when the file is outdated. A
// file with the rules that it had before changes nothing. The error is ErrMany: the file has too many rules to be
// remembered.
func (op *Operator) Take(f *book.File) error {
	if op.book.HasFile(f) {
		return nil
	}
	next, err := op.book.WithFile(f)
	if err == nil {
		op.do(book.Act{Files: &next})
	}
	return err
}

// leaveFile notes that a file is no longer in use. The error is ErrNoFile.
func (op *Operator) leaveFile(f *book.File) error {
	next, err := op.book.WithoutFile(f)
	if err == nil {
		op.do(book.Act{Files: &next})
	}
	return err
}

// hides reports whether the text of a rule must not be published.
func (op *Operator) hides(text string) bool {
	if op.guard == nil {
		return op.o.Veil.Hides(text)
	}
	return op.guard.Hides(text)
}

// ruleOf returns the rule with an id among the rules that were tried, published, mined or
// learned. Rules that the veil hides are not known.
func (op *Operator) ruleOf(id string) (rule.Rule, bool) {
	if e := op.book.Entries[id]; e != nil {
		return e.Rule, !op.hides(e.Rule.Text())
	}
	all := slices.Concat(op.candidates, op.book.Learnt)
	if op.view != nil {
		all = append(all, op.view.Drops...)
	}
	for i := range all {
		if all[i].ID == id {
			return all[i].Rule, !op.hides(all[i].Rule.Text())
		}
		if other, has := all[i].Rule.Reverse(); has && rule.ID(op.book.Site, &other) == id {
			return other, !op.hides(other.Text())
		}
	}
	return rule.Rule{}, false
}

// obey takes a rule out of L that a wish forbids: a vetoed rule, and a rule whose other direction is
// preferred and not refuted. It reports whether L changed.
func (op *Operator) obey(now int64) bool {
	var changing map[int]bool
	if texts := op.book.VetoedTexts(); op.publisher.unsure && len(texts) > 0 {
		changing = op.view.Changing(texts)
	}
	for place, e := range op.view.List {
		reason := ""
		if op.book.Vetoed(&e.Rule) || changing[place] {
			reason = book.ByVeto
		} else if other := op.book.Preferred(e.Rule); other != e.Rule && !op.book.Failed(&other) {
			reason = book.ByPreference
		}
		if reason == "" {
			continue
		}
		gone := *e
		gone.State, gone.Verdict.Reason, gone.Verdict.Time = rule.Retired, reason, now
		op.leave(op.view.List, place, &gone, now)
		return true
	}
	op.publisher.unsure = false
	return false
}

// vetoed reports whether a candidate must not be published.
func (c *chooser) vetoed(r *rule.Rule) bool {
	texts := c.Book.VetoedTexts()
	return c.Book.Vetoed(r) || len(texts) > 0 && c.View.Changes(r, texts)
}
