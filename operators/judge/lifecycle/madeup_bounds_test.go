package lifecycle_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// falsities are the shares of the pairs in which the rules of falseIn are wrong.
var falsities = []float64{0.02, 0.05, 0.10}

// one returns 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// mostPartly is the greatest share of its pairs in which a partly wrong rule is wrong.
const mostPartly = 0.10

// partly counts the partly wrong rules that are not made wrong. In a section such as "revised" a file changes seldom,
// so a rule between two versions is wrong in a few of its pairs.
type partly struct {
	tried, joined          int
	wrong                  int     // URLs that the published rules merge falsely
	joins, merges, byProof float64 // promised: rules that join, and URLs that they merge falsely, before their proofs and after
}

func (p partly) plus(q partly) partly {
	return partly{p.tried + q.tried, p.joined + q.joined, p.wrong + q.wrong, p.joins + q.joins, p.merges + q.merges, p.byProof + q.byProof}
}

// bounds counts the sections of one kind, over all lives, by what became of their rules.
type bounds struct {
	tried, joined, published int // sections: a rule had a verdict; joined L at some time, without an exception; is published now
	bad                      int // of those published, sections with a URL that is merged falsely
	urls, pairs              int // URLs; pairs of the rules tried
	wrong                    int // URLs that the published rules merge falsely
	partly                   partly
}

// plus returns the sum of two counts.
func (b bounds) plus(c bounds) bounds {
	return bounds{b.tried + c.tried, b.joined + c.joined, b.published + c.published, b.bad + c.bad, b.urls + c.urls, b.pairs + c.pairs, b.wrong + c.wrong, b.partly.plus(c.partly)}
}

// watch follows one life. A rule belongs to a section if it changes one of the section's URLs.
type watch struct {
	s             *madeup.Site
	rules         map[string]*followed // by identity
	tried, joined map[string]bool      // by first segment
}

// followed is a rule that was tried.
type followed struct {
	sections     []string // first segments
	pairs, wrong int
	joined       bool
}

func newWatch(s *madeup.Site) *watch {
	return &watch{s, map[string]*followed{}, map[string]bool{}, map[string]bool{}}
}

// falsity returns the share of the pairs in which the rule is wrong.
func (r *followed) falsity() float64 { return float64(r.wrong) / float64(max(1, r.pairs)) }

// isPartly reports whether the rule is partly wrong, and was not made so.
func (r *followed) isPartly(s *madeup.Site) bool {
	return r.wrong > 0 && r.falsity() <= mostPartly && !strings.HasPrefix(s.Sections[r.sections[0]].Kind, madeup.WrongPrefix)
}

// follow returns what a rule does to the site.
func (w *watch) follow(r rule.Rule) *followed {
	all := &followed{sections: w.sectionsOf(r)}
	c := forms.Compile([]rule.Rule{r})
	for _, u := range w.s.URLs {
		if form, _ := c.Canon(nil, []byte(u)); string(form) != u {
			all.pairs++
			all.wrong += one(w.s.Content(u) != w.s.Content(string(form)))
		}
	}
	return all
}

// sectionsOf returns the first segments of the URLs that rules change, each once.
func (w *watch) sectionsOf(rules ...rule.Rule) (all []string) {
	c := forms.Compile(rules)
	for _, u := range w.s.URLs {
		if form, _ := c.Canon(nil, []byte(u)); string(form) != u {
			if first, _, _ := strings.Cut(u[1:], "/"); !slices.Contains(all, first) {
				all = append(all, first)
			}
		}
	}
	return all
}

// look notes the sections whose rules were tried, and those whose rules joined L without an exception.
func (w *watch) look(m *lifecycle.Machine) {
	for _, e := range entries(m, "") {
		if e.Verdict.Samples == 0 && e.State != rule.Valid {
			continue
		}
		r := w.rules[e.ID]
		if r == nil {
			r = w.follow(e.Rule)
			w.rules[e.ID] = r
		}
		joined := e.State == rule.Valid && !e.Excepts
		r.joined = r.joined || joined
		for _, first := range r.sections {
			w.tried[first] = true
			w.joined[first] = w.joined[first] || joined
		}
	}
}

// add counts the sections by kind.
func (w *watch) add(m *lifecycle.Machine, sums map[string]bounds) {
	w.look(m)
	var out []rule.Rule
	for _, r := range m.Published().Records {
		if one, err := r.Rule(); err == nil {
			out = append(out, one)
		}
	}
	published, byPartly := w.sectionsOf(out...), w.wrongByPartly(out)
	for _, r := range w.rules {
		if r.isPartly(w.s) {
			f, kind := r.falsity(), w.s.Sections[r.sections[0]].Kind
			b := sums[kind]
			b.partly = b.partly.plus(partly{tried: 1, joined: one(r.joined), joins: firstStep(f), merges: firstStep(f) * float64(r.wrong), byProof: proof(f) * float64(r.wrong)})
			sums[kind] = b
		}
	}
	for first, sec := range w.s.Sections {
		own := &madeup.Site{Sections: w.s.Sections}
		pages := map[string]bool{}
		for _, u := range w.s.URLs {
			if strings.HasPrefix(u, "/"+first+"/") {
				own.URLs = append(own.URLs, u)
				pages[strings.Fields(w.s.Content(u))[1]] = true
			}
		}
		kinds := map[string]*found{}
		byKind(own, out, kinds)
		wrong := total(kinds, "").wrong
		sums[sec.Kind] = sums[sec.Kind].plus(bounds{tried: one(w.tried[first]), joined: one(w.joined[first]), published: one(slices.Contains(published, first)), bad: one(wrong > 0),
			urls: len(own.URLs), pairs: one(w.tried[first]) * (len(own.URLs) - len(pages)), wrong: wrong, partly: partly{wrong: byPartly[first]}})
	}
}

// wrongByPartly returns how many URLs of each section the published rules merge falsely by a partly wrong rule.
func (w *watch) wrongByPartly(out []rule.Rule) map[string]int {
	c, by := forms.Compile(out), map[string]int{}
	var isPartly []bool
	for _, r := range out {
		isPartly = append(isPartly, w.follow(r).isPartly(w.s))
	}
	_, wrong := merges(w.s, c)
	for _, u := range wrong {
		if slices.ContainsFunc(forms.ChainOf(c, u), func(rank int) bool { return isPartly[rank] }) {
			first, _, _ := strings.Cut(u[1:], "/")
			by[first]++
		}
	}
	return by
}

// firstStep is the probability that a rule that is wrong in a share of its pairs joins L: 20 outcomes have no
// negative.
func firstStep(share float64) float64 { return math.Pow(1-share, 20) }

// proof bounds the probability that such a rule is proved: by 59 outcomes without a negative, by 72 since its
// first exception, by 80 since its second, and so on.
func proof(share float64) (p float64) {
	for exceptions := range 7 { // three scopes, and three URLs while pairs are left
		outcomes := math.Ceil(math.Log(0.05/float64(1+exceptions)) / math.Log(0.95))
		p += math.Pow(1-share, outcomes)
	}
	return min(1, p)
}

// liveBounds lets sites live, and returns the counts after each of ablationAt.
func liveBounds(t *testing.T, site func(seed uint64) *madeup.Site, sites, keys int) (sums [3]map[string]bounds) {
	for i := range sums {
		sums[i] = map[string]bounds{}
	}
	for seed := range sites {
		s := site(uint64(seed))
		for key := range keys {
			w := newWatch(s)
			l := madeUpLife(s, without("", uint64(key)), *mostFetches, func(l *life) {
				w.look(l.m)
				if i := slices.Index(ablationAt, l.trials); i >= 0 {
					w.add(l.m, sums[i])
				}
			})
			for i, at := range ablationAt {
				if at == 0 || at > l.trials {
					w.add(l.m, sums[i])
				}
			}
			t.Logf("site %d, key %d: %d fetches", seed, key, l.trials)
			checkSafe(t, l.m, s.URLs)
		}
	}
	return sums
}

// A rule that is wrong in some of its pairs gets as far as the bounds allow, and no further.
func TestBounds(t *testing.T) {
	t.Parallel()
	var wrong []func(*madeup.Maker)
	for _, share := range falsities {
		wrong = append(wrong, madeup.WrongIn(share)...)
	}
	if !*long {
		some := slices.Concat(wrong, wrong, wrong, []func(*madeup.Maker){madeup.Revised})
		judgeBounds(t, liveBounds(t, func(seed uint64) *madeup.Site { return madeup.Of(seed, some) }, 2, 1))
		return
	}
	for _, c := range []struct {
		name string
		more []func(*madeup.Maker)
	}{{"some", wrong}, {"none", nil}} { // rules are made wrong
		t.Run(c.name, func(t *testing.T) {
			judgeBounds(t, liveBounds(t, func(seed uint64) *madeup.Site { return madeup.New(seed, c.more...) }, *madeUpSites, *ablationSeeds))
		})
	}
}

// mostBoundWrong is how many URLs of 10,000 the published rules may merge falsely, besides those that are made
// wrong or are partly wrong.
const mostBoundWrong = 5

// judgeBounds logs what became of the rules, and fails if more of them are wrong than the bounds allow.
func judgeBounds(t *testing.T, sums [3]map[string]bounds) {
	for i, at := range ablationAt {
		var others, all bounds
		wrong := map[string]int{}
		for kind, b := range sums[i] {
			if all = all.plus(b); !strings.HasPrefix(kind, madeup.WrongPrefix) {
				others = others.plus(b)
				if b.wrong > 0 {
					wrong[kind] = b.wrong
				}
			}
		}
		ofURLs := func(n float64) float64 { return 1e4 * n / float64(all.urls) }
		t.Logf("after %d fetches (0: all), other rules: %+v; %.1f wrong of 10,000 URLs %v", at, others, ofURLs(float64(others.wrong)), wrong)
		part := others.partly
		promised := part.merges
		if at == 0 {
			promised = part.byProof
		}
		t.Logf("of these partly wrong: %d tried, %d joined, promised %.1f; %.1f wrong of 10,000 URLs, promised %.1f",
			part.tried, part.joined, part.joins, ofURLs(float64(part.wrong)), ofURLs(promised))
		if exceeds(part.joined, part.tried, part.joins/float64(max(1, part.tried))) || float64(part.wrong) > promised {
			t.Errorf("of %d partly wrong rules %d joined, and merge %d URLs falsely: the bounds promise %.1f and %.1f", part.tried, part.joined, part.wrong, part.joins, promised)
		}
		if entirely := others.wrong - part.wrong; ofURLs(float64(entirely)) > mostBoundWrong {
			t.Errorf("%d of %d URLs are merged falsely by rules that are neither made wrong nor partly wrong", entirely, all.urls)
		}
		for _, share := range falsities {
			b, p := sums[i][madeup.WrongKind(share)], firstStep(share)
			out := p
			if at == 0 {
				out = proof(share)
			}
			t.Logf("%s: %+v; promised %.1f joined, %.1f bad; %.1f wrong of 10,000 URLs, promised %.1f", madeup.WrongKind(share), b,
				p*float64(b.tried), out*float64(b.tried), ofURLs(float64(b.wrong)), ofURLs(out*share*float64(b.pairs)))
			if exceeds(b.joined, b.tried, p) || exceeds(b.bad, b.tried, out) {
				t.Errorf("of %d sections %s, rules of %d joined, and wrong ones of %d are published: the bounds promise %.2f and %.2f", b.tried, madeup.WrongKind(share), b.joined, b.bad, p, out)
			}
		}
	}
}

// exceeds reports whether so many of n are far more than a probability allows.
func exceeds(many, n int, p float64) bool {
	may := p * float64(n)
	return float64(many) > may+2.5*math.Sqrt(may*(1-p))+1
}
