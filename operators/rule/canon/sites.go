package canon

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// Site is the ordered list of rules of one site.
type Site struct {
	// Name is a host in lower case, without trailing dot and default port. The rules of an
	// empty Name were learned from a log without hosts: they are for relative URLs, and for the
	// host that [Sites.For] names if it has no other rules.
	Name string

	// ByDomain says that Name is a registrable domain (one label below a public suffix).
	// The rules then edit the paths of its hosts with the host before the path, and may
	// change it to another of the domain.
	ByDomain bool

	// Hosts are the hosts of a group. The rules then edit paths with the host before the
	// path, whatever ByDomain is. Name may be any text, and is also a host of the group.
	// "*.example.org" is every host below example.org.
	Hosts []string

	Rules []rule.Rule

	// Compiled is used if it was compiled from equal rules, such as those of an earlier
	// list. Otherwise, or if it is nil, NewSites compiles the rules.
	Compiled *Canonizer
}

// Sites holds the rules of any number of sites. It is immutable and may be used by
// several goroutines. For new rules, make a new Sites and swap the pointer.
type Sites struct {
	hosts   map[string]*Canonizer
	domains map[string]*Canonizer
	groups  urlnorm.Groups
	grouped map[string]*Canonizer // by name of the group
	names   map[*Canonizer]string // of the sites
	named   string                // the host of the site with the empty name, and of relative URLs; "": none
}

// NewSites compiles the rules of all sites. The error names the site and the cause: an
// error of [Compile], a second list for the same site, or a bad name. A bad name is not
// in normal form, not a registrable domain, or a host of a domain with rules of its own.
// A host of a group must be valid and in one group only.
func NewSites(sites []Site) (*Sites, error) {
	s := &Sites{hosts: map[string]*Canonizer{}, domains: map[string]*Canonizer{}, grouped: map[string]*Canonizer{}, names: map[*Canonizer]string{}}
	for i := range sites {
		if err := s.add(&sites[i]); err != nil {
			return nil, fmt.Errorf("site %.100q: %w", sites[i].Name, err)
		}
	}
	for i := range sites {
		if host := sites[i].Name; host != "" && !sites[i].several() && s.domains[urlnorm.Domain(host)] != nil {
			return nil, fmt.Errorf("site %q: its domain is a site too", host)
		}
	}
	return s, nil
}

// For returns the same rules for a reader who knows the host of a log without hosts: the rules of
// the site with the empty name then are those of this host, if it has no others, and relative URLs
// are of this host. The host may have a port. The error is that of an invalid host.
func (s *Sites) For(host string) (*Sites, error) {
	normal, ok := urlnorm.Host(host)
	if !ok {
		return nil, fmt.Errorf("apply rules to %.100q: not a host", host)
	}
	of := *s
	of.named = normal
	return &of, nil
}

// NeedsHost reports whether the only rules that may be those of an absolute URL are those of the
// site with the empty name, and For has named no host. Canonical leaves such a URL alone.
func (s *Sites) NeedsHost(url string) bool {
	a, ok := urlnorm.ParseAddress(url)
	if rules := s.hosts[""]; !ok || s.named != "" || rules == nil || rules.Len() == 0 {
		return false
	}
	c, _ := s.find(a.Host)
	return c == nil
}

func (s *Sites) add(site *Site) error {
	into := s.hosts
	switch {
	case len(site.Hosts) > 0:
		into = s.grouped
		if err := s.groups.Add(site.Name, site.Hosts...); err != nil {
			return err
		}
	case site.ByDomain:
		into = s.domains
	}
	if err := site.checkName(); err != nil {
		return err
	}
	if into[site.Name] != nil {
		return errors.New("two lists of rules")
	}
	c, err := site.Compiled, error(nil)
	if _, used := s.names[c]; c == nil || used || !slices.Equal(c.rules, site.Rules) {
		c, err = Compile(site.Rules)
	}
	into[site.Name], s.names[c] = c, site.Name
	return err
}

// several reports whether mined strings begin with their host.
func (s *Site) several() bool { return s.ByDomain || len(s.Hosts) > 0 }

func (s *Site) checkName() error {
	switch {
	case s.Name == "" && !s.several():
		return nil
	case s.Name == "":
		return errors.New("a group or domain without a name")
	case len(s.Hosts) > 0:
		return nil
	}
	host, ok := urlnorm.Host(s.Name)
	switch {
	case !ok || host != s.Name:
		return errors.New("not a host in normal form")
	case s.ByDomain && urlnorm.Domain(host) != host:
		return errors.New("not a registrable domain")
	}
	return nil
}

// find returns the rules of a host, or nil if there are none. several reports whether the
// rules edit paths with the host before them. A host in a group belongs to no other site,
// as in the admission of log lines.
func (s *Sites) find(host string) (c *Canonizer, several bool) {
	if group, ok := s.groups.Of(host); ok {
		return s.grouped[group], true
	}
	if c := s.hosts[host]; c != nil {
		return c, false
	}
	if c := s.findDomain(urlnorm.WithoutPort(host)); c != nil {
		return c, true
	}
	if host == s.named {
		return s.hosts[""], false
	}
	return nil, false
}

// parse splits a URL. A relative one has no scheme, and is of the host that For has named.
func (s *Sites) parse(url string) (a urlnorm.Address, ok bool) {
	if isRelative(url) {
		return urlnorm.Address{Host: s.named, Path: url}, true
	}
	return urlnorm.ParseAddress(url)
}

// isRelative reports whether a text is a path on the host of its reader: browsers take two
// slashes for the beginning of another host, and a backslash for a slash.
func isRelative(url string) bool {
	return len(url) > 0 && url[0] == '/' && (len(url) == 1 || url[1] != '/' && url[1] != '\\')
}

// findDomain looks for a site among a host's parents before asking the public suffix
// list, which takes longer.
func (s *Sites) findDomain(name string) *Canonizer {
	for parent, more := name, len(s.domains) > 0; more; _, parent, more = strings.Cut(parent, ".") {
		if c := s.domains[parent]; c != nil && (name == parent || urlnorm.Domain(name) == parent) {
			return c
		}
	}
	return nil
}

// Canonical returns the canonical form of an absolute http or https URL, or of a relative one, which
// begins with one slash, and reports whether it differs. If not, the result is the very same string.
// A relative URL is of the host that [Sites.For] names. Without it, the rules of the site with
// the empty name are applied.
//
// Path and query are canonized: an empty path becomes "/", the fragment is removed unless
// it begins with "#!" or "#/" (it then stays, and no rule sees it), bytes that cannot stand in a URL (space, ", <, > and bytes above ASCII) are percent-encoded
// with capital digits, and then the rules of the host's site are applied. Scheme and host
// stay as written. Rules by domain or of a group may change the host too. The rules have
// no effect if the URL does not settle, or if the result is not a path, or not on a host
// of the same domain or group. The form of a relative URL is a relative one, on the same host.
//
// A URL is left alone altogether if its host is not valid, has no rules or has a user
// before it, if a control byte stands before its fragment, or if the URL is longer than
// rule.MaxBytes. So a canonical form is its own canonical form.
//
// Canonical allocates for an unchanged URL only if the host is not in normal form, or
// lies below the name of a site by domain (asking the public suffix list allocates), or
// if a long URL was edited without effect.
func (s *Sites) Canonical(url string) (canonical string, changed bool) {
	a, ok := s.parse(url)
	if !ok {
		return url, false
	}
	c, several := s.find(a.Host)
	if c == nil || c.Len() == 0 { // a site with an unknown rule exists, but has no rules
		return url, false
	}
	prefix := ""
	if several {
		prefix = a.Host
	}
	var buffer [rule.MaxBytes]byte
	text, ok := a.Mined(append(buffer[:0], prefix...), rule.MaxBytes)
	if !ok {
		return url, false
	}
	var work [1024]byte // longer texts use the heap
	out, _ := c.Canon(work[:0], text)
	origin, path, ok := s.resolve(&a, out, prefix)
	if !ok {
		origin, path = a.Origin, text[len(prefix):]
	}
	fragment := a.Fragment()
	if origin == a.Origin && string(path) == a.Path[:len(a.Path)-len(fragment)] {
		return url, false
	}
	return origin + string(path) + fragment, true
}

// resolve splits a canonical form into origin and path, or returns false if it is not a
// URL of the site. prefix is the host before the path.
func (s *Sites) resolve(a *urlnorm.Address, out []byte, prefix string) (origin string, path []byte, ok bool) {
	at := bytes.IndexByte(out, '/')
	if at < 0 || prefix == "" && at > 0 {
		return "", nil, false
	}
	path = out[at:]
	if string(out[:at]) == prefix {
		return a.Origin, path, a.Scheme != "" || isRelative(string(path))
	}
	if a.Scheme == "" {
		return "", nil, false
	}
	host := string(out[:at])
	normal, ok := urlnorm.Host(host, a.DefaultPort)
	if !ok || normal != host || !s.together(host, a.Host) {
		return "", nil, false
	}
	return a.Scheme + host, path, true
}

// together reports whether two hosts belong to one site of several hosts.
func (s *Sites) together(a, b string) bool {
	group, is := s.groups.Of(a)
	if other, also := s.groups.Of(b); is || also {
		return is && also && group == other
	}
	return urlnorm.Domain(a) == urlnorm.Domain(b)
}

// Clashes returns the sites that cannot be held together with those before them, by
// index, and the reasons: a host that stands beside its domain or in two groups, or a
// name that is not valid. It ignores the rules, and returns nil if all sites can be held
// together. O(sites · log sites) for each clash.
func Clashes(sites []Site) (clashes map[int]error) {
	var kept []Site
	var places []int
	for i, s := range sites {
		s.Rules, s.Compiled = nil, nil
		kept, places = append(kept, s), append(places, i)
	}
	of := func(n int) error { _, err := NewSites(kept[:n]); return err }
	for of(len(kept)) != nil {
		n := sort.Search(len(kept), func(i int) bool { return of(i+1) != nil })
		if clashes == nil {
			clashes = map[int]error{}
		}
		clashes[places[n]] = of(n + 1)
		kept, places = append(kept[:n], kept[n+1:]...), append(places[:n], places[n+1:]...)
	}
	return clashes
}
