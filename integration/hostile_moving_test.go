package integration

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// Sites whose pages never stand still. Those that begin with "true", and that of two backends, have stories at two
// URLs each.
var movingKinds = []hostileKind{
	{"true, layouts", func() hostileSite { return moving(layout) }},
	{"true, teasers", func() hostileSite { return moving(teasers) }},
	{"backends", backends},
	{"true, generated JSON", generated},
	{"layouts", func() hostileSite { return movingApart(layout, 120, 200) }},
	{"teasers", func() hostileSite { return movingApart(teasers, 120, 200) }},
	{"layouts, one own word", func() hostileSite { return movingApart(layout, 1, 600) }},
	{"teasers, one own word", func() hostileSite { return movingApart(teasers, 1, 600) }},
	{"teasers of a list, one own word", func() hostileSite { return movingApart(listedTeasers, 1, 600) }},
	{"generated JSON, one own member", generatedApart},
	{"wall with teasers", func() hostileSite {
		return everywhere(htmlPages(func(string) string { return teasers(nonces.Add(1), strings.Fields(challenge+prose("wall", 100))) }))
	}},
}

// No rule merges two pages that never stand still, and on three sites of four the duplicates are merged. Without the
// lever MovingPages they are on none.
func TestHostileMoving(t *testing.T) { tryHostile(t, movingKinds) }

// layout shows words in blocks of twenty, in another order with each visit.
func layout(visit uint64, words []string) string {
	var blocks []string
	for len(words) > 0 {
		n := min(20, len(words))
		blocks, words = append(blocks, "<p>"+strings.Join(words[:n], " ")), words[n:]
	}
	rng := rand.New(rand.NewPCG(visit, 1))
	rng.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	return document("", strings.Join(blocks, ""))
}

// teasers shows words, and nearly half as many others with each visit.
func teasers(visit uint64, words []string) string {
	return document("", "<p>"+strings.Join(words, " ")+"<p>"+prose(fmt.Sprint("visit ", visit), len(words)*3/7))
}

// listedTeasers shows words, and a tenth of a list of teasers.
func listedTeasers(visit uint64, words []string) string {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(visit, 1))
	for _, n := range rng.Perm(200)[:20] {
		b.WriteString("<li>" + prose(fmt.Sprint("teaser", n), len(words)/50))
	}
	return document("", "<p>"+strings.Join(words, " ")+b.String())
}

// backends are two programs in turn, whose pages differ in a third of their words. The rule is left undecided.
func backends() hostileSite {
	s := moving(func(visit uint64, words []string) string {
		backend := fmt.Sprint("backend ", visit%2)
		return document("", prose(backend, 150)+"<p>"+strings.Join(words, " ")+"<p>"+prose("end of "+backend, 150))
	})
	s.merged = 0
	return s
}

var storyOf = regexp.MustCompile(`^/story(?:\?id=|/)(\d+)$`)

// moving is a site whose stories show their words in another way with each visit. Visits count for each site, so
// that a site is the same whatever other tests do.
func moving(show func(visit uint64, words []string) string) hostileSite {
	var visits atomic.Uint64
	return withStories(twoForms.urls, storyOf, func(_, id string) string { return show(visits.Add(1), strings.Fields(prose(id, 600))) })
}

// movingApart is a site with pages of own words among common ones.
func movingApart(show func(visit uint64, words []string) string, own, common int) hostileSite {
	var visits atomic.Uint64
	return beside(twoForms, func(url string) string {
		return show(visits.Add(1), strings.Fields(prose("above", common/2)+prose(url, own)+prose("below", common/2)))
	})
}

// inJSON answers URLs with JSON that says when it was made.
func inJSON(s hostileSite, members func(url string) string) hostileSite {
	pages := s.live
	var made atomic.Int64
	s.live = func(w http.ResponseWriter, r *http.Request) {
		url := r.URL.RequestURI()
		if !twoForms.has(url) {
			pages(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		fmt.Fprintf(w, `{"generated_at":%d,%s}`, 1_700_000_000+made.Add(1), members(url))
	}
	return s
}

func generated() hostileSite {
	return inJSON(moving(layout), func(url string) string {
		_, id := twoForms.find(url)
		return fmt.Sprintf(`"title":%q,"text":%q,"price":%d,"tags":[%q,%q]`, prose(fmt.Sprint(id), 3), prose(fmt.Sprint(id), 90), number(fmt.Sprint(id))%1000, prose(fmt.Sprint(id, 1), 1), prose(fmt.Sprint(id, 2), 1))
	})
}

// Articles of one product that differ in their numbers.
func generatedApart() hostileSite {
	return inJSON(beside(twoForms, article), func(url string) string {
		_, id := twoForms.find(url)
		var b strings.Builder
		for k := range 20 {
			fmt.Fprintf(&b, `"detail%d":%q,`, k, prose(fmt.Sprint(id, k), 6))
		}
		return fmt.Sprintf(`%s"number":%d`, b.String(), number(url)%1_000_000)
	})
}
