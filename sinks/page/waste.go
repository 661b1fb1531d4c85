package page

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/text"
)

// Waste is the waste of one site, or of several, as it is shown.
type Waste waste.Told

// Add adds the waste of another site.
func (w *Waste) Add(v *Waste) { (*waste.Told)(w).Add((*waste.Told)(v)) }

// String returns the waste as sentences.
func (w *Waste) String() string { return strings.Join(w.Lines(), " ") }

// Lines returns the sentences, one a line.
func (w *Waste) Lines() []string { return text.Waste((*waste.Told)(w)) }

// Asker is a family of clients, as it is shown.
type Asker struct {
	Name string
	waste.Figure
	Size string // of the bytes

	named bool // a named crawler
}

// Askers returns the families that asked for something: the named crawlers with the most waste
// first, then people, other robots and fake crawlers.
func (w *Waste) Askers() (all []Asker) {
	for bit, f := range w.Waste[:waste.Union] {
		if f.Fetched > 0 {
			all = append(all, Asker{crawler.Name(bit), f, text.Size(f.Bytes), crawler.Named&(1<<bit) != 0})
		}
	}
	slices.SortStableFunc(all, func(a, b Asker) int {
		switch {
		case a.named && b.named:
			return cmp.Compare(b.Waste(), a.Waste())
		case a.named:
			return -1
		case b.named:
			return 1
		}
		return 0
	})
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
