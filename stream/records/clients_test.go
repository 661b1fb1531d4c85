package records

import (
	"fmt"
	"math/bits"
	"net/netip"
	"strings"
	"testing"

	"dustbuster/operators/read/client"
	"dustbuster/stream/files"
)

// asks returns a line of nginx's format main: a peer, and the list that it forwards.
func asks(peer, list string) string {
	return fmt.Sprintf("%s - - [02/Jan/2024:03:04:05 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"ua\" \"%s\"\n", peer, list)
}

func askedJSON(peer, list string) string {
	return fmt.Sprintf(`{"remote_addr":%q,"http_x_forwarded_for":%q,"http_x_real_ip":"192.0.2.99","request":"GET /a HTTP/1.1","status":200,"body_bytes_sent":12}`+"\n", peer, list)
}

// lineEach returns a line for each of n numbers.
func lineEach(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
	}
	return b.String()
}

// crowd is the lines of many visitors behind a private proxy.
func crowd(line func(peer, list string) string) string {
	return lineEach(200, func(i int) string { return line(fmt.Sprintf("10.0.0.%d", i%2), fmt.Sprintf("203.0.113.%d", i)) })
}

// clientsOf returns the number of bits of the clients of the last lines of a log.
func clientsOf(t *testing.T, o Options, log string, last int) int {
	t.Helper()
	o.Admit.MaxBytes, o.Admit.MaxTokens = 100, 100
	r := open(t, o, files.Options{}, write(t, "log", log))
	defer r.Close()
	var masks []uint16
	for {
		b, err := r.Read(t.Context())
		if err != nil {
			break
		}
		for i := range b.Records {
			masks = append(masks, b.Records[i].Clients)
		}
		b.Release()
	}
	if len(masks) < last {
		t.Fatalf("%d records, want %d", len(masks), last)
	}
	all := uint16(0)
	for _, m := range masks[len(masks)-last:] {
		all |= m
	}
	return bits.OnesCount16(all)
}

// Who is counted, where a line has a peer and a list.
func TestForwarded(t *testing.T) {
	forged := func(i int) string { return fmt.Sprintf("192.0.2.%d, 203.0.113.7", i) }
	neighbor := func(i int) string { return fmt.Sprintf("8.8.8.%d", 4+i%4) }
	trusted := client.Proxies{Trusted: []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}}
	for _, c := range []struct {
		name string
		o    Options
		log  string // before the last lines
		last func(line func(peer, list string) string) string
		many bool
	}{
		{"visitors", Options{}, "", crowd, true},
		{"a list that its sender has written", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line("10.0.0.1", forged(i)) })
		}, false},
		{"a list from a public peer", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line("203.0.113.66", fmt.Sprintf("192.0.2.%d", i)) })
		}, false},
		{"four neighbors", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line("10.0.0.1", neighbor(i)) })
		}, false},
		{"four neighbors without a proxy", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line(neighbor(i), "-") })
		}, false},
		{"a /48", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line("10.0.0.1", fmt.Sprintf("2600:1:2:%x::%x", i, i)) })
		}, false},
		{"ports", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line(fmt.Sprintf("203.0.113.66:%d", 1024+i), "-") })
		}, false},
		{"a private peer whose lines mostly have no list", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(int) string { return line("10.0.0.1", "-") }) + lineEach(100, func(i int) string { return line("10.0.0.1", fmt.Sprintf("203.0.113.%d", i)) })
		}, false},
		{"a trusted peer", Options{Proxies: trusted}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line("198.51.100.7", fmt.Sprintf("203.0.113.%d, 198.51.100.9", i)) })
		}, true},
		{"a trusted peer whose lines mostly have no list", Options{Proxies: trusted}, "", func(line func(peer, list string) string) string {
			return lineEach(400, func(int) string { return line("203.0.113.1", "-") }) + lineEach(100, func(i int) string { return line("198.51.100.7", fmt.Sprintf("203.0.113.%d", i)) })
		}, true},
		{"a peer that nobody trusts", Options{}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line("198.51.100.7", fmt.Sprintf("203.0.113.%d, 198.51.100.9", i)) })
		}, false},
		{"a trusted list that its sender has written", Options{Proxies: trusted}, "", func(line func(peer, list string) string) string {
			return lineEach(100, func(i int) string { return line("198.51.100.7", forged(i)) })
		}, false},
	} {
		for _, test := range []struct {
			format string
			line   func(peer, list string) string
		}{{"main", asks}, {"JSON", askedJSON}} {
			t.Run(c.name+", "+test.format, func(t *testing.T) {
				n := clientsOf(t, c.o, c.log+c.last(test.line), 100)
				if many := n > 8; many != c.many || !many && n > 4 {
					t.Errorf("%d bits, many %v", n, c.many)
				}
				for _, name := range []string{"combined", "nginx_json"} { // a named format decides by the same lines
					o := c.o
					if o.Format = name; name == "combined" != (test.format == "main") {
						continue
					}
					if got := clientsOf(t, o, c.log+c.last(test.line), 100); got != n {
						t.Errorf("as %s: %d bits, want %d", name, got, n)
					}
				}
			})
		}
	}
}

// The order of lines, and the batches that they come in, play no part once a file is known.
func TestForwardedOnce(t *testing.T) {
	head := crowd(asks) + crowd(asks) + crowd(asks)                                                       // more than DetectLines
	late := lineEach(100, func(i int) string { return asks("10.0.0.1", fmt.Sprintf("203.0.113.%d", i)) }) // as the first
	bare := lineEach(2000, func(int) string { return asks("10.0.0.1", "-") })                             // then lists are rare
	if n := clientsOf(t, Options{}, head+bare+late, 100); n < 12 {
		t.Errorf("behind lines without lists: %d bits", n)
	}
	if n := clientsOf(t, Options{}, bare+head+late, 100); n != 1 {
		t.Errorf("the first lines have no lists: %d bits", n)
	}
}

// A header counts if it is named, and before X-Forwarded-For.
func TestForwardedHeader(t *testing.T) {
	line := func(i int) string {
		return fmt.Sprintf(`{"remote_addr":"10.0.0.1","http_x_forwarded_for":"203.0.113.%d","http_x_real_ip":"192.0.2.9","request":"GET /a HTTP/1.1","status":200,"body_bytes_sent":12}`+"\n", i)
	}
	custom := `$remote_addr "$request" $status $body_bytes_sent "$http_x_forwarded_for" "$http_x_real_ip"`
	plain := func(i int) string {
		return fmt.Sprintf("10.0.0.1 \"GET /a HTTP/1.1\" 200 12 \"203.0.113.%d\" \"192.0.2.9\"\n", i)
	}
	for _, c := range []struct {
		name, header, format string
		line                 func(i int) string
		many                 bool
	}{
		{"none", "", "", line, true},
		{"another", "CF-Connecting-IP", "", line, true},
		{"named", "X-Real-IP", "", line, false},
		{"named in small letters", "x-real-ip", "", line, false},
		{"none, in a format of nginx", "", custom, plain, true},
		{"named, in a format of nginx", "X-Real-IP", custom, plain, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := clientsOf(t, Options{Format: c.format, Proxies: client.Proxies{Header: c.header}}, lineEach(100, c.line), 100)
			if c.many != (n > 1) {
				t.Errorf("%d bits", n)
			}
		})
	}
}
