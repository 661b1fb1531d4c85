// Package claims asks the DNS whether clients are the crawlers whose names they use.
//
// Everybody can send the user agent of Googlebot. The owners of many crawlers say how to tell
// (operators/read/crawler, domains.txt): the address has a name below a domain of the owner, and that name
// has the address. An address without such a name is that of a fake crawler. Where the DNS does not
// answer, or knows no names of the internet, the client is believed.
package claims

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"dustbuster/operators/read/client"
	"dustbuster/operators/read/crawler"
)

// Resolver asks the DNS, as a *net.Resolver does.
type Resolver interface {
	LookupAddr(ctx context.Context, address string) (names []string, err error)
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// claim is an address whose client names a crawler, by the family.
type claim struct {
	address netip.Addr
	family  uint32
}

// Bounds of what is asked.
const (
	most   = 2000             // claims
	names  = 8                // of an address
	atOnce = 16               // questions
	within = 5 * time.Second  // of one address
	total  = 60 * time.Second // of all
)

// Log holds the claims of a log, 2,000 at most. The zero Log is empty. Any goroutine may use a Log.
type Log struct {
	mutex sync.Mutex
	all   map[claim]bool
	more  bool // claims were left out
}

// Note takes in a client that names a crawler of a family. Crawlers whose owners publish no domains, and
// private addresses, are not noted.
func (l *Log) Note(text []byte, family uint32) {
	address, ok := client.Parse(text)
	if !ok || client.Private(address) || !crawler.HasDomains(family) {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	c := claim{address, family}
	if len(l.all) == most && !l.all[c] {
		l.more = true
		return
	}
	if l.all == nil {
		l.all = map[claim]bool{}
	}
	l.all[c] = true
}

// Answers are what the DNS says. Any goroutine may read them.
type Answers struct {
	Genuine, Fake int  // addresses
	Unknown       int  // addresses of which the DNS gave no answer
	More          bool // there are further addresses, which were not asked of

	fake map[claim]bool
}

// Denies reports whether a client is not the crawler of a family, as its agent says.
func (a *Answers) Denies(text []byte, family uint32) bool {
	address, ok := client.Parse(text)
	return ok && a.fake[claim{address, family}]
}

// answer is what the DNS says of a claim.
type answer int

const (
	unknown answer = iota
	genuine
	fake
)

// Ask asks of all claims, 16 at once, for a minute at most: for each address its names, and the addresses of at most eight
// of them.
func (l *Log) Ask(ctx context.Context, from Resolver) *Answers {
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	a := &Answers{More: l.more, fake: map[claim]bool{}}
	var mutex sync.Mutex
	var workers sync.WaitGroup
	open := make(chan claim)
	for range atOnce {
		workers.Go(func() {
			for c := range open {
				is := c.ask(ctx, from)
				mutex.Lock()
				a.count(c, is)
				mutex.Unlock()
			}
		})
	}
	for c := range l.all {
		open <- c
	}
	close(open)
	workers.Wait()
	if a.Fake > 0 && a.Genuine == 0 && !isPublic(ctx, from) {
		a.Unknown, a.Fake = a.Unknown+a.Fake, 0
		clear(a.fake)
	}
	return a
}

// isPublic reports whether the DNS knows the names of the internet. In some networks it knows only the network's.
func isPublic(ctx context.Context, from Resolver) bool {
	addresses, err := from.LookupNetIP(ctx, "ip", "example.com")
	return err == nil && len(addresses) > 0
}

func (a *Answers) count(c claim, is answer) {
	switch is {
	case genuine:
		a.Genuine++
	case fake:
		a.Fake++
		a.fake[c] = true
	default:
		a.Unknown++
	}
}

// ask asks for the names of an address, and for the addresses of those that the crawler has. Many owners give
// IPv6 addresses no names, so none of them is a fake for want of a name.
func (c claim) ask(ctx context.Context, from Resolver) answer {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	all, err := from.LookupAddr(ctx, c.address.String())
	if err != nil && !isNotFound(err) || len(all) == 0 && c.address.Is6() {
		return unknown
	}
	for _, name := range all[:min(len(all), names)] {
		if !crawler.IsName(c.family, name) {
			continue
		}
		addresses, err := from.LookupNetIP(ctx, "ip", name)
		switch {
		case slices.ContainsFunc(addresses, func(a netip.Addr) bool { return a.Unmap() == c.address }):
			return genuine
		case err != nil && !isNotFound(err):
			return unknown
		}
	}
	return fake
}

func isNotFound(err error) bool {
	told, is := errors.AsType[*net.DNSError](err)
	return is && told.IsNotFound
}
