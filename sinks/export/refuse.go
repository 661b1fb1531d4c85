package export

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/url/urlnorm"
)

// NoHost is the reason to leave out all rules of a site with an unknown host.
const NoHost = "the site's host is not known"

const reasonDecoded = "a name with bytes that may be percent-encoded is compared decoded"

// refuseKind refuses the rules for which no format has an expression, and those of all kinds
// that are not named here.
func refuseKind(r *rule.Rule) string {
	switch r.Kind {
	case rule.Substring, rule.Drop, rule.Set:
		return ""
	case rule.Order:
		return "it cannot sort parameters"
	case rule.Syntax:
		if r.Form == rule.Escapes || r.Form == rule.Case {
			return "it cannot change single letters: form " + r.Form.String()
		}
		return ""
	case rule.Rewrite:
		return refuseTemplate(r.Template)
	}
	return "it has no rules of kind " + r.Kind.String()
}

// always refuses all rules of a site for one reason; "": no rule is refused.
func always(reason string) func(*rule.Rule) string {
	return func(*rule.Rule) string { return reason }
}

// refuseNameless is for formats whose expressions see whole URLs.
func refuseNameless(s *Site) func(*rule.Rule) string {
	if s.Host == "" && len(s.Hosts) == 0 {
		return always(NoHost)
	}
	return func(r *rule.Rule) string {
		if len(s.Hosts) > 0 && strays(s, r) {
			return reasonStray
		}
		for k := range made(r) {
			if k > 0 {
				return "what it makes holds what it replaces, and to look back for that would be to look into the host"
			}
		}
		return ""
	}
}

// refuseServer is for formats whose readers see a path and query.
func refuseServer(s *Site) func(*rule.Rule) string {
	if len(s.Hosts) > 0 {
		return always("the site has several hosts, and a server sees no host before the path")
	}
	return always("")
}

// refuseParams is shared by the formats limited to the parameters of one host.
func refuseParams(s *Site, also func(*rule.Rule) string) func(*rule.Rule) string {
	if len(s.Hosts) > 0 {
		return always("the site has several hosts")
	}
	return func(r *rule.Rule) string {
		switch {
		case r.Kind != rule.Drop:
			return "it can only drop parameters"
		case r.Except != rule.Except{}:
			return "it cannot leave out the rule's exceptions"
		case r.InPath:
			return "it cannot drop a parameter of a path segment"
		case r.Pattern.Class != 0:
			return "it cannot name parameters by a pattern"
		case r.HasValue:
			return "it cannot ask for the parameter's value"
		case r.Scope.Where[0].Param != "":
			return "it cannot ask for another parameter"
		case r.Scope.IsWild():
			return "it has no sign for one segment of a path"
		}
		return also(r)
	}
}

// refuseSemicolons is for formats that know no semicolon. refuseSemicolons refuses the
// rules of a site by their places: all rules if some query of the site has a semicolon,
// else the rules with unknown separators.
func (f *Format) refuseSemicolons(s *Site) func(rank int) string {
	if f.semicolon == "" {
		return func(int) string { return "" }
	}
	var seen urlnorm.Separators
	for _, of := range s.Separators {
		if of != nil {
			seen |= *of
		}
	}
	return func(rank int) string {
		switch {
		case seen.Has(urlnorm.Semicolon):
			return "the site has queries with ;, which " + f.semicolon
		case rank >= len(s.Separators) || s.Separators[rank] == nil:
			return "the list does not say (member separators) whether the site has queries with ;, which " + f.semicolon
		}
		return ""
	}
}

// isPlain reports whether a name has only bytes that are never percent-encoded, so
// comparing the decoded name is the same as comparing its bytes.
func isPlain(name string) bool {
	return consistsOf(name, func(c byte) bool {
		return dust.IsAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~'
	})
}

func consistsOf(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}
