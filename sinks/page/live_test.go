package page_test

import (
	"testing"

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
		{"not counted yet", "1 rule is live, confirmed since 1970-01-01 00:00:07. What is covered is counted with the next look at the log.",
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
