package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Sites that are hostile in the same ways, but lack what gives the others away.

var subtleKinds = []hostileKind{
	{"JSON in a section", jsonInSection},
	{"gallery of queries", galleryOf(`<img src="/image.php?name=%s">`)},
	{"gallery loaded late", galleryOf(`<img src="/wait.gif" data-src="/media/%s.jpg">`)},
	{"gallery of sets", galleryOf(`<picture><source srcset="/media/%[1]s.webp"><img srcset="/media/%[1]s.jpg 2x"></picture>`)},
	{"soft 404 with nonce, two kinds", softOfTwoKinds},
	{"soft 404 of JSON", softOfJSON},
}

func TestHostileSubtle(t *testing.T) { tryHostile(t, subtleKinds) }

func jsonInSection() hostileSite {
	s := beside(shop, nil)
	pages := s.live
	s.live = func(w http.ResponseWriter, r *http.Request) {
		if shop.has(r.URL.RequestURI()) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"version":"3.14.1","status":"ok","user":null}`)
			return
		}
		pages(w, r)
	}
	return s
}

// galleryOf is a gallery whose pictures are named in other ways.
func galleryOf(picture string) func() hostileSite {
	return func() hostileSite {
		return beside(photos, func(url string) string {
			return document("", prose("gallery", 60)+fmt.Sprintf(picture, strings.TrimSpace(prose(url, 1))))
		})
	}
}

// Invented URLs of the two kinds of a site alone.
func softOfTwoKinds() hostileSite {
	return soft(tempting[:2], 50*dilution, dilution, func() string {
		return document(`<script nonce="`+nonce()+`">start()</script>`, "<h1>Not found</h1><p>There is no such page. "+prose("not found", 60))
	})
}

func softOfJSON() hostileSite {
	s := soft(tempting[:2], 50*dilution, dilution, nil)
	s.live = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if url := r.URL.RequestURI(); s.page(url) == url {
			fmt.Fprintf(w, `{"text":%q}`, prose(url, 50))
			return
		}
		fmt.Fprint(w, `{"error":"not found","code":404}`)
	}
	return s
}
