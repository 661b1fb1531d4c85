package integration

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// Sites that show one page at many URLs.

// everywhere is a site that answers all with the same.
func everywhere(live http.HandlerFunc) hostileSite {
	return hostileSite{urls: everyKind.urls, ids: someIDs, page: itself, live: live}
}

const loading = `<div id="root">You need JavaScript to use this site. Please wait while the application is loading.</div><script src="/app.js"></script>`

// A single-page application.
func shell() hostileSite {
	return everywhere(htmlPages(func(string) string { return document("", loading) }))
}

// One whose scripts have a nonce.
func shellWithNonce() hostileSite {
	return everywhere(htmlPages(func(string) string {
		return document(`<script nonce="`+nonce()+`">start()</script>`, prose("navigation", 40)+loading)
	}))
}

// One that sends each page's data for a script to show.
func shellWithData() hostileSite {
	return everywhere(htmlPages(func(url string) string {
		return document("", prose("navigation", 40)+loading+`<script type="application/json">{"text":"`+prose(url, 60)+`"}</script>`)
	}))
}

func shellOfJSON() hostileSite {
	return everywhere(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"application":"shop","version":"3.14.1","status":"ok","user":null}`)
	})
}

// Pages without a word.
func blank() hostileSite {
	return everywhere(htmlPages(func(string) string { return "<!DOCTYPE html><html><body></body></html>" }))
}

// Answers without a byte, where small pages were when the log was written.
func empty() hostileSite {
	s := everywhere(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") })
	s.logged = before(30)
	return s
}

// before is a site as it was before a wall: pages of four sizes.
func before(words int) http.HandlerFunc {
	return htmlPages(func(url string) string { return sized(url, words) })
}

// sized is a page of one of four sizes, told by the number of its URL.
func sized(url string, words int) string {
	_, id := append(append(families{}, tempting...), further...).find(url)
	return document("", prose(url, words+words/5*(id%4)))
}

var further = append(families{"/page_%d", "/view/%d"}, ordinary...)

const challenge = "<h1>One more step</h1><p>Checking that you are no robot before you go on. This takes a moment, and your browser " +
	"is sent on by itself. Please turn on cookies and scripts, and come back with another browser if nothing happens. " +
	"The owner of this site has asked for this since too many requests came from your network. "

// A challenge at every URL, also when the log was written.
func wall() hostileSite {
	return everywhere(htmlPages(func(string) string { return document("", challenge+"<p>Number of your request: "+nonce()) }))
}

// One that has come since the log was written.
func wallOfOtherSize() hostileSite {
	s := everywhere(htmlPages(func(string) string {
		return document("<style>"+strings.Repeat("p { margin: 1em }\n", 90)+"</style>", challenge+`<i id="`+nonce()+`"></i>`)
	}))
	s.logged = before(350)
	return s
}

// A login page, which knows where to go on, at the end of a redirect.
func wallByRedirect() hostileSite {
	const path = "/login?next="
	s := everywhere(func(w http.ResponseWriter, r *http.Request) {
		if next, is := strings.CutPrefix(r.URL.RequestURI(), path); is {
			htmlPages(func(string) string { return document("", prose("log in", 60)+`<input type="hidden" value="`+next+`">`) })(w, r)
			return
		}
		http.Redirect(w, r, path+strings.NewReplacer("/", "%2F", "?", "%3F", "=", "%3D").Replace(r.URL.RequestURI()), http.StatusFound)
	})
	s.logged = before(120)
	return s
}

// A challenge for those who have asked for a few pages.
func wallAfterAWhile() hostileSite {
	const open = 4
	kinds := append(append(families{}, tempting...), further...)
	pages, asked := before(150), atomic.Int64{}
	closed := htmlPages(func(string) string { return document("", challenge+prose("wait", 60)) })
	return hostileSite{urls: kinds.urls, ids: someIDs, page: kinds.own, logged: pages, live: func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > open {
			closed(w, r)
			return
		}
		pages(w, r)
	}}
}

var shop = families{"/shop/item?id=%d", "/shop/offer/%d", "/shop/part/%d"}

func maintenance() hostileSite {
	return beside(shop, func(string) string {
		return document("", "<h1>Closed for maintenance</h1><p>The shop is being looked after and will be back this evening. "+prose("maintenance", 40))
	})
}

func shellInSection() hostileSite {
	return beside(shop, func(string) string {
		return document(`<script nonce="`+nonce()+`">start()</script>`, loading[:strings.Index(loading, " Please")]+"</div>")
	})
}
