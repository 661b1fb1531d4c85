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
		return "There are no user agents in the log, so it does not tell what crawlers asked for."
	case named.Fetched > 0:
		said = "Crawlers asked for " + w.asked(named)
		if most, ok := w.Most(); w.Valid+w.Likely == 0 {
			break // the figures of a crawler are by rules
		} else if ok && w.Waste[most].Waste() == named.Waste() && w.alone(most) {
			said += fmt.Sprintf("; all by %s", crawler.Name(most))
		} else if ok {
			said += fmt.Sprintf("; most by %s, %s", crawler.Name(most), Number(w.Waste[most].Waste()))
		}
	case others.Fetched > 0:
		said = "No crawler that is known by name asked for a page; other robots asked for " + w.asked(others)
	default:
		return "No crawler that is known by name asked for a page."
	}
	said += ". " + w.grounds()
	if w.Caught > 0 {
		said += fmt.Sprintf(" But %s of the URLs %s %s that the site seems to give for any name; they count as one page.", Number(w.Caught), verb(w.Caught, "shows", "show"), onePage(w.Contents))
	}
	if w.Sample {
		said += " Some URLs were left out, so these are figures of a sample."
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

// alone reports whether no other named crawler than one has waste.
func (w *Waste) alone(most int) bool {
	for bit, f := range w.Waste[:waste.Union] {
		if bit != most && crawler.Named&(1<<bit) != 0 && f.Waste() > 0 {
			return false
		}
	}
	return true
}

// asked says how many URLs of how many pages some clients asked for.
func (w *Waste) asked(f waste.Figure) string {
	if w.Valid+w.Likely == 0 {
		return Count(f.Fetched, "URL")
	}
	asked := fmt.Sprintf("%s of %s: ", Count(f.Fetched, "URL"), Count(f.Pages, "page"))
	if f.Waste() == 0 {
		return asked + "none was a page they had"
	}
	share := fmt.Sprintf("%.1f %%", 100*float64(f.Waste())/float64(f.Fetched))
	if f.Bytes > 0 {
		share += ", " + text.Size(f.Bytes)
	}
	return fmt.Sprintf("%s%s (%s) %s they had", asked, Number(f.Waste()), share, verb(f.Waste(), "was a page", "were pages"))
}

// grounds says by which rules the waste was found.
func (w *Waste) grounds() string {
	valid, likely := Count(w.Valid, "valid rule"), Count(w.Likely, "likely rule")
	switch {
	case w.Valid+w.Likely == 0:
		return "No rule is known to hold, so it is not known either whether they had some of the pages."
	case w.Likely == 0:
		return fmt.Sprintf("This is by %s; likely rules do not count.", valid)
	case w.Valid == 0:
		return fmt.Sprintf("This is by %s, without proof.", likely)
	}
	return fmt.Sprintf("This is by %s and, on sites without valid rules, by %s without proof.", valid, likely)
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
