package page

import (
	"fmt"
	"math"
	"time"

	"dustbuster/operators/window/waste"
	"dustbuster/sinks/text"
)

// DayRecord is a day of a curve of waste as JSON.
type DayRecord struct {
	Day    string `json:"day"` // in UTC, as 2026-11-26
	Valid  int    `json:"valid_rules"`
	Likely int    `json:"likely_rules"`
	Sample bool   `json:"sample,omitempty"`
	Came   int    `json:"rules_came,omitempty"` // into the published list
	Left   int    `json:"rules_left,omitempty"`
	FigureRecord
	Robots FigureRecord `json:"other_robots"`
}

// FigureRecord is what some clients asked for, as JSON.
type FigureRecord struct {
	waste.Figure
	Waste int `json:"waste"`
}

// DayRecords returns days as JSON has them.
func DayRecords(days []waste.Day) []DayRecord {
	all := make([]DayRecord, len(days))
	for i, d := range days {
		all[i] = DayRecord{date(d.Date), d.Valid, d.Likely, d.Sample, d.Came, d.Left, FigureRecord{d.Crawlers, d.Crawlers.Waste()}, FigureRecord{d.Robots, d.Robots.Waste()}}
	}
	return all
}

func date(days int64) string { return time.Unix(days*24*60*60, 0).UTC().Format(time.DateOnly) }

// TrendDates is the number of dates that a trend looks at: a week and the four weeks before.
const TrendDates = 5 * 7

// What a trend needs: so many URLs on both sides, so many days before the last week, and a difference
// of the shares that is a tenth of the former and five times its standard error, as if the URLs were
// asked for independently.
const (
	trendURLs  = 100
	trendDays  = 7
	trendShare = .1
	trendSigma = 5
)

// Trend says how the waste of the last week compares with that of the four weeks before; "" if there
// are too few days or no difference to speak of. The days come with the newest first. Those without
// rules do not count, since their waste is not known.
func Trend(days []waste.Day) string {
	var week, before waste.Figure
	earlier, changes := 0, 0
	for i := range days {
		d := &days[i]
		ago := days[0].Date - d.Date
		if ago >= TrendDates {
			break
		}
		changes += d.Came + d.Left
		switch {
		case d.Valid+d.Likely == 0:
		case ago < 7:
			week.Add(d.Crawlers)
		default:
			before.Add(d.Crawlers)
			earlier++
		}
	}
	if week.Fetched < trendURLs || before.Fetched < trendURLs || earlier < trendDays {
		return ""
	}
	now, then := week.Share(), before.Share()
	all := float64(week.Waste()+before.Waste()) / float64(week.Fetched+before.Fetched)
	noise := math.Sqrt(all * (1 - all) * (1/float64(week.Fetched) + 1/float64(before.Fetched)))
	if math.Abs(now-then) <= max(trendShare*then, trendSigma*noise) {
		return ""
	}
	verb := "fell"
	if now > then {
		verb = "rose"
	}
	said := fmt.Sprintf("Duplicates %s: last week they were %.1f %% of the URLs that crawlers fetched, in the four weeks before %.1f %%.", verb, 100*now, 100*then)
	if changes > 0 {
		said += " The published rules changed in that time, which also changes this figure."
	}
	return said
}

// Days is a picture of the waste by day, with the same as a table.
type Days struct {
	Caption string
	Picture Histogram
	Span    string // of a row
	Rows    []DayRow
}

// DayRow is a row of the table: a day, or seven.
type DayRow struct {
	Dates string
	waste.Figure
	Size    string // of the bytes
	Changes string // of the published list
}

// mostRows is the number of dates up to which the table has a row for each day.
const mostRows = 62

// NewDays returns the picture of days, which come with the newest first; nil if robots asked for URLs on
// fewer than two of them. It is of the crawlers known by name, or of other robots if there are none.
// Dates without a day are gaps, unless the days span too many dates.
func NewDays(days []waste.Day) *Days {
	who, of := "crawlers", func(d *waste.Day) waste.Figure { return d.Crawlers }
	var sum waste.Figure
	for i := range days {
		sum.Add(days[i].Crawlers)
	}
	if sum.Fetched == 0 {
		who, of = "robots", func(d *waste.Day) waste.Figure { return d.Robots }
	}
	asked, most := 0, 0
	sum = waste.Figure{}
	for i := range days {
		f := of(&days[i])
		sum.Add(f)
		most = max(most, f.Fetched)
		if f.Fetched > 0 {
			asked++
		}
	}
	if asked < 2 {
		return nil
	}
	p := &Days{Caption: fmt.Sprintf("URLs that %s fetched each day (UTC), %s on the busiest day.", who, Number(most))}
	p.Picture = Histogram{Title: "Duplicates by day", Legend: []Key{{Kept, "different pages"}, {Dust, "duplicates"}},
		Axis: []string{date(days[len(days)-1].Date), date(days[0].Date)}}
	newest, oldest := days[0].Date, days[len(days)-1].Date
	gaps := newest-oldest < waste.MostDays
	for i := len(days) - 1; i >= 0; i-- {
		d := &days[i]
		for gaps && int64(len(p.Picture.Columns)) < d.Date-oldest {
			p.Picture.Columns = append(p.Picture.Columns, Column{})
		}
		f := of(d)
		said := fmt.Sprintf("%s: %s, %s", date(d.Date), Count(f.Fetched, "URL"), Count(f.Waste(), "duplicate"))
		if words := changes(d.Came, d.Left); words != "" {
			said += "; " + words
			p.Picture.Marks = append(p.Picture.Marks, len(p.Picture.Columns))
		}
		p.Picture.Columns = append(p.Picture.Columns, Column{said, []Stack{{Kept, f.Pages}, {Dust, f.Waste()}}})
	}
	p.Picture.Desc = fmt.Sprintf("On %s %s fetched URLs. Of these %.1f %% were duplicates.", Count(asked, "day"), who, 100*sum.Share())
	if n := len(p.Picture.Marks); n > 0 {
		p.Picture.Desc += fmt.Sprintf(" The published rules changed on %s.", Count(n, "day"))
		p.Picture.Legend = append(p.Picture.Legend, Key{Accent, "the published rules changed"})
	}
	p.rows(days, of, !gaps || newest-oldest < mostRows)
	return p
}

// rows makes the table: each day, or the sums of seven dates.
func (p *Days) rows(days []waste.Day, of func(*waste.Day) waste.Figure, each bool) {
	span := int64(7)
	if p.Span = "Seven days from"; each {
		p.Span, span = "Day", 1
	}
	for rest := days; len(rest) > 0; {
		end := days[0].Date - (days[0].Date-rest[0].Date)/span*span // of the dates of the row
		row, came, left := DayRow{Dates: date(end - span + 1)}, 0, 0
		for ; len(rest) > 0 && rest[0].Date > end-span; rest = rest[1:] {
			row.Add(of(&rest[0]))
			came, left = came+rest[0].Came, left+rest[0].Left
		}
		row.Size, row.Changes = text.Size(row.Bytes), changes(came, left)
		p.Rows = append(p.Rows, row)
	}
}

// changes says how many rules came and left; "" for none.
func changes(came, left int) string {
	switch {
	case came == 0 && left == 0:
		return ""
	case left == 0:
		return Count(came, "rule") + " added"
	case came == 0:
		return Count(left, "rule") + " removed"
	}
	return fmt.Sprintf("%s added, %s removed", Count(came, "rule"), Number(left))
}
