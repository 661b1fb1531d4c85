package export

import (
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// NoHost is the reason to leave out all rules of a site with an unknown host.
const NoHost = "the site's host is not known"

// isNameless reports whether no host of a site is known.
func (s *Site) isNameless() bool { return s.Host == "" && len(s.Hosts) == 0 }

// always refuses all rules of a site for one reason; "": no rule is refused.
func always(reason string) func(*rule.Rule) string {
	return func(*rule.Rule) string { return reason }
}

// refuseNameless is for formats whose expressions see whole URLs.
func refuseNameless(s *Site) func(*rule.Rule) string {
	if s.isNameless() {
		return always(NoHost)
	}
	return func(r *rule.Rule) string {
		if len(s.Hosts) > 0 && strays(s, r) {
			return "it may lead to a host that is not the site's"
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

// strays reports whether a substring rule of a site of several hosts could lead out of it. The
// canonizer checks its results and refuses such a form; expressions cannot. Of the rules that could
// edit a host at all, only those at the start are known to be safe, with all of it or with its
// leading labels.
func strays(s *Site, r *rule.Rule) bool {
	if r.Kind() != rule.KindSubstring || !editsHost(r) {
		return false
	}
	var site urlnorm.Groups
	if !r.Sides().AtStart || site.Add("", s.Hosts...) != nil {
		return true
	}
	is := func(host string) bool {
		normal, ok := urlnorm.Host(host)
		_, member := site.Of(host)
		return ok && normal == host && member
	}
	if strings.Contains(r.Sides().From, "/") {
		host, _, slash := strings.Cut(r.Sides().To, "/")
		return !slash || !is(host)
	}
	return !strings.HasSuffix(r.Sides().From, ".") || r.Sides().To != "" && !strings.HasSuffix(r.Sides().To, ".") || !staysBelow(s, r, is)
}

// editsHost reports whether an edit could begin before the first slash, or move the slash.
func editsHost(r *rule.Rule) bool {
	if strings.HasPrefix(r.Sides().From, "/") {
		return !strings.HasPrefix(r.Sides().To, "/")
	}
	host := strings.TrimLeft(r.Sides().From, "abcdefghijklmnopqrstuvwxyz0123456789-._:[]")
	if host == "" {
		return !r.Sides().AtEnd
	}
	return host[0] == '/'
}

// staysBelow reports whether all hosts of the site with the old labels belong to it with the new
// ones.
func staysBelow(s *Site, r *rule.Rule, is func(host string) bool) bool {
	for _, h := range s.Hosts {
		name, below := strings.CutPrefix(h, "*.")
		if !below {
			if rest, begins := strings.CutPrefix(h, r.Sides().From); begins && !is(r.Sides().To+rest) {
				return false
			}
			continue
		}
		for at := range len(r.Sides().From) {
			if strings.HasPrefix(name, r.Sides().From[at:]) {
				return false // the rule may take a part of the name away
			}
		}
		if !is(r.Sides().To + name) {
			return false
		}
	}
	return true
}
