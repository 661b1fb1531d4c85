package html

import (
	"strings"
	"testing"

	"dustbuster/operators/learn/beside"
	"dustbuster/operators/window/waste"
)

// What is waste and no duplicate comes with who asked, an example and what ends it: an address is never disallowed for
// its parameter, nor a page for its facets. Texts of the log are hidden and escaped as elsewhere.
func TestBeside(t *testing.T) {
	of := func(urls int) waste.Effect {
		return waste.Effect{URLs: urls, Bytes: 9000, Families: [32]int{2: urls, 3: 1}}
	}
	site := withLikely(world("a.example", "x", 3))
	site.Beside = []beside.Waste{
		{Effect: of(7), Kind: beside.Actions, Example: "/logout?token=8f14e45fceea167a5a36dedd4bea2543"},
		{Effect: of(400), Kind: beside.Facets, Page: "/shop/<b>", Names: 5, Contents: 12, Example: "/shop/<b>?color=red"},
		{Effect: of(300), Kind: beside.Endless, Page: "/calendar", Name: "day<i>", Values: 290, Contents: 1, Example: "/calendar?day=20991231"},
	}
	text := reportOf(t, Options{}, site)
	for _, want := range []string{
		`Actions: the words in these URLs say that they do something</th><td class="number">7</td><td class="number">9 kB</td><td>Googlebot 7, bingbot 1</td>`, "Disallow them in robots.txt, by the paths",
		`Filters of /shop/&lt;b&gt;: 5 parameters show only 12 pages</th><td class="number">400</td>`, "Mark the links of filters nofollow",
		"Never disallow the page itself.",
		`No end: 290 values of day&lt;i&gt; on /calendar, of which the newest show only 1 page</th><td class="number">300</td>`,
		"Answer 404 beyond the end, or say noindex there. Never disallow the parameter",
		"/calendar?day=20991231",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %s", want)
		}
	}
	if strings.Contains(text, "8f14e45fceea167a5a36dedd4bea2543") {
		t.Error("a secret is shown")
	}
	if strings.Contains(reportOf(t, Options{}, withLikely(world("a.example", "x", 3))), "no duplicates</h2>") {
		t.Error("a site without such waste has the heading")
	}
	many := withLikely(world("a.example", "x", 3))
	for range 100 {
		many.Beside = append(many.Beside, site.Beside[2])
	}
	if n := strings.Count(reportOf(t, Options{}, many, site), "No end: "); n != mostSpent {
		t.Errorf("%d rows", n)
	}
}
