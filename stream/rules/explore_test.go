package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Secrets of the examples. The second is longer than a block of SHA-256, and not of ASCII alone.
const (
	shortSecret = "an-example-secret"
	longSecret  = "the secret of a crawler – longer than the 64 bytes of one block of SHA-256"
)

func explorer(t *testing.T, secret string, oneIn uint64) *Explorer {
	t.Helper()
	e, err := NewExplorer(secret, oneIn)
	must(t, err)
	return e
}

// Programs in other languages must choose the same URLs: docs/conformance/README.md has these examples.
func TestExplorer(t *testing.T) {
	day := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		secret, url string
		hash        uint64
		chosen      []uint64
		not         []uint64
	}{
		{shortSecret, "http://www.example.org/a?sid=1", 0x5278bcac681dec90, []uint64{1, 20}, []uint64{0, 3, 1000}},
		{shortSecret, "https://www.example.org/", 0x1877124397e9a2f0, []uint64{1, 3}, []uint64{0, 5, 1000}},
		{shortSecret, "http://h/%C3%A9?x=1#f", 0xcf92790386d867ec, []uint64{4}, []uint64{3, 20}},
		{shortSecret, "http://h/é", 0xae70ce8f210cb6b4, []uint64{4}, []uint64{3, 20}},
		{shortSecret, "http://www.example.org/a?sid=1530", 0x1d80dc55188e4d00, []uint64{1000}, nil},
		{shortSecret, "http://www.example.org/a?sid=3382", 0xd93e4d4add445b50, []uint64{1000}, nil},
		{longSecret, "https://www.example.org/", 0xf817ed43df28161b, []uint64{1}, []uint64{0, 1000}},
	} {
		if got := explorer(t, c.secret, 1).hash(c.url, day); got != c.hash {
			t.Errorf("%s: %016x", c.url, got)
		}
		for _, oneIn := range c.chosen {
			if !explorer(t, c.secret, oneIn).Explores(c.url, day) {
				t.Errorf("%s is not chosen at 1 in %d", c.url, oneIn)
			}
		}
		for _, oneIn := range c.not {
			if explorer(t, c.secret, oneIn).Explores(c.url, day) {
				t.Errorf("%s is chosen at 1 in %d", c.url, oneIn)
			}
		}
	}
	at := time.Date(2026, 11, 22, 23, 30, 0, 0, time.FixedZone("", -3600)) // the 23rd in UTC
	usual, url := explorer(t, shortSecret, DefaultOneIn), "http://www.example.org/a?sid=1530"
	if !usual.Explores(url, at.Add(-time.Hour)) || usual.Explores(url, at) {
		t.Error("the day is not the day in UTC")
	}
}

// Another day and another secret choose other URLs.
func TestExplorerShare(t *testing.T) {
	day := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	one, other := explorer(t, shortSecret, 20), explorer(t, longSecret, 20)
	n, tomorrow, both := 0, 0, 0
	for i := range 20_000 {
		url := fmt.Sprint("http://www.example.org/a?sid=", i)
		if !one.Explores(url, day) {
			continue
		}
		n++
		if one.Explores(url, day.AddDate(0, 0, 1)) {
			tomorrow++
		}
		if other.Explores(url, day) {
			both++
		}
	}
	if n < 850 || n > 1150 || tomorrow > 150 || both > 150 {
		t.Errorf("%d of 20,000 URLs are chosen at 1 in 20, %d of them on the next day too, %d by another secret too", n, tomorrow, both)
	}
}

func TestSecret(t *testing.T) {
	for _, short := range []string{"fifteen bytes!!", "short!"} {
		if _, err := NewExplorer(short, 1); err == nil || !strings.Contains(err.Error(), "at least 16") || strings.Contains(err.Error(), short) {
			t.Errorf("%q: %v", short, err)
		}
	}
	explorer(t, "fourteen bytesé", 1) // 16 bytes
	now := time.Now()
	one, other, named := explorer(t, "", 1), explorer(t, "", 1), explorer(t, shortSecret, 1)
	if url := "http://www.example.org/"; one.hash(url, now) != other.hash(url, now) || one.hash(url, now) == named.hash(url, now) || len(processSecret) < leastSecret {
		t.Error("the secret of the process is not one, or is known")
	}
}
