package lifecycle

import (
	"slices"

	"dustbuster/operators/learn/drops"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// A late follower of a refuted drop merges at least lateGain forms. At most mostLate rules
// follow a drop late, the rules with the greatest support.
const (
	lateGain = 10
	mostLate = 64
)

// lateFollowers returns the narrower scopes of a refuted drop that are likely among the
// forms, and whose wider likely scopes are all refuted: see drops.Followers. refuted reports
// whether a rule is refuted. There are none if the learner drops is off. O(forms).
func (w *view) lateFollowers(r *rule.Rule, refuted func(*rule.Rule) bool) (late []rule.Rule) {
	if !slices.Contains(w.o.Miner.Window, drops.Name) || !listedByDrops(r) {
		return nil
	}
	in := func(s rule.Scope) bool {
		narrower := *r
		narrower.Scope = s
		return refuted(&narrower)
	}
	p := &w.o.Miner.Params
	likely, _ := drops.Followers(drops.Options{MinSupport: p.MinSupport, Similarity: p.Similarity}, w.forms.pages(), r, in, nil)
	for i := range likely {
		c := candidate{id: rule.ID(w.site, &likely[i].Rule), rule: likely[i].Rule}
		if len(late) < mostLate && c.rule.Validate() == nil && w.most(&c) >= lateGain && w.gain(&c) >= lateGain {
			late = append(late, c.rule)
		}
	}
	return late
}

// listedByDrops reports whether the learner drops may list a rule.
func listedByDrops(r *rule.Rule) bool {
	return r.Kind == rule.Drop && r.Pattern == (rule.Pattern{}) && !r.InPath && r.Scope.Prefix == ""
}

// pages returns the forms, each with the evidence of the page that represents the form.
func (f *forms) pages() []evidence.Page {
	pages := make([]evidence.Page, len(f.texts))
	for n, text := range f.texts {
		pages[n] = evidence.Page{URL: text, Evidence: f.evidence(int32(n))}
	}
	return pages
}

// refuted reports whether a rule was refuted.
func (b *book) refuted(r *rule.Rule) bool {
	e := b.entries[rule.ID(b.site, r)]
	return e != nil && (e.State == rule.Refuted || e.State == rule.Retired)
}
