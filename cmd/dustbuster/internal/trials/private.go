package trials

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
	"dustbuster/stream/prober"
)

// private returns notes on URLs never requested, for all tried sites.
func private(sites map[string]prober.SiteStatus) (lines []string) {
	var all forms.Private
	few := map[string][]string{} // sites by what is said about their clients
	waiting := map[string]int{}  // rules of these
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		p := sites[name].Private
		for _, said := range FewClients(&p) {
			few[said] = append(few[said], name)
			waiting[said] += p.Rules
		}
		all.URLs, all.Pairs = all.URLs+p.URLs, all.Pairs+p.Pairs
		all.Secret, all.OneClient = all.Secret+p.Secret, all.OneClient+p.OneClient
		all.FirstSecret, all.FirstOneClient = cmp.Or(all.FirstSecret, p.FirstSecret), cmp.Or(all.FirstOneClient, p.FirstOneClient)
		all.Unasked, all.FirstUnasked = all.Unasked+p.Unasked, cmp.Or(all.FirstUnasked, p.FirstUnasked)
	}
	add := func(n int, why, like string) {
		if n > 0 && like != "" {
			like = ", for example " + like
		}
		if n > 0 {
			lines = append(lines, fmt.Sprintf("dustbuster: %d of %d URLs are never asked for: %s%s", n, all.URLs, why, like))
		}
	}
	add(all.Secret, "they look like secrets", all.FirstSecret)
	add(all.OneClient, "they may be links given to one visitor", all.FirstOneClient)
	add(all.Unasked, "fewer than three visitors asked for URLs like them", all.FirstUnasked)
	if all.Pairs > 0 {
		lines = append(lines, fmt.Sprintf("dustbuster: tests skip %s for that reason", text.Count(all.Pairs, "pair")))
	}
	warn := func(of []string, what string) {
		switch {
		case len(of) > 0 && len(sites) > 1:
			lines = append(lines, fmt.Sprintf("dustbuster: %s (%d of %d sites, such as %q)", what, len(of), len(sites), of[0]))
		case len(of) > 0:
			lines = append(lines, "dustbuster: "+what)
		}
	}
	for _, said := range []string{ClientsAlike, oneClientAny, clientsUnknownAny, OneClientBare, ClientsUnknown} {
		what := said
		if n := waiting[said]; n > 0 && (said == OneClientBare || said == ClientsUnknown) {
			what += fmt.Sprintf(" (%s)", wait(n))
		}
		warn(few[said], what)
	}
	return lines
}

func wait(rules int) string {
	if rules == 1 {
		return "1 rule waits"
	}
	return text.Count(rules, "rule") + " wait"
}

// FewClients returns what there is to say about a log with too few clients to tell what many ask for, or
// to tell links given to one client.
func FewClients(p *forms.Private) []string {
	switch {
	case p.Nobody && p.Any:
		return []string{ClientsAlike, clientsUnknownAny}
	case p.Nobody:
		return []string{ClientsUnknown}
	case p.Single && p.Any:
		return []string{ClientsAlike, oneClientAny}
	case p.Single:
		return []string{OneClientBare}
	case p.Alone:
		return []string{ClientsAlike}
	}
	return nil
}

// mostUntested is the number of sites of which it is said which rules were not tested.
const mostUntested = 5

func urlsOf(s prober.SiteStatus) int {
	if s.NotTried == nil {
		return 0
	}
	return s.NotTried.URLs
}

// untested says which rules were not tested, what they would merge and what helps, of the sites with most such URLs.
func untested(sites map[string]prober.SiteStatus) (lines []string) {
	names := slices.SortedFunc(maps.Keys(sites), func(a, b string) int {
		return cmp.Or(urlsOf(sites[b])-urlsOf(sites[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		of := sites[name].NotTried
		if of == nil {
			continue
		}
		if i >= mostUntested {
			return append(lines, fmt.Sprintf("%s of %q were not tested either, and there may be more.", text.Count(of.Rules, "rule"), name))
		}
		said := page.Untested(of, name, &cli.ByFlags)
		if len(sites) > 1 {
			said[0] = fmt.Sprintf("%s: %s", cmp.Or(name, "the log without hosts"), said[0])
		}
		lines = append(lines, said...)
	}
	return lines
}

// ClientsAlike is the note on a log of too few clients.
const ClientsAlike = "the log has fewer than 8 visitors, so links given to one visitor cannot be recognized: they are fetched unless they look like secrets"

// Notes on a log that does not show what the public asks for.
const (
	oneClientAny      = "all lines of the log may be of one visitor: URLs of all kinds are fetched (--fetch-kinds any)"
	clientsUnknownAny = "the log has no addresses of visitors: URLs of all kinds are fetched (--fetch-kinds any)"
	OneClientBare     = "all lines of the log may be of one visitor, as behind a proxy: only URLs such as /a.html are fetched. Log the addresses that the proxy forwards (X-Forwarded-For), and name the proxy with --trusted-proxies. If no GET of this site changes anything, --fetch-kinds any fetches all URLs"
	ClientsUnknown    = "the log has no addresses of visitors: only URLs such as /a.html are fetched. Log the addresses. If no GET of this site changes anything, --fetch-kinds any fetches all URLs"
)

// failing returns the sites whose servers fail.
func failing(sites map[string]prober.SiteStatus) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		if sites[name].Now.Why == lifecycle.Failing {
			names = append(names, name)
		}
	}
	return names
}

// ended says of which sites candidates are left that promise too little.
func ended(sites map[string]prober.SiteStatus) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		s := sites[name]
		if s.Now.Why != lifecycle.LittleLeft && s.Now.Why != lifecycle.Failing {
			continue
		}
		of := ""
		if name != "" {
			of = fmt.Sprintf(" on %q", name)
		}
		lines = append(lines, fmt.Sprintf("testing%s ends with %s left: %s", of, text.Count(s.Open, "rule"), s.Now.Words()))
	}
	return lines
}
