package export

import (
	"bufio"
	"encoding/json"
	"fmt"

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
		if e, _ := express("", r); e.removed == "" {
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
		head, none := urlHead(s.Site), []string{}
		p := provider{URLPattern: `^` + head, Rules: none, ReferralMarketing: none, Exceptions: none, Redirections: none}
		for _, e := range s.expressions(head) {
			p.RawRules = append(p.RawRules, `(?-i:`+e.removed+`)`)
		}
		providers["dustbuster "+s.Host] = p
	}
	writeJSON(b, map[string]any{"providers": providers})
}

// discarderRule is a rule in the format of duplicate-url-discarder-rules.
type discarderRule struct {
	Args      []string         `json:"args"`
	Order     int              `json:"order"`
	Processor string           `json:"processor"`
	Pattern   discarderPattern `json:"urlPattern"`
}

type discarderPattern struct {
	Include []string `json:"include"`
	Exclude []string `json:"exclude"`
}

func refuseDiscarder(s *Site) func(*rule.Rule) string {
	if s.isNameless() {
		return always(NoHost)
	}
	return refuseParams(s, func(r *rule.Rule) string {
		if r.Scope.HasPath && r.Scope.Prefix != "" {
			return "it cannot ask for a path and a prefix"
		}
		text := r.Scope.Path + r.Scope.Prefix
		if isScoped(r) && (text == "" || text[0] != '/' || !consistsOf(text, caseless)) {
			return "it compares paths without case, and has signs for more than one"
		}
		return ""
	})
}

// caseless are the bytes of a path that stand for themselves alone in a pattern.
const caseless = "0123456789/.-_"

// discarderPath is a pattern without its host: at its end a bar, or whatever
// begins so is meant.
func discarderPath(r *rule.Rule) string {
	switch {
	case r.Scope.HasPath:
		return r.Scope.Path + "|"
	case r.Scope.Prefix != "":
		return r.Scope.Prefix
	}
	return "/"
}

// writeDiscarder writes one rule for all parameters of a pattern. A pattern's host also
// matches the host with www. before, which is therefore excluded.
func writeDiscarder(b *bufio.Writer, d *document) {
	rules := []discarderRule{}
	for i := range d.sites {
		s := &d.sites[i]
		for _, g := range groupBy(s.rules, discarderPath) {
			rules = append(rules, discarderRule{
				Args: g.params, Processor: "queryRemoval",
				Pattern: discarderPattern{Include: []string{s.Host + g.key}, Exclude: []string{"www." + s.Host + "/"}},
			})
		}
	}
	writeJSON(b, rules)
}

// writeJSON writes an indented value. There is no comment at its head.
func writeJSON(b *bufio.Writer, v any) {
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "\t")
	if err := out.Encode(v); err != nil { // the Writer keeps its own errors, and nothing else can go wrong
		fmt.Fprintf(b, "%q\n", err.Error())
	}
}
