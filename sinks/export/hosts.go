package export

import (
	"strings"

	"dustbuster/operators/mined"
	"dustbuster/operators/rule"
)

const reasonStray = "it may lead to a host that is not the site's"

// strays tells whether a substring rule of a site of several hosts could make a host
// that is none of them. The canonizer looks at what comes out and takes no such form;
// expressions cannot. Rules that could edit a host at all are known to be good only
// if they stand at the start, with a whole host or with labels before it.
func strays(s *Site, r *rule.Rule) bool {
	if r.Kind != rule.Substring || !editsHost(r) {
		return false
	}
	var site mined.Groups
	if !r.AtStart || site.Add("", s.Hosts...) != nil {
		return true
	}
	is := func(host string) bool {
		normal, ok := mined.Host(host)
		_, member := site.Of(host)
		return ok && normal == host && member
	}
	if strings.Contains(r.From, "/") {
		host, _, slash := strings.Cut(r.To, "/")
		return !slash || !is(host)
	}
	return !strings.HasSuffix(r.From, ".") || r.To != "" && !strings.HasSuffix(r.To, ".") || !staysBelow(s, r, is)
}

// editsHost tells whether an edit could begin before the first slash, or move it.
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

// staysBelow tells whether all hosts of the site that begin with some labels are of
// the site with the others.
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
				return false // it may take a part of the name away
			}
		}
		if !is(r.To + name) {
			return false
		}
	}
	return true
}
