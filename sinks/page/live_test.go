package page_test

import (
	"fmt"
	"testing"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"
)

// covered returns a curve of days under so many published rules, from a date on.
func covered(date int64, valid int, days ...waste.Figure) (c waste.Curve) {
	for i, f := range days {
		c, _ = c.With(waste.Day{Date: date + int64(i), Crawlers: f, Valid: valid})
	}
	return c
}

// What is saved is summed over the days under published rules, of all sites, by crawler.
func TestSaved(t *testing.T) {
	day := func(date int64, valid, one, two int, bytes int64) (c waste.Curve) {
		var w waste.Waste
		w[2] = waste.Figure{Fetched: 50 + one, Pages: 50, Bytes: bytes}
		w[3] = waste.Figure{Fetched: 50 + two, Pages: 50}
		c, _ = c.With(waste.Day{Date: date, Crawlers: waste.Figure{Fetched: 100, Pages: 100 - one - two, Bytes: bytes}, By: waste.PartsOf(&w), Valid: valid})
		return c
	}
	one, two := crawler.Name(2), crawler.Name(3)
	for _, c := range []struct {
		name string
		add  []waste.Curve
		want string
	}{
		{"nothing is counted", []waste.Curve{day(9, 0, 5, 2, 10)}, "nil"},
		{"no duplicate", []waste.Curve{day(9, 1, 0, 0, 0)}, "nil"},
		{"one day", []waste.Curve{day(9, 1, 5, 2, 1000)}, "1970-01-10 1 [{" + one + " 5 1 kB} {" + two + " 2 –}] {all together 7 1 kB}"},
		{"two days of two sites", []waste.Curve{day(9, 1, 5, 0, 1000), day(10, 2, 1, 9, 1000)}, "1970-01-10 2 [{" + two + " 9 –} {" + one + " 6 2 kB}] {all together 15 2 kB}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l page.Live
			for _, curve := range c.add {
				l.Add(1, 5, curve, 9)
			}
			got := "nil"
			if s := l.Saved(); s != nil {
				got = fmt.Sprintf("%s %d %v %v", s.Since, s.Days, s.Rows, s.All)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// The sentence has the newest day and the sum of all days that were counted under published rules, of all sites.
func TestLive(t *testing.T) {
	figure := func(fetched, pages int, bytes int64) waste.Figure {
		return waste.Figure{Fetched: fetched, Pages: pages, Bytes: bytes}
	}
	for _, c := range []struct {
		name, want string
		add        func(l *page.Live)
	}{
		{"no rule", "", func(l *page.Live) { l.Add(0, 0, covered(9, 1, figure(9, 1, 9)), 9) }},
		{"not counted yet", "1 rule is live, confirmed since 1970-01-01 00:00:07. The first figure comes with the next look at the log.",
			func(l *page.Live) { l.Add(1, 7, covered(9, 0, figure(9, 1, 9)), 9) }},
		{"one day", "6 rules are live, confirmed since 1970-01-01 00:01:00. On 1970-01-10 they covered 843 of the 2,005 URLs that bots fetched (42 %, 90 MB).",
			func(l *page.Live) { l.Add(6, 60, covered(9, 6, figure(2005, 1162, 90e6)), 9) }},
		{"two sites", "3 rules are live, confirmed since 1970-01-01 00:00:05. On 1970-01-11 they covered 10 of the 40 URLs that bots fetched (25 %). On 2 days together it is 12 of 50 (24 %), where a URL counts once a day.",
			func(l *page.Live) {
				l.Add(1, 60, covered(9, 1, figure(10, 8, 0), figure(20, 15, 0)), 9)
				l.Add(2, 5, covered(10, 2, figure(20, 15, 0)), 9)
			}},
		{"of two days the newest", "1 rule is live, confirmed since 1970-01-01 00:00:05. On 1970-01-11 it covered 5 of the 20 URLs that bots fetched (25 %).",
			func(l *page.Live) { l.Add(1, 5, covered(9, 1, figure(10, 8, 0), figure(20, 15, 0)), 1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l page.Live
			c.add(&l)
			if got := l.String(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
