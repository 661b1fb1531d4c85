package page

import (
	"encoding/json"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/window/waste"
)

// days returns so many days before a date, the newest first, on each of which crawlers asked for 100 URLs.
func days(date int64, n, wasted int) (all []waste.Day) {
	for ago := range int64(n) {
		all = append(all, waste.Day{Date: date - ago, Crawlers: waste.Figure{Fetched: 100, Pages: 100 - wasted, Bytes: 1000}, Valid: 2})
	}
	return all
}

func TestDayRecords(t *testing.T) {
	b, err := json.Marshal(DayRecords([]waste.Day{
		{Date: 20783, Crawlers: wasted(7, 5, 90), Robots: wasted(3, 3, 0), Valid: 2, Sample: true, Came: 1}, {Date: -1, Left: 2}}))
	expect.NoError(t, err)
	const want = `[{"day":"2026-11-26","valid_rules":2,"likely_rules":0,"sample":true,"rules_came":1,"fetched":7,"pages":5,"bytes":90,"waste":2,"other_robots":{"fetched":3,"pages":3,"bytes":0,"waste":0}},` +
		`{"day":"1969-12-31","valid_rules":0,"likely_rules":0,"rules_left":2,"fetched":0,"pages":0,"bytes":0,"waste":0,"other_robots":{"fetched":0,"pages":0,"bytes":0,"waste":0}}]`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

// The last week is compared with the four weeks before, if both are known and differ by more than noise.
func TestTrend(t *testing.T) {
	const fell = "Waste fell: in the last week 10.0 % of the URLs that crawlers asked for on a day were pages they had, in the four weeks before 30.0 %."
	join := func(parts ...[]waste.Day) (all []waste.Day) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	marked := join(days(100, 7, 10), days(93, 28, 30))
	marked[9].Left = 1
	early := join(days(100, 7, 10), days(93, 28, 30), days(65, 300, 99))
	early[36].Came = 1
	unknown := join(days(100, 7, 10), days(93, 28, 30))
	for i := 7; i < 30; i++ {
		unknown[i].Valid = 0
	}
	for name, c := range map[string]struct {
		days []waste.Day
		want string
	}{
		"none":                    {nil, ""},
		"a week":                  {days(100, 7, 10), ""},
		"fell":                    {join(days(100, 7, 10), days(93, 28, 30)), fell},
		"earlier days":            {early, fell},
		"rules left":              {marked, fell + " Rules came or left in that time, which alone changes what counts."},
		"rose":                    {join(days(100, 7, 30), days(93, 28, 10)), "Waste rose: in the last week 30.0 % of the URLs that crawlers asked for on a day were pages they had, in the four weeks before 10.0 %."},
		"from none":               {join(days(100, 7, 30), days(93, 28, 0)), "Waste rose: in the last week 30.0 % of the URLs that crawlers asked for on a day were pages they had, in the four weeks before 0.0 %."},
		"too few URLs":            {join(days(100, 1, 10)[:1], days(93, 7, 30)), ""},
		"noise":                   {join(days(100, 7, 32), days(93, 28, 30)), ""},
		"six days before":         {join(days(100, 7, 10), days(93, 6, 30)), ""},
		"two days, a pause, more": {join(days(100, 2, 10), days(93, 7, 30)), fell},
		"a pause of a month":      {join(days(100, 7, 10), days(65, 28, 30)), ""},
		"without rules before":    {unknown, ""},
	} {
		if got := Trend(c.days); got != c.want {
			t.Errorf("%s: got  %q\nwant %q", name, got, c.want)
		}
	}
	if strings.Contains(Trend(days(1, 400, 0)), "Waste") {
		t.Error("no waste has a trend")
	}
}
