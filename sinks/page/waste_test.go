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
	const likely, valid = " This is by 1,200 likely rules, without proof.", " This is by 1 valid rule; likely rules do not count."
	for _, c := range []struct {
		waste Waste
		want  string
	}{
		{Waste{}, "There are no user agents in the log, so it does not tell what crawlers asked for."},
		{Waste{Waste: waste.Waste{0: wasted(5, 4, 1)}, Valid: 3, Sample: true}, "No crawler that is known by name asked for a page."},
		{Waste{Waste: waste.Waste{0: wasted(9, 1, 9), 1: wasted(5, 4, 1)}, Valid: 1},
			"No crawler that is known by name asked for a page; other robots asked for 5 URLs of 4 pages: 1 (20.0 %, 1 byte) was a page they had." + valid},
		{Waste{Waste: waste.Waste{0: wasted(9, 1, 9), 1: wasted(9, 1, 9), 2: wasted(6100, 5270, 90e6), 3: wasted(3000, 2590, 120e6), waste.Union: wasted(9100, 7860, 210e6)}, Likely: 1200},
			"Crawlers asked for 9,100 URLs of 7,860 pages: 1,240 (13.6 %, 210 MB) were pages they had; most by Googlebot, 830." + likely},
		{Waste{Waste: waste.Waste{2: wasted(7, 7, 0), 3: wasted(3, 1, 0), waste.Union: wasted(10, 8, 0)}, Valid: 1}, "Crawlers asked for 10 URLs of 8 pages: 2 (20.0 %) were pages they had; all by bingbot." + valid},
		{Waste{Waste: waste.Waste{2: wasted(1, 1, 0), waste.Union: wasted(1, 1, 0)}, Valid: 1, Sample: true},
			"Crawlers asked for 1 URL of 1 page: none was a page they had." + valid + " Some URLs were left out, so these are figures of a sample."},
		{Waste{Waste: waste.Waste{2: wasted(7, 7, 0), waste.Union: wasted(7, 7, 0)}}, "Crawlers asked for 7 URLs. No rule is known to hold, so it is not known either whether they had some of the pages."},
		{Waste{Waste: waste.Waste{2: wasted(7, 7, 0), waste.Union: wasted(7, 7, 0)}, Valid: 2, Likely: 1},
			"Crawlers asked for 7 URLs of 7 pages: none was a page they had. This is by 2 valid rules and, on sites without valid rules, by 1 likely rule without proof."},
		{Waste{Waste: waste.Waste{2: wasted(9, 5, 0), 3: wasted(9, 5, 0), waste.Union: wasted(9, 5, 0)}, Valid: 1, Caught: 3, Contents: 2},
			"Crawlers asked for 9 URLs of 5 pages: 4 (44.4 %) were pages they had; most by Googlebot, 4." + valid + " But 3 of the URLs show one of 2 pages that the site seems to give for any name; they count as one page."},
		{Waste{Waste: waste.Waste{2: wasted(9, 5, 0), waste.Union: wasted(9, 5, 0)}, Caught: 4, Contents: 1},
			"Crawlers asked for 9 URLs. No rule is known to hold, so it is not known either whether they had some of the pages. But 4 of the URLs show one page that the site seems to give for any name; they count as one page."},
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
