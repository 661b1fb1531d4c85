package query

import (
	"strings"
	"testing"

	"dustbuster/internal/oracle"
)

func TestRest(t *testing.T) {
	for _, c := range []struct{ url, name, rest string }{
		{"/?a=1&n=2;b=3", "n", "/?a=1&b=3"},
		{"/?a=1;n=2&n=3", "n", "/?a=1"},
		{"/?&n=1&", "n", "/?&"},
		{"/?n=1", "n", "/"},
		{"/?n", "n", "/"},
		{"/?n&n=&n=1", "n", "/"},
		{"/?n=1&", "n", "/"},
		{"/?&n", "n", "/"},
		{"/?n&&", "n", "/?&"},
		{"/?&&n", "n", "/?&"},
		{"/?n;=v", "n", "/?=v"},
		{"/?=v;n", "n", "/?=v"},
		{"/?a;n&b;n", "n", "/?a;b"},
		{"/p?n=1?x&a", "n", "/p?a"},
		{"/p??n=1", "?n", "/p"},
		{"/p?a==&b", "a", "/p?b"},
		{"?n=1", "n", ""},
		{"/?n=1&a;n", "n", "/?a"},
	} {
		var q Query
		q.Split([]byte(c.url), 32)
		found := false
		for n := range q.Names() {
			if string(q.Name(n)) == c.name {
				found = true
				if got := string(q.Rest(nil, n)); got != c.rest {
					t.Errorf("%q without %q: %q, want %q", c.url, c.name, got, c.rest)
				}
			}
		}
		if !found {
			t.Errorf("%q: no parameter %q", c.url, c.name)
		}
		if got, has := Rest([]byte(c.url), c.name); string(got) != c.rest || !has {
			t.Errorf("%q without %q alone: %q (%v), want %q", c.url, c.name, got, has, c.rest)
		}
		if got := oracle.WithoutName(c.url, c.name); got != c.rest {
			t.Errorf("oracle: %q without %q: %q, want %q", c.url, c.name, got, c.rest)
		}
	}
}

// FuzzRest compares split and rest with the plain versions of the oracle.
func FuzzRest(f *testing.F) {
	for _, s := range []string{"/", "/?", "/?a=1&n=2;b=3", "/?a=1;n=2&n=3", "/?&n=1&", "/?n&=v;;n=", "/p?a?b=c&?=&a?b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, url string) {
		const most = 32
		var q Query
		q.Split([]byte(url), most)
		params := oracle.Params(url)
		if q.Params != len(params) {
			t.Fatalf("%q: %d parameters, want %d", url, q.Params, len(params))
		}
		for _, p := range params[:min(len(params), 3)] {
			if got, has := Rest([]byte(url), p.Name); !has || string(got) != oracle.WithoutName(url, p.Name) {
				t.Fatalf("%q without %q: %q, want %q", url, p.Name, got, oracle.WithoutName(url, p.Name))
			}
		}
		if len(params) > most {
			if q.Names() > 0 {
				t.Fatalf("%q: names in spite of %d parameters", url, len(params))
			}
			return
		}
		var names []string
		for n := range q.Names() {
			names = append(names, string(q.Name(n)))
			if got, want := string(q.Rest(nil, n)), oracle.WithoutName(url, names[n]); got != want {
				t.Fatalf("%q without %q: %q, want %q", url, names[n], got, want)
			}
		}
		var want []string
		for _, p := range params {
			if !strings.Contains("\x00"+strings.Join(want, "\x00")+"\x00", "\x00"+p.Name+"\x00") {
				want = append(want, p.Name)
			}
		}
		if !strings.Contains(url, "\x00") && strings.Join(names, "\x00") != strings.Join(want, "\x00") {
			t.Fatalf("%q: names %q, want %q", url, names, want)
		}
	})
}

// A URL without the parameter stays.
func TestNoRest(t *testing.T) {
	for _, c := range []struct{ url, param string }{{"/?a=n", "n"}, {"/n", "n"}, {"/?=n&a", ""}} {
		if got, has := Rest([]byte(c.url), c.param); string(got) != c.url || has {
			t.Errorf("%s without %s: %s, %v", c.url, c.param, got, has)
		}
	}
}
