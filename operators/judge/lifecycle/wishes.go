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
// error is ErrNoRule, ErrSettings, ErrMany or ErrText.
func (pl *planner) Wish(w book.Wish) error {
	next, err := pl.book.Wish(w, pl.ruleOf)
	if err != nil {
		return err
	}
	pl.do(book.Act{Wishes: &next})
	return nil
}

// hides reports whether the text of a rule must not be published.
func (pl *planner) hides(text string) bool {
	if pl.guard == nil {
		return pl.o.Veil.Hides(text)
	}
	return pl.guard.Hides(text)
}

// ruleOf returns the rule with an id among the rules that were tried, published, mined or
// learned. Rules that the veil hides are not known.
func (pl *planner) ruleOf(id string) (rule.Rule, bool) {
	if e := pl.book.Entries[id]; e != nil {
		return e.Rule, !pl.hides(e.Rule.Text())
	}
	all := slices.Concat(pl.candidates, pl.book.Learnt)
	if pl.view != nil {
		all = append(all, pl.view.Drops...)
	}
	for i := range all {
		if all[i].ID == id {
			return all[i].Rule, !pl.hides(all[i].Rule.Text())
		}
		if other, has := all[i].Rule.Reverse(); has && rule.ID(pl.book.Site, &other) == id {
			return other, !pl.hides(other.Text())
		}
	}
	return rule.Rule{}, false
}

// obey takes a rule out of L that a wish forbids: a vetoed rule, and a rule whose other direction is
// preferred and not refuted. It reports whether L changed.
func (pl *planner) obey(now int64) bool {
	var changing map[int]bool
	if texts := pl.book.VetoedTexts(); pl.publisher.unsure && len(texts) > 0 {
		changing = pl.view.Changing(texts)
	}
	for place, e := range pl.view.List {
		reason := ""
		if pl.book.Vetoed(&e.Rule) || changing[place] {
			reason = book.ByVeto
		} else if other := pl.book.Preferred(e.Rule); other != e.Rule && !pl.book.Failed(&other) {
			reason = book.ByPreference
		}
		if reason == "" {
			continue
		}
		gone := *e
		gone.State, gone.Verdict.Reason, gone.Verdict.Time = rule.Retired, reason, now
		pl.leave(pl.view.List, place, &gone, now)
		return true
	}
	pl.publisher.unsure = false
	return false
}

// vetoed reports whether a candidate must not be published.
func (c *chooser) vetoed(r *rule.Rule) bool {
	texts := c.Book.VetoedTexts()
	return c.Book.Vetoed(r) || len(texts) > 0 && c.View.Changes(r, texts)
}
