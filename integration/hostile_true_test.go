package integration

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
)

// Sites with true duplicates that look like tricks.

// mostly is the share of true duplicates that is to be found.
const mostly = 0.9

// withStories is a site of plain articles beside stories, each with several URLs.
func withStories(stories func(first, n int) []string, story *regexp.Regexp, page func(url, id string) string) hostileSite {
	id := func(url string) string {
		if found := story.FindStringSubmatch(url); found != nil {
			return found[1]
		}
		return ""
	}
	return hostileSite{ids: someIDs, merged: mostly,
		urls: func(first, n int) []string { return append(stories(first, n), ordinary.urls(first, n)...) },
		page: func(url string) string {
			if n := id(url); n != "" {
				return "story " + n
			}
			return ordinary.own(url)
		},
		live: htmlPages(func(url string) string {
			switch n := id(url); {
			case n != "":
				return page(url, n)
			case ordinary.has(url):
				return article(url)
			}
			return ""
		})}
}

// A headline that changes with each visit.
func ticker() hostileSite {
	return withStories(twoForms.urls, storyOf, func(_, id string) string {
		return document("", "<p>"+prose(id, 300)+"<p>"+prose(nonce(), 6)+"<p>"+prose("and "+id, 300))
	})
}

var twoForms = families{"/story?id=%d", "/story/%d"}

// A number that changes with each visit.
func visitorNumber() hostileSite {
	return withStories(twoForms.urls, storyOf, func(_, id string) string {
		return document("", "<p>"+prose(id, 300)+"<p>You are visitor "+nonce())
	})
}

// Titles of five other stories, others with each visit, so some are the same by chance.
func relatedItems() hostileSite {
	var visits atomic.Uint64 // one in a hundred series of titles has so many twice that the rule is refuted
	return withStories(twoForms.urls, storyOf, func(_, id string) string {
		var b strings.Builder
		for k := range 5 {
			fmt.Fprintf(&b, "<li>%s", prose(fmt.Sprint("title", number(nonceOf(&visits))%someIDs, k), 3))
		}
		return document("", "<p>"+prose(id, 900)+b.String())
	})
}

var sessions = regexp.MustCompile(`^/story\?id=(\d+)(?:&sid=\d+)?$`)

// sessionURLs are stories without a session and with three.
func sessionURLs(first, n int) (urls []string) {
	for id := first; id < first+n; id++ {
		urls = append(urls, fmt.Sprintf("/story?id=%d", id))
		for k := range 3 {
			urls = append(urls, fmt.Sprintf("/story?id=%d&sid=%05d", id, (id*7919+k*31337)%100000))
		}
	}
	return urls
}

// withSession is a story whose links carry the session.
func withSession(url, id string) string {
	_, sid, _ := strings.Cut(url, "&sid=")
	return document("", prose(id, 300)+`<a href="/?sid=`+sid+`">home</a>`)
}

func session() hostileSite { return withStories(sessionURLs, sessions, withSession) }

func sessionBesideMaintenance() hostileSite {
	s, closed := session(), maintenance()
	return hostileSite{ids: someIDs, merged: mostly,
		urls: func(first, n int) []string { return append(s.urls(first, n), shop.urls(first, n)...) },
		page: func(url string) string {
			if shop.has(url) {
				return url
			}
			return s.page(url)
		},
		live: func(w http.ResponseWriter, r *http.Request) {
			if shop.has(r.URL.RequestURI()) {
				closed.live(w, r)
				return
			}
			s.live(w, r)
		}}
}

// Long posts of a month in three orders.
func sorted() hostileSite {
	months := families{"/month?m=%d", "/month?m=%d&order=asc", "/month?m=%d&order=desc"}
	return withStories(months.urls, regexp.MustCompile(`^/month\?m=(\d+)(?:&order=\w+)?$`), func(url, id string) string {
		posts := []string{prose("a"+id, 400), prose("b"+id, 400), prose("c"+id, 400)}
		if strings.HasSuffix(url, "&order=desc") {
			posts[0], posts[2] = posts[2], posts[0]
		}
		return document("", "<p>"+strings.Join(posts, "<p>"))
	})
}

// A login page in four languages, which knows where to go on, at thousands of URLs.
func login() hostileSite {
	returns := func(first, n int) (urls []string) {
		const each = 5
		for _, lang := range []string{"en", "de", "fr", "ar"} {
			forms := families{"/login?lang=" + lang + "&returnto=%%2Fwiki%%2Fa%d"}
			forms = append(forms, forms[0]+"&returntoquery=action%%3Dedit", forms[0]+"&returntoquery=action%%3Dhistory")
			urls = append(urls, "/login?lang="+lang)
			urls = append(urls, forms.urls(first*each, n*each)...)
		}
		return urls
	}
	return withStories(returns, regexp.MustCompile(`^/login\?lang=(\w\w)(?:&returnto.*)?$`), func(url, lang string) string {
		_, next, _ := strings.Cut(url, "&returnto=")
		return document("", prose("log in "+lang, 60)+`<input type="hidden" name="returnto" value="`+next+`">`)
	})
}
