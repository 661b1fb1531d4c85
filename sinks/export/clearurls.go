package export

import (
	"bufio"

	"dustbuster/operators/rule"
)

// provider is a site in the format of ClearURLs (data.min.json).
type provider struct {
	URLPattern        string   `json:"urlPattern"`
	CompleteProvider  bool     `json:"completeProvider"`
	Rules             []string `json:"rules"`
	RawRules          []string `json:"rawRules"`
	ReferralMarketing []string `json:"referralMarketing"`
	Exceptions        []string `json:"exceptions"`
	Redirections      []string `json:"redirections"`
	ForceRedirection  bool     `json:"forceRedirection"`
}

func refuseClearURLs(s *Site) func(*rule.Rule) string {
	nameless := refuseNameless(s)
	return func(r *rule.Rule) string {
		if r.Kind == rule.Set || r.Kind == rule.Rewrite || r.Kind == rule.Substring && r.To != "" {
			return "it can only delete"
		}
		return nameless(r)
	}
}

// writeClearURLs writes all rules as raw rules, which are applied to the whole URL in
// order. Rules of names would also edit fragments, and compare decoded names. All
// expressions are applied without case, which only a group can undo. ClearURLs itself
// rewrites the rest of the query.
func writeClearURLs(b *bufio.Writer, d *document) {
	providers := map[string]provider{}
	for i := range d.sites {
		s := &d.sites[i]
		if len(s.rules) == 0 {
			continue
		}
		none := []string{}
		p := provider{URLPattern: `^` + urlHead(s.Site), Rules: none, ReferralMarketing: none, Exceptions: none, Redirections: none}
		for range s.rounds {
			for r := range s.rules {
				p.RawRules = append(p.RawRules, `(?-i:`+removed(urlHead(s.Site), &s.rules[r])+`)`)
			}
		}
		providers["dustbuster "+s.Host] = p
	}
	writeJSON(b, map[string]any{"providers": providers})
}
