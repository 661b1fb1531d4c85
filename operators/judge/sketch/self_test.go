package sketch

import (
	"fmt"
	"testing"
)

// A feed under two URLs differs in the address that it names as its own, and in nothing else. Other addresses, and
// an address in the text, tell pages apart.
func TestFeedNamesItself(t *testing.T) {
	const u, v, atom = "/?a=atom&f=doc.go", "/?a=atom&f=doc.go&opt=x", "application/atom+xml; charset=utf-8"
	self := func(at string) string {
		return fmt.Sprintf(`<feed><link rel="self" href="http://example.org%s"/><title>a</title></feed>`, at)
	}
	for _, c := range []struct {
		name, kind, u, v string
		same             bool
	}{
		{"itself", atom, self(u), self(v), true},
		{"escaped", atom, self("/?a=atom&amp;f=doc.go"), self("/?a=atom&amp;f=doc.go&amp;opt=x"), true},
		{"single quotes", "text/xml", "<r xml:base='" + u + "'/>", "<r xml:base='" + v + "'/>", true},
		{"another title", atom, self(u), self(v) + "<title>b</title>", false},
		{"each other", atom, self(v), self(u), false},
		{"another place", atom, `<a href="` + u + `"/><a href="/x"/>`, `<a href="/x"/><a href="` + v + `"/>`, false},
		{"a longer address", atom, `<a href="` + u + `/1"/>`, `<a href="` + v + `/1"/>`, false},
		{"within an address", atom, `<a href="http://x/y` + u + `"/>`, `<a href="http://x/y` + v + `"/>`, false},
		{"the text", atom, "<loc>" + u + "</loc>", "<loc>" + v + "</loc>", false},
		{"no XML", "application/json", `{"self"="` + u + `"}`, `{"self"="` + v + `"}`, false},
	} {
		a, b := PageAt(u, c.kind, []byte(c.u)), PageAt(v, c.kind, []byte(c.v))
		if got := SameText(a, b); got != c.same || (Exact(a, b) == 1) != c.same {
			t.Errorf("%s: %v, want %v", c.name, got, c.same)
		}
		if a.Digest == b.Digest {
			t.Errorf("%s: the bytes are equal", c.name)
		}
	}
}
