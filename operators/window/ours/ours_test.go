package ours_test

import (
	"strconv"
	"testing"

	"dustbuster/operators/window/ours"
)

func made(t *testing.T, o ours.Options) *ours.Sites {
	t.Helper()
	s, err := ours.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNames(t *testing.T) {
	hosts := ours.Options{Hosts: []string{"www.example.org", "*.shop.example.net"}, Site: []string{"Own.example.org.", "other.example.org:80"},
		Groups: []string{"papers"}, Origins: []string{"behind.example.org"}}
	domains := ours.Options{Hosts: []string{"www.example.org", "*.example.net"}, Site: []string{"a.example.com"}, ByDomain: true}
	for _, c := range []struct {
		name string
		of   ours.Options
		site string
		want bool
	}{
		{"host", hosts, "www.example.org", true},
		{"host with a port", hosts, "www.example.org:8080", true},
		{"host below", hosts, "a.shop.example.net", true},
		{"the name itself is not below", hosts, "shop.example.net", false},
		{"another host of the domain", hosts, "example.org", false},
		{"site of lines without a host", hosts, "own.example.org", true},
		{"site with the port of http", hosts, "other.example.org", true},
		{"group", hosts, "papers", true},
		{"site with an origin", hosts, "behind.example.org", true},
		{"bank", hosts, "www.bank.example", false},
		{"end like a host", hosts, "evilwww.example.org", false},
		{"nothing is named", ours.Options{}, "www.example.org", false},
		{"domain of a host", domains, "example.org", true},
		{"domain of a pattern", domains, "example.net", true},
		{"domain of a site", domains, "example.com", true},
		{"another domain", domains, "bank.example", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := made(t, c.of).Names(c.site); got != c.want {
				t.Errorf("%q: %v", c.site, got)
			}
		})
	}
	if _, err := ours.New(ours.Options{Hosts: []string{"not a host"}}); err == nil {
		t.Error("a host that is none is taken")
	}
}

func TestMainOf(t *testing.T) {
	const three, two = 0b10101, 0b11
	for _, c := range []struct {
		name    string
		figures []ours.Figure
		others  int
		parts   bool
		want    string // "-": none
	}{
		{"one host", []ours.Figure{{Site: "a", Count: 10, Clients: three}}, 0, false, "a"},
		{"nine in ten", []ours.Figure{{Site: "a", Count: 90, Clients: three}, {Site: "b", Count: 10, Clients: three}}, 0, false, "a"},
		{"a line less", []ours.Figure{{Site: "a", Count: 89, Clients: three}, {Site: "b", Count: 11, Clients: three}}, 0, false, "-"},
		{"two clients", []ours.Figure{{Site: "a", Count: 10, Clients: two}}, 0, false, "-"},
		{"other lines count", []ours.Figure{{Site: "a", Count: 90, Clients: three}}, 11, false, "-"},
		{"lines without a host count", []ours.Figure{{Site: "", Count: 20, Clients: three}, {Site: "a", Count: 90, Clients: three}}, 0, false, "-"},
		{"half", []ours.Figure{{Site: "a", Count: 50, Clients: three}, {Site: "b", Count: 50, Clients: three}}, 0, false, "-"},
		{"published, and others come up", []ours.Figure{{Site: "a", Count: 60, Clients: three, Published: true}, {Site: "b", Count: 40, Clients: three}}, 0, false, "a"},
		{"published, and others are more", []ours.Figure{{Site: "a", Count: 40, Clients: three, Published: true}, {Site: "b", Count: 60, Clients: three}}, 0, false, "-"},
		{"nothing", nil, 0, false, "-"},
		{"no lines", []ours.Figure{{Site: "a", Clients: three}}, 0, false, "-"},
		{"a part of the sites", []ours.Figure{{Site: "a", Count: 10, Clients: three}}, 0, true, "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			total := c.others
			for _, f := range c.figures {
				total += f.Count
			}
			site, ok := made(t, ours.Options{Parts: c.parts}).MainOf(c.figures, total)
			if !ok {
				site = "-"
			}
			if site != c.want {
				t.Errorf("got %q", site)
			}
		})
	}
}

// At most one site is the main one, whatever the figures: all of small worlds.
func TestOneMain(t *testing.T) {
	s := made(t, ours.Options{})
	for n := range 6 * 6 * 6 * 8 {
		counts, published := []int{n % 6, n / 6 % 6, n / 36 % 6}, n/216
		var figures []ours.Figure
		total := 0
		for i, count := range counts {
			figures = append(figures, ours.Figure{Site: strconv.Itoa(i), Count: count, Clients: 7, Published: published>>i&1 == 1})
			total += count
		}
		forward, ok := s.MainOf(figures, total)
		figures[0], figures[2] = figures[2], figures[0]
		backward, also := s.MainOf(figures, total)
		if forward != backward || ok != also {
			t.Fatalf("%+v: %q and %q", figures, forward, backward)
		}
	}
}

func TestWhy(t *testing.T) {
	s := made(t, ours.Options{Hosts: []string{"www.example.org"}})
	for _, c := range []struct {
		name  string
		facts ours.Facts
		want  ours.Why
	}{
		{"without a name", ours.Facts{}, ours.Unnamed},
		{"named", ours.Facts{Site: "www.example.org", ByName: true}, ours.Named},
		{"approved", ours.Facts{Site: "a.example", Approved: true, ByName: true}, ours.Approved},
		{"main", ours.Facts{Site: "a.example", Main: true}, ours.Main},
		{"told apart", ours.Facts{Site: "a.example", Apart: true}, ours.Apart},
		{"main, and asked by its name", ours.Facts{Site: "a.example", Main: true, Apart: true, ByName: true}, ""},
		{"unknown", ours.Facts{Site: "a.example"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := s.Why(c.facts); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
