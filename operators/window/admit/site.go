package admit

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/url/urlnorm"
)

// sites finds the site of a host, and remembers recent hosts.
type sites struct {
	o      Options
	groups urlnorm.Groups
	hosts  urlnorm.Groups    // the hosts that count, all in one group; none: all count
	known  map[string]*place // host as logged -> place
	own    *place            // place of records that name no host

	last      []byte // the last host, nearly always also the next host
	lastPlace *place
}

// place is the site and the prefix of a host's URLs.
type place struct {
	site   string
	prefix string // before the path in the mined string
	other  bool   // the host is not among the hosts that count
}

// rememberedHosts bounds the memory of hosts, since a log may name any number. A full
// memory is cleared.
const rememberedHosts = 4096

func newSites(o Options) (sites, error) {
	s := sites{o: o, known: map[string]*place{}, own: &place{}}
	for _, group := range slices.Sorted(maps.Keys(o.Groups)) { // sorted, so that of two errors always the same is returned
		if err := cmp.Or(urlnorm.CheckSuffixes(o.Groups[group]...), s.groups.Add(group, o.Groups[group]...)); err != nil {
			return s, fmt.Errorf("read group %q: %w", group, err)
		}
	}
	if err := cmp.Or(urlnorm.CheckSuffixes(o.Hosts...), s.hosts.Add(counting, o.Hosts...)); err != nil {
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

// find returns the place of a host as logged, or nil if it is not valid.
func (s *sites) find(host []byte) *place {
	if bytes.Equal(host, s.last) {
		return s.lastPlace
	}
	p := s.known[string(host)]
	if p == nil {
		name, valid := normalHost(string(host))
		if !valid {
			return nil
		}
		if len(s.known) >= rememberedHosts {
			clear(s.known)
		}
		if p = s.place(name); s.isWord(name) {
			p = s.own
		}
		s.known[string(host)] = p
	}
	s.last, s.lastPlace = append(s.last[:0], host...), p
	return p
}

// isWord reports whether a host without a dot is not taken for one: it may be a program's tag or a
// machine, the settings say which site lines without a host are of, and they do not name it.
func (s *sites) isWord(host string) bool {
	if s.o.Site == "" || host == "" || strings.ContainsAny(host, ".:") {
		return false
	}
	_, grouped := s.groups.Of(host)
	_, counts := s.hosts.Of(host)
	return !grouped && !counts
}

// counting is the group of the hosts that count. No host can have this name.
const counting = "*"

func (s *sites) place(host string) *place {
	if host == "" {
		return s.own
	}
	p := s.placeOf(host)
	if len(s.o.Hosts) > 0 {
		_, counts := s.hosts.Of(host)
		p.other = !counts
	}
	return &p
}

func (s *sites) placeOf(host string) place {
	if group, ok := s.groups.Of(host); ok {
		return place{site: group, prefix: host}
	}
	if !s.o.ByDomain {
		return place{site: host}
	}
	return place{site: urlnorm.Domain(host), prefix: host}
}

// Hostless reports whether a record names no host: neither its request nor the log.
func Hostless(h *weblog.Hit) bool {
	return len(h.Target) > 0 && h.Target[0] == '/' && (len(h.Host) == 0 || noHost(string(h.Host)))
}

// noHost reports whether a server writes a host to say that it knows none: "-", "-:80", ":80", and
// "_", which nginx's configurations have for every host.
func noHost(logged string) bool {
	name, port, ported := strings.Cut(logged, ":")
	return (name == "" || name == "-" || name == "_") && (!ported || isPort(port))
}

// normalHost returns the normal form of a host as logged, or false if it is not valid. An
// empty host is valid: the log names none. A log has no scheme, so normalHost removes the
// default ports of both schemes.
func normalHost(logged string) (string, bool) {
	logged = strings.TrimRight(logged, ".")
	if noHost(logged) {
		return "", true
	}
	return urlnorm.Host(logged, "80", "443")
}

func isPort(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
