package admit

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"dustbuster/operators/read/crawler"
)

// netipNetwork is appendNetwork by the standard library.
func netipNetwork(text string) string {
	a, err := netip.ParseAddr(text)
	switch {
	case err != nil || a.Is4():
		return text
	case a.Is4In6():
		return a.Unmap().WithZone("").String()
	}
	b := a.As16()
	return string(b[:8])
}

var addresses = []string{"192.0.2.1", "2001:db8::1", "2001:DB8:0:0:1::", "::", "::1", "1::", "fe80::1%eth0", "::ffff:192.0.2.1",
	"::ffff:c000:201", "::192.0.2.1", "64:ff9b::192.0.2.33", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
	"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:::2", "1::2::3", ":1::", "1::2:", "12345::", "g::", "::1.2.3", "::1.2.3.256", "::01.2.3.4",
	"1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "host:80", ":", "", "%", "[::1]", "::ffff:192.0.2.1%eth0", "::%"}

func TestNetworks(t *testing.T) {
	for _, text := range addresses {
		if got, want := string(appendNetwork(nil, []byte(text))), netipNetwork(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzNetwork compares the parser of addresses with the standard library's.
func FuzzNetwork(f *testing.F) {
	for _, text := range addresses {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := string(appendNetwork(nil, []byte(text))), netipNetwork(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}

// What a gate remembers of clients changes neither their bits nor the families of their agents, whichever clients share
// a place, and if an agent loses its own.
func TestWho(t *testing.T) {
	g, err := New(Options{Key: [2]uint64{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	agents := []string{"", "Mozilla/5.0 (X11)", "Googlebot/2.1", "curl/8.0", strings.Repeat("x", crawler.Most) + "a", strings.Repeat("x", crawler.Most) + " bingbot"}
	collided := 0
	for range 100_000 {
		client := fmt.Appendf(nil, "10.0.%d.%d", rng.IntN(8), rng.IntN(256))
		switch rng.IntN(8) {
		case 0:
			client = client[:rng.IntN(len(client))]
		case 1:
			client = fmt.Appendf(nil, "2001:db8::%x:%0*x", rng.IntN(3), 1+rng.IntN(40), rng.IntN(3))
		case 2:
			client = fmt.Appendf(nil, "10.0.0.1%c 10.0.0.1", 'a'+rng.IntN(4)) // one place
			collided++
		}
		agent := []byte(agents[rng.IntN(len(agents))])
		if rng.IntN(4) == 0 {
			agent = fmt.Appendf(agent, "%d", rng.IntN(1<<14)) // more than a Memory knows
		}
		bit, family := g.who(client, agent)
		if want := g.clientBit(client); bit != want {
			t.Fatalf("%q: bit %d, want %d", client, bit, want)
		}
		if want := crawler.Family(agent); family != want {
			t.Fatalf("%q, %q: family %d, want %d", client, agent, family, want)
		}
	}
	if a, b := seenAt([]byte("10.0.0.1a 10.0.0.1")), seenAt([]byte("10.0.0.1b 10.0.0.1")); a != b || collided == 0 {
		t.Error("no two clients have one place")
	}
}

func TestClientBits(t *testing.T) {
	g, err := New(Options{Key: [2]uint64{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	bit := func(client string) uint16 { return g.clientBit([]byte(client)) }
	if bit("") != 0 {
		t.Error("a line without a client has a bit")
	}
	for _, same := range [][2]string{{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9"}, {"::ffff:192.0.2.7", "192.0.2.7"}} {
		if bit(same[0]) != bit(same[1]) {
			t.Errorf("%s and %s have two bits", same[0], same[1])
		}
	}
	var all uint16
	for _, client := range []string{"192.0.2.", "2001:db8:0:"} {
		all = 0
		for i := range 200 {
			b := bit(client + string("0123456789"[i/20]) + string("0123456789"[i%10]) + map[byte]string{'.': "", ':': "::1"}[client[len(client)-1]])
			if b&(b-1) != 0 || b == 0 {
				t.Fatalf("a client has the mask %b", b)
			}
			all |= b
		}
		if all != 1<<16-1 {
			t.Errorf("100 clients of %s* have the mask %016b", client, all)
		}
	}
	if n := testing.AllocsPerRun(10, func() { g.clientBit([]byte("2001:db8::1")) }); n > 0 {
		t.Errorf("a client costs %v allocations", n)
	}
}
