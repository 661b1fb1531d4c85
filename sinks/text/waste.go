package text

import (
	"fmt"
	"strconv"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/waste"
)

// Waste says what duplicates cost those who crawl the sites: one sentence a line.
func Waste(t *waste.Told) (lines []string) {
	who, f := t.Who()
	switch who {
	case waste.Everyone:
		lines = append(lines, "The log has no user agents, so crawlers cannot be counted.")
	case waste.Visitors, waste.Robots:
		lines = append(lines, "No known crawler fetched a page.")
	}
	if f.Fetched > 0 {
		lines = append(lines, cost(t, clients[who], f)...)
	}
	if t.Caught > 0 {
		lines = append(lines, fmt.Sprintf("%s of these URLs %s %s that the site seems to show for any name.", Number(t.Caught), verb(t.Caught, "shows", "show"), onePage(t.Contents)), "They count as one page.")
	}
	if t.Sample {
		lines = append(lines, "Some URLs were left out, so these figures are of a sample.")
	}
	return lines
}

var clients = [...]string{waste.Everyone: "All clients", waste.Visitors: "Visitors", waste.Robots: "Other robots", waste.Crawlers: "Search engines and bots"}

// cost says what some clients fetched, how much of it were duplicates, and how this is known.
func cost(t *waste.Told, who string, f waste.Figure) []string {
	fetched := fmt.Sprintf("%s fetched %s", who, numbered(f.Fetched, "URL"))
	switch {
	case t.Valid+t.Likely == 0:
		return []string{fetched + ".", "No rule is confirmed yet, so duplicates cannot be counted."}
	case f.Waste() == 0:
		return []string{fetched + " and no duplicates.", grounds(t)}
	}
	about := ""
	if t.Likely > 0 {
		about = "about "
	}
	which := Number(f.Waste())
	if f.Bytes > 0 {
		which += ", " + Size(f.Bytes)
	}
	return []string{
		fmt.Sprintf("%s but saw only %s%s.", fetched, about, numbered(f.Pages, "different page")),
		fmt.Sprintf("%s of the URLs (%s) were duplicates%s.", Share(f.Share()), which, most(t, f)),
		grounds(t),
	}
}

// most says which crawler fetched the most duplicates; "" if the figure is not of crawlers.
func most(t *waste.Told, of waste.Figure) string {
	bit, ok := t.Most()
	if !ok || of != t.Crawlers() {
		return ""
	}
	if n := t.Waste[bit].Waste(); n < of.Waste() || !alone(t, bit) {
		return fmt.Sprintf("; %s fetched the most, %s", crawler.Name(bit), Number(n))
	}
	return "; " + crawler.Name(bit) + " fetched all of them"
}

// alone reports whether no other named crawler than one has waste.
func alone(t *waste.Told, bit int) bool {
	for other, f := range t.Waste[:waste.Union] {
		if other != bit && crawler.Named&(1<<other) != 0 && f.Waste() > 0 {
			return false
		}
	}
	return true
}

// grounds says by which rules the duplicates were counted.
func grounds(t *waste.Told) string {
	confirmed, untested := numbered(t.Valid, "confirmed rule"), numbered(t.Likely, "rule")
	switch {
	case t.Likely == 0:
		return fmt.Sprintf("Counted by %s.", confirmed)
	case t.Valid == 0:
		return fmt.Sprintf("This is an estimate by %s, not tested yet.", untested)
	}
	return fmt.Sprintf("Counted by %s. On sites without one it is an estimate by %s, not tested yet.", confirmed, untested)
}

// Number formats a number with commas between thousands.
func Number(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// numbered formats a number of things with commas: "1 rule", "2,000 rules".
func numbered(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return Number(n) + " " + of + "s"
}

// Share formats a share, with a digit after the point below 10 %.
func Share(share float64) string {
	if share < .0995 {
		return fmt.Sprintf("%.1f %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// onePage names one of some pages.
func onePage(of int) string {
	if of == 1 {
		return "one page"
	}
	return "one of " + numbered(of, "page")
}
