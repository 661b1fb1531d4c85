package export

import (
	"bufio"

	"dustbuster/operators/rule"
)

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
	if s.Host == "" && len(s.Hosts) == 0 {
		return always(NoHost)
	}
	return refuseParams(s, func(r *rule.Rule) string {
		if r.Scope.HasPath && r.Scope.Prefix != "" {
			return "it cannot ask for a path and a prefix"
		}
		text := r.Scope.Path + r.Scope.Prefix
		if isScoped(r) && (text == "" || text[0] != '/' || !consistsOf(text, isCaseless)) {
			return "it compares paths without case, and has signs for more than one"
		}
		return ""
	})
}

// isCaseless reports whether a byte of a path stands for itself alone in a pattern.
func isCaseless(c byte) bool {
	return '0' <= c && c <= '9' || c == '/' || c == '.' || c == '-' || c == '_'
}

func isScoped(r *rule.Rule) bool { return r.Scope.HasPath || r.Scope.Prefix != "" }

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
