package integration

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// hostileSite is a site of made-up pages at whose URLs a fetcher sees other things
// than the pages' differences. The log is consistent with what the site answered.
type hostileSite struct {
	urls   func(first, n int) []string // those of n ids, from the first on
	ids    int                         // that stand in the log
	live   http.HandlerFunc            // the site as it answers now
	logged http.HandlerFunc            // as it answered when the log was written; nil: in the same way
	page   func(url string) string     // names the page that belongs to a URL; "": none does
	worse  func(url, form string) bool // reports whether a form may not stand for its URL, although they are one page; nil: never
	robots func(url string) bool       // reports whether robots alone asked for a URL; nil: for none
	merged float64                     // least share of the planted duplicates that rules must merge
}

type hostileKind struct {
	name string
	site func() hostileSite
}

// hostileKinds are the kinds of hostile sites, and of true duplicates that are to be
// found all the same.
var hostileKinds = []hostileKind{
	{"shell", shell},
	{"shell with nonce", shellWithNonce},
	{"shell with data", shellWithData},
	{"shell of JSON", shellOfJSON},
	{"blank", blank},
	{"empty", empty},
	{"wall", wall},
	{"wall of other size", wallOfOtherSize},
	{"wall by redirect", wallByRedirect},
	{"wall after a while", wallAfterAWhile},
	{"maintenance of a section", maintenance},
	{"shell in a section", shellInSection},
	{"gallery", gallery},
	{"calendar", calendar},
	{"products", products},
	{"products in a section", productsInSection},
	{"soft 404, diluted", softDiluted},
	{"soft 404 with nonce", softWithNonce},
	{"canonical element", canonicalElement},
	{"canonical header", canonicalHeader},
	{"noindex element", noindexElement},
	{"noindex header", noindexHeader},
	{"true, ticker", ticker},
	{"true, visitors", visitorNumber},
	{"true, related items", relatedItems},
	{"true, session", session},
	{"true, session beside maintenance", sessionBesideMaintenance},
	{"true, sort", sorted},
	{"true, login", login},
}

// No list that is made of a hostile site merges two of its pages, neither by
// validate nor by run, and duplicates that look like tricks are merged.
func TestHostile(t *testing.T) { tryHostile(t, hostileKinds) }

func tryHostile(t *testing.T, kinds []hostileKind) {
	for _, kind := range kinds {
		t.Run(kind.name+"/validate", func(t *testing.T) {
			t.Parallel()
			s := kind.site()
			s.judge(t, hostileValidate(t, &s))
		})
		t.Run(kind.name+"/run", func(t *testing.T) {
			t.Parallel()
			s := kind.site()
			s.judge(t, hostileRun(t, &s))
		})
	}
}

// open serves the site and writes its log. A test in which nothing is asked of the
// site proves nothing.
func (s *hostileSite) open(t *testing.T) (origin, log string) {
	t.Helper()
	var asked atomic.Int64
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			asked.Add(1)
		}
		s.live(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		if asked.Load() == 0 {
			t.Error("no page was asked of the site")
		}
	})
	return server.URL, write(t, "access.log", s.log(t))
}

// visitors of a URL are so many of the clients.
const visitors, clients = 3, 60

// log is what visitors left in the log of the site, in the combined format.
func (s *hostileSite) log(t *testing.T) []byte {
	t.Helper()
	answers := s.logged
	if answers == nil {
		answers = s.live
	}
	var b bytes.Buffer
	n := 0
	for _, url := range s.urls(0, s.ids) {
		for range visitors {
			n++
			got := httptest.NewRecorder()
			agent, asks := "Mozilla/5.0", httptest.NewRequest(http.MethodGet, url, nil)
			if s.robots != nil && s.robots(url) {
				agent = "Googlebot/2.1 (+http://www.google.com/bot.html)"
			}
			asks.Header.Set("User-Agent", agent)
			answers(got, asks)
			if got.Code != http.StatusOK {
				t.Fatalf("the log would have %d for %s", got.Code, url)
			}
			fmt.Fprintf(&b, "198.51.100.%d - - [17/May/2025:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"%s\"\n",
				1+n*7%clients, n/3600, n/60%60, n%60, url, got.Body.Len(), agent)
		}
	}
	return b.Bytes()
}
