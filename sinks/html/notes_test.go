package html

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

// ordinary returns a site of n pages of different sizes, which visitors of all bits requested, also
// with ?sid=1.
func ordinary(n int) *miner.Machine {
	o := miner.Options{Table: table.Options{MaxURLs: 10_000}, Envelope: envelope.Defaults(), Tally: true}
	o.Envelope.Similarity.Tolerance = .01
	m := miner.New("www.example.org", o)
	for i := range n {
		for visitor := range 3 {
			see(m, 1000*(i+1), (5*i+visitor)%16, "/entry-%d.html", i)
			see(m, 1000*(i+1), (7*i+visitor)%16, "/entry-%d.html?sid=1", i)
		}
	}
	return m
}

func see(m *miner.Machine, size, client int, format string, args ...any) {
	m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, format, args...), Min: int64(size), Max: int64(size), Clients: 1 << client})
}

// What scanners alone asked for is in no advice, and the report says so.
func TestScannersAreNotAdvised(t *testing.T) {
	m := ordinary(60)
	for i := range 60 {
		see(m, 1000*(i+1), 3, "/entry-%d.html?odd%c%d=1", i, 'a'+i%26, i)
		see(m, 1000*(i+1), 3, "/entry-%d.html?try=1", i)
	}
	drops := []rule.Rule{{Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Drop{Param: "try"}}}
	text := reportOf(t, Options{}, withRules(m, drops...))
	contains(t, text, "120 of 240 URLs were requested only by what seem to be scanners: 1 group of clients", `For example: <code class="foreign">/entry-0.html?odda0=1</code>`,
		"Clean-param: sid", "ignore the parameter try", "Ignore 1 rule below: only scanners seem to have asked for the URLs.")
	if strings.Contains(text, "Clean-param: sid&amp;try") || strings.Contains(text, "Disallow") {
		t.Error("there is advice because of a scanner")
	}
	text = reportOf(t, Options{}, withRules(m, drops[1]))
	if contains(t, text, "Ignore 1 rule below"); strings.Contains(text, "robots.txt") || strings.Contains(text, "permanent redirect") {
		t.Error("there is advice because of a scanner alone")
	}
}

// The rules that a catch-all explains stand under its note, also where nothing else is shown.
func TestCatchAllExplains(t *testing.T) {
	m := ordinary(60)
	for i := range 40 {
		see(m, 777, i%16, "/odd%c%d", 'a'+i%26, i)
	}
	s := &Site{Machine: m, All: 3, Explained: []rule.Likely{{Rule: rule.Rule{Edit: rule.Substring{From: "odda0", To: "oddb1"}}}, {Rule: rule.Rule{Edit: rule.Substring{From: "x", To: "y"}}}}}
	contains(t, reportOf(t, Options{}, s), "40 of 160 URLs show a page that the site seems to show for any name", `For example: <code class="foreign">/odda0</code>`,
		"It explains 2 likely rules, such as: …oddb1… is the same as …odda0…", "All rules: 0 of 3 are listed", "Not listed: 1 more rule with less effect or evidence; 2 rules explained by pages that the site shows for any name.")
}

// What a report says of a site without notes is true.
func TestClear(t *testing.T) {
	drop := rule.Rule{Edit: rule.Drop{Param: "sid"}}
	m := ordinary(60)
	for range 3 {
		see(m, 500, 1, "/entry-1.html")
	}
	for _, c := range []struct {
		want    string
		machine *miner.Machine
	}{
		{`<div class="note good"><p>Page sizes identify most pages here: 0 % of the URLs share their size with many others, and 1 % (2 % of the requests) change their size by more than 1 %.</p>`, m},
		{`<div class="note warn"><p>Page sizes do not identify most pages here, or most requested pages: 42 % of the URLs share their size with many others, and 17 % (17 % of the requests) change their size by more than 1 %.</p>`, blurred()},
		{`<div class="note warn"><p>Only 20 pages have a known size. 50 are needed to judge this log.</p>`, ordinary(10)},
	} {
		contains(t, reportOf(t, Options{}, withRules(c.machine, drop)), c.want)
	}
}

// blurred is a site of which neither most sizes are crowded nor most are apart, but most are one of
// both.
func blurred() *miner.Machine {
	m := ordinary(25)
	for i := range 50 {
		see(m, 777, 1, "/crowd-%d.html", i)
	}
	for i := range 20 {
		see(m, 3000+100*i, 1, "/apart-%d.html", i)
		see(m, 9000+100*i, 1, "/apart-%d.html", i)
	}
	return m
}
