package lifecycle

import (
	"slices"
	"strings"

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
		return op.keep(op.book.WithoutFile(w.Drop))
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
	return op.keep(op.book.WithFile(f))
}

// keep notes which files are in use, unless there is an error.
func (op *Operator) keep(files []book.File, err error) error {
	if err == nil {
		op.do(book.Act{Files: &files})
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

// Decide takes in what an operator says to the pending update. Approved rules are published, however many
// URLs change. Rejected rules are vetoed. The error is ErrNotHeld, ErrChanged if the mark is that of
// another update, ErrNoRule if the update has not the one rule, or an error of Wish.
func (op *Operator) Decide(d book.Decision) error {
	u := op.publisher.pending()
	switch {
	case u.Mark == "":
		return book.ErrNotHeld
	case u.Mark != d.Mark:
		return book.ErrChanged
	}
	var ids []string
	for i := range u.List {
		if id := u.List[i].ID; d.ID == "" || d.ID == id {
			ids = append(ids, id)
		}
	}
	switch {
	case len(ids) == 0:
		return book.ErrNoRule
	case d.Reject:
		next, err := op.book.Rejection(ids)
		if err == nil {
			op.do(book.Act{Wishes: &next})
		}
		return err
	}
	op.do(op.book.Approval(strings.Join(ids, "")))
	return nil
}

// Recheck begins a round over all rules of L, or over the rule with an id. Recheck returns
// false if L is empty, if L holds no rule with the id, or if nothing has been published.
func (op *Operator) Recheck(id string, now int64) bool {
	if op.book.Publication.Sequence == 0 {
		return false
	}
	if op.window != nil {
		op.derive(now)
	}
	list := op.book.Valid()
	if id != "" && !slices.ContainsFunc(list, func(e *book.Entry) bool { return e.ID == id }) || len(list) == 0 {
		return false
	}
	r := op.rechecker.newRound(op.view, proved(list), now)
	if id != "" {
		r = op.rechecker.partialRound(op.view, list, map[string]bool{id: true}, now)
	}
	op.do(book.Act{Round: r})
	return true
}

// PendingUpdate returns the rules of L that are held back, if there are any.
func (op *Operator) PendingUpdate() (PendingUpdate, bool) {
	u := op.publisher.pending()
	return u, u.Mark != ""
}
