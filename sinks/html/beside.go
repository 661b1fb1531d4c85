package html

import (
	"fmt"

	"dustbuster/operators/learn/beside"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// mostSpent is the number of rows of waste that is no duplicate.
const mostSpent = 30

// spent is waste that is no duplicate, as it is shown.
type spent struct {
	Site    string
	What    string
	URLs    int
	Size    string // "": not known
	Askers  string // who asked
	Example string
	Advice  string // what ends it
}

// addBeside adds the waste of a site that is no duplicate.
func (r *Report) addBeside(site string, all []beside.Waste, veil secret.Veil) {
	for i := range all[:min(len(all), mostSpent-len(r.spent))] {
		w := &all[i]
		what, advice := words(w, veil)
		touched := w.Record()
		row := spent{site, what, touched.URLs, "", page.Families(touched.Families), page.Cut(300, veil.Mask(w.Example)), advice}
		if touched.Bytes > 0 {
			row.Size = text.Size(touched.Bytes)
		}
		r.spent = append(r.spent, row)
	}
}

// words says what a waste is, and what ends it.
func words(w *beside.Waste, veil secret.Veil) (what, advice string) {
	of := page.Cut(100, veil.Mask(w.Page))
	switch w.Kind {
	case beside.Actions:
		return "Actions: the words in these URLs say that they do something",
			"Disallow them in robots.txt, by the paths that only actions have. Keep articles about an action open."
	case beside.Facets:
		return fmt.Sprintf("Filters of %s: %d parameters show only %s", of, w.Names, page.Count(w.Contents, "page")),
			"Mark the links of filters nofollow, or disallow URLs with two filters and more. Never disallow the page itself."
	}
	return fmt.Sprintf("No end: %d values of %s on %s, of which the newest show only %s", w.Values, page.Cut(60, w.Name), of, page.Count(w.Contents, "page")),
		"Answer 404 beyond the end, or say noindex there. Never disallow the parameter: its first pages are needed."
}
