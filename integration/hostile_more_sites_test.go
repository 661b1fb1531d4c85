package integration

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// More sites that answer robots, first visitors or parts of their URLs in another way.

// named is what robots get in place of a page: it names the subject of the page.
func named(text string) func(url string, visit uint64) string {
	return func(url string, visit uint64) string {
		return document("", "<h1>"+prose(subject(url), 12)+"</h1>"+text+prose("terms", 220)+fmt.Sprintf(`<input type="hidden" value="%d">`, visit))
	}
}

// sizedOwn is a text of the page's own, of another length for each subject.
func sizedOwn(v view) string { return prose(v.url, 150+int(number(subject(v.url))%200)) }

// A wall before pages of many sizes.
var moreWalls = []seenSite{
	{name: "more wall, robot question before many sizes", shape: byEdit, shows: sizedOwn, words: 40, live: instead(named(`<h2>Are you human?</h2> Please solve the captcha. <div class="g-recaptcha"></div>`))},
	{name: "more wall, password before many sizes", shape: byQuery, shows: sizedOwn, words: 40, live: instead(named(`<form>Please log in to read on. <input name="user"> <input type="password" name="password"></form>`))},
	{name: "more wall, consent before many sizes", shape: byPrint, shows: sizedOwn, words: 40, live: instead(named(`<dialog open>Before you continue, please accept our cookies. <button>Accept all</button></dialog>`))},
	{name: "more wall, language before many sizes", shape: byFolder, shows: sizedOwn, words: 40, live: instead(named(`Lesen Sie weiter. `), "Vary", "Accept-Encoding, Accept-Language", "Content-Language", "de")},
	{name: "more wall, requests before many sizes", shape: byDir, shows: sizedOwn, words: 40, live: instead(named(`<h2>429 Too many requests</h2> Please wait a minute. `), "Retry-After", "60")},
}

// later removes an own word from the first answers.
func later(early func(asked int64, url string) bool) func(http.HandlerFunc) http.HandlerFunc {
	var asked atomic.Int64
	return func(pages http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			url := r.URL.RequestURI()
			got := httptest.NewRecorder()
			pages(got, r)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			body := got.Body.String()
			if !ordinary.has(url) && early(asked.Add(1), url) {
				body = strings.Replace(body, "Price "+priceOf(url), "Price 0000", 1)
			}
			fmt.Fprint(w, body)
		}
	}
}

func priceOf(url string) string { return fmt.Sprintf("%04d", number(url)%10000) }

func price(v view) string { return "Price " + priceOf(v.url) + " a piece" }

// Prices that are not there at first, or at times.
func moreTimes() []seenSite {
	return []seenSite{
		{name: "more time, first requests", shape: byFolder, shows: price, live: later(func(asked int64, _ string) bool { return asked < 25 })},
		{name: "more time, every other request", shape: byDir, shows: price, live: later(func(asked int64, _ string) bool { return asked%2 == 0 })},
		{name: "more time, counter", shape: byEdit, shows: func(v view) string {
			return fmt.Sprintf("%s, seen %d times", price(v), v.visit)
		}},
	}
}

// Content that stands within attributes, or in scripts.
var moreShells = []seenSite{
	{name: "more shell, price in linked data", shape: byPrint, shows: func(v view) string {
		return `<b id="price"></b><script type="application/ld+json">{"@type":"Offer","price":"` + priceOf(v.url) + `","availability":"InStock"}</script>`
	}},
	{name: "more shell, frame with its text", shape: byFolder, shows: func(v view) string { return `<iframe srcdoc="<p>Price ` + priceOf(v.url) + `"></iframe>` }},
	{name: "more shell, shadow", shape: byEdit, shows: func(v view) string {
		return `<x-price><template shadowrootmode="open">Price ` + priceOf(v.url) + `</template></x-price>`
	}},
	{name: "more shell, element of its own", shape: byQuery, shows: func(v view) string { return `<x-price value="` + priceOf(v.url) + `"></x-price>` }},
}

// Heads that lie, and titles.
var moreHeads = []seenSite{
	{name: "more head, one canonical of both", shape: byPrint, shows: share(30, func(v view) string { return wordOf(v.url) }),
		head: func(v view) string { return fmt.Sprintf(`<link rel="canonical" href="/leaf/%d">`, v.id) }},
	{name: "more head, the home page is canonical", shape: byQuery, shows: price, head: func(view) string { return `<link rel="canonical" href="/">` }},
	{name: "more head, lies in the address of the graph", shape: byFolder, shows: func(v view) string { return v.one("yes", "no") },
		head: func(v view) string { return fmt.Sprintf(`<meta property="og:url" content="/north/%d">`, v.id) }},
	{name: "more head, title", shape: byDir, shows: func(view) string { return "" }, head: func(v view) string { return `<title>` + wordOf(v.url) + `</title>` }},
	{name: "more head, sent on by a refresh", shape: byQuery, words: 60, shows: func(view) string { return "You are being sent on." },
		head: func(v view) string { return `<meta http-equiv="refresh" content="0; url=/real/` + wordOf(v.url) + `">` }},
	{name: "more head, link of another site", shape: byEdit, words: 60, shows: func(v view) string {
		return `<a href="https://` + wordOf(v.url) + `.example/">Visit the web site</a>`
	}},
	{name: "more head, telephone", shape: byFolder, shows: func(v view) string { return `<a href="tel:+4930` + priceOf(v.url) + priceOf(v.url+"b") + `">Call</a>` }},
}

// onlyInPart is a site that shows one page at each base, but for URLs with a page of
// their own, which has another word.
func onlyInPart(name string, shape families, base func(url string) string, own func(url string) bool) hostileKind {
	return hostileKind{"more part, " + name, func() hostileSite {
		key := func(url string) string {
			if own(url) {
				return url
			}
			return base(url)
		}
		s := beside(shape, func(url string) string {
			return document("", "<p>"+prose(name+base(url), 250)+"<p>"+wordOf(name, key(url))+"<p>"+prose("below"+base(url), 30+int(number(base(url))%20)))
		})
		plain := s.page
		s.page = func(url string) string {
			if shape.has(url) {
				return key(url)
			}
			return plain(url)
		}
		return s
	}}
}

func withoutQuery(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}

func idFrom(least int) func(url string) bool {
	return func(url string) bool {
		id := 0
		_, _ = fmt.Sscan(subject(url), &id)
		return strings.Contains(url, "?") && id >= least
	}
}

func holds(part ...string) func(url string) bool {
	return func(url string) bool {
		for _, p := range part {
			if !strings.Contains(url, p) {
				return false
			}
		}
		return true
	}
}

var moreParts = []hostileKind{
	onlyInPart("of two folders", families{"/blog/%d", "/blog/%d?view=2", "/shop/%d", "/shop/%d?view=2"}, withoutQuery, holds("shop", "view")),
	onlyInPart("of eight folders", families{"/a/%d", "/a/%d?p=1", "/b/%d", "/b/%d?p=1", "/c/%d", "/c/%d?p=1", "/d/%d", "/d/%d?p=1",
		"/e/%d", "/e/%d?p=1", "/f/%d", "/f/%d?p=1", "/g/%d", "/g/%d?p=1", "/h/%d", "/h/%d?p=1"}, withoutQuery, holds("/e/", "p=1")),
	onlyInPart("new numbers", families{"/post/%d", "/post/%d?v=2"}, withoutQuery, idFrom(50)),
	onlyInPart("newest numbers", families{"/post/%d", "/post/%d?v=2"}, withoutQuery, idFrom(63)),
	onlyInPart("one value", families{"/part/%d", "/part/%d?ref=1001", "/part/%d?ref=2002", "/part/%d?ref=mail", "/part/%d?ref=beta"}, withoutQuery, holds("ref=beta")),
	onlyInPart("beside a value", families{"/x/%d?a=1", "/x/%d?a=1&b=1", "/x/%d?a=2", "/x/%d?a=2&b=1"}, func(url string) string {
		base, _, _ := strings.Cut(url, "&")
		return base
	}, holds("a=2&b=1")),
	onlyInPart("slashes of one language", families{"/en/t/%d", "/en/t/%d/", "/de/t/%d", "/de/t/%d/"}, func(url string) string { return strings.TrimSuffix(url, "/") },
		func(url string) bool { return strings.HasPrefix(url, "/de") && strings.HasSuffix(url, "/") }),
	onlyInPart("capitals of one folder", families{"/Wiki/%d", "/wiki/%d", "/File/%d", "/file/%d"}, strings.ToLower, holds("/File/")),
	onlyInPart("one kind of six", families{"/ware/%d", "/ware/%d?m=1"}, withoutQuery, func(url string) bool {
		id := 0
		_, _ = fmt.Sscan(subject(url), &id)
		return strings.Contains(url, "?") && id%6 == 0
	}),
}

// hiddenAs is a site whose shorter, preferred URLs ask not to be indexed.
func hiddenAs(name, head, header string) hostileKind {
	return hostileKind{"more hidden, " + name, func() hostileSite {
		tales := families{"/tale-of-old?id=%d", "/t/%d"}
		text := func(url string) string { return "tale " + subject(url) }
		is := func(url string) bool { return strings.HasPrefix(url, "/t/") }
		s := beside(tales, func(url string) string {
			if is(url) {
				return document(head, prose(text(url), 300))
			}
			return document("", prose(text(url), 300))
		})
		plain, pages := s.page, s.live
		s.page = func(url string) string {
			if tales.has(url) {
				return text(url)
			}
			return plain(url)
		}
		s.worse = func(url, form string) bool { return is(form) && !is(url) }
		s.live = func(w http.ResponseWriter, r *http.Request) {
			if is(r.URL.RequestURI()) && header != "" {
				w.Header().Set("X-Robots-Tag", header)
			}
			pages(w, r)
		}
		return s
	}}
}

var moreHidden = []hostileKind{
	hiddenAs("plain", `<meta name="robots" content="noindex">`, ""),
	hiddenAs("capitals turned", `<META CONTENT="NOINDEX" NAME="ROBOTS">`, ""),
	hiddenAs("header of none", "", "nofollow, none"),
	hiddenAs("one robot", `<meta name="googlebot" content="noindex">`, ""),
	hiddenAs("header of one robot", "", "googlebot: noindex"),
	hiddenAs("past date", "", "unavailable_after: 25 Jun 2010 15:00:00 PST"),
	hiddenAs("past date in the page", `<meta name="robots" content="unavailable_after: 2010-06-25">`, ""),
}

var soldOnes = families{"/good?id=%d", "/good/%d"}

// Most goods are sold, and lead to their shelf.
func soldGoods() hostileSite {
	s := beside(soldOnes, func(url string) string {
		return document("", prose(fmt.Sprint("good ", subject(url)), 300)+" Price "+priceOf(url)+prose("end"+subject(url), 20))
	})
	s.logged = s.live
	s.live = func(w http.ResponseWriter, r *http.Request) {
		url := r.URL.RequestURI()
		switch _, id := soldOnes.find(url); {
		case url == "/shelf":
			htmlPages(func(string) string { return document("", prose("shelf", 320)) })(w, r)
		case soldOnes.has(url) && id%10 < 8:
			http.Redirect(w, r, "/shelf", http.StatusMovedPermanently)
		default:
			s.logged(w, r)
		}
	}
	return s
}

// softWithHints is a site on which one page in five exists, and which shows others where none is.
func softWithHints() hostileSite {
	return soft(families{"/item?id=%d", "/blog/%d"}, 400, 5, func() string {
		return document("", "<h1>Nothing here</h1>"+prose("nothing", 150)+"<p>You may like "+prose("hint "+nonce()[:1], 12))
	})
}

// Pages of a list, whose entries stand in its index as well.
func pagesOfList() hostileSite {
	return beside(families{"/list/%d", "/list/%d?page=2", "/list/%d?page=3"}, func(url string) string {
		id := subject(url)
		var index, shown strings.Builder
		for k := range 60 {
			entry := prose(fmt.Sprint("entry", id, k), 3)
			index.WriteString("<li>" + entry)
			if number(fmt.Sprint(url, k))%20 == 0 {
				shown.WriteString("<h3>" + entry + "</h3>")
			}
		}
		return document("", "<ul>"+index.String()+"</ul>"+shown.String()+prose("about"+id, 250))
	})
}

var moreOthers = []hostileKind{
	{"more other, sold goods", soldGoods},
	{"more other, soft 404 with hints", softWithHints},
	{"more other, pages of a list", pagesOfList},
}

func TestHostileMoreWalls(t *testing.T) { tryValidate(t, familyOf(moreWalls)) }
func TestHostileMoreTimes(t *testing.T) { tryValidate(t, familyOf(moreTimes())) }
func TestHostileMoreHeads(t *testing.T) { tryValidate(t, familyOf(moreHeads, moreShells)) }
func TestHostileMoreParts(t *testing.T) {
	tryValidate(t, append(append(moreParts, moreHidden...), moreOthers...))
}
