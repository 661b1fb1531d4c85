package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// crawls returns the log of a crawler that asks for the stories of the town on each of several days up to
// now, on each for both addresses of fewer of them, and of another with a name made to break out.
func crawls(days int) string {
	var b strings.Builder
	for day := range days {
		at := time.Now().UTC().AddDate(0, 0, day-days+1).Add(-time.Minute).Format("02/Jan/2006:15:04:05 -0700")
		line := 0
		add := func(target, agent string, seed int) {
			line++
			fmt.Fprintf(&b, "10.0.%d.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"%s\"\n", line%7, line%199, at, target, len(text(uint64(seed))), agent)
		}
		for i := range stories {
			add(fmt.Sprintf("/story_%d", i), "Googlebot/2.1", i)
			add(fmt.Sprintf("/news/%d", i), "bingbot/2.0", i+1<<20)
			if i%days >= day {
				add(fmt.Sprintf("/story?id=%d", i), "Googlebot/2.1", i)
				add(fmt.Sprintf("/story_%d?sid=%d", i, 7*i+day), "<b>crawler</b>", i)
			}
		}
	}
	return b.String()
}

// The page of a site draws its waste by day, with a mark on the day on which rules came, in light and dark,
// on a wide and on a narrow window, without an error on the console or a violation that axe-core finds. The
// table has the same numbers.
func TestDays(t *testing.T) {
	const days = 6
	server := httptest.NewServer(http.HandlerFunc(town))
	defer server.Close()
	d := start(t, crawls(days), "--fetch-kinds", "any", "--origin", server.URL, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--window", "240h", "--pane", "24h", "--learn-interval", "200ms", "--hold-share", "1")
	d.idle()
	b := open(t, d.url)
	source := axe(t)
	b.visitUntil(d.url+"site?site=", "rules changed")
	b.everyLook("days", d.url+"site?site=", source, func(where string, width int64) {
		drawn := eval[[]float64](b, `["g", ".fill-kept", ".fill-dust", ".fill-accent"].map(s => document.querySelectorAll("#days svg.picture " + s).length).concat(
				Array.from(document.querySelectorAll("#days svg.picture rect")).map(r => r.getBoundingClientRect()).reduce((all, r) => [Math.min(all[0], r.width), Math.min(all[1], r.left), Math.max(all[2], r.right)], [1e9, 1e9, 0]))`)
		if drawn[0] != days || drawn[1] != days || drawn[2] != days || drawn[3] != 1 || drawn[4] < 1 || drawn[5] < 0 || drawn[6] > float64(width) {
			t.Errorf("%s: columns, pages, waste, marks, and the least width and the ends of the rectangles: %v", where, drawn)
		}
		if rows := eval[[]string](b, `Array.from(document.querySelectorAll("#days tbody tr"), r => r.innerText.replace(/\s+/g, " "))`); len(rows) != days || !strings.Contains(rows[0], "added") || !strings.Contains(rows[days-1], " 360 240 120 ") {
			t.Errorf("%s: rows %q", where, rows)
		}
	})
	b.origin = serve(t, report(t, "mine", file(t, crawls(days))))
	for _, width := range []int64{1440, 360} {
		where := fmt.Sprintf("report-days-%d", width)
		b.look(width, "light")
		b.visit(b.origin)
		eval[int](b, `document.querySelectorAll("details").forEach(d => d.open = true), 0`)
		if columns := eval[int](b, `Array.from(document.querySelectorAll("svg.picture")).find(s => s.querySelector("title").textContent === "Duplicates by day").querySelectorAll("g").length`); columns != days {
			t.Errorf("%s: %d columns", where, columns)
		}
		b.shoot(where)
		b.check(where)
		b.checkAxe(where, source)
		b.faults = nil
	}
	if source == "" {
		t.Skip("all but accessibility was checked: no axe-core")
	}
}
