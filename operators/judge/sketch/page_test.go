package sketch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func page(html string) *Page { return PageOf("text/html", []byte(html)) }

// Statements in a document's head, in the spellings of real pages.
func TestPageSays(t *testing.T) {
	for _, c := range []struct {
		html string
		want Page
	}{
		{`<link rel="canonical" href="/a">`, Page{Canonical: "/a"}},
		{`<LINK HREF=" /a&amp;b " REL="nofollow Canonical">`, Page{Canonical: "/a&b"}},
		{`<link rel=canonical href=/a><link rel=canonical href=/a>`, Page{Canonical: "/a"}},
		{`<link rel=canonical href=/a><link rel=canonical href=/b>`, Page{}},
		{`<link rel=stylesheet href=/a><a rel=canonical href=/b>`, Page{}},
		{`<link rel=canonical>`, Page{}},
		{`<template><link rel=canonical href=/a></template>`, Page{}},
		{`<script>"<link rel=canonical href=/a>"</script>`, Page{}},
		{`<noscript><link rel=canonical href=/a></noscript>`, Page{}},
		{`<!-- <link rel=canonical href=/a> -->`, Page{}},
		{`<base href=/x/><base href=/y/><link rel=canonical href=a />`, Page{Base: "/x/", Canonical: "a"}},
		{`<meta name=robots content="noarchive, NOINDEX">`, Page{NoIndex: true}},
		{`<meta content=none name=" Robots ">`, Page{NoIndex: true}},
		{`<meta name=robots content="index,follow">`, Page{}},
		{`<meta name=Googlebot content=noindex>`, Page{NoIndex: true}},
		{`<meta name=description content=noindex>`, Page{}},
		{`<meta name=robots content="nofollow, unavailable_after: 2010-06-25">`, Page{Until: "nofollow, unavailable_after: 2010-06-25"}},
		{`<link rel=canonical href="` + strings.Repeat("a", maxHref+1) + `">`, Page{}},
		{`<link ` + distinctAttributes() + `rel=canonical href="/too/far">`, Page{}},
	} {
		got := page(c.html)
		if got.Canonical != c.want.Canonical || got.Base != c.want.Base || got.NoIndex != c.want.NoIndex || got.Until != c.want.Until {
			t.Errorf("%.80s: canonical %q, base %q, noindex %v, until %q", c.html, got.Canonical, got.Base, got.NoIndex, got.Until)
		}
	}
	if got := PageOf("text/plain", []byte(`<link rel=canonical href=/a>`)); got.Canonical != "" {
		t.Error("a text names a canonical page")
	}
}

func distinctAttributes() string {
	var b strings.Builder
	for i := range mostAttributes {
		fmt.Fprintf(&b, "a%d=b ", i)
	}
	return b.String()
}

func TestSameText(t *testing.T) {
	plain := func(s string) *Page { return PageOf("text/plain", []byte(s)) }
	for _, c := range []struct {
		name string
		a, b *Page
		want bool
	}{
		{"other markup", page("<p>one two"), page("<b>One</b> two!"), true},
		{"another word", page("one two"), page("one three"), false},
		{"another order", page("one two one"), page("one one two"), false},
		{"a word more", page("one two"), page("one two two"), false},
		{"no words", page("<p>"), page("<b>"), false},
		{"no words, equal bytes", page("<p>"), page("<p>"), true},
		{"texts", plain("one"), plain("one"), true},
		{"other texts", plain("one"), plain("one "), false},
		{"a text and a page", plain("one"), page("one "), false},
	} {
		if SameText(c.a, c.b) != c.want || SameText(c.b, c.a) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
		if alike := Exact(c.a, c.b); c.want != (alike == 1) {
			t.Errorf("%s: resemblance %v", c.name, alike)
		}
	}
}

// Up to MaxShingles shingles of both pages together the coefficient is exact. Beyond, it is that of a
// sample of MaxShingles.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, words := range []int{3, 9, 50, 500, 3000, 20_000} {
		for _, changed := range []int{1, words / 40, words / 4, words} {
			a := randomText(rng, 'a', 26, words)
			b := change(rng, a, changed)
			want, slack := exactJaccard(a, b), 1e-12
			if n := float64(union(a, b)); n > MaxShingles {
				slack = 5 * math.Sqrt(want*(1-want)/MaxShingles)
			}
			x, y := page(strings.Join(a, " ")), page(strings.Join(b, " "))
			if got := Exact(x, y); math.Abs(got-want) > slack || got != Exact(y, x) {
				t.Errorf("%d words, %d changed: %v, want %v", words, changed, got, want)
			}
		}
	}
}

func TestOtherMedia(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`<img src=/x/a.png>`, `<img src="/y/b.png">`, true},
		{`<img src=/x/a.png?v=2>`, `<img src="/y/a.png?v=2#top">`, false},
		{`<img src=/picture?name=a>`, `<img src="/picture?name=b">`, true},
		{`<img src=a.png><img src=b.png>`, `<img src=b.png>`, false},
		{`<img src=a.png><img src=b.png>`, `<img src=b.png><img src=c.png>`, true},
		{`<img src=a.png>`, `<p>`, false},
		{`<video src=a>`, `<audio src=b>`, true},
		{`<object data=a></object>`, `<embed src=b />`, true},
		{`<iframe src=a></iframe>`, `<iframe src=b></iframe>`, true},
		{`<img src=wait.gif data-src=a.png>`, `<img src=wait.gif data-src=b.png>`, true},
		{`<source srcset="/s/a.webp 2x, /s/a2.webp">`, `<source srcset="/s/b.webp 2x, /s/a2.webp">`, true},
		{`<a href=a></a><script src=a></script>`, `<a href=b></a><script src=b></script>`, false},
		{`<img src=/x/>`, `<img src=/y/>`, false},
	} {
		if got := OtherMedia(page(c.a), page(c.b)); got != c.want || OtherMedia(page(c.b), page(c.a)) != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// The size of a Page is bounded for any document, and its sketch equals that of Of.
func TestPageIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "<img src=%d.png>w%d ", i, i)
	}
	p := page(b.String())
	if len(p.Shingles) != MaxShingles || len(p.Media) != MaxMedia || cap(p.Shingles) != MaxShingles {
		t.Errorf("%d shingles, %d media", len(p.Shingles), len(p.Media))
	}
	if p.Sketch != Of("text/html", []byte(b.String())) || p.Length != int64(b.Len()) {
		t.Error("another sketch or length")
	}
}
