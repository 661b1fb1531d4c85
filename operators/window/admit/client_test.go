package admit

import (
	"net/netip"
	"testing"
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
