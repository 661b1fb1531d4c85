package integration

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// usual is a parameter that changes nothing, as links carry it on every site.
type usual struct {
	name  string
	path  bool // the parameter stands behind a semicolon in the path
	value func(s *reached) string
}

// oneOf returns values of a few words.
func oneOf(words ...string) func(*reached) string {
	return func(s *reached) string { return words[s.IntN(len(words))] }
}

// ofShape returns values of a beginning, random characters, and an end.
func ofShape(begin, alphabet string, n int, end string) func(*reached) string {
	return func(s *reached) string { return begin + s.text(alphabet, n) + end }
}

// second returns a second of the months before the log.
func (s *reached) second() int { return 1_747_440_000 - s.IntN(5_000_000) }

// visitorOf returns a value of Google Analytics: a number and the time of the first visit.
func visitorOf(s *reached) string {
	return fmt.Sprintf("2.%s.%s.%d-%s.%d", s.text("123456789", 9), s.text("123456789", 9), s.second(), s.text("123456789", 9), s.second())
}

// usualTen are the parameters that the shop is linked to with.
var usualTen = []usual{
	{"utm_source", false, oneOf("google", "newsletter", "facebook", "bing", "instagram", "partner", "linkedin")},
	{"utm_medium", false, oneOf("cpc", "email", "social", "banner", "affiliate", "organic")},
	{"utm_campaign", false, oneOf("spring_sale", "summer", "black-friday", "back-to-school", "brand", "retargeting", "launch25")},
	{"gclid", false, ofShape("Cj0KCQjw", urlLetters, 60, "_wcB")},
	{"fbclid", false, ofShape("IwAR", urlLetters, 57, "")},
	{"PHPSESSID", false, ofShape("", lowerMix, 26, "")},
	{"jsessionid", true, ofShape("", hexUpper, 32, "")},
	{"sid", false, ofShape("", hexDigits, 32, "")},
	{"ref", false, oneOf("footer", "homepage", "nav", "twitter", "search", "related", "banner-top")},
	{"_ga", false, visitorOf},
}

// on returns a URL with the parameter.
func (u *usual) on(url, value string) string {
	path, query, _ := strings.Cut(url, "?")
	switch {
	case u.path && query != "":
		return path + ";" + u.name + "=" + value + "?" + query
	case u.path:
		return path + ";" + u.name + "=" + value
	case query != "":
		return url + "&" + u.name + "=" + value
	}
	return url + "?" + u.name + "=" + value
}

// without returns a URL less the parameters of a list.
func without(list []usual) func(url string) string {
	var in, behind []string
	for _, u := range list {
		if u.path {
			behind = append(behind, regexp.QuoteMeta(u.name))
		} else {
			in = append(in, regexp.QuoteMeta(u.name))
		}
	}
	path := regexp.MustCompile(`(?i);(?:` + strings.Join(append(behind, "none"), "|") + `)=[^;?]*`)
	query := regexp.MustCompile(`([?&])(?:` + strings.Join(append(in, "none"), "|") + `)=[^&]*`)
	return func(url string) string {
		url = query.ReplaceAllString(path.ReplaceAllLiteralString(url, ""), "$1")
		for strings.Contains(url, "&&") || strings.Contains(url, "?&") {
			url = strings.NewReplacer("&&", "&", "?&", "?").Replace(url)
		}
		return strings.TrimRight(url, "?&")
	}
}

// shopOf is a shop whose pages several visitors asked for plainly, and each page twice with each
// of some parameters. A value that looks private must not be requested as it is.
func shopOf(seed uint64, pages []string, list []usual, secret ...string) *reached {
	s := newReached(seed)
	less := without(list)
	s.page = func(url string) string {
		if page := less(url); slices.Contains(pages, page) {
			return page
		}
		return ""
	}
	s.answer = htmlPages(func(url string) string {
		if page := s.page(url); page != "" {
			return goods(page)
		}
		return ""
	})
	for _, page := range pages {
		s.asked(page, s.some(6)...)
		for i := range list {
			u, seen := &list[i], map[string]bool{}
			for len(seen) < 2 {
				url := u.on(page, u.value(s))
				if seen[url] {
					continue
				}
				seen[url] = true
				if slices.Contains(secret, u.name) {
					s.kept(url, s.some(1)...)
				} else {
					s.asked(url, s.some(1)...)
				}
			}
		}
	}
	return s
}

// goods is the page of an article of the shop. Pages differ in length.
func goods(page string) string {
	return document("", "<p>"+prose(page, 120+int(number(page)%900)))
}

// secretOfTen are the parameters of the ten whose values look private.
var secretOfTen = []string{"gclid", "fbclid", "PHPSESSID", "jsessionid", "sid", "_ga"}

// shopPages are the pages of a shop, by how their addresses name them.
func shopPages(by string, n int) (pages []string) {
	words := newReached(number(by)).words(n + 12)
	for i := range n {
		w, kind := words[i], words[n+i%12]
		switch by {
		case "word":
			pages = append(pages, fmt.Sprintf("/%s/%s.html", kind, w))
		case "number":
			pages = append(pages, fmt.Sprintf("/product/%d", 1000+7*i))
		case "slug":
			pages = append(pages, fmt.Sprintf("/%s/the-%s-of-%s-and-%s", kind, w, words[(i+5)%n], words[(i+11)%n]))
		case "query":
			pages = append(pages, fmt.Sprintf("/show?item=%d", 1000+7*i))
		}
	}
	return pages
}

// What people install the program for is proved by default, whatever the pages of the shop are
// named by: session ids and tracking parameters are ten rules.
func TestReachTenParameters(t *testing.T) {
	t.Parallel()
	for i, by := range []string{"word", "number", "slug", "query"} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			v := shopOf(uint64(i), shopPages(by, 120), usualTen, secretOfTen...).validate(t)
			if m := v.merged(1); m.duplicates != 2400 {
				t.Errorf("a world of %d duplicates", m.duplicates)
			}
			v.costs(80 * len(usualTen))
		})
	}
}

// Each parameter alone is proved with few requests.
func TestReachOneParameter(t *testing.T) {
	t.Parallel()
	for i := range usualTen {
		u := usualTen[i : i+1]
		t.Run(u[0].name, func(t *testing.T) {
			t.Parallel()
			v := shopOf(uint64(i), shopPages([]string{"word", "number", "slug"}[i%3], 120), u, secretOfTen...).validate(t)
			v.merged(1)
			v.costs(220)
		})
	}
}

// usualNineteen are parameters of sessions and of clicks, as programs and advertisers spell them.
var usualNineteen = []usual{
	{"PHPSESSID", false, ofShape("", hexDigits, 32, "")},
	{"jsessionid", true, ofShape("", hexUpper, 32, ".node1")},
	{"sid", false, ofShape("", hexDigits, 32, "")},
	{"session_id", false, ofShape("", lowerMix, 32, "")},
	{"ASPSESSIONID", false, ofShape("", upper, 24, "")},
	{"gclid", false, ofShape("EAIaIQobChMI", urlLetters, 40, "_BwE")},
	{"fbclid", false, ofShape("IwAR", urlLetters, 57, "")},
	{"msclkid", false, ofShape("", hexDigits, 32, "")},
	{"dclid", false, ofShape("CI", urlLetters, 24, "")},
	{"yclid", false, ofShape("", digits, 19, "")},
	{"gbraid", false, ofShape("0AAAAA", urlLetters, 34, "")},
	{"wbraid", false, ofShape("ClEKCQjw", urlLetters, 60, "")},
	{"twclid", false, ofShape("2-", lowerMix, 26, "")},
	{"ttclid", false, ofShape("E.C.P.", urlLetters, 60, "")},
	{"mc_eid", false, ofShape("", hexDigits, 10, "")},
	{"igshid", false, func(s *reached) string { return base64.StdEncoding.EncodeToString([]byte("2c" + s.text(hexDigits, 8))) }},
	{"_hsenc", false, ofShape("p2ANqtz-", urlLetters, 70, "")},
	{"_ga", false, visitorOf},
	{"li_fat_id", false, func(s *reached) string {
		return fmt.Sprintf("%s-%s-%s-%s-%s", s.text(hexDigits, 8), s.text(hexDigits, 4), s.text(hexDigits, 4), s.text(hexDigits, 4), s.text(hexDigits, 12))
	}},
}

// Of the usual parameters of sessions and clicks nearly all are tried, each on a shop of its own, and
// no link of a visitor is requested. A value that leaves too little to invent may stay out.
func TestReachSessionsAndClicks(t *testing.T) {
	t.Parallel()
	var out atomic.Int64
	t.Run("parameters", func(t *testing.T) {
		for i := range usualNineteen {
			u := usualNineteen[i : i+1]
			t.Run(u[0].name, func(t *testing.T) {
				t.Parallel()
				v := shopOf(uint64(100+i), shopPages([]string{"word", "number", "slug"}[i%3], 60), u, u[0].name).validate(t)
				if m := v.true(); m.merged < m.duplicates {
					out.Add(1)
					t.Logf("%d of %d duplicates are merged\n%s", m.merged, m.duplicates, v)
				}
			})
		}
	})
	if tried := len(usualNineteen) - int(out.Load()); tried < 18 {
		t.Errorf("%d of %d parameters are tried and found valid", tried, len(usualNineteen))
	}
}
