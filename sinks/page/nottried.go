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
	head := fmt.Sprintf("%s not tested, since too few of their URLs may be requested. They would merge %s more", were(n.Rules), Count(n.URLs, "URL"))
	if n.Bytes > 0 {
		head += fmt.Sprintf("; crawlers fetched %s too much for them", text.Size(n.Bytes))
	}
	lines = append(lines, head+".")
	for i := range n.By {
		b := &n.By[i]
		lines = append(lines, fmt.Sprintf("%s (%s): %s, for example %s (%d of %d needed pairs may be requested). %s",
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
	forms.BarUnasked:   "fewer than three visitors asked for URLs like theirs",
	forms.BarAlone:     "the log does not tell its visitors apart, as behind a proxy",
	forms.BarSecret:    "their URLs look like secrets",
	forms.BarOneClient: "their URLs may be links that one visitor was given",
	forms.BarNone:      "they have too few URLs",
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
		return "If these parameters do nothing on your server, allow them (the setting allow, or the buttons)."
	},
	AnyKind: "If no GET of this site does anything, fetch_kinds: any requests all of them.",
	Clients: "Log the addresses of the visitors; the setting trusted_proxies names your proxies.",
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
	return "A longer log has more."
}
