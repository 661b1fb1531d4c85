package page

import (
	"cmp"
	"fmt"
	"slices"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/text"
)

// Waste is the waste of one site, or of several, as it is shown.
type Waste waste.Told

// Add adds the waste of another site.
func (w *Waste) Add(v *Waste) { (*waste.Told)(w).Add((*waste.Told)(v)) }

// String returns the waste as sentences.
func (w *Waste) String() string {
	named, others := w.Crawlers(), w.Waste[1]
	var said string
	switch {
	case !w.Agents():
		return "The log has no user agents, so it does not tell what crawlers fetched."
	case named.Fetched > 0:
		said = "Search engines and bots " + w.fetched(named) + w.most(named)
	case others.Fetched > 0:
		said = "No known crawler fetched a page. Other robots " + w.fetched(others)
	default:
		return "No known crawler fetched a page."
	}
	said += ". " + w.grounds()
	if w.Caught > 0 {
		said += fmt.Sprintf(" %s of these URLs %s %s that the site seems to show for any name. They count as one page.", Number(w.Caught), verb(w.Caught, "shows", "show"), onePage(w.Contents))
	}
	if w.Sample {
		said += " Some URLs were left out: these are figures of a sample."
	}
	return said
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
	return "one of " + Count(of, "page")
}

// most says which crawler fetched the most duplicates; "" if that is not known.
func (w *Waste) most(named waste.Figure) string {
	most, ok := w.Most()
	if !ok || w.Valid+w.Likely == 0 { // the figures of a crawler are by rules
		return ""
	}
	if n := w.Waste[most].Waste(); n < named.Waste() || !w.alone(most) {
		return fmt.Sprintf("; %s fetched the most, %s", crawler.Name(most), Number(n))
	}
	return "; " + crawler.Name(most) + " fetched all of them"
}

// alone reports whether no other named crawler than one has waste.
func (w *Waste) alone(most int) bool {
	for bit, f := range w.Waste[:waste.Union] {
		if bit != most && crawler.Named&(1<<bit) != 0 && f.Waste() > 0 {
			return false
		}
	}
	return true
}

// fetched says what some clients fetched, and how many of the URLs were duplicates.
func (w *Waste) fetched(f waste.Figure) string {
	said := "fetched " + Count(f.Fetched, "URL")
	switch {
	case w.Valid+w.Likely == 0:
		return said
	case f.Waste() == 0:
		return said + " and no duplicates"
	}
	about := ""
	if w.Likely > 0 {
		about = "about "
	}
	which := Number(f.Waste())
	if f.Bytes > 0 {
		which += ", " + text.Size(f.Bytes)
	}
	return fmt.Sprintf("%s but saw only %s%s. %s of the URLs (%s) were duplicates", said, about, Count(f.Pages, "different page"), Percent(f.Share()), which)
}

// grounds says by which rules the duplicates were counted.
func (w *Waste) grounds() string {
	confirmed, untested := Count(w.Valid, "confirmed rule"), Count(w.Likely, "rule")
	switch {
	case w.Valid+w.Likely == 0:
		return "No rule is confirmed yet, so duplicates cannot be counted."
	case w.Likely == 0:
		return fmt.Sprintf("Counted by %s.", confirmed)
	case w.Valid == 0:
		return fmt.Sprintf("This is an estimate by %s, not tested yet.", untested)
	}
	return fmt.Sprintf("Counted by %s. On sites without one it is an estimate by %s, not tested yet.", confirmed, untested)
}

// Asker is a family of clients, as it is shown.
type Asker struct {
	Name string
	waste.Figure
	Size string // of the bytes
}

// Askers returns the families that asked for something: the named crawlers with the most waste
// first, then other robots and people.
func (w *Waste) Askers() (all []Asker) {
	for bit, f := range w.Waste[:waste.Union] {
		if f.Fetched > 0 {
			all = append(all, Asker{crawler.Name(bit), f, text.Size(f.Bytes)})
		}
	}
	last := 0 // people and other robots come first, by their bits
	for last < len(all) && (all[last].Name == crawler.Name(0) || all[last].Name == crawler.Name(1)) {
		last++
	}
	all = append(all[last:], all[:last]...)
	slices.SortStableFunc(all[:len(all)-last], func(a, b Asker) int { return cmp.Compare(b.Waste(), a.Waste()) })
	return all
}

// WasteRecord is the waste as JSON.
type WasteRecord struct {
	Valid    int           `json:"valid_rules"`
	Likely   int           `json:"likely_rules"`
	Sample   bool          `json:"sample,omitempty"`
	Fetched  int           `json:"fetched"` // by any named crawler, as the next
	Pages    int           `json:"pages"`
	Waste    int           `json:"waste"`
	Bytes    int64         `json:"bytes"`
	Families []AskerRecord `json:"families"`
	Text     string        `json:"text"`
}

// AskerRecord is the waste of a family as JSON.
type AskerRecord struct {
	Family string `json:"family"`
	waste.Figure
	Waste int `json:"waste"`
}

// Record returns the waste as JSON has it.
func (w *Waste) Record() WasteRecord {
	all := w.Crawlers()
	r := WasteRecord{Valid: w.Valid, Likely: w.Likely, Sample: w.Sample, Fetched: all.Fetched, Pages: all.Pages, Waste: all.Waste(), Bytes: all.Bytes,
		Families: []AskerRecord{}, Text: w.String()}
	for _, a := range w.Askers() {
		r.Families = append(r.Families, AskerRecord{a.Name, a.Figure, a.Waste()})
	}
	return r
}
