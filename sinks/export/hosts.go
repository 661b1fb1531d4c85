package export

import (
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

const reasonStray = "it may lead to a host that is not the site's"

// strays reports whether a substring rule of a site of several hosts could make a host
// outside the site. The canonizer checks its results and refuses such a form; expressions
// cannot. Of the rules that could edit a host at all, only rules at the start are known to
// be safe, with a whole host or with the leading labels of a host.
func strays(s *Site, r *rule.Rule) bool {
	if r.Kind != rule.Substring || !editsHost(r) {
		return false
	}
	var site urlnorm.Groups
	if !r.AtStart || site.Add("", s.Hosts...) != nil {
		return true
	}
	is := func(host string) bool {
		normal, ok := urlnorm.Host(host)
		_, member := site.Of(host)
		return ok && normal == host && member
	}
	if strings.Contains(r.From, "/") {
		host, _, slash := strings.Cut(r.To, "/")
		return !slash || !is(host)
	}
	return !strings.HasSuffix(r.From, ".") || r.To != "" && !strings.HasSuffix(r.To, ".") || !staysBelow(s, r, is)
}

// editsHost reports whether an edit could begin before the first slash, or move the slash.
func editsHost(r *rule.Rule) bool {
	if strings.HasPrefix(r.From, "/") {
		return !strings.HasPrefix(r.To, "/")
	}
	host := strings.TrimLeft(r.From, "abcdefghijklmnopqrstuvwxyz0123456789-._:[]")
	if host == "" {
		return !r.AtEnd
	}
	return host[0] == '/'
}

// staysBelow reports whether all hosts of the site with the old labels belong to the site
// with the new labels.
func staysBelow(s *Site, r *rule.Rule, is func(host string) bool) bool {
	for _, h := range s.Hosts {
		name, below := strings.CutPrefix(h, "*.")
		if !below {
			if rest, begins := strings.CutPrefix(h, r.From); begins && !is(r.To+rest) {
				return false
			}
			continue
		}
		for at := range len(r.From) {
			if strings.HasPrefix(name, r.From[at:]) {
				return false // the rule may take a part of the name away
			}
		}
		if !is(r.To + name) {
			return false
		}
	}
	return true
}
