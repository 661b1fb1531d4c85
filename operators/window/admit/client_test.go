package admit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dustbuster/operators/read/crawler"
)

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
	for _, c := range []struct {
		name   string
		client string // with a number
		one    bool
	}{
		{"addresses of documentation", "192.0.2.%d", false},
		{"networks of IPv6", "2600:%d::1", false},
		{"neighbors", "8.8.8.%d", true},
		{"a /48", "2600:1:2:%x::1", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all uint16
			for i := range 200 {
				b := bit(fmt.Sprintf(c.client, i))
				if b&(b-1) != 0 || b == 0 {
					t.Fatalf("a client has the mask %b", b)
				}
				all |= b
			}
			if one := all&(all-1) == 0; one != c.one || !one && all != 1<<16-1 {
				t.Errorf("the mask of all is %016b", all)
			}
		})
	}
	if n := testing.AllocsPerRun(10, func() { g.clientBit([]byte("2001:db8::1")) }); n > 0 {
		t.Errorf("a client costs %v allocations", n)
	}
}
