package page

import (
	"fmt"

	"dustbuster/operators/window/waste"
	"dustbuster/sinks/text"
)

// Live is what published rules cover: of the URLs that known crawlers fetched, those that the rules replace. It is of one
// site, or of several.
type Live struct {
	Rules int
	Since int64 // when the first of these rules was confirmed, in Unix seconds

	days map[int64]waste.Figure // counted under published rules, by date
}

// Add adds the days of a site that were counted under published rules, of so many of its newest days. O(most).
func (l *Live) Add(rules int, since int64, curve waste.Curve, most int) {
	if rules == 0 {
		return
	}
	if l.Rules == 0 || since < l.Since {
		l.Since = since
	}
	l.Rules += rules
	if l.days == nil {
		l.days = map[int64]waste.Figure{}
	}
	for d := range curve.All() {
		if most--; most < 0 {
			break
		}
		if d.Valid > 0 {
			sum := l.days[d.Date]
			sum.Add(d.Crawlers)
			l.days[d.Date] = sum
		}
	}
}

// String says what the rules cover on the newest day, and on all days; "" without rules. A day's URLs count once on
// that day, so the sum of days is of URLs a day.
func (l *Live) String() string {
	if l.Rules == 0 {
		return ""
	}
	said := fmt.Sprintf("%s %s live, confirmed since %s.", Count(l.Rules, "rule"), verb(l.Rules, "is", "are"), Moment(l.Since))
	newest, days, sum := int64(0), 0, waste.Figure{}
	for date, f := range l.days {
		if f.Fetched == 0 {
			continue
		}
		days++
		sum.Add(f)
		newest = max(newest, date)
	}
	if days == 0 {
		return said + " What is covered is counted with the next look at the log."
	}
	last := l.days[newest]
	said += fmt.Sprintf(" On %s %s covered %s of the %s that bots fetched (%s).", date(newest), verb(l.Rules, "it", "they"), Number(last.Waste()), Count(last.Fetched, "URL"), share(last))
	if days > 1 {
		said += fmt.Sprintf(" On %d days together it is %s of %s (%s), where a URL counts once a day.", days, Number(sum.Waste()), Number(sum.Fetched), share(sum))
	}
	return said
}

// share returns the share of duplicates, and their size.
func share(f waste.Figure) string {
	if f.Bytes == 0 {
		return Percent(f.Share())
	}
	return Percent(f.Share()) + ", " + text.Size(f.Bytes)
}
