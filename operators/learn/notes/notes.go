package notes

import (
	"cmp"
	"fmt"
	"math/bits"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/evidence"
)

const (
	least  = 50  // URLs
	most   = 50  // percent of the URLs, exceeded
	nearly = 90  // percent of the URLs, reached
	mixed  = 10  // percent of the URLs, reached
	apart  = .05 // of the larger size, exceeded
)

// Kind is the kind of a note.
type Kind string

// The kinds, in the order of notes.
const (
	OneSize      Kind = "one_size"      // most URLs have the same size
	SizesApart   Kind = "sizes_apart"   // the sizes of most URLs are far apart
	OneClient    Kind = "one_client"    // nearly all URLs were requested by one client only
	Headers      Kind = "headers"       // the sizes of most URLs include headers
	MaybeHeaders Kind = "maybe_headers" // the sizes of most URLs may include headers
	Encodings    Kind = "encodings"     // the same URLs came in several encodings
)

// Note is what a log cannot tell about a site.
type Note struct {
	Kind Kind  `json:"note"`
	URLs int   `json:"urls"`           // with the property
	Of   int   `json:"of"`             // URLs whose size, client or encoding is known
	Size int64 `json:"size,omitempty"` // bytes; of OneSize
}

// texts says of each kind what the URLs of a note are or have, why that matters, and what the
// owner of the log can do.
var texts = map[Kind]struct{ words, why, advice string }{
	OneSize: {
		"have the size of %d bytes: size does not tell these pages apart",
		"Two such URLs seem alike whether or not their pages are: a login page, an error page with status 200, or one application for all URLs.",
		"Let the server answer errors with a status of 400 or more. Try the rules on the site before use.",
	},
	SizesApart: {
		"have sizes more than 5 % apart: some answers may be partial or compressed, or have two lines in the log",
		"A wide range of sizes overlaps with the sizes of many other pages, which then seem alike.",
		"Mine one of two logs, or the lines of one server. Log the encoding. Mine a shorter window.",
	},
	OneClient: {
		"were requested by the same client and by no other: the log may be of a proxy, a crawler or a scanner",
		"All lines have the proxy's address, or a crawler or scanner made most URLs.",
		"Behind a proxy, log the visitor's address (X-Forwarded-For). Leave out scanners by their addresses or user agents. The log of your own crawl is fine.",
	},
	Headers: {
		"have sizes with headers: equal pages seldom have equal sizes",
		"The headers vary with cookies and dates, so equal pages seldom have equal sizes.",
		"Log the size of the body: %B or %b in Apache, $body_bytes_sent in nginx.",
	},
	MaybeHeaders: {
		"have sizes that may include headers: equal pages may have unequal sizes",
		"Answers sent in chunks are logged with headers, others without.",
		"Raise the tolerance of sizes, or mine the log of the server behind.",
	},
	Encodings: {
		"came in several encodings: sizes of different encodings are not compared",
		"If one form of a page was seen compressed and another plain, the pair does not count.",
		"Mine a longer log, or leave out clients that accept no compression.",
	},
}

// String returns the note for a person.
func (n Note) String() string { return fmt.Sprintf("%d of %d URLs %s", n.URLs, n.Of, n.Words()) }

// Words returns what the URLs of the note are or have.
func (n Note) Words() string {
	if n.Kind == OneSize {
		return fmt.Sprintf(texts[OneSize].words, n.Size)
	}
	return texts[n.Kind].words
}

// Why says why a note matters, in one sentence.
func (n Note) Why() string { return texts[n.Kind].why }

// Advice says what the owner of the log can do.
func (n Note) Advice() string { return texts[n.Kind].advice }

// Of returns the notes about a window, at most one of each kind, in the order of the kinds.
// Without pages, Of returns notes about the clients alone. O(pages).
func Of(pages []evidence.Page, clients *Clients) (all []Note) {
	var c census
	for i := range pages {
		c.add(pages[i].Evidence.Sizes())
	}
	add := func(is bool, n Note) {
		if is && n.Of >= least {
			all = append(all, n)
		}
	}
	size, same := c.commonest()
	alone, known := clients.most()
	add(above(same, c.sized), Note{OneSize, same, c.sized, size})
	add(above(c.apart, c.sized), Note{Kind: SizesApart, URLs: c.apart, Of: c.sized})
	add(reaches(alone, known, nearly), Note{Kind: OneClient, URLs: alone, Of: known})
	add(above(c.headers, c.sized), Note{Kind: Headers, URLs: c.headers, Of: c.sized})
	add(above(c.maybe, c.sized), Note{Kind: MaybeHeaders, URLs: c.maybe, Of: c.sized})
	add(reaches(c.several, c.encoded, mixed), Note{Kind: Encodings, URLs: c.several, Of: c.encoded})
	return all
}

func above(n, of int) bool { return 100*n > most*of }

func reaches(n, of, percent int) bool { return 100*n >= percent*of }

// census counts the pages with each property.
type census struct {
	sized   int // with a size
	apart   int // with sizes far apart
	headers int
	maybe   int // perhaps with headers
	encoded int // with a known encoding
	several int // with several known encodings

	sizes map[evidence.Span]int // pages by exact size and class
}

// encoding is the part of a class that tells the encoding. The rest of a class tells which
// bytes are counted.
const encoding = 7

func (c *census) add(sizes evidence.Spans) {
	if len(sizes) == 0 {
		return
	}
	if c.sizes == nil {
		c.sizes = map[evidence.Span]int{}
	}
	c.sized++
	var wide, headers, maybe bool
	var encodings [encoding + 1]bool
	for _, s := range sizes {
		if s.Min == s.Max {
			c.sizes[s]++
		}
		wide = wide || float64(s.Max-s.Min) > apart*float64(s.Max)
		headers = headers || s.Class&^encoding == weblog.SizeTotal.Class()
		maybe = maybe || s.Class&^encoding == weblog.SizeLengthOrTotal.Class()
		encodings[s.Class&encoding] = true
	}
	count(&c.apart, wide)
	count(&c.headers, headers)
	count(&c.maybe, maybe)
	known := 0
	for _, is := range encodings[weblog.ClassUnknown+1:] {
		count(&known, is)
	}
	count(&c.encoded, known > 0)
	count(&c.several, known > 1)
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}

// commonest returns the exact size of the most pages within a class, of several such sizes
// the smallest, and the number of its pages.
func (c *census) commonest() (size int64, pages int) {
	for s, n := range c.sizes {
		if cmp.Or(cmp.Compare(n, pages), cmp.Compare(size, s.Min)) > 0 {
			size, pages = s.Min, n
		}
	}
	return size, pages
}

// Clients counts the URLs that only one client requested, by the client's bit. Several
// clients may share a bit, so a count may include several clients. The counts of a bit do
// not include URLs that further clients requested. The zero Clients is ready for use.
type Clients struct {
	alone [16]int // URLs by the bit of their only client
	known int     // URLs with a known client
}

// Add counts a URL, given the mask of its clients. A URL whose client is never named is not
// counted.
func (c *Clients) Add(mask uint16) {
	if mask == 0 {
		return
	}
	c.known++
	if bits.OnesCount16(mask) == 1 {
		c.alone[bits.TrailingZeros16(mask)]++
	}
}

// most returns how many URLs one client alone requested at most, and how many have a known
// client.
func (c *Clients) most() (alone, known int) {
	for _, n := range c.alone {
		alone = max(alone, n)
	}
	return alone, c.known
}
