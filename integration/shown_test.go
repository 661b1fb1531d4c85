package integration

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Of the first rules that people see, no more are wrong than in the order by share of alike pairs,
// by the pages of a made-up site and of two crawled ones. Of the first ten rows seven of ten are right, of those about
// pages that were crawled. -v shows the figures.
func TestShownPrecision(t *testing.T) {
	crawl, hits := madeUp(rand.New(rand.NewPCG(1, 31)))
	precision(t, "made-up", crawl, hits)
	for _, site := range []string{"docs", "gitweb"} {
		t.Run(site, func(t *testing.T) {
			folder := filepath.Join(dataFolder(t), "sites", site)
			pages, order := readCrawl(t, filepath.Join(folder, "bodies.tsv.gz"))
			var hits []evidence.Observation
			eachObservation(t, logLines(t, filepath.Join(folder, "access.log.gz")), func(o *evidence.Observation) {
				hit := *o
				hit.URL = bytes.Clone(o.URL)
				hits = append(hits, hit)
			})
			precision(t, site, &truthOfSite{pages, order}, hits)
		})
	}
}

// truthOfSite is the pages of a site, and its URLs in a fixed order.
type truthOfSite struct {
	pages map[string]judged
	order []string
}

func precision(t *testing.T, name string, crawl *truthOfSite, hits []evidence.Observation) {
	t.Helper()
	o := minerOptions()
	o.Table.Days, o.Window, o.MaxLearned = true, miner.Learners(), 1000
	m := miner.New("", o)
	for i := range hits {
		m.Fold(&hits[i])
	}
	rules := m.AllRules()
	chosen, hidden := shown.Choose(rules, false)
	w := &shown.Window{Pages: m.Reach().Pages(), Pairs: m.Reach().Pairs}
	left, files := w.WithoutFiles(slices.Clone(chosen))
	var rows []rule.Likely
	for _, row := range w.Values(shown.Fold(left, w.Pairs)) {
		rows = append(rows, row.Rule)
	}
	was, is, seen := crawl.tell(byShare(rules)), crawl.tell(chosen), crawl.tell(rows)
	t.Logf("%s: before %s; now %s; rows %s; hidden %+v, %d of files", name, was, is, seen, hidden, files)
	if is.wrong10 > was.wrong10 || is.wrong20 > was.wrong20 || 10*seen.wrong10 > 3*(seen.right10+seen.wrong10) {
		t.Errorf("%s: before %s, now %s, rows %s", name, was, is, seen)
	}
}

// byShare returns the rules of weight, in the order of the share of alike pairs, then of weight.
func byShare(rules []rule.Likely) []rule.Likely {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r rule.Likely) bool { return r.Weight < weight.Shown })
	slices.SortStableFunc(rules, func(a, b rule.Likely) int {
		return cmp.Or(cmp.Compare(b.Alike*max(a.Pairs, 1), a.Alike*max(b.Pairs, 1)), cmp.Compare(b.Weight, a.Weight))
	})
	return rules
}

// rightAndWrong counts rules, and of the first ten and the first twenty those that are right and those
// that are wrong. Of the others too few pages were crawled.
type rightAndWrong struct{ rules, right10, wrong10, right20, wrong20 int }

func (n rightAndWrong) String() string {
	return fmt.Sprintf("%d rules, of ten %d right and %d wrong, of twenty %d and %d", n.rules, n.right10, n.wrong10, n.right20, n.wrong20)
}

func (c *truthOfSite) tell(rules []rule.Likely) (n rightAndWrong) {
	n.rules = len(rules)
	for i := range rules[:min(len(rules), 20)] {
		right, known := c.holds(rules[i].Rule)
		switch {
		case right:
			n.right20++
		case known:
			n.wrong20++
		}
		if i == 9 {
			n.right10, n.wrong10 = n.right20, n.wrong20
		}
	}
	if len(rules) < 10 {
		n.right10, n.wrong10 = n.right20, n.wrong20
	}
	return n
}

// holds reports whether a rule is right in one direction. known is false if too few pages were
// crawled.
func (c *truthOfSite) holds(r rule.Rule) (right, known bool) {
	right, known = c.holdsDirected(r)
	if r.Kind() == rule.KindSubstring && !right {
		back := r.Opposite()
		rightBack, knownBack := c.holdsDirected(back)
		return rightBack, known || knownBack
	}
	return right, known
}

// holdsDirected reports whether of at least three pairs of pages at most one in twenty differs.
// Pages that get a form that was not crawled are compared with the first of them.
func (c *truthOfSite) holdsDirected(r rule.Rule) (right, known bool) {
	pairs, differ := 0, 0
	first := map[string]string{}
	for _, u := range c.order {
		made, changed := r.Apply(nil, []byte(u))
		if !changed {
			continue
		}
		form := string(made)
		if _, known := c.pages[form]; !known && r.Kind() != rule.KindSubstring {
			if first[form] == "" {
				first[form] = u
				continue
			}
			form = first[form]
		}
		if page, known := c.pages[form]; known {
			if pairs++; !c.pages[u].same(page) {
				differ++
			}
		}
	}
	return pairs >= 3 && 20*differ <= pairs, pairs >= 3
}

// madeUp returns the pages of a made-up site, and three weeks of its log. Articles and boards
// have forms that show one page; boards change each day. Other pages are different, although
// their sizes are alike: statistics that change each day, moved pages with one short answer, and
// lists of one template.
func madeUp(rng *rand.Rand) (c *truthOfSite, hits []evidence.Observation) {
	c = &truthOfSite{pages: map[string]judged{}}
	const day = evidence.SecondsOfDay
	page := func(content string, size func(day int64) int64, forms ...string) {
		for _, url := range forms {
			c.pages[url] = judged{text: content, raw: url, words: 1}
			c.order = append(c.order, url)
			for range 6 + rng.IntN(6) {
				at := rng.Int64N(21)
				hits = append(hits, evidence.Observation{URL: []byte(url), Time: at*day + rng.Int64N(day), Min: size(at), Max: size(at), Clients: 1 << rng.IntN(8)})
			}
		}
	}
	var size int64 // of the day 0
	always := func(int64) int64 { return size }
	daily := func() func(int64) int64 {
		var sizes [21]int64
		for i := range sizes {
			sizes[i] = size + rng.Int64N(size/4)
		}
		return func(day int64) int64 { return sizes[day] }
	}
	for i := range 60 {
		size = 3000 + rng.Int64N(90_000)
		name := fmt.Sprint("/", []string{"article", "recipe", "portrait"}[i%3], "/", i)
		page(name, always, name, name+"/", name+"/index.html", name+"?print=1", fmt.Sprintf("%s?from=%d", name, rng.IntN(999)))
	}
	for i := range 25 {
		size = 3000 + rng.Int64N(90_000)
		board := fmt.Sprint("/board/", i)
		page(board, daily(), board, board+"/", board+"?print=1")
		size = 3000 + rng.Int64N(90_000)
		for _, name := range []string{"/day/%d/seen", "/day/%d/asked", "/day/%d/new", "/day/%d/old"} {
			url := fmt.Sprintf(name, i)
			page(url, daily(), url)
		}
		size = 3000 + rng.Int64N(90_000)
		for _, color := range []string{"red", "green", "blue", "white", "black", "grey"} {
			url := fmt.Sprintf("/list/%s/%d", color, i)
			page(url, always, url)
			size++
		}
	}
	size = 178
	for i := range 4 {
		for _, name := range []string{"/cgi/%d.php", "/cgi/%d.asp", "/cgi/%d.jsp", "/cgi/%d.cgi"} {
			url := fmt.Sprintf(name, i)
			page(url, always, url)
		}
	}
	slices.Sort(c.order)
	return c, hits
}
