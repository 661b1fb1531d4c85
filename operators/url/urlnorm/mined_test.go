package urlnorm

import (
	"fmt"
	"strings"
	"testing"
)

// Texts that are not a host, with any default ports.
func TestNoHost(t *testing.T) {
	for _, text := range []string{"", ".", ":", ":80", "a:", ".a", "a b", "a/b", "a:b", "a:80:80", "a:443:80", "a:123456", "me@a", "h%2eexample",
		"\x80", "][", "[", "[]", "[::1", "[::1]x", "[[]", "[g]", "[::1].", "a\\b", strings.Repeat("a", maxHost+1)} {
		if name, ok := Host(text, "80", "443"); ok {
			t.Errorf("%q is the host %q", text, name)
		}
	}
}

func TestHost(t *testing.T) {
	for _, c := range []struct {
		text, http, https, log string // the normal form with the default ports of each
	}{
		{"a", "a", "a", "a"},
		{"A.Example.", "a.example", "a.example", "a.example"},
		{"a..", "a", "a", "a"},
		{"a:80", "a", "a:80", "a"},
		{"a.:443", "a:443", "a", "a"},
		{"A.:8080", "a:8080", "a:8080", "a:8080"},
		{"a_b-c:1", "a_b-c:1", "a_b-c:1", "a_b-c:1"},
		{"[2001:DB8::1]:443", "[2001:db8::1]:443", "[2001:db8::1]", "[2001:db8::1]"},
		{"192.0.2.1:80", "192.0.2.1", "192.0.2.1:80", "192.0.2.1"},
		{strings.Repeat("a", maxHost), strings.Repeat("a", maxHost), strings.Repeat("a", maxHost), strings.Repeat("a", maxHost)},
	} {
		for _, test := range []struct {
			want  *string
			ports []string
		}{{&c.http, []string{"80"}}, {&c.https, []string{"443"}}, {&c.log, []string{"80", "443"}}} {
			once, ok := Host(c.text, test.ports...)
			twice, again := Host(once, test.ports...)
			if !ok || once != *test.want || !again || twice != once {
				t.Errorf("%q, default %v: %q (%v), then %q (%v); want %q", c.text, test.ports, once, ok, twice, again, *test.want)
			}
		}
	}
}

func TestDomain(t *testing.T) {
	for _, c := range []struct{ host, want string }{
		{"a.b.example.co.uk:8080", "example.co.uk"}, {"example.co.uk", "example.co.uk"}, {"co.uk", "co.uk"}, {"localhost:81", "localhost"},
		{"192.0.2.1:80", "192.0.2.1"}, {"[::1]:8080", "[::1]"}, {"[::1]", "[::1]"}, {"b.s3.amazonaws.com", "b.s3.amazonaws.com"}, {"", ""},
	} {
		if got := Domain(c.host); got != c.want {
			t.Errorf("%q: %q, want %q", c.host, got, c.want)
		}
	}
}

// Host does not allocate for a host in normal form.
func TestHostAllocations(t *testing.T) {
	for _, text := range []string{"www.example.org", "www.example.org:8080", "www.example.org:80"} {
		if n := testing.AllocsPerRun(100, func() { Host(text, "80", "443") }); n != 0 {
			t.Errorf("%q: %v allocations, want none", text, n)
		}
	}
}

func TestGroups(t *testing.T) {
	var none, g Groups
	if _, ok := none.Of("a.example"); ok {
		t.Error("the zero Groups has a group")
	}
	for _, c := range []struct {
		group string
		hosts []string
	}{{"near", []string{"A.example", "*.b.example", "*.c.b.example"}}, {"far", []string{"x.b.example", "*.y.b.example"}}} {
		if err := g.Add(c.group, c.hosts...); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ host, want string }{
		{"a.example", "near"}, {"a.example:8080", "near"}, {"near", "near"}, {"near:81", "near"}, {"b.example", ""}, {"z.b.example", "near"},
		{"x.b.example", "far"}, {"z.y.b.example", "far"}, {"y.b.example", "near"}, {"z.x.b.example", "near"}, {"z.a.example", ""}, {"xb.example", ""}, {"[::1]:80", ""},
	} {
		if got, ok := g.Of(c.host); got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q (%v), want %q", c.host, got, ok, c.want)
		}
	}
	for _, host := range []string{"", "*.", "a b", "a.example:81", "x.b.example", "*.y.b.example"} {
		if err := g.Add("near", host); err == nil {
			t.Errorf("%q: no error", host)
		}
	}
	if CheckSuffixes("com", "*.example.co.uk", "*.example") != nil || CheckSuffixes("a.example", "*.co.uk") == nil {
		t.Error("patterns for public suffixes")
	}
}

// naive writes a mined string byte by byte, as the package comment defines.
func naive(path string) (string, bool) {
	path, _, _ = strings.Cut(path, "#")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var b strings.Builder
	for _, c := range []byte(path) {
		switch {
		case c < 0x20 || c == 0x7f:
			return "", false
		case c >= 0x80 || strings.IndexByte(" \"<>", c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

func FuzzAppend(f *testing.F) {
	for _, seed := range []string{"", "/", "/a?b=c#d", "?a", "#", "/a b\"<\xff>%20", "/\x00", "/a#\x00", "/\x7f", "/\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		want, fine := naive(path)
		end, size, ok := Measure(path)
		if e, s, o := Measure([]byte(path)); e != end || s != size || o != ok {
			t.Fatalf("%q: %d, %d, %v as bytes", path, e, s, o)
		}
		if ok != fine {
			t.Fatalf("%q: %v", path, ok)
		}
		if !ok {
			return
		}
		got := string(Append([]byte("h"), path[:end]))
		if got != "h"+want || size != len(want) {
			t.Fatalf("%q: %q of %d bytes, want %q", path, got, size, want)
		}
		for i := range len(want) {
			if !IsPlain(want[i]) {
				t.Fatalf("byte %q in %q", want[i], want)
			}
		}
	})
}
