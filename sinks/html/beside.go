package html

import (
	"fmt"

	"dustbuster/operators/learn/beside"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/page"
)

// mostSpent is the number of rows of waste that is no duplicate.
const mostSpent = 30

// spent is waste that is no duplicate, as it is shown.
type spent struct {
	Site    string
	What    string
	Touches string // URLs, bytes and who asked
	Example string
	Advice  string // what ends it
}

// addBeside adds the waste of a site that is no duplicate.
func (r *Report) addBeside(site string, all []beside.Waste, veil secret.Veil) {
	for i := range all[:min(len(all), mostSpent-len(r.spent))] {
		w := &all[i]
		what, advice := words(w, veil)
		r.spent = append(r.spent, spent{site, what, page.Effect(w.Record()), page.Cut(300, veil.Mask(w.Example)), advice})
	}
}

// words says what a waste is, and what ends it.
func words(w *beside.Waste, veil secret.Veil) (what, advice string) {
	of := page.Cut(100, veil.Mask(w.Page))
	switch w.Kind {
	case beside.Actions:
		return "Actions: URLs that do something, by words in them",
			"Disallow them in robots.txt, by the paths that only actions have. An article about an action may be among them: leave it open."
	case beside.Facets:
		return fmt.Sprintf("Facets of %s: %d parameters show %s", of, w.Names, page.Count(w.Contents, "content")),
			"Mark the links of facets nofollow, or disallow URLs with two facets and more. Never disallow the page itself."
	}
	return fmt.Sprintf("No end: of %d values of %s on %s, the newest show %s", w.Values, page.Cut(60, w.Name), of, page.Count(w.Contents, "content")),
		"Answer 404 beyond the end, or say noindex there. Never disallow the parameter: its first pages are needed."
}
