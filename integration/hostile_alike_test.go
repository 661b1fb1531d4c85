package integration

import (
	"fmt"
	"net/http"
	"strings"
)

// Sites whose pages are alike, and are not the same.

var photos = families{"/photo?id=%d", "/picture/%d", "/large/%d"}

// Pages that differ in their picture only.
func gallery() hostileSite {
	return beside(photos, func(url string) string {
		return document("", prose("gallery", 60)+`<img src="/media/`+strings.Fields(prose(url, 1))[0]+`.jpg">`)
	})
}

// fewWords is a page that has four words of its own among those of its template.
func fewWords(url string, template int) string {
	return document("", prose("above", template/2)+prose(url, 4)+prose("below", template/2))
}

// Days on which nothing happens.
func calendar() hostileSite {
	return everywhere(htmlPages(func(url string) string { return fewWords(url, 500) }))
}

var catalogue = families{"/product?id=%d", "/p/%d", "/goods/%d"}

func products() hostileSite {
	kinds := append(append(families{}, catalogue...), "/brand/b%d", "/list/l%d", "/help/h%d")
	return hostileSite{urls: kinds.urls, ids: someIDs, page: kinds.own, live: htmlPages(func(url string) string { return fewWords(url, 700) })}
}

func productsInSection() hostileSite {
	return beside(shop, func(url string) string { return fewWords(url, 700) })
}

// soft is a site on which every so many ids have a page, and all other URLs show that
// there is nothing.
func soft(kinds families, ids, every int, nothing func() string) hostileSite {
	is := func(url string) bool {
		_, id := kinds.find(url)
		return kinds.has(url) && id%every == 0
	}
	return hostileSite{urls: kinds.urls, ids: ids, live: htmlPages(func(url string) string {
		if is(url) {
			return article(url)
		}
		return nothing()
	}), page: func(url string) string {
		if is(url) {
			return url
		}
		return "nothing"
	}}
}

const dilution = 150

// 100 pages among 15,000 URLs that somebody made up.
func softDiluted() hostileSite {
	return soft(tempting[:2], 50*dilution, dilution, func() string {
		return document("", "<h1>Not found</h1><p>There is no such page. "+prose("not found", 60))
	})
}

// The same with another nonce in each answer, and URLs of many kinds made up.
func softWithNonce() hostileSite {
	return soft(everyKind[1:7], 10*100, 100, func() string {
		return document(`<script nonce="`+nonce()+`">start()</script>`, "<h1>Not found</h1><p>There is no such page. "+prose("not found", 60))
	})
}

// review is a page that quotes all of another, and says that it is a page of its own.
var reviews = families{"/item?id=%d", "/review/%d"}

// quoting is the text of an item, and on the page of its review a few words more.
func quoting(url string) string {
	family, id := reviews.find(url)
	text := prose(fmt.Sprint("item ", id), 600)
	if family == reviews[1] {
		text += prose(url, 4)
	}
	return text
}

func canonicalElement() hostileSite {
	return beside(reviews, func(url string) string { return document(`<link rel="canonical" href="`+url+`">`, quoting(url)) })
}

func canonicalHeader() hostileSite {
	s := beside(reviews, func(url string) string { return document("", quoting(url)) })
	pages := s.live
	s.live = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<"+r.URL.RequestURI()+`>; rel="canonical"`)
		pages(w, r)
	}
	return s
}

var prints = families{"/story?id=%d", "/print/%d"}

// hidden reports whether a URL is that of a page for printers, which search engines
// are to leave out.
func hidden(url string) bool { return strings.HasPrefix(url, "/print/") }

// withPrints is a site that has each story in a form for printers as well.
func withPrints(head func(url string) string) hostileSite {
	text := func(url string) string {
		_, id := prints.find(url)
		return fmt.Sprint("story ", id)
	}
	s := beside(prints, func(url string) string { return document(head(url), prose(text(url), 300)) })
	own := s.page
	s.page = func(url string) string {
		if prints.has(url) {
			return text(url)
		}
		return own(url)
	}
	s.worse = func(url, form string) bool { return hidden(form) && !hidden(url) }
	return s
}

func noindexElement() hostileSite {
	return withPrints(func(url string) string {
		if hidden(url) {
			return `<meta name="robots" content="noindex, follow">`
		}
		return `<meta name="robots" content="index, follow">`
	})
}

func noindexHeader() hostileSite {
	s := withPrints(func(string) string { return "" })
	pages := s.live
	s.live = func(w http.ResponseWriter, r *http.Request) {
		if hidden(r.URL.RequestURI()) {
			w.Header().Set("X-Robots-Tag", "noindex")
		}
		pages(w, r)
	}
	return s
}
