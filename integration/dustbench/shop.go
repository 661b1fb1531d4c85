package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// shop is a made-up shop. Its visitors come with sessions, click ids and campaigns, and its links lead to
// print and AMP views, to filters of lists, to a calendar without end, and to actions that change the cart.
// The zero value is no shop: see newShop.
type shop struct {
	articles []article
	mu       sync.Mutex
	acted    int // requests to actions
	private  int // requests to the links of one client
}

func newShop() *shop { return &shop{articles: articles(240)} }

var (
	colours = []string{"red", "blue", "green", "black", "white"}
	sizes   = []string{"s", "m", "l", "xl"}
	orders  = []string{"price", "name", "newest"}
)

// ServeHTTP shows a page. Parameters that a page does not know make no difference.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, segments := r.URL.Query(), strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case r.URL.Path == "/robots.txt":
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "User-agent: *\nDisallow: /account\n")
	case r.URL.Path == "/" || r.URL.Path == "/index.html":
		s.list(w, "Welcome", s.articles[:40])
	case segments[0] == "product" && len(segments) == 2, segments[0] == "p" && len(segments) == 2, segments[0] == "amp" && len(segments) == 2:
		s.product(w, r, segments[1])
	case r.URL.Path == "/product.php":
		s.product(w, r, q.Get("id"))
	case segments[0] == "category" && len(segments) == 2:
		s.category(w, r, segments[1])
	case r.URL.Path == "/stores": // here the name of the sessions is that of the store
		s.store(w, q.Get("sid"))
	case segments[0] == "events" && len(segments) == 3:
		s.events(w, segments[1], segments[2])
	case segments[0] == "cart" || segments[0] == "wishlist":
		s.count(&s.acted)
		fmt.Fprint(w, "<title>Cart</title><p>Your cart has changed.")
	case segments[0] == "reset":
		s.count(&s.private)
		fmt.Fprint(w, "<title>Reset</title><p>Choose a new password.")
	default:
		http.NotFound(w, r)
	}
}

func (s *shop) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

// product shows a product by its number. All names of its page, /product/NUMBER-NAME, /p/NUMBER,
// /product.php?id=NUMBER, and the AMP and print views, show the same words; v chooses a colour, which has
// words of its own.
func (s *shop) product(w http.ResponseWriter, r *http.Request, key string) {
	number, _, _ := strings.Cut(key, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(s.articles) {
		http.NotFound(w, r)
		return
	}
	a := &s.articles[n]
	colour := r.URL.Query().Get("v")
	if !slices.Contains(colours, colour) {
		colour = colours[n%len(colours)]
	}
	rng := rand.New(rand.NewPCG(uint64(n), uint64(len(colour))))
	fmt.Fprintf(w, `<link rel="canonical" href="/product/%d-%s">`, n, a.Name)
	fmt.Fprintf(w, "<title>%s</title><h1>%s</h1><p>%s, %d.%02d €", a.Title, a.Title, colour, 5+rng.IntN(200), rng.IntN(100))
	fmt.Fprintf(w, "<p>%s", strings.Join(a.Paragraphs, "<p>"))
	fmt.Fprintf(w, `<p>Stock of %s: %d<p><a href="/cart/add?id=%d">Buy</a> <a href="/category/%s">%s</a>`, colour, rng.IntN(900), n, a.Category, a.Category)
}

// category shows a page of a list. Filters choose products, sort orders them, and view changes nothing.
func (s *shop) category(w http.ResponseWriter, r *http.Request, name string) {
	q := r.URL.Query()
	page, _ := strconv.Atoi(q.Get("page"))
	colour := slices.Index(colours, q.Get("color"))
	size := slices.Index(sizes, q.Get("size"))
	var found []article
	for i, a := range s.articles {
		if a.Category == name && (colour < 0 || i%len(colours) == colour) && (size < 0 || i%len(sizes) == size) {
			found = append(found, a)
		}
	}
	switch q.Get("sort") {
	case "price":
		slices.Reverse(found)
	case "name":
		slices.SortFunc(found, func(a, b article) int { return strings.Compare(a.Title, b.Title) })
	}
	from := min(max(page-1, 0)*10, len(found))
	s.list(w, capital(name)+" "+strconv.Itoa(max(page, 1)), found[from:min(from+10, len(found))])
}

func (s *shop) list(w http.ResponseWriter, title string, some []article) {
	fmt.Fprintf(w, "<title>%s</title><h1>%s</h1>", title, title)
	for _, a := range some {
		fmt.Fprintf(w, "<h2>%s</h2><p>%.200s", a.Title, a.Paragraphs[0])
	}
}

// store shows one of 30 stores.
func (s *shop) store(w http.ResponseWriter, number string) {
	n, _ := strconv.Atoi(number)
	a := &s.articles[n%30]
	fmt.Fprintf(w, "<title>Store %d</title><h1>Store in %s</h1><p>%s", n%30, a.Title, a.Paragraphs[1])
}

// events shows a month of a calendar that never ends; only six months have events.
func (s *shop) events(w http.ResponseWriter, year, month string) {
	fmt.Fprintf(w, "<title>Events</title><h1>Events</h1>")
	if y, _ := strconv.Atoi(year); y == 2026 && month <= "06" {
		a := s.articles[len(month)+int(month[len(month)-1]-'0')]
		fmt.Fprintf(w, "<h2>%s</h2><p>%s", a.Title, a.Paragraphs[0])
		return
	}
	fmt.Fprint(w, "<p>There are no events in this month.")
}

// visit is a line of the log to be.
type visit struct {
	client, agent, url string
}

var agents = []string{
	"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
	"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
}

// visits are the requests of a week: people come with sessions and click ids, crawlers follow what links
// they have found.
func (s *shop) visits() []visit {
	rng := rand.New(rand.NewPCG(11, 13))
	var all []visit
	for n := range 14_000 {
		agent := agents[rng.IntN(len(agents))]
		client := fmt.Sprintf("192.0.2.%d", 1+rng.IntN(250))
		if rng.IntN(3) == 0 {
			client = fmt.Sprintf("198.51.100.%d", 1+rng.IntN(250))
		}
		all = append(all, visit{client, agent, s.address(rng, n)})
	}
	return all
}

// address is a URL that somebody asks for.
func (s *shop) address(rng *rand.Rand, n int) string {
	i := min(rng.IntN(len(s.articles)), rng.IntN(len(s.articles)))
	a, q := &s.articles[i], url.Values{}
	path := fmt.Sprintf("/product/%d-%s", i, a.Name)
	switch k := rng.IntN(100); {
	case k < 10:
		path = fmt.Sprintf("/p/%d", i)
	case k < 20:
		path = "/product.php"
		q.Set("id", strconv.Itoa(i))
	case k < 28:
		path = fmt.Sprintf("/amp/%d-%s", i, a.Name)
	case k < 34:
		q.Set("print", "1")
	case k < 42:
		q.Set("v", colours[rng.IntN(len(colours))])
	case k < 70:
		path = "/category/" + a.Category
		s.filters(rng, q)
	case k < 76:
		path = fmt.Sprintf("/events/%d/%02d", 2020+rng.IntN(12), 1+rng.IntN(12))
	case k < 78:
		path = "/cart/add"
		q.Set("id", strconv.Itoa(i))
	case k < 81:
		path = "/stores"
		q.Set("sid", strconv.Itoa(rng.IntN(30)))
		return path + "?" + q.Encode()
	case k < 82:
		path = fmt.Sprintf("/reset/%016x%016x", rng.Uint64(), rng.Uint64())
	case k < 85:
		path = []string{"/", "/index.html"}[rng.IntN(2)]
	}
	s.tracked(rng, q, n)
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func (s *shop) filters(rng *rand.Rand, q url.Values) {
	if rng.IntN(2) == 0 {
		q.Set("page", strconv.Itoa(1+rng.IntN(4)))
	}
	if rng.IntN(3) == 0 {
		q.Set("color", colours[rng.IntN(len(colours))])
	}
	if rng.IntN(4) == 0 {
		q.Set("size", sizes[rng.IntN(len(sizes))])
	}
	if rng.IntN(3) == 0 {
		q.Set("sort", orders[rng.IntN(len(orders))])
	}
	if rng.IntN(4) == 0 {
		q.Set("view", []string{"grid", "list"}[rng.IntN(2)])
	}
}

// tracked adds what tells where a visitor comes from.
func (s *shop) tracked(rng *rand.Rand, q url.Values, n int) {
	switch rng.IntN(8) {
	case 0:
		q.Set("sid", fmt.Sprintf("%016x%016x", rng.Uint64(), rng.Uint64()))
	case 1:
		q.Set("gclid", fmt.Sprintf("Cj0KCQjw%x%x", rng.Uint64(), rng.Uint64()))
	case 2:
		q.Set("utm_source", []string{"google", "newsletter", "partner"}[rng.IntN(3)])
		q.Set("utm_medium", []string{"cpc", "email"}[rng.IntN(2)])
		q.Set("utm_campaign", []string{"spring", "summer", "brand", "sale" + strconv.Itoa(n%7)}[rng.IntN(4)])
	case 3:
		q.Set("ref", []string{"footer", "home", "nav"}[rng.IntN(3)])
	}
}

// log returns the access log of the visits, in the format combined, as a handler answers them.
func (s *shop) log(as http.Handler) []byte {
	var b bytes.Buffer
	for n, v := range s.visits() {
		got := get(as, v.url)
		fmt.Fprintf(&b, "%s - - [%02d/Nov/2026:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" %d %d \"-\" \"%s\"\n",
			v.client, 1+n/2000, n/90%24, n/2%60, n%60, v.url, got.status, len(got.body), v.agent)
	}
	return b.Bytes()
}
