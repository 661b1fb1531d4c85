package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/text"
)

// Live is what published rules cover: of the URLs that known crawlers fetched, those that the rules replace. It is of one
// site, or of several.
type Live struct {
	Rules int
	Since int64 // when the first of these rules was confirmed, in Unix seconds

	days map[int64]waste.Figure // counted under published rules, by date
	by   [waste.Union]waste.Part
}

// Saved is what crawlers that use the published rules save, summed over days.
type Saved struct {
	Since string // the first day
	Days  int
	Rows  []SavedRow // the crawlers, most URLs first
	All   SavedRow   // together: a URL that two crawlers fetched counts once on a day
}

// SavedRow is what one crawler saves.
type SavedRow struct {
	Name string
	URLs int    // a URL counts once on each day
	Size string // of these URLs; "–": not known
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
			for p := range d.By.All() {
				l.by[p.Bit].URLs += p.URLs
				l.by[p.Bit].Bytes += p.Bytes
			}
		}
	}
}

// String says what the rules cover on the newest day, and on all days; "" without rules. A day's URLs count once on
// that day, so the sum of days is of URLs a day.
func (l *Live) String() string {
	if l.Rules == 0 {
		return ""
	}
	days, newest, _, sum := l.sum()
	said := fmt.Sprintf("%s %s live, confirmed since %s.", Count(l.Rules, "rule"), verb(l.Rules, "is", "are"), Moment(l.Since))
	if days == 0 {
		return said + " The first figure comes with the next look at the log."
	}
	last := l.days[newest]
	said += fmt.Sprintf(" On %s %s covered %s of the %s that bots fetched (%s).", date(newest), verb(l.Rules, "it", "they"), Number(last.Waste()), Count(last.Fetched, "URL"), share(last))
	if days > 1 {
		said += fmt.Sprintf(" On %d days together it is %s of %s (%s), where a URL counts once a day.", days, Number(sum.Waste()), Number(sum.Fetched), share(sum))
	}
	return said
}

// sum returns the sum of the days on which crawlers came, and their number, the newest and the oldest.
func (l *Live) sum() (days int, newest, oldest int64, sum waste.Figure) {
	newest, oldest = math.MinInt64, math.MaxInt64
	for date, f := range l.days {
		if f.Fetched > 0 {
			days++
			sum.Add(f)
			newest, oldest = max(newest, date), min(oldest, date)
		}
	}
	return days, newest, oldest, sum
}

// Saved returns what the crawlers save; nil if no duplicate was counted under published rules.
func (l *Live) Saved() *Saved {
	days, _, oldest, sum := l.sum()
	if sum.Waste() == 0 {
		return nil
	}
	s := &Saved{Since: date(oldest), Days: days, All: savedRow("all together", sum.Waste(), sum.Bytes)}
	for bit, p := range l.by {
		if p.URLs > 0 {
			s.Rows = append(s.Rows, savedRow(crawler.Name(bit), p.URLs, p.Bytes))
		}
	}
	slices.SortStableFunc(s.Rows, func(r, q SavedRow) int { return cmp.Compare(q.URLs, r.URLs) })
	return s
}

func savedRow(name string, urls int, bytes int64) SavedRow {
	size := "–"
	if bytes > 0 {
		size = text.Size(bytes)
	}
	return SavedRow{name, urls, size}
}

// share returns the share of duplicates, and their size.
func share(f waste.Figure) string {
	if f.Bytes == 0 {
		return Percent(f.Share())
	}
	return Percent(f.Share()) + ", " + text.Size(f.Bytes)
}
