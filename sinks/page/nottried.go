package page

import (
	"fmt"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/sinks/text"
)

// Untested says what the rules of a site would merge that were not tested, and for each reason what helps.
func Untested(n *forms.NotTried, site string, help *Remedies) (lines []string) {
	if n == nil || n.Rules == 0 {
		return nil
	}
	head := fmt.Sprintf("%s not tested, because too few of the URLs may be requested. That leaves %s", were(n.Rules), Count(n.URLs, "duplicate"))
	if n.Bytes > 0 {
		head += fmt.Sprintf(" (crawlers fetched %s of them)", text.Size(n.Bytes))
	}
	lines = append(lines, head+".")
	for i := range n.By {
		b := &n.By[i]
		lines = append(lines, fmt.Sprintf("%s (%s): %s. For example: %s (%d of %d needed pairs). %s",
			Count(b.Rules, "rule"), Count(b.URLs, "URL"), barWords[b.Why], b.Example, b.Number, b.Needed, help.of(b, site)))
	}
	return lines
}

func were(rules int) string {
	if rules == 1 {
		return "1 rule was"
	}
	return Count(rules, "rule") + " were"
}

// barWords says why URLs are not requested.
var barWords = map[forms.Bar]string{
	forms.BarUnasked:   "fewer than three visitors asked for such URLs",
	forms.BarAlone:     "all visitors look the same in the log, as behind a proxy",
	forms.BarSecret:    "the URLs look like secrets",
	forms.BarOneClient: "the URLs may be personal links of one visitor",
	forms.BarNone:      "the log has too few such URLs",
}

// Remedies say what helps rules that were not tested, in the words of a program or of a page.
type Remedies struct {
	Allow   func(site string, params []string) string // to allow parameters
	AnyKind string                                    // to fetch URLs of all kinds
	Clients string                                    // to tell clients apart
	Crawl   string                                    // to take pages from elsewhere
}

// BySettings are the remedies in the words of the settings and of the dashboard.
var BySettings = Remedies{
	Allow: func(string, []string) string {
		return "If these parameters do nothing on your server, allow them: with the buttons, or the setting allow."
	},
	AnyKind: "If no GET of this site changes anything, set fetch_kinds: any.",
	Clients: "Log the addresses of the visitors, and name your proxies with trusted_proxies.",
	Crawl:   "Such URLs are never requested.",
}

// of returns what helps the rules of one reason, the least dangerous remedy first.
func (r *Remedies) of(b *forms.Barred, site string) string {
	switch b.Why {
	case forms.BarUnasked:
		if len(b.Params) == 0 {
			return r.AnyKind
		}
		return r.Allow(site, b.Params) + " " + r.AnyKind
	case forms.BarAlone:
		return r.Clients + " " + r.AnyKind
	case forms.BarSecret, forms.BarOneClient:
		return r.Crawl
	}
	return "Read a longer log."
}
