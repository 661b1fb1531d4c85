package lifecycle

import (
	"cmp"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
)

// A proof is the rest of the trial of a provisional rule, with all of its outcomes. Its pairs join the forms
// under the rules before it in L, as they did when it was a candidate. The rule stays in L until the proof
// refutes it or gives it an exception.

// If no candidate merges one in fewForms of the forms, the proofs of all provisional rules come first.
const fewForms = 400

// prover chooses the provisional rule that is proved next.
type prover struct {
	*life
	faults *faults
}

// provable returns the places in L of the provisional rules whose proofs may go on, in the order in which
// they are proved. Those that go out only after their proof come first, the greatest gain for each missing
// outcome first. Then come those of the greatest gain.
func (pr *prover) provable(now int64) (places []int) {
	for i, e := range pr.view.List {
		if pr.o.MayProve(e, now) {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(i, k int) int {
		a, b := pr.view.List[i], pr.view.List[k]
		isOut := pr.o.MayGoOut(a)
		if !isOut && !pr.o.MayGoOut(b) {
			return cmp.Compare(pr.gainOfProof(b), pr.gainOfProof(a))
		}
		return cmp.Or(falseFirst(isOut, pr.o.MayGoOut(b)), cmp.Compare(b.Gain, a.Gain))
	})
	return places
}

// gainOfProof returns the forms that a rule merged when it joined L, for each outcome that its proof then lacked.
func (pr *prover) gainOfProof(e *book.Entry) float64 {
	return float64(e.Gain) / float64(pr.o.Trial.Missing(e.Gain, e.Verdict.Positives))
}

// worthOfProof returns the worth of the proof of a rule with some pairs, some of them positive: the forms that the
// rule merged when it joined L, if it holds, for each document that the proof still takes. prior and cost are those
// of trial.Options.Price.
func (pr *prover) worthOfProof(e *book.Entry, prior float64, pairs, positives int, cost func(int) float64) float64 {
	holds, documents := pr.o.Trial.Price(prior, positives, pr.o.Trial.Missing(pairs, positives), cost)
	return float64(e.Gain) * holds / documents
}

// mergesFew reports whether a candidate merges few of all forms.
func (pr *prover) mergesFew(c *book.Candidate) bool {
	few := func(n int) bool { return fewForms*n < len(pr.view.Forms.Texts) }
	return few(pr.view.Most(c)) || few(pr.view.Gain(c))
}

// mergeFew reports whether each candidate does, without the late ones. The best candidate often is a small one that costs
// nothing, since the pages that are known refute it.
func (pr *prover) mergeFew(open []book.Candidate) bool {
	return !slices.ContainsFunc(open, func(c book.Candidate) bool { return !c.Late && !pr.mergesFew(&c) })
}

// provesFirst reports whether the proof of the rule at a place of L comes before the trial of the best candidate: few
// reports that the candidates merge few forms, or the rule does not go out before its proof, which is worth more.
func (pr *prover) provesFirst(place int, c *book.Candidate, few bool, chooser *chooser) bool {
	if few {
		return true
	}
	e := pr.view.List[place]
	if pr.o.MayGoOut(e) {
		return false
	}
	a := pr.proofOf(place, chooser.Now)
	sum := a.Tally.Sum()
	worth := pr.worthOfProof(e, book.Prior, sum.Pairs, sum.Positives, func(int) float64 {
		p := a.Draw()
		if p == nil {
			return leastCost
		}
		return chooser.cost(p.Key)
	})
	return worth > chooser.worthOf(c, chooser.chances())
}

// proofOf returns the trial that goes on for the rule at a place of L.
func (pr *prover) proofOf(place int, now int64) *trials.Trial {
	e := pr.view.List[place]
	return pr.faults.trialAs(place, book.Candidate{ID: e.ID, Rule: e.Rule, Support: e.Support, Grounds: e.Grounds,
		Exceptions: e.Exceptions, After: e.After, Chosen: e.Chosen, Within: book.IsNarrowed(&e.Rule)}, e.Anew, now)
}

// placeOf returns the place in L of a rule.
func (pr *prover) placeOf(id string) int {
	return slices.IndexFunc(pr.view.List, func(e *book.Entry) bool { return e.ID == id })
}

// partBefore returns the rules of L that make the forms of a trial: all, or those before the rule that
// is proved.
func (pr *prover) partBefore(a *trials.Trial) *forms.Part {
	if a.IsNew {
		return &pr.view.Part
	}
	list := pr.view.List[:pr.placeOf(a.Candidate.ID)]
	return &forms.Part{List: list, Canonizer: forms.Compile(forms.RulesOf(list))}
}

// noteOverdue notes a rule whose proof did not come in time, and reports whether there is one. It leaves
// the published list.
func (pr *prover) noteOverdue(now int64) bool {
	for _, e := range pr.view.List {
		if e.IsOverdue(now) {
			late := *e
			late.Overdue = true
			pr.do(book.Act{Rule: &late})
			return true
		}
	}
	return false
}
