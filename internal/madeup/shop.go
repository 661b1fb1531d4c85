package madeup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

// Shop is a made-up shop: pages of articles under two forms, listings with facets, actions, click ids of campaigns,
// a calendar, and sessions of one client each.
type Shop struct {
	Log   []evidence.Observation // each URL once
	names []string               // of listings and articles
	rng   *rand.Rand
	seen  map[string]bool
}

// The facets of a listing, with their values; some of which change nothing.
var facets = []struct {
	name   string
	values []string
}{
	{"color", []string{"red", "blue", "green", "black", "white", "grey", "brown"}},
	{"size", []string{"xs", "s", "m", "l", "xl", "38", "40", "42"}},
	{"brand", []string{"alba", "borea", "corvo", "delta", "ermes", "fjord", "gamma", "hanse", "ibis", "jura"}},
	{"price", []string{"0-25", "25-50", "50-100", "100-200"}},
	{"sort", []string{"name", "price", "new"}}, // another order: other text of the same size
	{"view", []string{"grid", "list"}},         // nothing
	{"page", []string{"2", "3", "4", "5"}},
	{"per_page", []string{"24", "48"}},
	{"dir", []string{"asc", "desc"}},       // another order
	{"mode", []string{"a", "b", "c", "d"}}, // nothing
	{"stock", []string{"1", "0"}},          // nothing
}

// NewShop returns a shop of about n URLs.
func NewShop(seed uint64, n int) *Shop {
	s := &Shop{rng: rand.New(rand.NewPCG(seed, 11)), seen: map[string]bool{}}
	m := &Maker{s.rng, nil, map[string]bool{}}
	s.names = m.words(n / 12)
	for len(s.Log) < n {
		name := s.names[s.rng.IntN(len(s.names))]
		switch p := s.rng.Float64(); {
		case p < .60:
			s.list(s.listing(s.names[s.rng.IntN(len(s.names)/100+1)]))
		case p < .75:
			s.list(s.article(name))
		case p < .79:
			s.list(fmt.Sprintf("/%s?product=%d&qty=%d", s.one("cart/add", "wishlist/add", "compare/add"), s.number(name), 1+s.rng.IntN(2)))
		case p < .93:
			s.list(fmt.Sprintf("/events?year=%d&month=%d&day=%d&view=%s", 2023+s.rng.IntN(2), 1+s.rng.IntN(12), 1+s.rng.IntN(28), s.one("month", "week", "day")))
		default:
			s.list(fmt.Sprintf("/p/%s?sid=%016x", name, s.rng.Uint64()))
		}
	}
	return s
}

func (s *Shop) one(of ...string) string { return of[s.rng.IntN(len(of))] }

func (s *Shop) number(name string) int { return 1000 + 7*slices.Index(s.names, name) }

// listing returns a URL of a listing, with some facets in any order.
func (s *Shop) listing(name string) string {
	var pieces []string
	for _, f := range facets {
		if s.rng.IntN(len(facets)) < 2 {
			pieces = append(pieces, f.name+"="+s.one(f.values...))
		}
	}
	if s.rng.IntN(4) == 0 {
		s.rng.Shuffle(len(pieces), func(i, k int) { pieces[i], pieces[k] = pieces[k], pieces[i] })
	}
	return s.clicked("/c/"+name+"/", pieces)
}

// article returns a URL of an article in one of its forms.
func (s *Shop) article(name string) string {
	var pieces []string
	if s.rng.IntN(4) == 0 {
		pieces = append(pieces, "variant="+s.one("a", "b", "c"))
	}
	if s.rng.IntN(4) == 0 {
		return s.clicked("/product", append([]string{fmt.Sprintf("id=%d", s.number(name))}, pieces...))
	}
	return s.clicked("/p/"+name, pieces)
}

// clicked returns a URL, now and then as a campaign links to it.
func (s *Shop) clicked(path string, pieces []string) string {
	switch s.rng.IntN(8) {
	case 0:
		pieces = append(pieces, "utm_source="+s.one("news", "search", "social"), "utm_medium="+s.one("mail", "cpc"))
	case 1:
		pieces = append(pieces, fmt.Sprintf("gclid=Cj0KCQ%016x", s.rng.Uint64()))
	case 2:
		pieces = append(pieces, "ref="+s.one("home", "footer", "related"))
	}
	if len(pieces) == 0 {
		return path
	}
	return path + "?" + strings.Join(pieces, "&")
}

// list adds a URL to the log: what has a session is of one client, all else of several.
func (s *Shop) list(url string) {
	if s.seen[url] {
		return
	}
	s.seen[url] = true
	clients := uint16(1) << s.rng.IntN(16)
	if !strings.Contains(url, "sid=") && !strings.Contains(url, "gclid=") {
		for range 2 {
			clients |= 1 << s.rng.IntN(16)
		}
	}
	n := s.Shown(url).Sent
	s.Log = append(s.Log, evidence.Observation{URL: []byte(url), Time: 1_800_000_000, Min: n, Max: n, Clients: clients})
}

// Content returns what tells the page of a URL from others, and from others of the same size. "": 404.
func (s *Shop) Content(url string) (page, sized string) {
	path, _, values := query(url)
	for _, name := range []string{"utm_source", "utm_medium", "gclid", "ref", "sid"} {
		delete(values, name)
	}
	of := func(names ...string) string {
		page := path
		for _, name := range names {
			page += " " + values[name]
		}
		return page
	}
	_, article, isArticle := strings.Cut(path, "/p/")
	switch {
	case strings.HasPrefix(path, "/c/") && slices.Contains(s.names, strings.Trim(path[3:], "/")):
		return of("color", "size", "brand", "price", "page", "per_page", "sort", "dir"), of("color", "size", "brand", "price", "page", "per_page")
	case isArticle && slices.Contains(s.names, article):
		page = fmt.Sprint("article ", s.number(article), " ", values["variant"])
	case path == "/product":
		page = "article " + values["id"] + " " + values["variant"]
	case path == "/events" && values["view"] == "month":
		page = of("view", "year", "month")
	case path == "/events":
		page = of("view", "year", "month", "day")
	case strings.HasSuffix(path, "/add"):
		page = path
	}
	return page, page
}

// Fetch returns the document of a URL.
func (s *Shop) Fetch(url string) trial.Document {
	if page, _ := s.Content(url); page == "" {
		return trial.Document{Status: 404}
	}
	return trial.Document{Status: 200}
}

// Shown returns the page of a URL.
func (s *Shop) Shown(url string) trial.Shown {
	page, sized := s.Content(url)
	shown := Shown(page, 3000+int64(siphash.Hash(1, 2, []byte(sized))%60000))
	return shown
}

// Compare compares the pages of two URLs.
func (s *Shop) Compare(u, v string) trial.Compared {
	c := Compared(s.Shown(u), s.Shown(v))
	if !c.SameText {
		c.Alike = .1 + .3*chance(u, v)
	}
	return c
}
