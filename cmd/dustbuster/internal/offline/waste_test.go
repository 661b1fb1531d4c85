package offline

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"dustbuster/config"
	"dustbuster/internal/oracle"
	"dustbuster/internal/schema"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/text"
)

// readPlainly returns the URLs of a log without hosts, and the masks of their families, also by day.
func readPlainly(t *testing.T, log string) (pages []evidence.Page, families map[string]uint32, byDay map[int64]map[string]uint32) {
	t.Helper()
	f, err := os.Open(log)
	must(t, err)
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	must(t, err)
	all, err := io.ReadAll(unpacked)
	must(t, err)
	crawlers, robots := readText(t, "crawlers.txt"), readText(t, "robots.txt")+readText(t, "known.txt")
	known, sizes := map[string]uint32{}, map[string]evidence.Spans{}
	families, byDay = map[string]uint32{}, map[int64]map[string]uint32{}
	for line := range bytes.Lines(all) {
		url, text, agent, ok := oracle.ReadHit(string(bytes.TrimRight(line, "\r\n")))
		if !ok {
			continue
		}
		if agent == "-" {
			agent = ""
		}
		if _, seen := known[agent]; !seen {
			known[agent] = oracle.Family(crawlers, robots, agent)
		}
		families[url] |= known[agent]
		_, after, _ := strings.Cut(string(line), "[")
		at, err := time.Parse("02/Jan/2006:15:04:05 -0700", after[:strings.IndexByte(after, ']')])
		must(t, err)
		date := at.Unix() / (24 * 60 * 60)
		if byDay[date] == nil {
			byDay[date] = map[string]uint32{}
		}
		byDay[date][url] |= known[agent]
		size, _ := strconv.ParseInt(text, 10, 64)
		if s := sizes[url]; size > 0 && len(s) > 0 {
			size = min(size, s[0].Min)
		}
		if size > 0 {
			sizes[url] = evidence.Spans{{Min: size, Max: size}}
		}
	}
	for url := range families {
		pages = append(pages, evidence.Page{URL: url, Evidence: sizes[url]})
	}
	return pages, families, byDay
}

func readText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../../../operators/read/crawler", name))
	must(t, err)
	return string(b)
}

// The waste of real logs is that of a program that reads the lines by regular expressions, and
// computes every form of every URL anew. So is the waste by day, of the URLs in a window of all days.
func TestWasteAnew(t *testing.T) {
	data := os.Getenv("DUSTBUSTER_DATA")
	for _, want := range []struct {
		log    string
		least  int // URLs that are wasted
		window bool
	}{
		{"../../../../integration/testdata/semicomplete.log.gz", 100, true},
		{filepath.Join(data, "logs/bplogs.log.gz"), 100, true},
		{filepath.Join(data, "logs/nspw.log.gz"), 900, false},
		{filepath.Join(data, "sites/docs/access.log.gz"), 5000, false},
	} {
		t.Run(filepath.Base(filepath.Dir(want.log))+"/"+filepath.Base(want.log), func(t *testing.T) {
			if data == "" && !strings.HasPrefix(want.log, "..") {
				t.Skip("DUSTBUSTER_DATA names no folder with real logs")
			}
			pages, families, byDay := readPlainly(t, want.log)
			if wasted := wasteAnew(t, want.log, pages, families, byDay); wasted < want.least {
				t.Errorf("only %d URLs are wasted", wasted)
			}
			if want.window {
				wasteByDay(t, want.log, pages, byDay)
			}
		})
	}
}

// wasteAnew compares the waste of a log without hosts with the plain program's, and returns the sum of all
// families.
func wasteAnew(t *testing.T, log string, pages []evidence.Page, families map[string]uint32, byDay map[int64]map[string]uint32) (wasted int) {
	c := config.MineDefaults()
	o := mineOptions{ReadOptions: OptionsOf(&c, nil)}
	o.Miner.Tally, o.Miner.Visits = true, true
	read, err := Read(context.Background(), []string{log}, o.ReadOptions, io.Discard)
	must(t, err)
	run := &mining{Reading: read, o: o}
	for site := range run.Sites.All() {
		if site.Site() != "" {
			continue // an absolute URL in a request
		}
		found, err := run.mined(site)
		must(t, err)
		var rules []rule.Rule
		for i := range found.list.rows {
			if row := &found.list.rows[i]; row.Unasked == "" && (!row.Rule.Weighed || row.Rule.Own >= 3) {
				rules = append(rules, text.Propose(found.reach, found.list.rows[i].Rule.Rule).Rule)
			}
		}
		caught := caughtOf(found.reach)
		for bit, want := range oracle.Waste(pages, families, worlds.Edits(rules), caught) {
			if got := found.waste.Waste[bit]; got != waste.Figure(want) {
				t.Errorf("family %d: %+v, want %+v", bit, got, want)
			}
			wasted += want.Fetched - want.Pages
		}
		compareDays(t, found.days, pages, byDay, rules, caught)
		run.o.top = 1
		few := mined{site: site, rules: found.rules, reach: found.reach}
		if must(t, run.tell(&few)); few.waste != found.waste || len(few.list.rows) > 1 {
			t.Errorf("with %d of %d rows: %+v, want %+v", len(few.list.rows), len(rules), few.waste, found.waste)
		}
	}
	return wasted
}

// caughtOf returns the URLs of pages that the site gives for any name.
func caughtOf(reach *miner.Reach) map[string]bool {
	caught := map[string]bool{}
	for i, p := range reach.Pages() {
		if reach.Notes().CatchAll(i) {
			caught[p.URL] = true
		}
	}
	return caught
}

// wasteByDay compares the waste by day in a window of all days.
func wasteByDay(t *testing.T, log string, pages []evidence.Page, byDay map[int64]map[string]uint32) {
	t.Helper()
	c := config.MineDefaults()
	o := OptionsOf(&c, nil)
	o.Miner.Table.Window, o.Miner.Table.Pane = 2000*evidence.SecondsOfDay, evidence.SecondsOfDay
	read, err := Read(context.Background(), []string{log}, o, io.Discard)
	must(t, err)
	for site := range read.Sites.All() {
		if site.Site() == "" {
			rules := []rule.Rule{{Edit: rule.Drop{Param: "s"}}, {Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}}, {Edit: rule.Substring{From: "-", To: ""}}}
			_, days, err := site.Reach().Waste(rules)
			must(t, err)
			if compareDays(t, days, pages, byDay, rules, caughtOf(site.Reach())); len(days) < 2 {
				t.Errorf("%s has %d days", log, len(days))
			}
		}
	}
}

// compareDays compares the waste of a site by day with the plain program's.
func compareDays(t *testing.T, days []waste.Day, pages []evidence.Page, byDay map[int64]map[string]uint32, rules []rule.Rule, caught map[string]bool) {
	t.Helper()
	want, of := map[int64]waste.Day{}, oracle.WasteOf(pages, worlds.Edits(rules), caught)
	for date, families := range byDay {
		var all waste.Waste
		for bit, figure := range of(families) {
			all[bit] = waste.Figure(figure)
		}
		if d := (waste.Day{Date: date, Crawlers: all.Crawlers(), By: waste.PartsOf(&all), Robots: all[1]}); d.Crawlers.Fetched+d.Robots.Fetched > 0 {
			want[date] = d
		}
	}
	for _, d := range days {
		if d != want[d.Date] && d != (waste.Day{Date: d.Date}) {
			t.Errorf("day %d: %+v, want %+v", d.Date, d, want[d.Date])
		}
		delete(want, d.Date)
	}
	if len(want) > 0 {
		t.Errorf("%d days are missing", len(want))
	}
}

// The line of a site's waste is as its schema has it. A log without user agents has none.
func TestWasteLine(t *testing.T) {
	for _, c := range []struct {
		log  string
		want int
	}{{"../../../../integration/testdata/semicomplete.log.gz", 1}, {writeShop(t), 0}} {
		var out, told bytes.Buffer
		if code := run(context.Background(), []string{"mine", "-o", "json", c.log}, strings.NewReader(""), &out, &told); code != 0 {
			t.Fatalf("exit %d: %s", code, &told)
		}
		lines := 0
		for line := range bytes.Lines(told.Bytes()) {
			if bytes.HasPrefix(line, []byte(`{"kind":"waste"`)) {
				lines++
				must(t, schema.Check("waste", line))
			}
		}
		if lines != c.want {
			t.Errorf("%s: %d lines, want %d", c.log, lines, c.want)
		}
	}
}
