package claims_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"dustbuster/operators/read/crawler"
	"dustbuster/stream/claims"
)

// zone is a DNS with some names of addresses, and addresses of names.
type zone struct {
	names     map[string][]string
	addresses map[string]string
	asked     atomic.Int64
}

var errDown = errors.New("no server answers")

func (z *zone) LookupAddr(_ context.Context, address string) ([]string, error) {
	z.asked.Add(1)
	switch names, known := z.names[address]; {
	case !known:
		return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
	case names == nil:
		return nil, errDown
	default:
		return names, nil
	}
}

func (z *zone) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	z.asked.Add(1)
	switch address, known := z.addresses[host]; {
	case !known:
		return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
	case address == "":
		return nil, errDown
	default:
		return []netip.Addr{netip.MustParseAddr("203.0.113.250"), netip.MustParseAddr(address)}, nil
	}
}

var (
	google = crawler.Family([]byte("Googlebot/2.1"))
	gpt    = crawler.Family([]byte("GPTBot/1.2"))
)

func TestAsk(t *testing.T) {
	z := &zone{
		names: map[string][]string{
			"203.0.113.1": {"crawl-1.googlebot.com."}, "203.0.113.2": {"crawl-2.googlebot.com."}, "203.0.113.3": {"googlebot.com.example.org.", "notgooglebot.com."},
			"203.0.113.4": nil, "203.0.113.5": {"crawl-5.googlebot.com."}, "203.0.113.6": {"host.example.org.", "CRAWL-6.GOOGLEBOT.COM."},
			"2001:db8::7": {"crawl-7.googlebot.com."}, "203.0.113.9": {"crawl-9.googlebot.com."},
		},
		addresses: map[string]string{
			"crawl-1.googlebot.com.": "203.0.113.1", "crawl-2.googlebot.com.": "203.0.113.77", "crawl-5.googlebot.com.": "", "CRAWL-6.GOOGLEBOT.COM.": "::ffff:203.0.113.6",
			"crawl-7.googlebot.com.": "2001:db8::7", "googlebot.com.example.org.": "203.0.113.3", "notgooglebot.com.": "203.0.113.3",
		},
	}
	cases := []struct {
		name, client string
		fake         bool
	}{
		{"the name has the address", "203.0.113.1", false},
		{"the name has another address", "203.0.113.2", true},
		{"names of others", "203.0.113.3", true},
		{"no answer for the address", "203.0.113.4", false},
		{"no answer for the name", "203.0.113.5", false},
		{"the second name, in capitals", "203.0.113.6", false},
		{"IPv6", "2001:db8::7", false},
		{"IPv6 without a name", "2001:db8::8", false},
		{"a name without addresses", "203.0.113.9", true},
		{"no name", "203.0.113.10", true},
		{"not noted: private", "10.0.0.1", false},
		{"not noted: a name", "host.example.org", false},
	}
	var log claims.Log
	for range 3 {
		for _, c := range cases {
			log.Note([]byte(c.client), google)
			log.Note([]byte(c.client), gpt) // its owner publishes no domains
		}
	}
	a := log.Ask(t.Context(), z)
	for _, c := range cases {
		if a.Denies([]byte(c.client), google) != c.fake || a.Denies([]byte(c.client), gpt) {
			t.Errorf("%s: want fake %v", c.name, c.fake)
		}
	}
	if got := fmt.Sprint(a.Genuine, a.Fake, a.Unknown, a.More); got != "3 4 3 false" || z.asked.Load() > 20 {
		t.Errorf("%s, with %d questions", got, z.asked.Load())
	}
}

// What is asked is bounded, and a DNS that answers nothing denies nobody.
func TestBounds(t *testing.T) {
	var log claims.Log
	for i := range 3000 {
		log.Note(fmt.Appendf(nil, "203.0.%d.%d", i/256, i%256), google)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := log.Ask(ctx, down{})
	if !a.More || a.Unknown != 2000 || a.Fake != 0 || a.Genuine != 0 {
		t.Errorf("%+v", a)
	}
}

// A DNS without the names of the internet denies nobody, unless it confirms somebody.
func TestPrivateDNS(t *testing.T) {
	for _, c := range []struct {
		name    string
		zone    *zone
		genuine bool // a client is
		fakes   int
	}{
		{"no names", &zone{}, false, 0},
		{"names of the internet", &zone{addresses: map[string]string{"example.com": "203.0.113.200"}}, false, 1},
		{"a crawler's names", &zone{names: map[string][]string{"203.0.113.1": {"a.googlebot.com"}}, addresses: map[string]string{"a.googlebot.com": "203.0.113.1"}}, true, 1},
	} {
		var log claims.Log
		log.Note([]byte("203.0.113.2"), google)
		if c.genuine {
			log.Note([]byte("203.0.113.1"), google)
		}
		if a := log.Ask(t.Context(), c.zone); a.Fake != c.fakes || a.Denies([]byte("203.0.113.2"), google) != (c.fakes > 0) {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
}

type down struct{}

func (down) LookupAddr(ctx context.Context, _ string) ([]string, error) { return nil, ctx.Err() }

func (down) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	return nil, ctx.Err()
}
