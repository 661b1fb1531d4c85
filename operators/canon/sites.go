package canon

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"

	"dustbuster/operators/mined"
)

// Site is the ordered list of rules of one site.
type Site struct {
	// Name is a host in lower case, without trailing dot and default port; or ""
	// for every host that has no rules of its own.
	Name string

	// ByDomain says that Name is a registrable domain (one label below a public
	// suffix) and that the rules are for its hosts' paths with the host before
	// them, which they may change for another host of the domain.
	ByDomain bool

	// Hosts are those of a group, and the rules are for their paths as with
	// ByDomain, which does not matter then. Name may be any text, and is also a host
	// of the group. "*.example.org" is every host below example.org.
	Hosts []string

	Rules []Rule
}

// Sites knows the rules of any number of sites. It never changes and may be used
// by any number of goroutines; whoever has newer rules makes a new one and swaps
// the pointer.
type Sites struct {
	hosts   map[string]*Canonizer
	domains map[string]*Canonizer
	groups  mined.Groups
	grouped map[string]*Canonizer // by name of the group
}

// NewSites compiles the rules of all sites. An error names the site, and what
// [Compile] has to say, that it is there twice, or that the name is none: not in
// normal form, no registrable domain, or a host of a domain that has rules too; of a
// group, that one of its hosts is none or is in another group.
func NewSites(sites []Site) (*Sites, error) {
	s := &Sites{hosts: map[string]*Canonizer{}, domains: map[string]*Canonizer{}, grouped: map[string]*Canonizer{}}
	for i := range sites {
		if err := s.add(&sites[i]); err != nil {
			return nil, fmt.Errorf("site %q: %w", sites[i].Name, err)
		}
	}
	for i := range sites {
		if host := sites[i].Name; host != "" && !sites[i].several() && s.domains[mined.Domain(host)] != nil {
			return nil, fmt.Errorf("site %q: its domain is a site too", host)
		}
	}
	return s, nil
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
	c, err := Compile(site.Rules)
	into[site.Name] = c
	return err
}

// several tells whether mined strings begin with their host.
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
	host, ok := mined.Host(s.Name)
	switch {
	case !ok || host != s.Name:
		return errors.New("not a host in normal form")
	case s.ByDomain && mined.Domain(host) != host:
		return errors.New("not a registrable domain")
	}
	return nil
}

// find returns the rules of a host; nil if there are none. several says that they
// are for paths with the host before them. As where log lines are admitted, what is
// in a group is in nothing else.
func (s *Sites) find(host string) (c *Canonizer, several bool) {
	if group, ok := s.groups.Of(host); ok {
		return s.grouped[group], true
	}
	if c := s.hosts[host]; c != nil {
		return c, false
	}
	if c := s.findDomain(mined.WithoutPort(host)); c != nil {
		return c, true
	}
	return s.hosts[""], false
}

// findDomain looks among a host's parents for a site before it asks the public
// suffix list, which takes longer.
func (s *Sites) findDomain(name string) *Canonizer {
	for parent, more := name, len(s.domains) > 0; more; _, parent, more = strings.Cut(parent, ".") {
		if c := s.domains[parent]; c != nil && (name == parent || mined.Domain(name) == parent) {
			return c
		}
	}
	return nil
}

// Canonical returns the canonical form of an absolute http or https URL, and
// whether that is another text; if not, it is the very same string.
//
// What counts is path and query: an empty path is "/", the fragment goes, bytes
// that cannot stand in a URL (space, ", <, > and those above ASCII) are
// percent-encoded with capital digits, and then the rules of the host's site are
// applied; scheme and host stay as they were written. Rules by domain or of
// a group may change the host too. A result that is no path, or not on a host of the
// same domain or group, is not taken, nor is one that does not settle.
//
// A URL is left alone altogether if its host has no rules or is none, or has a
// user before it, if a control byte stands before its fragment, or if it is
// longer than MaxBytes. So the canonical form of a canonical form is itself.
//
// It allocates nothing for a URL that stays the same, unless its host is not
// written in normal form, or lies below the name of a site by domain (asking the
// public suffix list allocates), or a long URL was edited to no effect.
func (s *Sites) Canonical(url string) (canonical string, changed bool) {
	a, ok := parseAddress(url)
	if !ok {
		return url, false
	}
	c, several := s.find(a.host)
	if c == nil {
		return url, false
	}
	prefix := ""
	if several {
		prefix = a.host
	}
	var buffer [MaxBytes]byte
	text, ok := a.mined(append(buffer[:0], prefix...))
	if !ok {
		return url, false
	}
	var work [1024]byte // more is taken from the heap
	out, _ := c.Canon(work[:0], text)
	origin, path, ok := s.resolve(&a, out, prefix)
	if !ok {
		origin, path = a.origin, text[len(prefix):]
	}
	if origin == a.origin && string(path) == a.path {
		return url, false
	}
	return origin + string(path), true
}

// resolve parts a canonical form into origin and path; false if that is not a
// URL of the site. prefix is the host that stood before the path.
func (s *Sites) resolve(a *address, out []byte, prefix string) (origin string, path []byte, ok bool) {
	at := bytes.IndexByte(out, '/')
	if at < 0 || prefix == "" && at > 0 {
		return "", nil, false
	}
	path = out[at:]
	if string(out[:at]) == prefix {
		return a.origin, path, true
	}
	host := string(out[:at])
	normal, ok := mined.Host(host, a.defaultPort)
	if !ok || normal != host || !s.together(host, a.host) {
		return "", nil, false
	}
	return a.scheme + host, path, true
}

// together tells whether two hosts are of one site of several.
func (s *Sites) together(a, b string) bool {
	group, is := s.groups.Of(a)
	if other, also := s.groups.Of(b); is || also {
		return is && also && group == other
	}
	return mined.Domain(a) == mined.Domain(b)
}

// Step is one edit on the way to a canonical form.
type Step struct {
	Rule Rule
	URL  string // what it made; with host and scheme
}

// Steps yields the edits by which Canonical comes to its result; none for a URL that
// it leaves alone, or whose edits it does not take. For people: it allocates.
func (s *Sites) Steps(url string) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		a, ok := parseAddress(url)
		if !ok {
			return
		}
		c, several := s.find(a.host)
		if c == nil {
			return
		}
		origin, prefix := a.origin, ""
		if several {
			origin, prefix = a.scheme, a.host
		}
		text, ok := a.mined([]byte(prefix))
		if !ok {
			return
		}
		out, end := c.Canon(nil, text)
		if _, _, ok := s.resolve(&a, out, prefix); !ok || !end.Changed() {
			return
		}
		for rank, made := range c.Steps(text) {
			if !yield(Step{c.Rule(rank), origin + string(made)}) {
				return
			}
		}
	}
}
