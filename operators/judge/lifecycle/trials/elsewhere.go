package trials

import (
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// A rule that holds where its pairs lie is not yet proved elsewhere: see [forms.Reach]. Before the verdict, the trial
// draws a pair of each large folder in which the rule would edit and has no pair. A folder without an outcome is excepted. So is
// one whose pairs may not be fetched, if they are unlike by size.

// mostSkips is the number of pairs of one folder that are tried for an outcome.
const mostSkips = 3

// Elsewhere takes a pair of a folder without a pair of the rule, of which no outcome is known; nil: there is none, or it is
// being fetched. Unseen are the folders of which no outcome can be had.
func (a *Trial) Elsewhere() (p *Pair, awaited bool, unseen []string) {
	if a.reach == nil {
		if a.reach = a.forms.Reach(&a.Candidate.Rule, a.moves); a.reach == nil {
			return nil, false, nil
		}
		in := map[string]bool{}
		for p := range a.All {
			in[forms.Folder(p.Form)] = true
		}
		a.reach.Tried(in, a.view.UnlikeFolders(a.forms, a.moves))
	}
	tried, has := map[string]int{}, map[string]bool{}
	for p := range a.Tried {
		folder := forms.Folder(p.Form)
		tried[folder]++
		has[folder] = has[folder] || p.Outcome.Outcome != trial.Skip
	}
	for _, folder := range a.reach.Elsewhere(func(folder string) bool { return has[folder] }) {
		if has[folder] {
			continue
		}
		at, awaited, found := a.untouchedIn(folder)
		switch {
		case awaited:
			return nil, true, nil
		case found && tried[folder] < mostSkips:
			return a.take(at), false, nil
		}
		unseen = append(unseen, folder)
	}
	return nil, false, unseen
}

// untouchedIn returns the next pair of a folder. awaited reports whether a pair of it is being fetched.
func (a *Trial) untouchedIn(folder string) (at Place, awaited, found bool) {
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			p := &a.Pairs[h][i]
			if forms.Folder(p.Form) != folder {
				continue
			}
			if p.Awaited {
				return at, true, false
			}
			if !found && p.isUntouched() {
				at, found = Place{h, i}, true
			}
		}
	}
	return at, false, found
}

// Leave gives the rule of a trial that holds exceptions for folders. It returns false if the rule may not have so many:
// the folders stay unseen.
func (a *Trial) Leave(folders []string) bool {
	r, ok := forms.Outside(a.Candidate.Rule, folders)
	if ok && len(folders) > 0 {
		r, ok = r.Shown(a.view.Guard.Owns)
	}
	if a.unseen = !ok; ok {
		a.Candidate.Rule = r
	}
	return ok
}

// inside returns the rule of a trial in the folder of most of its pairs.
func (a *Trial) inside() []rule.Rule {
	r := a.Candidate.Rule
	r.Except = rule.Except{}
	if folder, ok := a.reach.Largest(); ok {
		if r, ok = forms.In(r, folder); ok {
			return []rule.Rule{r}
		}
	}
	return nil
}
