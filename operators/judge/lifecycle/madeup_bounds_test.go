package lifecycle

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// falsities are the shares of the pairs in which the rules of falseIn are wrong.
var falsities = []float64{0.02, 0.05, 0.10}

// falseIn makes two sections, with a parameter and a mirror whose rules are wrong in a share of the pairs.
func falseIn(share float64) []func(*maker) {
	parameter := func(m *maker) {
		names, param := m.words(100+m.IntN(200)), m.word()
		first, spoil := m.falseSection(share, func(rest string) (page, of string) {
			p, _, v := query(rest)
			if !has(names, p[1:]) {
				return "", ""
			}
			return p[1:], v[param]
		})
		for i, n := range names {
			m.list("/%s/%s", first, n)
			for k := range 1 + m.IntN(2) {
				m.list("/%s/%s?%s=%d", first, n, param, 10*i+k)
				spoil(n, fmt.Sprint(10*i+k))
			}
		}
	}
	mirror := func(m *maker) {
		names, trees := m.words(100+m.IntN(200)), m.words(2)
		first, spoil := m.falseSection(share, func(rest string) (page, of string) {
			p := strings.Split(rest, "/")
			if len(p) != 3 || !has(trees, p[1]) || !has(names, p[2]) {
				return "", ""
			}
			return p[2], p[1]
		})
		for _, n := range names {
			m.list("/%s/%s/%s", first, trees[0], n)
			m.list("/%s/%s/%s", first, trees[1], n)
			spoil(n, trees[1])
		}
	}
	return []func(*maker){parameter, mirror}
}

// falseSection makes a section whose pages are shown under several texts. spoil, called for each pair of texts of
// a page, makes the pages of a share of the pairs differ: with 2 %, those of one pair in each fifty. All texts
// of a page have one size, so the log does not tell which pairs differ.
func (m *maker) falseSection(share float64, split func(rest string) (page, of string)) (first string, spoil func(page, of string)) {
	wrong, pairs, next := map[string]bool{}, 0, 0
	s, first := m.section(falseKind(share), func(rest string) string {
		page, of := split(rest)
		if wrong[page+" "+of] {
			return page + " " + of
		}
		return page
	})
	s.size = func(c, _ string) int64 { return sizeOf(strings.Fields(c)[1]) }
	each := int(1 / share)
	return first, func(page, of string) {
		if pairs%each == 0 {
			next = m.IntN(each)
		}
		if pairs%each == next {
			wrong[page+" "+of] = true
		}
		pairs++
	}
}

const falsePrefix = "false in "

// one returns 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func falseKind(share float64) string { return fmt.Sprintf("%s%g %%", falsePrefix, 100*share) }

// bounds counts the sections of one kind, over all lives, by what became of their rules.
type bounds struct {
	tried, joined, published int // sections: a rule had a verdict; joined L at some time, without an exception; is published now
	bad                      int // of those published, sections with a URL that is merged falsely
	urls, pairs              int // URLs; pairs of the rules tried
	wrong                    int // URLs that the published rules merge falsely
}

// plus returns the sum of two counts.
func (b bounds) plus(c bounds) bounds {
	return bounds{b.tried + c.tried, b.joined + c.joined, b.published + c.published, b.bad + c.bad, b.urls + c.urls, b.pairs + c.pairs, b.wrong + c.wrong}
}

// watch follows one life. A rule belongs to a section if it changes one of the section's URLs.
type watch struct {
	s             *madeUp
	touches       map[string][]string // by rule, first segments
	tried, joined map[string]bool     // by first segment
}

func newWatch(s *madeUp) *watch {
	return &watch{s, map[string][]string{}, map[string]bool{}, map[string]bool{}}
}

// sectionsOf returns the first segments of the URLs that rules change, each once.
func (w *watch) sectionsOf(rules ...rule.Rule) (all []string) {
	c := forms.Compile(rules)
	for _, u := range w.s.urls {
		if form, _ := c.Canon(nil, []byte(u)); string(form) != u {
			if first, _, _ := strings.Cut(u[1:], "/"); !slices.Contains(all, first) {
				all = append(all, first)
			}
		}
	}
	return all
}

// look notes the sections whose rules were tried, and those whose rules joined L without an exception.
func (w *watch) look(m *Machine) {
	for id, e := range m.book.Entries {
		if e.Verdict.Samples == 0 && e.State != rule.Valid {
			continue
		}
		if _, known := w.touches[id]; !known {
			w.touches[id] = w.sectionsOf(e.Rule)
		}
		for _, first := range w.touches[id] {
			w.tried[first] = true
			w.joined[first] = w.joined[first] || e.State == rule.Valid && !e.Excepts
		}
	}
}

// add counts the sections by kind.
func (w *watch) add(m *Machine, sums map[string]bounds) {
	w.look(m)
	var out []rule.Rule
	for _, r := range m.Published().Records {
		if one, err := r.Rule(); err == nil {
			out = append(out, one)
		}
	}
	published := w.sectionsOf(out...)
	for first, sec := range w.s.sections {
		own := &madeUp{sections: w.s.sections}
		pages := map[string]bool{}
		for _, u := range w.s.urls {
			if strings.HasPrefix(u, "/"+first+"/") {
				own.urls = append(own.urls, u)
				pages[strings.Fields(w.s.content(u))[1]] = true
			}
		}
		kinds := map[string]*found{}
		own.byKind(out, kinds)
		wrong := total(kinds, "").wrong
		sums[sec.kind] = sums[sec.kind].plus(bounds{tried: one(w.tried[first]), joined: one(w.joined[first]), published: one(slices.Contains(published, first)), bad: one(wrong > 0),
			urls: len(own.urls), pairs: one(w.tried[first]) * (len(own.urls) - len(pages)), wrong: wrong})
	}
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
func liveBounds(t *testing.T, site func(seed uint64) *madeUp, sites, keys int) (sums [3]map[string]bounds) {
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
			checkSafe(t, l.m)
		}
	}
	return sums
}

// A rule that is wrong in some of its pairs gets as far as the bounds allow, and no further.
func TestBounds(t *testing.T) {
	var wrong []func(*maker)
	for _, share := range falsities {
		wrong = append(wrong, falseIn(share)...)
	}
	if !*long {
		judgeBounds(t, liveBounds(t, func(seed uint64) *madeUp { return madeUpOf(seed, slices.Concat(wrong, wrong, wrong)) }, 2, 1))
		return
	}
	for name, more := range map[string][]func(*maker){"some": wrong, "none": nil} { // rules are made wrong
		t.Run(name, func(t *testing.T) {
			judgeBounds(t, liveBounds(t, func(seed uint64) *madeUp { return newMadeUp(seed, more...) }, *madeUpSites, *ablationSeeds))
		})
	}
}

// mostBoundWrong is how many URLs of 10,000 the published rules may merge falsely, besides those that are made
// wrong.
const mostBoundWrong = 5

// judgeBounds logs what became of the rules, and fails if more of them are wrong than the bounds allow.
func judgeBounds(t *testing.T, sums [3]map[string]bounds) {
	for i, at := range ablationAt {
		var others, all bounds
		wrong := map[string]int{}
		for kind, b := range sums[i] {
			if all = all.plus(b); !strings.HasPrefix(kind, falsePrefix) {
				others = others.plus(b)
				if b.wrong > 0 {
					wrong[kind] = b.wrong
				}
			}
		}
		ofURLs := func(n float64) float64 { return 1e4 * n / float64(all.urls) }
		t.Logf("after %d fetches (0: all), other rules: %+v; %.1f wrong of 10,000 URLs %v", at, others, ofURLs(float64(others.wrong)), wrong)
		if ofURLs(float64(others.wrong)) > mostBoundWrong {
			t.Errorf("%d of %d URLs are merged falsely that are not made wrong", others.wrong, all.urls)
		}
		for _, share := range falsities {
			b, p := sums[i][falseKind(share)], firstStep(share)
			out := p
			if at == 0 {
				out = proof(share)
			}
			t.Logf("%s: %+v; promised %.1f joined, %.1f bad; %.1f wrong of 10,000 URLs, promised %.1f", falseKind(share), b,
				p*float64(b.tried), out*float64(b.tried), ofURLs(float64(b.wrong)), ofURLs(out*share*float64(b.pairs)))
			if exceeds(b.joined, b.tried, p) || exceeds(b.bad, b.tried, out) {
				t.Errorf("of %d sections %s, rules of %d joined, and wrong ones of %d are published: the bounds promise %.2f and %.2f", b.tried, falseKind(share), b.joined, b.bad, p, out)
			}
		}
	}
}

// exceeds reports whether so many of n are far more than a probability allows.
func exceeds(many, n int, p float64) bool {
	may := p * float64(n)
	return float64(many) > may+2.5*math.Sqrt(may*(1-p))+1
}
