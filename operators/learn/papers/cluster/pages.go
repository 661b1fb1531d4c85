package cluster

import (
	"strconv"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// OfPages returns the clusters of the pages that are known to be alike, with single URLs. A page
// that was fetched has the label of its text. Another page has the label of the texts that were
// fetched of its digest, if they have one, and otherwise its digest in the log. Pages with neither
// are left out: a size is no label, since pages of unlike forms share sizes by chance, and equal
// pages differ by the bytes of their own URLs.
func OfPages(pages []evidence.Page) [][]string {
	texts := map[int64]uint64{} // of the fetched pages, by digest; 0: several texts
	for i := range pages {
		digest, ok := pages[i].Evidence.Digest()
		text := pages[i].Text
		if !ok || text == 0 {
			continue
		}
		if known, seen := texts[digest]; seen && known != text {
			text = 0
		}
		texts[digest] = text
	}
	var all []Labelled
	for i := range pages {
		text := pages[i].Text
		digest, ok := pages[i].Evidence.Digest()
		if text == 0 && ok {
			text = texts[digest]
		}
		switch {
		case text != 0:
			all = append(all, Labelled{pages[i].URL, "text " + strconv.FormatUint(text, 16)})
		case ok:
			all = append(all, Labelled{pages[i].URL, "digest " + strconv.FormatInt(digest, 16)})
		}
	}
	return Of(all, 1)
}

// LearnWindow returns the likely rules that a learner finds in the pages of a window, in its
// order. The labels are those of [OfPages]. There are no rules without a test of similarity. The
// support of a rule is the number of pairs of pages with one label that get one form. Comparable
// is the number of all pairs of labelled pages that get one form.
//
// The learner calls stop now and then. If stop returns true, LearnWindow returns false without
// result.
func LearnWindow(name string, learn func(clusters [][]string, stop func() bool) []Learned, similar evidence.Similarity, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
	if similar.Off {
		return nil, true
	}
	stopped := false
	found := learn(OfPages(pages), func() bool {
		stopped = stopped || stop()
		return stopped
	})
	if stopped {
		return nil, false
	}
	var rules []rule.Likely
	for _, l := range found {
		rules = append(rules, rule.Likely{Rule: l.Rule, Learner: name, Support: l.Support - l.False, Comparable: l.Support})
	}
	return rules, true
}
