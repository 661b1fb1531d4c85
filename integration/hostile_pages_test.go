package integration

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
)

// families are formats of URLs with one number.
type families []string

// urls are those of n ids, family by family.
func (f families) urls(first, n int) (all []string) {
	for _, format := range f {
		for id := first; id < first+n; id++ {
			all = append(all, fmt.Sprintf(format, id))
		}
	}
	return all
}

// find tells the family and the number of a URL; "" if it has none.
func (f families) find(url string) (family string, id int) {
	for _, format := range f {
		if _, err := fmt.Sscanf(url, format, &id); err == nil && fmt.Sprintf(format, id) == url {
			return format, id
		}
	}
	return "", 0
}

// has reports whether a URL is of one of the families.
func (f families) has(url string) bool {
	family, _ := f.find(url)
	return family != ""
}

// The URLs of most sites here. The tempting ones share their numbers, so that a log
// of pages of one size suggests rules between them. The plain ones are of other
// kinds, and no rule is suggested.
var (
	tempting  = families{"/item?id=%d", "/blog/%d", "/news/%d"}
	ordinary  = families{"/article/a%d", "/tag/t%d", "/user/u%d", "/doc/d%d.html", "/topic?name=n%d"}
	everyKind = append(append(families{}, tempting...), ordinary...)
)

const someIDs = 70

// itself is the plan of a site on which each URL has a page of its own.
func itself(url string) string { return url }

// own is the plan of a site on which each URL of some families has a page of its
// own, and nothing else is.
func (f families) own(url string) string {
	if !f.has(url) {
		return ""
	}
	return url
}

// number belongs to a seed.
func number(seed string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return h.Sum64()
}

// prose is a text of so many words that belongs to a seed.
func prose(seed string, words int) string {
	rng := rand.New(rand.NewPCG(number(seed), 1))
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	var b strings.Builder
	for range words {
		for range 3 {
			b.WriteByte(consonants[rng.IntN(len(consonants))])
			b.WriteByte(vowels[rng.IntN(len(vowels))])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

var nonces atomic.Uint64

// nonce is another text of 16 bytes each time.
func nonce() string { return nonceOf(&nonces) }

// nonceOf is nonce with a count of its own, whose texts do not depend on what other sites show.
func nonceOf(count *atomic.Uint64) string {
	const odd = 0x9e3779b97f4a7c15 // no two multiples are alike
	return fmt.Sprintf("%016x", count.Add(1)*odd)
}

// document is a page of HTML.
func document(head, body string) string {
	return "<!DOCTYPE html><html><head><title>A site</title>" + head + "</head><body>" + body + "</body></html>\n"
}

// article is a page with a text of its own, whose length belongs to it as well.
func article(url string) string {
	return document("", "<p>"+prose(url, 200+int(number(url)%100)))
}

// htmlPages answers with the page of each URL; "" is none.
func htmlPages(page func(url string) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := page(r.URL.RequestURI())
		if body == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}
}

// beside is a site of plain articles with a section.
func beside(section families, page func(url string) string) hostileSite {
	site := append(append(families{}, section...), ordinary...)
	return hostileSite{urls: site.urls, ids: someIDs, page: site.own, live: htmlPages(func(url string) string {
		switch {
		case section.has(url):
			return page(url)
		case ordinary.has(url):
			return article(url)
		}
		return ""
	})}
}
