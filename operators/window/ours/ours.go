// Package ours says which of the sites that a log names are the operator's own.
//
// A log names a host because a client sent it. Anybody can send the name of a stranger's site.
// Rules for such a site must not be published, and its pages must not be fetched. A site is ours
// if one of these is true:
//
//	Unnamed   the log names no host, so all its lines are of the server that wrote it
//	Named     the settings name the site
//	Approved  an operator has said so
//	Main      nine in ten lines name the site, with three bits of clients
//	Apart     the origin tells the host from invented hosts
//
// Where pages are fetched by the names of the hosts, the last two count for nothing: the server
// that is asked then is not the one that wrote the log.
package ours

import (
	"fmt"
	"math/bits"
	"strings"

	"dustbuster/operators/url/urlnorm"
)

// Why is the reason for which a site is ours, or "" if it is not known to be.
type Why string

// The reasons.
const (
	Unnamed  Why = "unnamed"
	Named    Why = "named"
	Approved Why = "approved"
	Main     Why = "main"
	Apart    Why = "told_apart"
)

// Options are what the settings say about sites.
type Options struct {
	Hosts    []string // hosts of ours; "*.example.org" is every host below
	Site     []string // sites of the lines that name no host
	Groups   []string // names of the groups of hosts
	Origins  []string // sites that have an origin of their own
	ByDomain bool     // a site is all hosts of a registrable domain
	Parts    bool     // the sites that are known are a part of those of the log, so their shares mean nothing
}

// Sites knows which sites the settings name. Any goroutine may use Sites.
type Sites struct {
	named   map[string]bool
	hosts   urlnorm.Groups
	domains map[string]bool // of hosts; empty unless a site is a domain
	parts   bool
}

// group is the group of all hosts. No host can have this name.
const group = "*"

// New returns the sites that the settings name. The error names a host that is not valid.
func New(o Options) (*Sites, error) {
	s := &Sites{named: map[string]bool{}, domains: map[string]bool{}, parts: o.Parts}
	if len(o.Hosts) > 0 {
		if err := s.hosts.Add(group, o.Hosts...); err != nil {
			return nil, fmt.Errorf("read hosts: %w", err)
		}
	}
	for _, host := range o.Hosts {
		if plain, ok := urlnorm.Host(strings.TrimPrefix(host, "*.")); ok && o.ByDomain {
			s.domains[urlnorm.Domain(plain)] = true
		}
	}
	for _, host := range o.Site {
		plain, ok := urlnorm.Host(strings.TrimRight(host, "."), "80", "443")
		switch {
		case !ok: // none: the gate refuses such a name
		case o.ByDomain:
			s.named[urlnorm.Domain(plain)] = true
		default:
			s.named[plain] = true
		}
	}
	for _, names := range [][]string{o.Groups, o.Origins} {
		for _, name := range names {
			s.named[name] = true
		}
	}
	return s, nil
}

// Names reports whether the settings name a site.
func (s *Sites) Names(site string) bool {
	if s.named[site] || s.domains[site] {
		return true
	}
	_, listed := s.hosts.Of(site)
	return listed
}

// Figure is what a log says about a site.
type Figure struct {
	Site      string
	Count     int    // of lines, or of URLs
	Clients   uint16 // the mask of the clients
	Rules     int    // likely rules
	Published bool   // the site has published rules
}

// The shares of the lines by which a site is the main one. The share of a site with published rules
// may fall, so that nobody can end its rules by inventing hosts.
const (
	enoughTenths  = 9
	stillTenths   = 5
	enoughClients = 3 // bits
)

// MainOf returns the site that nearly all lines name. total is the number of all lines, those of sites
// without a figure among them. False: there is none, or the figures are a part of all.
func (s *Sites) MainOf(figures []Figure, total int) (site string, ok bool) {
	if s.parts {
		return "", false
	}
	for i := range figures {
		f := &figures[i]
		tenths := enoughTenths
		if f.Published {
			tenths = stillTenths + 1 // ties are lost: two sites cannot both be the main one
		}
		if f.Count > 0 && bits.OnesCount16(f.Clients) >= enoughClients && 10*f.Count >= tenths*total {
			return f.Site, true
		}
	}
	return "", false
}

// Facts are what is known of one site.
type Facts struct {
	Site     string
	Approved bool // by an operator
	Main     bool // see MainOf
	Apart    bool // the origin tells its host apart
	ByName   bool // pages are fetched by the name of the host
}

// Why returns the reason for which a site is ours; "" if none is known.
func (s *Sites) Why(f Facts) Why {
	switch {
	case f.Site == "":
		return Unnamed
	case s.Names(f.Site):
		return Named
	case f.Approved:
		return Approved
	case f.ByName:
		return ""
	case f.Main:
		return Main
	case f.Apart:
		return Apart
	}
	return ""
}
