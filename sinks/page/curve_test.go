package page

import (
	"encoding/json"
	"fmt"
	"reflect"
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
	const fell = "Duplicates fell: last week they were 10.0 % of the URLs that crawlers fetched, in the four weeks before 30.0 %."
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
	for _, c := range []struct {
		name string
		days []waste.Day
		want string
	}{
		{"none", nil, ""},
		{"a week", days(100, 7, 10), ""},
		{"fell", join(days(100, 7, 10), days(93, 28, 30)), fell},
		{"earlier days", early, fell},
		{"rules left", marked, fell + " The published rules changed in that time, which also changes this figure."},
		{"rose", join(days(100, 7, 30), days(93, 28, 10)), "Duplicates rose: last week they were 30.0 % of the URLs that crawlers fetched, in the four weeks before 10.0 %."},
		{"from none", join(days(100, 7, 30), days(93, 28, 0)), "Duplicates rose: last week they were 30.0 % of the URLs that crawlers fetched, in the four weeks before 0.0 %."},
		{"too few URLs", join(days(100, 1, 10)[:1], days(93, 7, 30)), ""},
		{"noise", join(days(100, 7, 32), days(93, 28, 30)), ""},
		{"six days before", join(days(100, 7, 10), days(93, 6, 30)), ""},
		{"two days, a pause, more", join(days(100, 2, 10), days(93, 7, 30)), fell},
		{"a pause of a month", join(days(100, 7, 10), days(65, 28, 30)), ""},
		{"without rules before", unknown, ""},
	} {
		if got := Trend(c.days); got != c.want {
			t.Errorf("%s: got  %q\nwant %q", c.name, got, c.want)
		}
	}
	if strings.Contains(Trend(days(1, 400, 0)), "Duplicates") {
		t.Error("no waste has a trend")
	}
}

// The picture has a column for each date, and marks where the published list changed; the table has the same
// numbers.
func TestDays(t *testing.T) {
	all := []waste.Day{{Date: 104, Crawlers: wasted(9, 6, 2000), Came: 2, Left: 1}, {Date: 102, Left: 1}, {Date: 101, Crawlers: wasted(1, 1, 0), Robots: wasted(99, 1, 9), Came: 1}}
	p := NewDays(all)
	var columns, rows []string
	for _, c := range p.Picture.Columns {
		columns = append(columns, fmt.Sprint(c.Text, c.Parts))
	}
	for _, r := range p.Rows {
		rows = append(rows, fmt.Sprint(r))
	}
	for _, test := range []struct {
		what string
		want [2]any
	}{
		{"columns", [2]any{columns, []string{"1970-04-12: 1 URL, 0 duplicates; 1 rule added[{kept 1} {dust 0}]", "1970-04-13: 0 URLs, 0 duplicates; 1 rule removed[{kept 0} {dust 0}]", "[]", "1970-04-15: 9 URLs, 3 duplicates; 2 rules added, 1 removed[{kept 6} {dust 3}]"}}},
		{"rows", [2]any{rows, []string{"{1970-04-15 {9 6 2000} 2 kB 2 rules added, 1 removed}", "{1970-04-13 {0 0 0} 0 bytes 1 rule removed}", "{1970-04-12 {1 1 0} 0 bytes 1 rule added}"}}},
		{"marks", [2]any{p.Picture.Marks, []int{0, 1, 3}}},
		{"desc", [2]any{p.Picture.Desc, "On 2 days crawlers fetched URLs. Of these 30.0 % were duplicates. The published rules changed on 3 days."}},
		{"caption", [2]any{p.Caption, "URLs that crawlers fetched each day (UTC), 9 on the busiest day."}},
		{"axis", [2]any{p.Picture.Axis, []string{"1970-04-12", "1970-04-15"}}},
	} {
		if !reflect.DeepEqual(test.want[0], test.want[1]) {
			t.Errorf("%s:\n got %q\nwant %q", test.what, test.want[0], test.want[1])
		}
	}
	if p := NewDays(append(days(100, 1, 0), all[1])); p != nil {
		t.Errorf("a picture of one day: %+v", p)
	}
	if p := NewDays([]waste.Day{{Date: 9, Robots: wasted(5, 4, 0)}, {Date: 8, Robots: wasted(3, 3, 0)}}); p == nil || p.Rows[0].Fetched != 5 || !strings.Contains(p.Caption, "robots") {
		t.Errorf("without crawlers known by name: %+v", p)
	}
}

// Many days have a table of weeks, and days far apart no gaps.
func TestManyDays(t *testing.T) {
	p := NewDays(days(20_000, 400, 10))
	sum := 0
	for _, r := range p.Rows {
		sum += r.Waste()
	}
	if len(p.Picture.Columns) != 400 || len(p.Rows) != 58 || sum != 4000 || p.Rows[0].Fetched != 700 || p.Rows[0].Dates != date(19_994) || p.Rows[57].Fetched != 100 {
		t.Errorf("%d columns, %d rows, %d wasted, %+v to %+v", len(p.Picture.Columns), len(p.Rows), sum, p.Rows[0], p.Rows[57])
	}
	far := append([]waste.Day{{Date: 1 << 40, Crawlers: wasted(1, 1, 0)}}, days(20_000, 3, 1)...)
	if p := NewDays(far); len(p.Picture.Columns) != 4 || len(p.Rows) != 4 {
		t.Errorf("days far apart: %d columns, %d rows", len(p.Picture.Columns), len(p.Rows))
	}
}
