package oracle

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strconv"

	"dustbuster/operators/window/evidence"
)

// unitSize is the number of URLs with the same user, wiki, set of packages and set of
// projects. A larger site has more units, and not larger units, so the shape of the site
// stays the same.
const unitSize = 1000

// Site generates the URL list of a site with n different URLs: blogs, wikis, a documentation
// tree with sortable listings, a code browser and assets. Equal seeds give equal lists, and a
// shorter list is the beginning of a longer one. Many pages have several URLs, by rules such as
// "?commentlimit=0$" -> "$" or "/w/index.php?title=" -> "/wiki/", with sizes that differ by a
// few bytes at most. Every URL has evidence of one span. A million URLs take a quarter of a
// second.
//
// The table shows the shape, and for comparison that of real lists of 1,300 to 18,500 URLs
// (four access logs, and the crawls of a documentation tree and of a code browser). All columns
// but the number of URLs are per URL:
//
//	list     URLs       tokens     substrings  distinct  overflowing  shared
//	Site(1)  10,000     17.9       195.8       144.1     39.0         20.8
//	Site(1)  100,000    17.9       196.3       143.7     40.9         19.6
//	Site(1)  1,000,000  17.9       196.2       143.2     40.9         20.2
//	logs                12.9-17.8  134-236     89-175    27-45        14-28
//	crawls              15.5-27.4  151-439     68-261    57-119       37-105
//
// Distinct is the number of envelopes of the whole list, divided by the URLs. Overflowing
// substrings are in buckets of more than 11 members, shared ones in buckets of 2 to 11. The
// others are alone. Measured by
//
//	go test ./internal/oracle -run TestSiteShape -v -long
func Site(seed uint64, n int) []evidence.Page {
	g := &generator{n: n}
	for unit := uint64(0); !g.full(); unit++ {
		g.rng = rand.New(rand.NewPCG(seed, unit))
		g.unit(unit)
	}
	return g.pages()
}

// generator collects URLs in one block of memory for texts and one for evidence.
type generator struct {
	rng   *rand.Rand
	n     int
	text  []byte
	ends  []int // ends[i]: the end of URL i in text
	spans []evidence.Span
	size  int64 // of the current page
}

func (g *generator) full() bool { return len(g.ends) >= g.n }

// unit generates the URLs of a unit. Words made from numbers of the unit keep the URLs
// different from all other units.
func (g *generator) unit(unit uint64) {
	name := word(unit)
	for item, end := uint64(0), len(g.ends)+unitSize; len(g.ends) < end; item++ {
		id := unit*unitSize + item
		switch k := g.rng.IntN(100); {
		case k < 30:
			g.post(name, item, id)
		case k < 52:
			g.article(name, id)
		case k < 60:
			g.folder(id)
		case k < 84:
			g.commit(name, id)
		default:
			g.asset(name, id)
		}
	}
}

// page begins another page. Sizes are spread over three powers of ten.
func (g *generator) page() { g.size = 300 + int64(g.rng.ExpFloat64()*12000) }

// url adds a URL of the page. One in eight pages changes over time.
func (g *generator) url(parts ...string) {
	for _, p := range parts {
		g.text = append(g.text, p...)
	}
	g.ends = append(g.ends, len(g.text))
	size := g.size + g.rng.Int64N(4)
	span := evidence.Span{Min: size, Max: size}
	if g.rng.IntN(8) == 0 {
		span.Max += g.rng.Int64N(size)
	}
	g.spans = append(g.spans, span)
}

func (g *generator) pages() []evidence.Page {
	text, pages := string(g.text), make([]evidence.Page, g.n)
	for i, start := 0, 0; i < g.n; i++ {
		pages[i] = evidence.Page{URL: text[start:g.ends[i]], Evidence: g.spans[i : i+1 : i+1]}
		start = g.ends[i]
	}
	return pages
}

// post generates a blog post, with and without its comments.
func (g *generator) post(user string, item, id uint64) {
	year, month := strconv.FormatUint(2008+id/unitSize%10, 10), twoDigits(1+item/60%12)
	at := "/~" + user + "/" + year + "/" + month + "/" +
		g.pick(titles) + "-" + g.pick(titles) + "-" + word(id) + ".html"
	g.page()
	g.url(at)
	if g.rng.IntN(3) == 0 {
		g.url(at, "?commentlimit=0")
	}
}

// article generates a wiki article with some of its other views.
func (g *generator) article(name string, id uint64) {
	title, old := g.pick(titles)+"_"+word(id), strconv.Itoa(1000+g.rng.IntN(1e6))
	short, long := "/wiki/"+name+"/"+title, "/w/"+name+"/index.php?title="+title
	g.page()
	g.url(short)
	g.url(long)
	if g.rng.IntN(2) == 0 {
		g.page()
		g.url(long, "&action=edit&oldid=", old)
	}
	if g.rng.IntN(3) == 0 {
		g.page()
		g.url(long, "&action=history")
	}
}

// folder generates a package's listing, in some of its orders, and its files.
func (g *generator) folder(id uint64) {
	at := "/doc/" + g.pick(titles) + "-" + word(id) + "/html/"
	g.page()
	g.url(at)
	for _, order := range []string{"?C=N;O=D", "?C=M;O=A", "?C=S;O=A", "?C=D;O=A"} {
		if g.rng.IntN(2) == 0 {
			g.url(at, order)
		}
	}
	for i := range 2 + g.rng.IntN(6) {
		g.page()
		g.url(at, "api/", titles[i], "-", word(g.rng.Uint64N(1<<20)), ".html")
	}
}

// commit generates a project's commit in some of a code browser's views.
func (g *generator) commit(project string, id uint64) {
	at, hash := "/gitweb/?p="+project+".git;a=", g.hash(id)
	g.page()
	g.url(at, "commit;h=", hash)
	if g.rng.IntN(4) == 0 {
		g.url(at, "commit;h=", hash, ";js=1")
	}
	if g.rng.IntN(2) == 0 {
		g.page()
		g.url(at, "blob;f=src/", g.pick(titles), ".go;h=", hash)
	}
}

// asset generates a picture, perhaps also under another version of the theme.
func (g *generator) asset(user string, id uint64) {
	at := "/~" + user + "/assets/images/" + g.pick(titles) + "/" + g.pick(titles) + "-" + word(id) + ".png"
	g.page()
	g.url(at)
	if g.rng.IntN(4) == 0 {
		g.url(at, "?v=", strconv.Itoa(1+g.rng.IntN(4)))
	}
}

// hash returns 160 bits in hexadecimal. The first 64 bits are a bijection of id.
func (g *generator) hash(id uint64) string {
	var b [20]byte
	binary.BigEndian.PutUint64(b[:], id*0x9e3779b97f4a7c15)
	binary.BigEndian.PutUint64(b[8:], g.rng.Uint64())
	binary.BigEndian.PutUint32(b[16:], g.rng.Uint32())
	return hex.EncodeToString(b[:])
}

func (g *generator) pick(words []string) string { return words[g.rng.IntN(len(words))] }
