package page

import (
	"fmt"
	"math"
	"time"

	"dustbuster/operators/window/waste"
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

// date returns a day as it is shown.
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
	said := fmt.Sprintf("Waste %s: in the last week %.1f %% of the URLs that crawlers asked for on a day were pages they had, in the four weeks before %.1f %%.", verb, 100*now, 100*then)
	if changes > 0 {
		said += " Rules came or left in that time, which alone changes what counts."
	}
	return said
}
