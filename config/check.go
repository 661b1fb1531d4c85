package config

import (
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/read/wrap"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/admit"
	"dustbuster/stream/fetch"
)

func within(at *int, low, high int) func() bool {
	return func() bool { return *at >= low && *at <= high }
}

func atLeast(at *time.Duration, least time.Duration) func() bool {
	return func() bool { return *at >= least }
}

func isListen(address string) bool {
	if address == "" {
		return true
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

const keyBytes = 16 // of the SipHash key in hash_key

func isKey(s Secret) bool {
	key, err := hex.DecodeString(string(s))
	return s == "" || err == nil && len(key) == keyBytes
}

// The functions below return the mistake in a value, as the rest of a sentence that begins
// with the value's name, or "". The package that uses the value decides about mistakes.

func wrongFormat(format string) string {
	if format == "" {
		return ""
	}
	return rest(wrap.Check(format))
}

func wrongSite(site string) string {
	if _, err := admit.New(admit.Options{Site: site}); err != nil {
		return fmt.Sprintf(" must be the name of a host, got %q", site)
	}
	return ""
}

func wrongGroups(groups map[string][]string) string {
	_, err := admit.New(admit.Options{Groups: groups})
	return rest(err)
}

func wrongHosts(hosts []string) string {
	_, err := admit.New(admit.Options{Hosts: hosts})
	return rest(err)
}

// firstWrong returns the mistake in the first text that is not right: a format with the text.
func firstWrong(texts []string, right func(string) bool, mistake string) string {
	for _, text := range texts {
		if !right(text) {
			return fmt.Sprintf(mistake, text)
		}
	}
	return ""
}

// wrongNames returns the mistake in the first name that is not a name or address of a host
// alone.
func wrongNames(hosts []string) string {
	return firstWrong(hosts, func(host string) bool {
		_, err := netip.ParseAddr(host)
		return err == nil || hostName.MatchString(host)
	}, " must be names of hosts without scheme and port, such as dust.example.org, got %q")
}

// headerName is a token of HTTP, or empty.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]*$")

var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?$`)

// wrongLearners returns the mistake in the first name that is not a learner's.
func wrongLearners(names []string) string {
	all := miner.Learners()
	mistake := fmt.Sprintf(" must be names of learners (%s), got ", strings.Join(all, ", "))
	if len(names) == 0 {
		return mistake + "none"
	}
	return firstWrong(names, func(name string) bool { return slices.Contains(all, name) }, mistake+"%q")
}

// idBytes is the number of bytes of a rule's id.
const idBytes = 10

// wrongIDs returns what is wrong with ids of rules.
func wrongIDs(ids []string) string {
	return firstWrong(ids, func(id string) bool {
		b, err := hex.DecodeString(id)
		return err == nil && len(b) == idBytes && strings.ToLower(id) == id
	}, ": %q is not the id of a rule: 20 hexadecimal digits, as in /api/v1/rules")
}

// wrongSides returns what is wrong with parts of URLs.
func wrongSides(sides []string) string {
	return firstWrong(sides, func(side string) bool {
		return side != "" && !strings.ContainsFunc(side, func(c rune) bool { return c >= 0x80 || !urlnorm.IsPlain(byte(c)) })
	}, ": %q is not a part of a URL, such as /story/")
}

// wrongAllow returns what is wrong with parameters of sites.
func wrongAllow(all []string) string {
	return firstWrong(all, func(text string) bool {
		_, param := siteParam(text)
		return book.IsParam(param)
	}, ": %q is not SITE:NAME or SITE:NAME=VALUE, such as www.example.org:ref")
}

func wrongOrigin(v Validate) string {
	_, err := fetch.New(v.fetch())
	return rest(err)
}

func rest(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

func wrongPath(path string) string {
	if _, err := filepath.Match(path, ""); err != nil || path == "" {
		return fmt.Sprintf(" must be a path or a pattern such as /var/log/nginx/*.log, got %q", path)
	}
	return ""
}

func wrongInputs(all []Input) string {
	for _, in := range all {
		for _, path := range in.Paths {
			if wrong := wrongPath(path); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

func wrongClients(clients []string) string {
	return firstWrong(clients, func(client string) bool {
		_, err := network(client)
		return err == nil
	}, " %q is no address and no network such as 192.0.2.0/24")
}

// wrongOrigins returns the mistake in the first text that is not an origin as browsers send it.
func wrongOrigins(origins []string) string {
	return firstWrong(origins, func(o string) bool {
		u, err := url.Parse(o)
		return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && o == strings.ToLower(u.Scheme+"://"+u.Host) && u.Port() != defaultPorts[u.Scheme]
	}, " must be origins as browsers send them, in small letters, without path and default port, such as https://crawler.example, got %q")
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// mappedBits is the number of bits before an IPv4 address in IPv6.
const mappedBits = 96

// network returns the network named by a text; an address is a network by itself, and IPv4 in IPv6 is
// IPv4.
func network(text string) (netip.Prefix, error) {
	if p, err := netip.ParsePrefix(text); err == nil {
		if a := p.Addr(); a.Is4In6() && p.Bits() >= mappedBits {
			return netip.PrefixFrom(a.Unmap(), p.Bits()-mappedBits), nil
		}
		return p, nil
	}
	address, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	address = address.Unmap().WithZone("")
	return netip.PrefixFrom(address, address.BitLen()), nil
}
