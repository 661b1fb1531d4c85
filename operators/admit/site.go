package admit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/mined"
)

// sites knows whose site a host is, and remembers.
type sites struct {
	o      Options
	groups mined.Groups
	hosts  mined.Groups     // those that count, all in one group; none: all do
	known  map[string]place // host as logged -> place
	own    place            // of records that name no host

	last      []byte // the host asked for last, which is nearly always the next
	lastPlace place
}

// place is where a host's URLs belong.
type place struct {
	site   string
	prefix string // before the path in the mined string
	other  bool   // the host is none of those that count
}

// A log may name any number of hosts; the memory of them starts anew at this many.
const rememberedHosts = 4096

func newSites(o Options) (sites, error) {
	s := sites{o: o, known: map[string]place{}}
	for _, group := range slices.Sorted(maps.Keys(o.Groups)) { // so that the same one of two errors is told
		if err := s.groups.Add(group, o.Groups[group]...); err != nil {
			return s, fmt.Errorf("read group %q: %w", group, err)
		}
	}
	if err := s.hosts.Add(counting, o.Hosts...); err != nil {
		return s, fmt.Errorf("read hosts: %w", err)
	}
	own, ok := normalHost(o.Site)
	if !ok {
		return s, fmt.Errorf("read site %q: not the name of a host", o.Site)
	}
	s.own = s.place(own)
	s.lastPlace = s.own
	return s, nil
}

// find returns the place of a host as logged; false if it is none.
func (s *sites) find(host []byte) (place, bool) {
	if bytes.Equal(host, s.last) {
		return s.lastPlace, true
	}
	p, ok := s.known[string(host)]
	if !ok {
		name, valid := normalHost(string(host))
		if !valid {
			return place{}, false
		}
		if len(s.known) >= rememberedHosts {
			clear(s.known)
		}
		p = s.place(name)
		s.known[string(host)] = p
	}
	s.last, s.lastPlace = append(s.last[:0], host...), p
	return p, true
}

// counting is the name of the group of the hosts that count; no host can have it.
const counting = "*"

// place is the place of a host in normal form.
func (s *sites) place(host string) place {
	if host == "" {
		return s.own
	}
	p := s.placeOf(host)
	if len(s.o.Hosts) > 0 {
		_, counts := s.hosts.Of(host)
		p.other = !counts
	}
	return p
}

func (s *sites) placeOf(host string) place {
	if group, ok := s.groups.Of(host); ok {
		return place{site: group, prefix: host}
	}
	if !s.o.ByDomain {
		return place{site: host}
	}
	return place{site: mined.Domain(host), prefix: host}
}

// normalHost is a host as logged in normal form; false for what cannot be one. An
// empty host is one: the log names none. A log does not tell schemes, so both of
// their ports go.
func normalHost(logged string) (string, bool) {
	logged = strings.TrimRight(logged, ".")
	if port, none := strings.CutPrefix(logged, ":"); logged == "" || none && isPort(port) {
		return "", true
	}
	return mined.Host(logged, "80", "443")
}

func isPort(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
