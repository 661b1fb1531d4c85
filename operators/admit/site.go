package admit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// sites knows whose site a host is, and remembers.
type sites struct {
	o     Options
	exact map[string]string // host -> group
	below map[string]string // ".example.org" -> group
	known map[string]place  // host as logged -> place
	own   place             // of records that name no host

	last      []byte // the host asked for last, which is nearly always the next
	lastPlace place
}

// place is where a host's URLs belong.
type place struct {
	site   string
	prefix string // before the path in the mined string
}

// A log may name any number of hosts; the memory of them starts anew at this many.
const rememberedHosts = 4096

func newSites(o Options) (sites, error) {
	s := sites{o: o, exact: map[string]string{}, below: map[string]string{}, known: map[string]place{}}
	for _, group := range slices.Sorted(maps.Keys(o.Groups)) { // so that the same one of two errors is told
		for _, host := range o.Groups[group] {
			if err := s.group(group, host); err != nil {
				return s, err
			}
		}
	}
	own, ok := normalHost([]byte(o.Site))
	if !ok {
		return s, fmt.Errorf("read site %q: not the name of a host", o.Site)
	}
	s.own = s.place(own)
	s.lastPlace = s.own
	return s, nil
}

func (s *sites) group(group, host string) error {
	into, name := s.exact, host
	if rest, ok := strings.CutPrefix(host, "*."); ok {
		into, name = s.below, rest
	}
	plain, ok := normalHost([]byte(name))
	if !ok || plain == "" {
		return fmt.Errorf("read group %q: %q is not the name of a host", group, host)
	}
	if rest := host != name; rest {
		plain = "." + plain
	}
	if other, taken := into[plain]; taken && other != group {
		return fmt.Errorf("read group %q: host %q is in group %q as well", group, host, other)
	}
	into[plain] = group
	return nil
}

// find returns the place of a host as logged; false if it is none.
func (s *sites) find(host []byte) (place, bool) {
	if bytes.Equal(host, s.last) {
		return s.lastPlace, true
	}
	p, ok := s.known[string(host)]
	if !ok {
		name, valid := normalHost(host)
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

// place is the place of a host in normal form. A host of a group's name is the
// group's, or else its paths would lie among the group's hosts.
func (s *sites) place(host string) place {
	if host == "" {
		return s.own
	}
	name := withoutPort(host)
	if _, is := s.o.Groups[name]; is {
		return place{name, host}
	}
	if group, ok := s.groupOf(name); ok {
		return place{group, host}
	}
	if !s.o.ByDomain {
		return place{site: host}
	}
	return place{registrable(name), host}
}

func (s *sites) groupOf(host string) (string, bool) {
	if group, ok := s.exact[host]; ok {
		return group, true
	}
	for at := strings.IndexByte(host, '.'); at >= 0; {
		if group, ok := s.below[host[at:]]; ok {
			return group, true
		}
		next := strings.IndexByte(host[at+1:], '.')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return "", false
}

// withoutPort takes the port off a host in normal form.
func withoutPort(host string) string {
	if at := strings.LastIndexByte(host, ':'); at >= 0 && !strings.HasSuffix(host, "]") {
		return host[:at]
	}
	return host
}

// registrable is the domain that somebody registered, of which a host is part;
// an address, or a name of one label, is its own.
func registrable(name string) string {
	if strings.HasPrefix(name, "[") || strings.Trim(name, "0123456789.") == "" {
		return name
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
		return domain
	}
	return name
}

const maxHost = 255 + len(":65535") // bytes; RFC 1035, section 2.3.4

// normalHost is a host in lower case without trailing dot and default port;
// false for what cannot be one. An empty host is one: the log names none.
func normalHost(host []byte) (string, bool) {
	if len(host) > maxHost {
		return "", false
	}
	b := bytes.ToLower(host)
	for _, c := range b {
		if !hostByte(c) {
			return "", false
		}
	}
	b = bytes.TrimRight(b, ".")
	if len(b) == 0 || b[0] == ':' && isPort(b[1:]) {
		return "", true
	}
	if !isHost(b) {
		return "", false
	}
	if cut, ok := bytes.CutSuffix(b, []byte(":80")); ok {
		b = cut
	} else {
		b = bytes.TrimSuffix(b, []byte(":443"))
	}
	return string(bytes.TrimRight(b, ".")), true
}

// isHost tells whether bytes that may all be part of a host are one: a name or an
// address, and a port.
func isHost(b []byte) bool {
	if b[0] == '[' { // an IPv6 address
		end := bytes.IndexByte(b, ']')
		return end > 0 && bytes.IndexByte(b[1:], '[') < 0 && (end == len(b)-1 || b[end+1] == ':' && isPort(b[end+2:]))
	}
	name, port, hasPort := bytes.Cut(b, []byte{':'})
	return len(name) > 0 && name[0] != '.' && !bytes.ContainsAny(name, "[]") && (!hasPort || isPort(port))
}

func isPort(b []byte) bool { return len(b) > 0 && len(bytes.Trim(b, "0123456789")) == 0 }

func hostByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || bytes.IndexByte([]byte("-._:[]"), c) >= 0
}
