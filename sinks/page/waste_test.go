package page

import (
	"encoding/json"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/window/waste"
)

// The sentence has the sums of the crawlers known by name, and the ground of the figures.
func TestWasteWords(t *testing.T) {
	const likely, valid = " This is an estimate by 1,200 rules, not tested yet.", " Counted by 1 confirmed rule."
	for _, c := range []struct {
		waste Waste
		want  string
	}{
		{Waste{All: wasted(1200, 800, 4000), Likely: 2},
			"The log has no user agents, so crawlers cannot be counted. All clients fetched 1,200 URLs but saw only about 800 different pages. 33 % of the URLs (400, 4 kB) were duplicates. This is an estimate by 2 rules, not tested yet."},
		{Waste{}, "The log has no user agents, so crawlers cannot be counted."},
		{Waste{Waste: waste.Waste{0: wasted(5, 4, 1)}, Valid: 3, Sample: true},
			"No known crawler fetched a page. Visitors fetched 5 URLs but saw only 4 different pages. 20 % of the URLs (1, 1 byte) were duplicates. Counted by 3 confirmed rules. Some URLs were left out, so these figures are of a sample."},
		{Waste{Waste: waste.Waste{0: wasted(9, 1, 9), 1: wasted(5, 4, 1)}, Valid: 1},
			"No known crawler fetched a page. Other robots fetched 5 URLs but saw only 4 different pages. 20 % of the URLs (1, 1 byte) were duplicates." + valid},
		{Waste{Waste: waste.Waste{0: wasted(9, 1, 9), 1: wasted(9, 1, 9), 2: wasted(6100, 5270, 90e6), 3: wasted(3000, 2590, 120e6), waste.Union: wasted(9100, 7860, 210e6)}, Likely: 1200},
			"Search engines and bots fetched 9,100 URLs but saw only about 7,860 different pages. 14 % of the URLs (1,240, 210 MB) were duplicates; Googlebot fetched the most, 830." + likely},
		{Waste{Waste: waste.Waste{2: wasted(7, 7, 0), 3: wasted(3, 1, 0), waste.Union: wasted(10, 8, 0)}, Valid: 1}, "Search engines and bots fetched 10 URLs but saw only 8 different pages. 20 % of the URLs (2) were duplicates; bingbot fetched all of them." + valid},
		{Waste{Waste: waste.Waste{2: wasted(1, 1, 0), waste.Union: wasted(1, 1, 0)}, Valid: 1, Sample: true},
			"Search engines and bots fetched 1 URL and no duplicates." + valid + " Some URLs were left out, so these figures are of a sample."},
		{Waste{Waste: waste.Waste{2: wasted(7, 7, 0), waste.Union: wasted(7, 7, 0)}}, "Search engines and bots fetched 7 URLs. No rule is confirmed yet, so duplicates cannot be counted."},
		{Waste{Waste: waste.Waste{2: wasted(7, 7, 0), waste.Union: wasted(7, 7, 0)}, Valid: 2, Likely: 1},
			"Search engines and bots fetched 7 URLs and no duplicates. Counted by 2 confirmed rules. On sites without one it is an estimate by 1 rule, not tested yet."},
		{Waste{Waste: waste.Waste{2: wasted(9, 5, 0), 3: wasted(9, 5, 0), waste.Union: wasted(9, 5, 0)}, Valid: 1, Caught: 3, Contents: 2},
			"Search engines and bots fetched 9 URLs but saw only 5 different pages. 44 % of the URLs (4) were duplicates; Googlebot fetched the most, 4." + valid + " 3 of these URLs show one of 2 pages that the site seems to show for any name. They count as one page."},
		{Waste{Waste: waste.Waste{2: wasted(9, 5, 0), waste.Union: wasted(9, 5, 0)}, Caught: 4, Contents: 1},
			"Search engines and bots fetched 9 URLs. No rule is confirmed yet, so duplicates cannot be counted. 4 of these URLs show one page that the site seems to show for any name. They count as one page."},
	} {
		if got := c.waste.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// The record has all families that asked for something, the crawlers with the most waste first.
func TestWasteRecord(t *testing.T) {
	w := Waste{Waste: waste.Waste{0: wasted(9, 1, 9), 1: wasted(3, 2, 8), 2: wasted(7, 7, 0), waste.Union: wasted(7, 7, 0)}, Valid: 1}
	w.Add(&Waste{Waste: waste.Waste{3: wasted(3, 1, 20), waste.Union: wasted(3, 1, 20)}, Likely: 2, Sample: true})
	b, err := json.Marshal(w.Record())
	expect.NoError(t, err)
	const want = `{"valid_rules":1,"likely_rules":2,"sample":true,"fetched":10,"pages":8,"waste":2,"bytes":20,"families":[` +
		`{"family":"bingbot","fetched":3,"pages":1,"bytes":20,"waste":2},{"family":"Googlebot","fetched":7,"pages":7,"bytes":0,"waste":0},` +
		`{"family":"people","fetched":9,"pages":1,"bytes":9,"waste":8},{"family":"other robots","fetched":3,"pages":2,"bytes":8,"waste":1}],"text":`
	if !strings.HasPrefix(string(b), want) {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

// wasted is the figure of a family.
func wasted(fetched, pages int, bytes int64) waste.Figure {
	return waste.Figure{Fetched: fetched, Pages: pages, Bytes: bytes}
}
