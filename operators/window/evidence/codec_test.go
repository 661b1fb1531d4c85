package evidence

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// random returns observations as a combiner emits them.
func random(rng *rand.Rand, n int, h Head) []Observation {
	list := make([]Observation, n)
	for i := range list {
		o := &list[i]
		o.URL = fmt.Appendf(nil, "/%s?id=%d", strings.Repeat("a", rng.IntN(30)), rng.IntN(1000))
		o.Time = PaneStart(rng.Int64N(5)-2, h.Pane)
		o.Class = []uint8{0, 0, 1, Digest}[rng.IntN(4)]
		if rng.IntN(3) > 0 {
			o.Min = 1 + rng.Int64N(math.MaxInt64)>>rng.IntN(63)
			o.Max = o.Min + rng.Int64N(math.MaxInt64-o.Min+1)>>rng.IntN(63)
		}
		if rng.IntN(3) == 0 {
			o.DigestMin = 1 + rng.Uint64N(math.MaxUint64)
			o.DigestMax = o.DigestMin + rng.Uint64N(math.MaxUint64-o.DigestMin+1)>>rng.IntN(63)
		}
		o.Clients = uint16(rng.IntN(1 << 16))
		if rng.IntN(2) == 0 {
			o.Clients = 1 << rng.IntN(16)
		}
		if rng.IntN(3) == 0 {
			o.Families = rng.Uint32()
		}
	}
	return list
}

func show(list []Observation) string {
	var b strings.Builder
	for i := range list {
		o := list[i]
		fmt.Fprintf(&b, "%q %d %d: %d-%d %x-%x %b %b\n", o.URL, o.Time, o.Class, o.Min, o.Max, o.DigestMin, o.DigestMax, o.Clients, o.Families)
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	d := NewDecoder(nil)
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		h := Head{Pane: []int64{0, 1, 7200, math.MaxInt64}[rng.IntN(4)], Check: rng.Uint32(), Sites: rng.Uint32N(3), Crawlers: rng.Uint32N(3)}
		list := random(rng, 1+rng.IntN(60), h)
		prefix := []byte("before")
		b, n := Append(prefix, h, list)
		v, err := d.Decode(b[len(prefix):])
		if err != nil || n != len(list) || v.Head != h || v.Refused != 0 {
			t.Fatalf("seed %d: %d of %d, %+v, %v", seed, n, len(list), v, err)
		}
		if got, want := show(v.List), show(list); got != want {
			t.Fatalf("seed %d:\ngot\n%swant\n%s", seed, got, want)
		}
	}
}

// The format stays compatible with values in existing topics.
func TestFormat(t *testing.T) {
	b, _ := Append(nil, Head{Pane: 7200, Check: 0x04030201, Rule: 1}, []Observation{
		{URL: []byte("/a?x=1"), Time: 72000, Min: 300, Max: 300, Clients: 1 << 7},
		{URL: []byte("/a?x=2"), Time: 79200, Class: 2, Min: 1, Max: 3, Clients: 1<<7 | 1<<8, Families: 5},
		{URL: []byte("/b"), Time: 79200, Class: 255, DigestMin: 1, DigestMax: 1},
		{URL: []byte("/b"), Time: 79200, Class: 255, DigestMin: 1, DigestMax: 2},
	})
	want := "03" + "01020304" + "01" + "a038" +
		"6d" + "14" + "00" + "06" + "2f613f783d31" + "ac02" + "07" +
		"a4" + "02" + "02" + "05" + "01" + "32" + "01" + "02" + "8001" + "05" +
		"3a" + "ff" + "01" + "01" + "62" + "0100000000000000" + "0000" +
		"1b" + "02" + "00" + "0100000000000000" + "0200000000000000" + "0000"
	if got := hex.EncodeToString(b); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Many observations make several values, and each value can be read.
func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	list := random(rng, 20_000, Head{Pane: 10})
	for i := range 100 {
		list[i].URL = bytes.Repeat([]byte{'/'}, 60_000) // shared bytes of URLs count as well
	}
	d := NewDecoder(nil)
	for values, rest := 0, list; len(rest) > 0; values++ {
		b, n := Append(nil, Head{Pane: 10}, rest)
		v, err := d.Decode(b)
		if err != nil || len(v.List) != n || show(v.List) != show(rest[:n]) {
			t.Fatalf("value %d of %d bytes: %d of %d observations, %v", values, len(b), len(v.List), n, err)
		}
		if rest = rest[n:]; len(rest) == 0 && values < 5 {
			t.Errorf("%d values", values+1)
		}
	}
}

// The decoder leaves out refused URLs, and the encoder leaves out URLs longer than MaxURL.
func TestRefused(t *testing.T) {
	good := Observation{URL: []byte("/good"), Min: 1, Max: 1}
	d := NewDecoder(func(url []byte) bool { return string(url) == "/bad" })
	for _, url := range []string{"/bad", "/" + strings.Repeat("a", MaxURL)} {
		b, n := Append(nil, Head{}, []Observation{good, {URL: []byte(url)}, good})
		v, err := d.Decode(b)
		if err != nil || n != 3 || show(v.List) != show([]Observation{good, good}) || v.Refused != 1 && len(url) <= MaxURL {
			t.Errorf("%.30q: %+v, %v", url, v, err)
		}
	}
	b, _ := Append(nil, Head{Pane: -1}, []Observation{{URL: good.URL, Min: 5, Max: 4, DigestMin: 9, DigestMax: 8, Clients: 8}})
	v, err := d.Decode(b)
	if want := show([]Observation{{URL: good.URL, Clients: 8}}); err != nil || show(v.List) != want {
		t.Errorf("got %+v, %v, want %s", v, err, want)
	}
}

// A value with bytes cut off or bits flipped gives an error or a value, and never a panic.
func TestDamage(t *testing.T) {
	b, _ := Append(nil, Head{Pane: 7200, Check: 1, Rule: 1}, random(rand.New(rand.NewPCG(4, 4)), 20, Head{Pane: 7200}))
	d := NewDecoder(nil)
	for i := range b {
		_, _ = d.Decode(b[:i])
		for bit := range 8 {
			c := bytes.Clone(b)
			c[i] ^= 1 << bit
			_, _ = d.Decode(c)
		}
	}
	for _, c := range []struct {
		name string
		bad  []byte
	}{
		{"nothing", []byte{}},
		{"only a version", []byte{2}},
		{"no rule", []byte{3, 0, 0, 0, 0}},
		{"no pane", []byte{3, 0, 0, 0, 0, 1}},
		{"a pane below 0", append([]byte{3, 0, 0, 0, 0, 1}, bytes.Repeat([]byte{0xff}, 10)...)},
		{"a bit too far", []byte{3, 0, 0, 0, 0, 1, 0, 0x43, 0, 1, '/', 16}},
		{"no families", []byte{3, 0, 0, 0, 0, 1, 0, 0xc3, 0, 1, '/', 0, 0}},
		{"33 families", []byte{3, 0, 0, 0, 0, 1, 0, 0xc3, 0, 1, '/', 0, 0xff, 0xff, 0xff, 0xff, 0x1f}},
		{"more shared", []byte{3, 0, 0, 0, 0, 1, 0, 0x43, 1, 1, '/', 0}},
		{"an endless URL", []byte{3, 0, 0, 0, 0, 1, 0, 0x43, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}},
		{"a size of 0", []byte{3, 0, 0, 0, 0, 1, 0, 0x4f, 0, 1, '/', 0, 0}},
		{"half a mask", []byte{3, 0, 0, 0, 0, 1, 0, 0x03, 0, 1, '/', 2}},
		{"too long", make([]byte, maxValue+1)},
	} {
		if c.name == "too long" {
			c.bad[0] = version
		}
		if v, err := d.Decode(c.bad); !errors.Is(err, errMalformed) {
			t.Errorf("%s: %+v, %v", c.name, v, err)
		}
	}
	if _, err := d.Decode([]byte{1}); !errors.Is(err, ErrOlder) {
		t.Errorf("version 1: %v", err)
	}
	if _, err := d.Decode([]byte{6}); !errors.Is(err, ErrNewer) {
		t.Errorf("version 6: %v", err)
	}
}

// The settings of sites take four bytes after the rule, if they are told.
func TestSites(t *testing.T) {
	list := []Observation{{URL: []byte("/a"), Time: 72000, Min: 3, Max: 3}}
	told, _ := Append(nil, Head{Pane: 7200, Check: 1, Rule: 1, Sites: 0x04030201}, list)
	not, _ := Append(nil, Head{Pane: 7200, Check: 1, Rule: 1}, list)
	if want := slices.Concat([]byte{4}, not[1:6], []byte{1, 2, 3, 4}, not[6:]); !bytes.Equal(told, want) {
		t.Errorf("got %x, want %x", told, want)
	}
	if v, err := NewDecoder(nil).Decode(told[:9]); !errors.Is(err, errMalformed) {
		t.Errorf("half of the settings: %+v, %v", v, err)
	}
}

// The worst difference of two heads is found, in both directions. Sites that are not told do not differ.
func TestDiffers(t *testing.T) {
	h := Head{Pane: 7200, Check: 1, Rule: 1, Sites: 5}
	for _, c := range []struct {
		name string
		head Head
		want Difference
	}{
		{"same", h, Same},
		{"pane", Head{Pane: 3600, Check: 2, Rule: 2, Sites: 6}, OtherPane},
		{"no window", Head{Check: 1, Rule: 1, Sites: 5}, OtherPane},
		{"key", Head{Pane: 7200, Check: 2, Rule: 2, Sites: 6}, OtherKey},
		{"sites", Head{Pane: 7200, Check: 1, Rule: 2, Sites: 6}, OtherSites},
		{"rule", Head{Pane: 7200, Check: 1, Rule: 2, Sites: 5}, OtherRule},
		{"crawlers", Head{Pane: 7200, Check: 1, Rule: 1, Sites: 5, Crawlers: 1}, OtherCrawlers},
		{"untold sites", Head{Pane: 7200, Check: 1, Rule: 1}, Same},
	} {
		if got, back := h.Differs(c.head), c.head.Differs(h); got != c.want || back != c.want {
			t.Errorf("%s: got %v and %v, want %v", c.name, got, back, c.want)
		}
	}
}

// A value of version 2 has no rule, and its clients do not compare.
func TestVersion2(t *testing.T) {
	h := Head{Pane: 7200, Check: 0x04030201, Rule: 1}
	b, _ := Append(nil, h, []Observation{{URL: []byte("/a"), Time: 72000, Min: 3, Max: 3, Clients: 1 << 7}, {URL: []byte("/b"), Time: 79200, Min: 3, Max: 3}})
	b = append([]byte{2}, append(b[1:5:5], b[6:]...)...)
	v, err := NewDecoder(nil).Decode(b)
	if err != nil || v.Rule != 0 || v.Pane != 7200 || v.Check != h.Check || v.Compares(h) || len(v.List) != 2 || v.List[0].Clients != 1<<7 {
		t.Fatalf("%+v, %v", v, err)
	}
	if newest, any := v.Forget(); !any || newest != 72000 || v.List[0].Clients != 0 {
		t.Errorf("%d, %v, %+v", newest, any, v.List)
	}
	if newest, any := v.Forget(); any {
		t.Errorf("clients of %d are forgotten twice", newest)
	}
}

// Shared beginnings of URLs cannot blow up a small value.
func TestBomb(t *testing.T) {
	b := []byte{3, 0, 0, 0, 0, 1, 0, 0x43, 0, 0xc0, 0x3e} // a URL of 8,000 bytes
	b = append(append(b, bytes.Repeat([]byte{'/'}, 8000)...), 0)
	for len(b) < maxValue-5 {
		b = append(b, 0x43, 0xc0, 0x3e, 0, 0)
	}
	d := NewDecoder(nil)
	if _, err := d.Decode(b); !errors.Is(err, errMalformed) || cap(d.text) > 2*maxText {
		t.Errorf("%v, %d bytes held", err, cap(d.text))
	}
}

func TestAllocations(t *testing.T) {
	b, _ := Append(nil, Head{Pane: 7200, Check: 1, Rule: 1}, random(rand.New(rand.NewPCG(4, 4)), 500, Head{Pane: 7200}))
	d := NewDecoder(nil)
	if n := testing.AllocsPerRun(20, func() { _, _ = d.Decode(b) }); n != 0 {
		t.Errorf("%v allocations a value, want none", n)
	}
}

func FuzzDecode(f *testing.F) {
	b, _ := Append(nil, Head{Pane: 7200, Check: 1, Rule: 1}, random(rand.New(rand.NewPCG(4, 4)), 8, Head{Pane: 7200}))
	f.Add(b)
	f.Add([]byte{2, 0, 0, 0, 0, 0})
	f.Add([]byte{3, 0, 0, 0, 0, 1, 0})
	d := NewDecoder(nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := d.Decode(b)
		if err != nil || len(v.List) == 0 {
			return
		}
		for i := range v.List { // a combiner makes no panes at the ends of time
			if o := &v.List[i]; PaneStart(PaneOf(o.Time, v.Pane), v.Pane) != o.Time {
				return
			}
		}
		want := show(v.List)
		again, n := Append(nil, v.Head, v.List)
		for n < len(v.List) {
			t.Skip("more than one value")
		}
		w, err := d.Decode(again)
		if err != nil || show(w.List) != want {
			t.Errorf("%x: %+v, %v, want\n%s", b, w, err, want)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	list := random(rand.New(rand.NewPCG(4, 4)), 500, Head{Pane: 7200})
	value, n := Append(nil, Head{Pane: 7200, Check: 1, Rule: 1}, list)
	d := NewDecoder(nil)
	for b.Loop() {
		_, _ = d.Decode(value)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/observation")
}
